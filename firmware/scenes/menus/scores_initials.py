"""Let the player enter initials for a place in the table of scores (Guideline 11.2), or for the first link."""

from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.engine import controls
from firmware.modes.listing import list_tables
from firmware.router import GAME
from firmware.save.scores import LETTERS, open_table
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import WIDTH
from firmware.view.lines import centre

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context, EdgeQueue

_COUNT = const(3)
_DELAY_MS = const(350)
_REPEAT_MS = const(90)
_LETTER_Y = const(55)
_LETTER_LEFT = const(5)
_LETTER_PITCH = const(19)
_SCALE = const(3)
_BLINK_MS = const(400)
_CHOSEN = const(59319)  # also AAA: 0 means that the player has chosen no initials yet


def draw_large(canvas: "Canvas", x: int, y: int, code: int) -> None:
    """Draw a letter of FONT_5X7 three times as large, 15 x 21 pixels."""
    canvas.fill(x, y, 15, 21, 0)
    first, count = FONT_5X7[2], FONT_5X7[3]
    if not first <= code < first + count:
        return
    at = 4 + (code - first) * 7
    for row in range(7):
        pixels = FONT_5X7[at + row]
        for column in range(5):
            if pixels >> column & 1:
                canvas.fill(x + _SCALE * column, y + _SCALE * row, _SCALE, _SCALE, 1)


class Scene:
    """Let up and down choose a letter, A or right go to the next one, and B or left go back.

    subject: (place, table), or None for a link, which opens next. The table already has the result without initials, so
    switching off here loses nothing.
    """

    kind = "menu"
    keeps = "modes.catalogue modes.rules " + GAME

    def __init__(self, context: "Context", subject: "tuple[int, int] | None" = None) -> None:
        self.context = context
        self.subject = subject
        self.at = 0
        self.letters = bytearray(_COUNT)
        number = context.settings.initials
        for i in range(_COUNT):
            self.letters[i] = number % len(LETTERS)
            number //= len(LETTERS)
        self.button = -1
        self.until_ms = 0
        self.since_ms = context.clock.ticks_ms()
        self.lit = True
        self.whole = True
        self.fresh = True

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the edges of this frame, and repeat a held direction."""
        for i in range(edges.count):
            button = edges.button[i]
            if edges.pressed[i]:
                vertical = button == controls.SOFT_DROP or button == controls.HARD_DROP
                self.button = button if vertical else -1
                self.until_ms = ticks_add(now_ms, _DELAY_MS)
                self.press(button)
            elif button == self.button:
                self.button = -1
        if self.button >= 0 and ticks_diff(now_ms, self.until_ms) >= 0:
            self.until_ms = ticks_add(now_ms, _REPEAT_MS)
            self.press(self.button)
        if self.context.settings.motion_on and ticks_diff(now_ms, self.since_ms) >= _BLINK_MS:
            self.since_ms = now_ms
            self.lit = not self.lit
            self.fresh = True
        self.context.voice.update(now_ms)

    def press(self, button: int) -> None:
        """Change the letter, go to another letter, or finish."""
        voice = self.context.voice
        letters = self.letters
        self.fresh = self.lit = True
        self.since_ms = self.context.clock.ticks_ms()
        if button == controls.SOFT_DROP:
            letters[self.at] = (letters[self.at] + 1) % len(LETTERS)
            voice.tell_menu(0)
        elif button == controls.HARD_DROP:
            letters[self.at] = (letters[self.at] + len(LETTERS) - 1) % len(LETTERS)
            voice.tell_menu(0)
        elif button == controls.LEFT or button == controls.ROTATE_CCW:
            voice.tell_menu(2)
            if self.at:
                self.at -= 1
            elif not self.subject:
                self.context.go("match.menu")
        elif button == controls.PAUSE or self.at == _COUNT - 1:
            if button != controls.RIGHT:
                voice.tell_menu(1)
                self.sign()
        else:
            self.at += 1
            voice.tell_menu(1)

    def sign(self) -> None:
        """Save the initials for the next time, then write them into the table or open the link."""
        context = self.context
        # Shown because saving the table and loading the next page take a board half a second.
        from firmware.announcing import tell

        tell(context)
        number = 0
        for i in range(_COUNT - 1, -1, -1):
            number = number * len(LETTERS) + self.letters[i]
        number = number or _CHOSEN
        if number != context.settings.initials:
            context.settings.initials = number
            context.save_settings()
        if not self.subject:
            from firmware import match_modules

            match_modules.begin_afresh(context, "link.lobby")
            return
        place, table_number = self.subject
        journal = context.journal
        kind = list_tables()[table_number].kind
        table = open_table(journal, kind)
        table.sign(place, bytes([LETTERS[letter] for letter in self.letters]))
        if not journal.failed:
            journal.save(kind, table.pack(journal.payload))
        context.go("menus.scores", self.subject)

    def draw(self) -> None:
        """Draw changes; the chosen letter has blinking arrows."""
        if not self.fresh or self.context.router.wanted:
            return
        self.fresh = False
        canvas = self.context.canvas
        if self.whole:
            self.whole = False
            canvas.clear()
            centre(canvas, 2, b"INITIALS", FONT_5X7)
            canvas.fill(0, 10, WIDTH, 1, 1)
            if self.subject:
                centre(canvas, 20, b"PLACE " + str(self.subject[0] + 1).encode(), FONT_5X7)
                centre(canvas, 31, b"IS YOURS", FONT_3X5)
            else:
                centre(canvas, 20, b"LINK", FONT_5X7)
                centre(canvas, 31, b"OTHERS SEE THESE", FONT_3X5)
            centre(canvas, 105, b"UP DOWN: LETTER", FONT_3X5)
            centre(canvas, 113, b"A: NEXT", FONT_3X5)
            centre(canvas, 121, b"START: DONE", FONT_3X5)
        for i in range(_COUNT):
            x = _LETTER_LEFT + i * _LETTER_PITCH
            draw_large(canvas, x, _LETTER_Y, LETTERS[self.letters[i]])
            canvas.fill(x - 1, _LETTER_Y - 8, 17, 6, 0)
            canvas.fill(x - 1, _LETTER_Y + 23, 17, 8, 0)
            canvas.fill(x, _LETTER_Y + 23, 15, 1, 1)
            if i == self.at and self.lit:
                for row in range(4):
                    canvas.fill(x + 7 - row, _LETTER_Y - 7 + row, 2 * row + 1, 1, 1)
                    canvas.fill(x + 4 + row, _LETTER_Y + 26 + row, 7 - 2 * row, 1, 1)
