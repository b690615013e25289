"""Drive models of displays through Blinka's displayio and Adafruit's drivers, in a separate process.

Blinka provides modules like `board` and `busio`, and chooses its machine by an environment
variable: both would disturb the other tests.
Arguments: ssd1306, sh1106, colour or square, and the rotation. Print "same" if the picture
equals the canvas after every step.
"""

import importlib
import os
import random
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

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
# By kind of a colour display: its width and height, and the pixels that show eight.
COLOUR = {"colour": (132, 266, 16), "square": (240, 240, 15)}


class Panel(NamedTuple):
    """A display behind a bus. picture: reads it, upright or turned. chip: its model if it has a contrast, else None."""

    bus: I2C
    display: Any
    picture: Callable[[bool], bytes]
    chip: Any


def make_bus(chip: Any) -> tuple[I2C, Any]:
    bus = I2C(chip)
    return bus, i2cdisplaybus.I2CDisplayBus(cast("busio.I2C", bus), device_address=0x3C)


def build_ssd1306(rotation: int) -> Panel:
    import adafruit_displayio_ssd1306

    chip = Ssd1306Chip()
    bus, end = make_bus(chip)
    return Panel(bus, adafruit_displayio_ssd1306.SSD1306(end, rotation=rotation, **SHAPE), chip.picture, chip)


def build_sh1106(rotation: int) -> Panel:
    import adafruit_displayio_sh1106

    fix_column_commands()
    chip = Sh1106Chip()
    bus, end = make_bus(chip)
    display = adafruit_displayio_sh1106.SH1106(end, rotation=rotation, colstart=2, **SHAPE)
    return Panel(bus, display, chip.picture, chip)


def build_colour(kind: str, rotation: int) -> Panel:
    """Return a built-in colour display without a brightness."""
    width, height, size = COLOUR[kind]
    chip = ColourChip(width, height)
    bus, end = make_bus(chip)
    display = busdisplay.BusDisplay(end, b"", width=width, height=height, rotation=rotation, auto_refresh=False)
    picture = partial(chip.canvas, size, (width - 8 * size) // 2, (height - 16 * size) // 2)
    return Panel(bus, display, picture, None)


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


BUILD = {"ssd1306": build_ssd1306, "sh1106": build_sh1106} | {kind: partial(build_colour, kind) for kind in COLOUR}


def check_rows(panel: Panel, screen: DisplayioScreen, canvas: PlainCanvas, turned: bool) -> None:
    """Change rows by chance; check that the picture follows, and that rows without a change are not sent."""
    rng = random.Random(5)
    for step in range(8):
        for _ in range(rng.randrange(1, 12)):
            canvas.set_row(rng.randrange(128), rng.randbytes(8))
        screen.show()
        compare(panel, canvas, turned, f"step {step}")
    sent = panel.bus.bytes
    screen.show()
    canvas.dirty[7] = 1
    screen.show()
    assert panel.bus.bytes == sent, "rows that did not change are not sent"


def check_light(panel: Panel, screen: DisplayioScreen) -> None:
    """Check that the display takes a contrast if it can, and that it is dark while it sleeps."""
    screen.contrast(40)
    screen.sleep(True)
    if panel.chip:
        assert panel.chip.contrast == 40
        assert not panel.chip.on
    else:
        assert not any(panel.picture(False)), "a sleeping display is dark"
    screen.sleep(False)


def compare(panel: Panel, canvas: PlainCanvas, turned: bool, step: str) -> None:
    assert panel.picture(turned) == canvas.picture, step
    assert not any(canvas.dirty), step


def main() -> None:
    kind, rotation = sys.argv[1], int(sys.argv[2])
    turned = rotation >= 180
    panel = BUILD[kind](rotation)
    canvas = PlainCanvas()
    canvas.fill(3, 5, 1, 1, 1)
    screen = DisplayioScreen(panel.display, canvas)
    screen.show()
    compare(panel, canvas, turned, "first")
    check_rows(panel, screen, canvas, turned)
    screen.turn(True)
    compare(panel, canvas, not turned, "turned")
    screen.turn(False)
    compare(panel, canvas, turned, "turned back")
    check_light(panel, screen)
    compare(panel, canvas, turned, "awake")
    print("same")


if __name__ == "__main__":
    main()
