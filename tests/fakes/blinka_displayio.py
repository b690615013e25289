"""Drive models of displays through Blinka's displayio and Adafruit's drivers, in a separate process.

Blinka provides modules like `board` and `busio`, and chooses its machine by an environment
variable: both would disturb the other tests.
Arguments: ssd1306, sh1106 or colour, and the rotation. Print "same" if the picture equals the
canvas after every step.
"""

from __future__ import annotations

import importlib
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

os.environ["BLINKA_OS_AGNOSTIC"] = "1"
sys.path.append(str(Path(__file__).resolve().parents[2]))

import busdisplay
import i2cdisplaybus

from firmware.device.displayio_screen import DisplayioScreen
from sim.bus import I2C
from sim.chip import Ssd1306Chip
from sim.chips.sh1106 import Sh1106Chip
from tests.fakes.colour_chip import ColourChip
from tests.fakes.plain_canvas import PlainCanvas

if TYPE_CHECKING:
    import busio

SHAPE: dict[str, Any] = {"width": 64, "height": 128, "auto_refresh": False}
COLOUR_WIDTH, COLOUR_HEIGHT = 132, 266

Picture = Callable[[bool], bytes]


def make_bus(chip: Any) -> tuple[I2C, Any]:
    """Return a bus with `chip` on it, and displayio's object for the bus."""
    bus = I2C(chip)
    return bus, i2cdisplaybus.I2CDisplayBus(cast("busio.I2C", bus), device_address=0x3C)


def build_ssd1306(rotation: int) -> tuple[I2C, Any, Picture, Any]:
    """Return the bus, the display, a function that reads the picture, and the chip."""
    import adafruit_displayio_ssd1306

    chip = Ssd1306Chip()
    bus, end = make_bus(chip)
    return bus, adafruit_displayio_ssd1306.SSD1306(end, rotation=rotation, **SHAPE), chip.picture, chip


def build_sh1106(rotation: int) -> tuple[I2C, Any, Picture, Any]:
    """Return the same for an SH1106."""
    import adafruit_displayio_sh1106

    fix_column_commands()
    chip = Sh1106Chip()
    bus, end = make_bus(chip)
    return bus, adafruit_displayio_sh1106.SH1106(end, rotation=rotation, colstart=2, **SHAPE), chip.picture, chip


def build_colour(rotation: int) -> tuple[I2C, Any, Picture, Any]:
    """Return the same for a built-in colour display, at scale 2 and without a brightness."""
    chip = ColourChip(COLOUR_WIDTH, COLOUR_HEIGHT)
    bus, end = make_bus(chip)
    display = busdisplay.BusDisplay(
        end, b"", width=COLOUR_WIDTH, height=COLOUR_HEIGHT, rotation=rotation, auto_refresh=False
    )

    def picture(turned: bool) -> bytes:
        if turned:
            chip.pixels.reverse()
            for row in chip.pixels:
                row.reverse()  # black and white pixels have two equal bytes
        try:
            return chip.canvas(2, (COLOUR_WIDTH - 128) // 2, (COLOUR_HEIGHT - 256) // 2)
        finally:
            if turned:
                chip.pixels.reverse()
                for row in chip.pixels:
                    row.reverse()

    return bus, display, picture, None


def fix_column_commands() -> None:
    """Let Blinka 2.7.1 send the upper half of a column like CircuitPython; it masks these bits out."""
    _displaycore = importlib.import_module("displayio._displaycore")

    def set_region_to_update(core: Any, area: Any) -> None:
        column = area.x1 + core.colstart
        page = (area.y1 + core.rowstart) // 8
        core.begin_transaction()
        core.send(_displaycore.DISPLAY_COMMAND, 0, bytes((column >> 4 | 0x10, column & 0x0F, 0xB0 | page)))
        core.end_transaction()

    _displaycore._DisplayCore.set_region_to_update = set_region_to_update


BUILD = {"ssd1306": build_ssd1306, "sh1106": build_sh1106, "colour": build_colour}


def main() -> None:
    """Draw, show and compare the picture with the canvas."""
    kind, rotation = sys.argv[1], int(sys.argv[2])
    bus, display, picture, chip = BUILD[kind](rotation)
    turned = rotation >= 180
    canvas = PlainCanvas()
    canvas.set_pixel(3, 5)
    screen = DisplayioScreen(display, canvas)
    rng = random.Random(5)

    def compare(step: str) -> None:
        assert picture(turned) == canvas.picture, step
        assert not any(canvas.dirty), step

    screen.show()
    compare("first")
    for step in range(8):
        for _ in range(rng.randrange(1, 12)):
            canvas.set_row(rng.randrange(128), rng.randbytes(8))
        screen.show()
        compare(f"step {step}")

    sent = bus.bytes
    screen.show()
    canvas.dirty[7] = 1
    screen.show()
    assert bus.bytes == sent, "rows that did not change are not sent"

    turned = not turned
    screen.turn(True)
    compare("turned")
    turned = not turned
    screen.turn(False)
    compare("turned back")

    screen.contrast(40)
    screen.sleep(True)
    if chip:
        assert chip.contrast == 40
        assert not chip.on
    else:
        assert not any(any(row) for row in display_rows(picture)), "a sleeping display is dark"
    screen.sleep(False)
    compare("awake")

    print("same")


def display_rows(picture: Picture) -> list[bytes]:
    """Return the rows of the picture that is shown."""
    shown = picture(False)
    return [shown[start : start + 8] for start in range(0, 1024, 8)]


if __name__ == "__main__":
    main()
