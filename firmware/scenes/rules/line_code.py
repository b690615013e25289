"""Show a line of rules as a QR code and as text."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import controls
from firmware.save.rules_line import write
from firmware.sound.effects import MENU_BACK, MENU_MOVE
from firmware.view import qr
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import centre

if TYPE_CHECKING:
    from firmware.contracts import Any, Context, EdgeQueue

_TOP = const(69)
_HEAD = const(10)  # letters of the first row
_GROUP = const(6)  # letters of a group, with its dash
_ROWS = const(5)  # of large letters


class Scene:
    """Show the code above the text until a button is pressed; left and right add or remove the seed.

    subject: the numbers of the line, the scene to return to with its subject, and the numbers with a seed or None.
    """

    kind = "menu"
    takes_long = True

    def __init__(self, context: "Context", subject: "tuple[list[int], tuple[str, Any], list[int] | None]") -> None:
        self.context = context
        self.numbers, self.origin, self.other = subject
        self.line = write(self.numbers)
        self.fresh = True

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Leave at a press, or change the line."""
        voice = self.context.voice
        voice.update(now_ms)
        for i in range(edges.count):
            if not edges.pressed[i]:
                continue
            if edges.button[i] > controls.HARD_DROP:
                voice.tell_menu(MENU_BACK)
                self.context.go(*self.origin)
                return
            if edges.button[i] <= controls.RIGHT and self.other:
                voice.tell_menu(MENU_MOVE)
                self.numbers, self.other = self.other, self.numbers
                self.line = write(self.numbers)
                self.fresh = True

    def draw(self) -> None:
        """Draw everything: a group in each row, or two in small letters if the line is long."""
        if not self.fresh or self.context.router.wanted:
            return
        self.fresh = False
        canvas = self.context.canvas
        canvas.clear()
        qr.draw(canvas, self.line)
        text = self.line.encode()
        large = len(text) <= _HEAD + (_ROWS - 1) * _GROUP
        font = FONT_5X7 if large else FONT_3X5
        centre(canvas, _TOP, text[:_HEAD], font)
        y = _TOP
        at = _HEAD
        while at < len(text):
            end = at + (_GROUP if large else 2 * _GROUP)
            y += font[1] + 3
            centre(canvas, y, text[at:end], font)
            at = end
        centre(canvas, 122, b"< > SEED  B BACK" if self.other else b"B BACK", FONT_3X5)
