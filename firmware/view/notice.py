"""Draw the legal notice, the first picture after power-on (Guideline 2.1)."""

from firmware.compat import TYPE_CHECKING
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.lines import centre

if TYPE_CHECKING:
    from firmware.contracts import Canvas

_OURS = b"COPYRIGHT 2026|THE SKYLINE|DEVELOPERS|MIT LICENSE"
_THEIRS = b"NOT AFFILIATED|WITH NOR BACKED|BY THE OWNERS OF|THE ORIGINAL|GAME"


def draw(canvas: "Canvas", loading: "bool | str" = False) -> None:
    """Draw the legal notice; on an empty screen, LOADING."""
    canvas.clear()
    if loading:
        centre(canvas, 60, b"LOADING", FONT_5X7)
        return
    centre(canvas, 14, b"SKYLINE", FONT_5X7)
    canvas.fill(11, 24, 42, 1, 1)
    y = 34
    for line in (_OURS + b"||" + _THEIRS).split(b"|"):
        centre(canvas, y, line, FONT_3X5)
        y += 8
