"""Draw a message over the Matrix of a game that stands still."""

from firmware.compat import TYPE_CHECKING, const
from firmware.view.art import FONT_5X7
from firmware.view.canvas import text_width

if TYPE_CHECKING:
    from firmware.contracts import Canvas
    from firmware.view.matrix import MatrixView

_MIDDLE = const(77)
_MARGIN = const(5)  # frame and dark rows above and below, less the gap after the last line
_PITCH = const(10)


def draw(canvas: "Canvas", matrix: "MatrixView", message: str) -> None:
    """Draw a framed panel as wide as `matrix`, a line for each word; `_` shows as a blank."""
    rows = message.encode().split()
    height = len(rows) * _PITCH + _MARGIN
    y = _MIDDLE - (height >> 1)
    left = matrix.left
    width = matrix.pitch * 10
    canvas.fill(left, y - 2, width, height + 4, 0)
    canvas.fill(left + 2, y, width - 4, 1, 1)
    canvas.fill(left + 2, y + height - 1, width - 4, 1, 1)
    canvas.fill(left + 2, y, 1, height, 1)
    canvas.fill(left + width - 3, y, 1, height, 1)
    left += width >> 1
    y += 4
    for row in rows:
        row = row.replace(b"_", b" ")
        canvas.text(left - (text_width(row, FONT_5X7) >> 1), y, row, FONT_5X7)
        y += _PITCH
