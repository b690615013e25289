"""Drive the chip model through Blinka's displayio and Adafruit's driver; a program of its own.

Blinka puts modules like `board` and `busio` where CircuitPython has them, and asks its
environment which machine it is on: neither belongs into the process of the tests.
Print "same" when the picture is the canvas after every step.
"""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

os.environ["BLINKA_OS_AGNOSTIC"] = "1"
sys.path.append(str(Path(__file__).resolve().parents[2]))

import adafruit_displayio_ssd1306
import i2cdisplaybus

from firmware.device.displayio_screen import DisplayioScreen
from sim.bus import I2C
from sim.chip import Ssd1306Chip
from tests.fakes.plain_canvas import PlainCanvas


def main() -> None:
    """Draw, show and compare in the rotation named on the command line."""
    rotation = int(sys.argv[1])
    turned = rotation == 270
    chip = Ssd1306Chip()
    bus = I2C(chip)
    wires = i2cdisplaybus.I2CDisplayBus(bus, device_address=0x3C)
    display = adafruit_displayio_ssd1306.SSD1306(wires, width=64, height=128, rotation=rotation, auto_refresh=False)
    canvas = PlainCanvas()
    canvas.set_pixel(3, 5)
    screen = DisplayioScreen(display, canvas)
    rng = random.Random(5)

    def compare(step: str) -> None:
        assert chip.picture(turned) == canvas.picture, step
        assert not any(canvas.dirty), step

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

    screen.contrast(40)
    assert chip.contrast == 40
    screen.sleep(True)
    assert not chip.on
    screen.sleep(False)
    compare("awake")

    print("same")


if __name__ == "__main__":
    main()
