"""Write the texts for viewers of a recording: the keys, and the question before a game in progress is lost."""

from firmware.compat import TYPE_CHECKING, const
from firmware.view.art import FONT_3X5
from firmware.view.canvas import text_width

if TYPE_CHECKING:
    from firmware.contracts import Canvas

# The question before a game in progress is lost
_ASK_Y = const(54)
_ASK_WIDTH = const(52)
_QUESTION = b"A GAME IS|IN PROGRESS.|START AGAIN:|IT IS LOST|B KEEPS IT"


def write(canvas: "Canvas", y: int, lines: bytes, width: int) -> None:
    """Write small lines, separated by bars, each in the middle of the first `width` columns."""
    for line in lines.split(b"|"):
        canvas.text(width - text_width(line, FONT_3X5) >> 1, y, line, FONT_3X5)
        y += 8


def draw_box(canvas: "Canvas") -> None:
    """Draw an empty box over the Matrix, with room for five lines."""
    canvas.fill(0, _ASK_Y - 4, _ASK_WIDTH, 47, 1)
    canvas.fill(1, _ASK_Y - 3, _ASK_WIDTH - 2, 45, 0)


def ask(canvas: "Canvas") -> None:
    """Ask over the Matrix whether to lose the game in progress."""
    draw_box(canvas)
    write(canvas, _ASK_Y, _QUESTION, _ASK_WIDTH)
