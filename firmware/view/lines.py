"""Place lines of text, for scenes that need no other part of the menus."""

from firmware.compat import TYPE_CHECKING
from firmware.view.canvas import WIDTH, text_width

if TYPE_CHECKING:
    from firmware.contracts import Canvas


def centre(canvas: "Canvas", y: int, codes: bytes, font: bytes) -> None:
    """Draw a line of text in the middle of the screen."""
    canvas.text(WIDTH - text_width(codes, font) >> 1, y, codes, font)
