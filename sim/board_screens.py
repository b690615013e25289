"""Show the picture as another board has it: on its screen, in its time, with its buttons (device/profiles.txt)."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

from firmware.device import profiles
from firmware.device.pin_names import list_pins
from sim import oled
from sim.terminal import Refusal, tell_unknown

if TYPE_CHECKING:
    from PIL.Image import Image as Picture


_FIFTEEN = Fraction(15, 8)  # 128 rows fill 240
_DARK = 99

BAND_ROWS = 32  # firmware/device/displayio_screen.py
# Of displayio's work for a pixel of one bit or 16, on the emulated Pico with an SH1106 and an ST7789.
_DISPLAYIO_CYCLES = {1: 1060, 16: 810}
_HZ = {"RP2040": 125_000_000, "RP2350": 150_000_000}


@dataclass(frozen=True)
class BoardScreen:
    """A screen of `width` x `height` pixels, held so that the picture is upright.

    bits: of a pixel. bus_s, work_s: seconds of a pixel on the bus to the screen, and of displayio's work for it.
    buttons: what is written on the nine buttons, in the order of the controls; "NONE" on one that is missing.
    """

    name: str
    width: int
    height: int
    bits: int = 1
    bus_s: float = 0.0
    work_s: float = 0.0
    buttons: tuple[str, ...] = ()

    @property
    def pixel(self) -> Fraction:
        """Its pixels for one of the picture: a whole number, or 15/8 where that fits and 2 does not.

        Like firmware/device/displayio_screen.py.
        """
        fit = min(Fraction(self.width, oled.WIDTH), Fraction(self.height, oled.HEIGHT))
        return _FIFTEEN if _FIFTEEN <= fit < 2 else Fraction(max(1, int(fit)))

    @property
    def shown(self) -> tuple[int, int]:
        """The size of the picture on the screen, in its middle."""
        return int(oled.WIDTH * self.pixel), int(oled.HEIGHT * self.pixel)

    def enlarge(self, picture: bytes, lit: tuple[int, int, int]) -> Picture:
        """Return the whole screen with a picture of 1024 bytes; eight pixels fill 15 where the board does that."""
        from PIL import Image

        small = Image.frombytes("1", (oled.WIDTH, oled.HEIGHT), picture, "raw", "1;R").convert("L")
        width, height = self.shown
        columns = [x * oled.WIDTH // width for x in range(width)]
        # A row has its first pixels where firmware/device/displayio_screen.py puts them.
        starts = [int(y * self.pixel) for y in range(oled.HEIGHT + 1)]
        rows = [y for y in range(oled.HEIGHT) for _ in range(starts[y + 1] - starts[y])]
        levels = small.tobytes()
        mask = Image.frombytes("L", self.shown, bytes(levels[y * oled.WIDTH + x] for y in rows for x in columns))
        screen = Image.new("RGB", (self.width, self.height))
        screen.paste(lit, ((self.width - width) // 2, (self.height - height) // 2), mask)
        return screen

    def time_change_s(self, before: bytes, after: bytes) -> float:
        """Return the seconds that the board takes to show the picture `after` instead of `before`."""
        changed = bytes(map(operator.ne, before, after))
        tiles = changed.count(1)
        if self.work_s:  # displayio redraws the rectangle around the changes in a band
            tiles = 0
            for start in range(0, len(changed), 8 * BAND_ROWS):
                places = [at for at in range(8 * BAND_ROWS) if changed[start + at]]
                if places:
                    columns = [at % 8 for at in places]
                    tiles += (places[-1] // 8 - places[0] // 8 + 1) * (max(columns) - min(columns) + 1)
        return float(8 * tiles * self.pixel**2) * (self.bus_s + self.work_s)

    def reduce(self, screen: Picture) -> bytes:
        """Return the picture of 1024 bytes that `enlarge` makes a screen of: what is brighter than dark grey is lit."""
        from PIL import Image

        width, height = self.shown
        levels = screen.convert("L").tobytes()
        columns = [(self.width - width) // 2 + ceil(x * self.pixel) for x in range(oled.WIDTH)]
        rows = [(self.height - height) // 2 + int(y * self.pixel) for y in range(oled.HEIGHT)]
        lit = bytes(255 * (levels[y * self.width + x] > _DARK) for y in rows for x in columns)
        return Image.frombytes("L", (oled.WIDTH, oled.HEIGHT), lit).convert("1").tobytes("raw", "1;R")


def find(name: str) -> BoardScreen:
    """Return the screen of a board; refuse an unknown name with the known ones."""
    record = profiles.find(name)
    if record is None:
        raise Refusal(tell_unknown(name, profiles.list_names(), "board"))
    width, height = map(int, record["display"].split("x"))
    if record.get("ROTATION", "0") in ("90", "270"):
        width, height = height, width
    bits, bits_hz = map(int, record["bus"].split())
    work_s = _DISPLAYIO_CYCLES[bits] / _HZ[record["chip"]] if "DISPLAY" in record else 0.0
    buttons = tuple(pin.decode() for pin in list_pins(profiles.overlay({}, name)))
    return BoardScreen(record["name"], width, height, bits, bits / bits_hz, work_s, buttons)
