"""Let the player enter letters: the base class of initials, names and lines of rules."""

from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.engine import controls
from firmware.save.scores import LETTERS
from firmware.sound.effects import MENU_BACK, MENU_CHOOSE, MENU_MOVE
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import WIDTH, centre

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context, EdgeQueue

_DELAY_MS = const(350)
_REPEAT_MS = const(90)
_BLINK_MS = const(400)
_LETTER_Y = const(55)


def draw_large(canvas: "Canvas", x: int, y: int, code: int, scale: int) -> None:
    """Draw a letter of FONT_5X7 `scale` times as large."""
    canvas.fill(x, y, 5 * scale, 7 * scale, 0)
    first, count = FONT_5X7[2], FONT_5X7[3]
    if not first <= code < first + count:
        return
    at = 4 + (code - first) * 7
    for row in range(7):
        pixels = FONT_5X7[at + row]
        for column in range(5):
            if pixels >> column & 1:
                canvas.fill(x + scale * column, y + scale * row, scale, scale, 1)


class LetterEntry:
    """Let up and down choose a letter, A or right go to the next one, and B, C or left go back.

    A subclass defines `leave`, `finish` and `draw_subject`. letters: the indices of `count` letters in `alphabet`.
    left, pitch, scale: the place of the first letter, the distance of letters, and the size of their pixels.
    at: the chosen letter. button: the direction that is held, or -1; until_ms: when it repeats. lit: whether the arrows
    are shown, which changes after since_ms. fresh: whether there is something to draw; whole: the whole page.
    """

    kind = "menu"
    heading = b"INITIALS"
    alphabet = LETTERS
    count = 3
    scale = 3
    left = 5
    pitch = 19

    def __init__(self, context: "Context") -> None:
        self.context = context
        self.at = 0
        self.letters = bytearray(self.count)
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
        most = len(self.alphabet)
        self.fresh = self.lit = True
        self.since_ms = self.context.clock.ticks_ms()
        if button == controls.SOFT_DROP:
            letters[self.at] = (letters[self.at] + 1) % most
            voice.tell_menu(MENU_MOVE)
        elif button == controls.HARD_DROP:
            letters[self.at] = (letters[self.at] + most - 1) % most
            voice.tell_menu(MENU_MOVE)
        elif button == controls.LEFT or button == controls.ROTATE_CCW or button == controls.HOLD:
            voice.tell_menu(MENU_BACK)
            if self.at:
                self.at -= 1
            else:
                self.leave()
        elif button == controls.PAUSE or self.at == self.count - 1:
            if button != controls.RIGHT:
                voice.tell_menu(MENU_CHOOSE)
                self.finish()
        else:
            self.at += 1
            voice.tell_menu(MENU_CHOOSE)

    def leave(self) -> None:
        """Go back from the first letter."""

    def finish(self) -> None:
        """Use the letters."""

    def draw_subject(self, canvas: "Canvas") -> None:
        """Write what the letters are for."""

    def draw(self) -> None:
        """Draw changes; the chosen letter has blinking arrows."""
        if not self.fresh or self.context.router.wanted:
            return
        self.fresh = False
        canvas = self.context.canvas
        if self.whole:
            self.whole = False
            canvas.clear()
            centre(canvas, 2, self.heading, FONT_5X7)
            canvas.fill(0, 10, WIDTH, 1, 1)
            self.draw_subject(canvas)
            centre(canvas, 105, b"UP DOWN: LETTER", FONT_3X5)
            centre(canvas, 113, b"A: NEXT", FONT_3X5)
            centre(canvas, 121, b"START: DONE", FONT_3X5)
        self.draw_letters(canvas)

    def draw_letters(self, canvas: "Canvas") -> None:
        width = 5 * self.scale
        middle = width >> 1
        below = _LETTER_Y + 7 * self.scale + 2
        for i in range(self.count):
            x = self.left + i * self.pitch
            draw_large(canvas, x, _LETTER_Y, self.alphabet[self.letters[i]], self.scale)
            canvas.fill(x - 1, _LETTER_Y - 8, width + 2, 6, 0)
            canvas.fill(x - 1, below, width + 2, 8, 0)
            canvas.fill(x, below, width, 1, 1)
            if i == self.at and self.lit:
                for row in range(4):
                    canvas.fill(x + middle - row, _LETTER_Y - 7 + row, 2 * row + 1, 1, 1)
                    canvas.fill(x + middle - 3 + row, below + 3 + row, 7 - 2 * row, 1, 1)
