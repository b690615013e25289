"""Read the screen aloud: say in words which texts it shows, for players who do not see it (sim/web)."""

from firmware.compat import TYPE_CHECKING
from firmware.view.canvas import Canvas
from sim.scenes import is_steered

if TYPE_CHECKING:
    from typing import Any  # scenes differ

_GAP_PX = 10  # a wider gap between two words parts a name from its value
_SMALL_PX = 5  # the height of letters whose lines continue each other
_LEADING_PX = 3  # the most between two such lines
_NAMES = {" ": "Space", ".": "dot", "-": "dash", "!": "exclamation mark", "<": "left", ">": "right"}


class ReadCanvas(Canvas):
    """Draw as a Canvas does, and note each glyph, so that a Reader can find it again.

    drawn: how many glyphs were drawn so far.  codes: by place, 64 * y + x, what `drawn` was, then the code; in one
    number.  fonts: by place.
    """

    def __init__(self) -> None:
        self.drawn = 0
        self.codes: dict[int, int] = {}
        self.fonts: dict[int, bytes] = {}
        Canvas.__init__(self)

    def glyph(self, x: int, y: int, code: int, font: bytes, gap: int = 0) -> int:
        """Note a glyph, and draw it; allocate nothing where one has been before."""
        place = y << 6 | x
        self.drawn += 1
        self.codes[place] = self.drawn << 8 | code
        self.fonts[place] = font
        return Canvas.glyph(self, x, y, code, font, gap)

    def clear(self) -> None:
        """Forget all glyphs with the picture."""
        self.codes.clear()
        self.fonts.clear()
        Canvas.clear(self)

    def forget(self, place: int) -> None:
        del self.codes[place], self.fonts[place]


class Row:
    """Collect the glyphs of a line of text on the screen.

    cells: of each glyph the left and right end, how many were drawn before it, its code, and whether it is dark on
    light.  chosen: where the line is if it is dark on light, else "".  loose: whether a wide gap parts its words.
    """

    def __init__(self, top: int, bottom: int) -> None:
        self.top = top
        self.bottom = bottom
        self.cells: list[tuple[int, int, int, int, bool]] = []
        self.chosen = ""
        self.text = ""
        self.loose = False

    def write(self) -> None:
        """Join the glyphs, only the chosen ones if any are; of two that overlap the later one is left."""
        cells: list[tuple[int, int, int, int, bool]] = []
        for cell in sorted(self.cells):
            if cells and cell[0] < cells[-1][1]:
                if cell[2] < cells[-1][2]:
                    continue
                cells.pop()
            cells.append(cell)
        chosen = [cell for cell in cells if cell[4]]
        if chosen:
            self.chosen = str(self.top) + "," + str(chosen[0][0])
        end = 0
        for left, right, _, code, _ in chosen or cells:
            if self.text and left > end + 1:
                self.text += " "
                self.loose = self.loose or left > end + _GAP_PX
            self.text += chr(code)
            end = right


class Reader:
    """Say all texts of a new screen, then those that change; say nothing while a Tetrimino falls.

    A glyph that was drawn counts if its pixels are still there, and is chosen if they are dark on light. One rule reads
    every scene, and no scene knows of it. Of a menu's lines only the chosen one is said. A text that comes back
    after it blinked is not said again. Without a press numbers that change are not said, and nothing of a watched game.
    """

    def __init__(self, canvas: ReadCanvas) -> None:
        self.canvas = canvas
        self.shown: Any = None  # the scene of the last call, and of the last texts that were said
        self.scene: Any = None
        self.seen: list[tuple[str, str, str]] = []
        self.then = 0  # how many glyphs were drawn before the last reading
        self.places: list[tuple[int, int]] = []  # of the rows of texts, and their pixels: unchanged, they read the same
        self.bands: list[bytes] = []
        self.known: set[str] = set()
        self.presses = 0

    def read(self, scene: "Any", presses: int) -> str:
        """Return what is new since the last call, once two calls in a row found the same; else "".

        presses: counts the edges of buttons.
        """
        if is_steered(scene) and hasattr(scene, "press_pause"):
            self.scene = None
            return ""
        if scene.kind == "watch" and scene is self.scene and presses == self.presses:
            return ""
        seen = self.seen
        is_drawn = self.canvas.drawn != self.then or self.list_bands() != self.bands
        if scene is not self.shown or is_drawn or is_entry(scene):
            seen = self.list_texts(getattr(scene, "cover", None) or scene)
        if seen != self.seen or scene is not self.shown:
            self.seen = seen
            self.shown = scene
            return ""
        is_new = scene is not self.scene
        pressed = is_new or presses != self.presses
        known = set() if is_new else self.known
        said = [text + ending for text, chosen, ending in seen if self.is_news(text, chosen, known, pressed)]
        if not said:
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
        self.then = self.canvas.drawn
        self.places = [(row.top, row.bottom) for row in rows]
        self.bands = self.list_bands()
        entered = ""
        if is_entry(scene):
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
        canvas = self.canvas
        rows: list[Row] = []
        for place in sorted(canvas.codes):
            y = place >> 6
            font = canvas.fonts[place]
            drawn = canvas.codes[place]
            width = measure(drawn & 255, font)
            lit = self.compare(place & 63, y, drawn & 255, font, width)
            if lit < 0:
                canvas.forget(place)
                continue
            if not rows or y > rows[-1].bottom - 3:
                rows.append(Row(y, y + font[1]))
            row = rows[-1]
            row.bottom = max(row.bottom, y + font[1])
            row.cells.append((place & 63, (place & 63) + width, drawn >> 8, drawn & 255, lit > 0))
        for row in rows:
            row.write()
        return rows

    def list_bands(self) -> "list[bytes]":
        """Return the pixels beside and behind the texts of the last reading."""
        return [bytes(self.canvas.buffer[1 + 8 * top : 1 + 8 * bottom]) for top, bottom in self.places]

    def compare(self, x: int, y: int, code: int, font: bytes, width: int) -> int:
        """Return 0 if the screen shows a glyph, 1 if it shows it dark on light, -1 if it does not show it."""
        height = font[1]
        if code <= 32 or code >= font[2] + font[3] or x + width > 64 or y < 0 or y + height > 128:
            return -1
        full = (1 << width) - 1
        pixels = self.canvas.buffer
        shift = x & 7
        spills = shift + width > 8
        first = 1 + (y << 3) + (x >> 3)
        start = 4 + (code - font[2]) * height
        ink = -1
        for at in range(start, start + height):
            shown = pixels[first] | pixels[first + 1] << 8 if spills else pixels[first]
            differs = (shown >> shift ^ font[at]) & full
            if ink < 0 and (not differs or differs == full):
                ink = differs
            elif differs != ink:
                return -1
            first += 8
        return 1 if ink else 0


def measure(code: int, font: bytes) -> int:
    at = 4 + font[3] * font[1] + code - font[2]
    return font[at] if at < len(font) else font[0]


def continues(before: Row, row: Row) -> bool:
    """Return whether a line of small letters goes on with the sentence before it; a button's name and : begin one."""
    begins = ":" in row.text[:-1] or ":" in before.text and ":" in row.text
    if before.chosen or row.chosen or before.loose or row.loose or begins:
        return False
    return max(row.bottom - row.top, before.bottom - before.top) <= _SMALL_PX and row.top - before.bottom <= _LEADING_PX


def is_entry(scene: "Any") -> bool:
    """Return whether a scene lets letters be entered, which are large, or blink."""
    return hasattr(scene, "alphabet")


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
    return " ".join(words).replace(" ?", "?") or text


def strip(text: str) -> str:
    """Return a text without its digits."""
    return "".join([letter for letter in text if not letter.isdigit()])
