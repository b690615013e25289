"""Place lines of text, for scenes that need no other part of the menus."""

from firmware.view.canvas import WIDTH, text_width


def centre(canvas, y: int, codes: bytes, font: bytes) -> None:
    """Draw a line of text in the middle of the screen."""
    canvas.text(WIDTH - text_width(codes, font) >> 1, y, codes, font)
