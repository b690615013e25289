"""Write results so that they can be read from afar: what the end of a game and its table share."""

from firmware.compat import const
from firmware.modes.catalogue import SPRINT
from firmware.view.art import FONT_5X7

PLACES = (b"NEW RECORD", b"2ND PLACE", b"3RD PLACE", b"4TH PLACE", b"5TH PLACE")

_WIDTH = const(64)
_LONGEST_MS = const(5_999_999)


def write_time(time_ms: int) -> bytes:
    """Return a time as m:ss.hh, at most 99:59.99."""
    hundredths = min(time_ms, _LONGEST_MS) // 10
    return b"%d:%02d.%02d" % (hundredths // 6000, hundredths // 100 % 60, hundredths % 100)


def write_rate(amount: int, time_ms: int) -> bytes:
    """Return so many in this time as a number a minute, with a tenth."""
    tenths = amount * 600_000 // time_ms if time_ms else 0
    return b"%d.%d" % (tenths // 10, tenths % 10)


def write_result(variant: int, result: int) -> bytes:
    """Return what the table of a variant ranks."""
    return write_time(result) if variant == SPRINT else b"%d" % result


def enlarge(canvas, x: int, y: int, codes: bytes, across: int, down: int) -> None:
    """Draw a line of text, every pixel of its font `across` wide and `down` high."""
    height = FONT_5X7[1]
    for code in codes:
        at = 4 + (code - FONT_5X7[2]) * height
        for row in range(height):
            bits = FONT_5X7[at + row]
            for column in range(FONT_5X7[0]):
                canvas.fill(x + column * across, y + row * down, across, down, bits >> column & 1)
        x += (FONT_5X7[0] + 1) * across


def draw_large(canvas, y: int, codes: bytes) -> None:
    """Draw a result in the middle, 14 rows high, and as wide as there is room for."""
    across = 2 if len(codes) <= 5 else 1
    enlarge(canvas, _WIDTH + across - len(codes) * 6 * across >> 1, y, codes, across, 2)
