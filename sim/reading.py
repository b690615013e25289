"""Read the screen aloud: say in words which texts it shows, for players who do not see it (sim/web)."""

from firmware.compat import TYPE_CHECKING
from sim.scenes import is_steered

if TYPE_CHECKING:
    from typing import Any  # scenes differ

    from firmware.view.canvas import Canvas

_GAP_PX = 10  # a wider gap between two words parts a name from its value
_SMALL_PX = 5  # the height of letters whose lines continue each other
_LEADING_PX = 3  # the most between two such lines
_NAMES = {" ": "Space", ".": "dot", "-": "dash", "!": "exclamation mark", "<": "left", ">": "right"}


class Row:
    """Be a line of text on the screen.

    chosen: where it is if it is dark on light, else "".  loose: whether a wide gap parts its words.
    """

    def __init__(self, top: int, bottom: int) -> None:
        self.top = top
        self.bottom = bottom
        self.cells: list[tuple[int, int, int, bool]] = []  # left, right, code, whether it is dark on light
        self.chosen = ""
        self.text = ""
        self.loose = False

    def write(self) -> None:
        """Join the glyphs, only the chosen ones if any are."""
        cells = [cell for cell in self.cells if cell[3]]
        if cells:
            self.chosen = str(self.top) + "," + str(min(cells)[0])
        end = 0
        for left, right, code, _ in sorted(cells or self.cells):
            if self.text and left > end + 1:
                self.text += " "
                self.loose = self.loose or left > end + _GAP_PX
            self.text += chr(code)
            end = right


class Reader:
    """Say all texts of a new screen, then those that change; say nothing while a Tetrimino falls.

    A Canvas reports each glyph that it draws. When the screen is read, a glyph counts if its pixels are still there,
    and is chosen if they are dark on light: so one rule reads every scene, and no scene knows of it. Of a menu's lines
    only the chosen one is said. A text that comes back after it blinked is not said again, and numbers that change
    without a press are not said.
    """

    def __init__(self, canvas: "Canvas") -> None:
        self.canvas = canvas
        self.draw = canvas.glyph
        self.drawn = 0  # glyphs so far
        self.codes: dict[int, int] = {}  # by place: what `drawn` was, then the code
        self.fonts: dict[int, bytes] = {}
        self.shown: Any = None  # the scene of the last call, and of the last texts that were said
        self.scene: Any = None
        self.seen: list[tuple[str, str, str]] = []
        self.known: set[str] = set()
        self.presses = 0
        self.wipe = canvas.clear
        canvas.glyph = self.glyph  # type: ignore[method-assign]
        canvas.clear = self.clear  # type: ignore[method-assign]

    def glyph(self, x: int, y: int, code: int, font: bytes, gap: int = 0) -> int:
        """Note a glyph, and draw it; allocate nothing where one has been before."""
        place = y << 6 | x
        self.drawn += 1
        self.codes[place] = self.drawn << 8 | code
        self.fonts[place] = font
        return self.draw(x, y, code, font, gap)

    def clear(self) -> None:
        """Forget all glyphs with the picture."""
        self.codes.clear()
        self.fonts.clear()
        self.wipe()

    def read(self, scene: "Any", presses: int) -> str:
        """Return what is new since the last call, once two calls in a row found the same; else "".

        presses: counts the edges of buttons.
        """
        if is_steered(scene) and hasattr(scene, "press_pause"):
            self.scene = None
            return ""
        seen = self.list_texts(getattr(scene, "cover", None) or scene)
        if seen != self.seen or scene is not self.shown:
            self.seen = seen
            self.shown = scene
            return ""
        is_new = scene is not self.scene
        pressed = is_new or presses != self.presses
        known = set() if is_new else self.known
        said = [text + ending for text, chosen, ending in seen if self.is_news(text, chosen, known, pressed)]
        if not said or not (pressed or scene.kind != "watch"):
            return ""
        self.scene = scene
        self.presses = presses
        self.known = {each for text, chosen, _ in seen for each in (text, text + chosen, strip(text))}
        return " ".join([text if text[-1] in ".?!:" else text.rstrip(",") + "." for text in said])

    def is_news(self, text: str, chosen: str, known: "set[str]", pressed: bool) -> bool:
        """Return whether a text was not there, or was not chosen."""
        if chosen:
            return text + chosen not in known
        return text not in known and (pressed or strip(text) not in known)

    def list_texts(self, scene: "Any") -> "list[tuple[str, str, str]]":
        """Return the texts of the screen in their order, each with its place if it is chosen, and an ending."""
        lines = [line.decode() + " " for line in getattr(scene, "lines", ())]
        rows = self.find_rows()
        entered = ""
        if hasattr(scene, "alphabet"):  # its letters are large, or blink
            entered = "".join([chr(scene.alphabet[letter]) for letter in scene.letters])
            rows = [row for row in rows if row.text.replace(" ", "") not in entered]
        if [row for row in rows if row.chosen]:
            bottom = getattr(scene, "note_y", 128)
            rows = [row for row in rows if row.chosen or row.top >= bottom or not is_choice(row.text, lines)]
        texts: list[tuple[str, str, str]] = []
        before: Row | None = None
        for row in rows:
            text = say(row.text)
            if before and continues(before, row):
                texts[-1] = (texts[-1][0] + " " + text, "", "")
            else:
                text = text[0].upper() + text[1:]
                texts.append((text, row.chosen, ", selected" if row.chosen and not lines else ""))
            before = row
        if entered:
            letter = entered[scene.at]
            text = _NAMES.get(letter, letter) + ", letter " + str(scene.at + 1) + " of " + str(scene.count)
            texts.insert(1, (text, str(scene.at), ""))
        return texts

    def find_rows(self) -> "list[Row]":
        """Return the lines of text that the screen shows now, from top to bottom; forget glyphs that it lost."""
        taken = [0] * 128  # the pixels of each row that later glyphs took
        cells = []
        for drawn, place in sorted([(self.codes[place], place) for place in self.codes], reverse=True):
            x = place & 63
            y = place >> 6
            font = self.fonts[place]
            width = measure(drawn & 255, font)
            mask = (1 << width) - 1 << x
            lit = self.compare(x, y, drawn & 255, font, width)
            if lit < 0 or any(taken[row] & mask for row in range(y, y + font[1])):
                del self.codes[place], self.fonts[place]
                continue
            for row in range(y, y + font[1]):
                taken[row] |= mask
            cells.append((y, y + font[1], (x, x + width, drawn & 255, lit > 0)))
        rows: list[Row] = []
        for top, bottom, cell in sorted(cells):
            if not rows or top > rows[-1].bottom - 3:
                rows.append(Row(top, bottom))
            rows[-1].bottom = max(rows[-1].bottom, bottom)
            rows[-1].cells.append(cell)
        for each in rows:
            each.write()
        return rows

    def compare(self, x: int, y: int, code: int, font: bytes, width: int) -> int:
        """Return 0 if the screen shows a glyph, 1 if it shows it dark on light, -1 if it does not show it."""
        height = font[1]
        at = 4 + (code - font[2]) * height
        full = (1 << width) - 1
        pixels = self.canvas.buffer
        found = -1
        if code <= 32 or code >= font[2] + font[3] or x + width > 64 or y < 0 or y + height > 128:
            return -1
        for row in range(height):
            first = 1 + (y + row << 3) + (x >> 3)
            shown = pixels[first] | (pixels[first + 1] << 8 if x & 7 else 0)
            differs = (shown >> (x & 7) ^ font[at + row]) & full
            if differs and differs != full or found >= 0 and found != (differs > 0):
                return -1
            found = differs > 0
        return int(found)


def measure(code: int, font: bytes) -> int:
    """Return the width of a glyph."""
    at = 4 + font[3] * font[1] + code - font[2]
    return font[at] if at < len(font) else font[0]


def continues(before: Row, row: Row) -> bool:
    """Return whether a line of small letters goes on with the sentence before it."""
    if before.chosen or row.chosen or before.loose or row.loose or ":" in before.text and ":" in row.text:
        return False
    return max(row.bottom - row.top, before.bottom - before.top) <= _SMALL_PX and row.top - before.bottom <= _LEADING_PX


def is_choice(text: str, lines: "list[str]") -> bool:
    """Return whether a text is one of a menu's lines, perhaps with a value, or a number to choose."""
    return not strip(text).strip() or any((text + " ").startswith(line) for line in lines)


def say(text: str) -> str:
    """Return a text of capitals as a screen reader reads it well; a single letter, which names a button, stays one."""
    words = []
    for word in text.split(" "):
        if len(word.strip(",.:")) > 1:
            words += [part.lower() for part in word.replace("<", " ").replace(">", " ").split()]
        else:
            words.append(_NAMES.get(word, word))
    return " ".join(words) or text


def strip(text: str) -> str:
    """Return a text without its digits."""
    return "".join([letter for letter in text if not letter.isdigit()])
