"""Show a line of rules as a QR code and as text."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import controls
from firmware.save.rules_line import write
from firmware.view import qr
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.lines import centre

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Context, EdgeQueue

_TOP = const(69)
_HEAD = const(10)  # letters of the first row
_GROUP = const(6)  # letters of a group, with its dash
_ROWS = const(5)  # of large letters


class Scene:
    """Show the code above the text until a button is pressed.

    subject: the numbers of the line, and the scene to return to with its subject.
    """

    kind = "menu"

    def __init__(self, context: "Context", subject: "tuple[list[int], tuple[str, Any]]") -> None:
        self.context = context
        self.numbers, self.origin = subject
        self.line = write(self.numbers)
        self.fresh = True

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Leave at a press."""
        self.context.voice.update(now_ms)
        for i in range(edges.count):
            if edges.pressed[i] and edges.button[i] > controls.HARD_DROP:
                self.context.voice.tell_menu(2)
                self.context.go(*self.origin)
                return

    def draw(self) -> None:
        """Draw everything once: a group in each row, or two in small letters if the line is long."""
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
        centre(canvas, 122, b"B BACK", FONT_3X5)
