"""Draw the first picture after power-on: the legal notice once (Guideline 2.1), then the logo."""

from firmware.compat import TYPE_CHECKING, const
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import centre

if TYPE_CHECKING:
    from firmware.contracts import Canvas

_LOGO_Y = const(8)  # above the Matrix, whose first row above the Skyline begins at 22
_BYTES = const(8)
_NOTE_Y = const(118)
_LINES = (
    b"COPYRIGHT 2026|THE SKYLINE|DEVELOPERS|MIT LICENSE||"
    b"NOT AFFILIATED|WITH NOR BACKED|BY THE OWNERS OF|THE ORIGINAL|GAME"
)


def draw(canvas: "Canvas", loading: "bool | str" = False) -> None:
    """Draw the legal notice, or only LOADING."""
    canvas.clear()
    if loading:
        centre(canvas, 60, b"LOADING", FONT_5X7)
        return
    centre(canvas, 14, b"SKYLINE", FONT_5X7)
    canvas.fill(11, 24, 42, 1, 1)
    y = 34
    for line in _LINES.split(b"|"):
        centre(canvas, y, line, FONT_3X5)
        y += 8


def draw_title(canvas: "Canvas", logo: bytes, height: int) -> None:
    """Draw the parts of the title that never change (Guideline 2.2)."""
    canvas.clear()
    for strip in range(_BYTES):
        canvas.tile(strip * 8, _LOGO_Y, 8, height, logo, strip * height)
    centre(canvas, _NOTE_Y, b"FALLING MINOS", FONT_3X5)
