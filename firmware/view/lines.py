"""Place lines of text: for scenes that need no more of the menus than this."""

from firmware.compat import const
from firmware.view.canvas import text_width

_WIDTH = const(64)


def centre(canvas, y: int, codes: bytes, font: bytes) -> None:
    """Draw a line of text in the middle of the screen."""
    canvas.text(_WIDTH - text_width(codes, font) >> 1, y, codes, font)
