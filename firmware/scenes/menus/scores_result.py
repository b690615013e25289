"""Write the result of a game: points, lines or a time."""

from firmware.compat import TYPE_CHECKING, const
from firmware.view.art import FONT_3X5, FONT_3X7, FONT_5X7
from firmware.view.canvas import WIDTH, text_width

if TYPE_CHECKING:
    from firmware.contracts import Canvas

_LONGEST_MS = const(5_999_990)
_LONGEST = const(7)  # characters of a result in wide digits; times never have more


def write_result(kind: bytes, result: int) -> bytes:
    """Return a result as text: a time in ms as m:ss.hh or mm:ss.t; `kind` is a `result` of modes.txt."""
    if b"time" not in kind:
        return b"%d" % result
    hundredths = min(result, _LONGEST_MS) // 10
    line = b"%d:%02d.%02d" % (hundredths // 6000, hundredths // 100 % 60, hundredths % 100)
    return line if hundredths < 60_000 else line[:-1]


def draw_result(canvas: "Canvas", y: int, kind: bytes, result: int) -> None:
    """Write a result with its unit in the middle of the screen; shorten the unit of a long result."""
    line = write_result(kind, result)
    unit = b"" if b"time" in kind else b" " + kind.split()[0].upper()
    width = measure_result(line)
    if width + text_width(unit, FONT_3X5) > WIDTH:
        unit = b" PTS"
    x = WIDTH - width - text_width(unit, FONT_3X5) >> 1
    write(canvas, x, y, line)
    canvas.text(x + width, y + 2, unit, FONT_3X5)


def measure_result(line: bytes) -> int:
    return text_width(line, FONT_3X7 if len(line) > _LONGEST else FONT_5X7)


def write(canvas: "Canvas", x: int, y: int, line: bytes) -> None:
    """Write a result, in narrow digits if it is long."""
    if len(line) > _LONGEST:
        canvas.number(x, y, int(line), -1, len(line), FONT_3X7, False)
    else:
        canvas.text(x, y, line, FONT_5X7)
