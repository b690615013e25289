"""Build the handheld from a Raspberry Pi Pico and the parts wired to it.

A button connects its pin to ground; the piezo lies between its pin and ground; the display
needs 3V3(OUT), GND, SDA and SCL. SDA and SCL are a pair of one I2C peripheral (GP0 with GP1
is the first), and the piezo's PWM slice (GP14 and GP15) is shared with nothing else.
"""

import board
import busio
import microcontroller
import supervisor

from firmware.device.handheld import Device
from firmware.device.keys import Keys
from firmware.device.nvm import NvmStore
from firmware.device.piezo import Piezo
from firmware.device.ssd1306 import SSD1306
from firmware.device.ticks import Clock
from firmware.view.canvas import Canvas

# What is wired to which pin. The buttons stand in the order of firmware.engine.controls.
PINS = (
    ("SDA", "GP0"),
    ("SCL", "GP1"),
    ("LEFT", "GP2"),
    ("RIGHT", "GP3"),
    ("SOFT_DROP", "GP4"),
    ("HARD_DROP", "GP5"),
    ("ROTATE_CW", "GP6"),
    ("ROTATE_CCW", "GP7"),
    ("HOLD", "GP8"),
    ("PAUSE", "GP9"),
    ("BUZZER", "GP15"),
)
_FIRST_BUTTON = 2
_LAST_BUTTON = 9
_I2C_HZ = 400_000


def build() -> Device:
    """Return the Device of this board; no file written from a PC restarts it from now on.

    Raise RuntimeError when the I2C lines have no pull-ups: then no display is wired to them.
    """
    supervisor.runtime.autoreload = False
    pins = {}
    for part, name in PINS:
        pins[part] = getattr(board, name)
    i2c = busio.I2C(pins["SCL"], pins["SDA"], frequency=_I2C_HZ)
    buttons = [pins[PINS[i][0]] for i in range(_FIRST_BUTTON, _LAST_BUTTON + 1)]
    memory = microcontroller.nvm
    return Device(
        display=SSD1306(i2c, Canvas()),
        buttons=Keys(buttons),
        buzzer=Piezo(pins["BUZZER"]),
        clock=Clock(),
        store=(NvmStore(memory),) if memory is not None else (),
    )
