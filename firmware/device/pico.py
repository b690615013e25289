"""Build the handheld from a CircuitPython board and the parts wired to it, as settings.toml has them.

A button connects its pin to ground; the piezo lies between its pin and ground; the display
needs 3V3(OUT), GND, SDA and SCL. SDA and SCL are a pair of one I2C peripheral (GP0 with GP1
is the first), and the piezo's PWM slice (GP14 and GP15) is shared with nothing else.
firmware/device/wiring.py has the keys and the pins of a Raspberry Pi Pico.
"""

import os
import sys

import board
import microcontroller
import supervisor

from firmware import device
from firmware.device.bus import Bus
from firmware.device.handheld import Device
from firmware.device.keys import Keys
from firmware.device.machine import Board
from firmware.device.nvm import NvmStore
from firmware.device.piezo import Piezo, Silence
from firmware.device.spare import MARK_BYTES, Spare
from firmware.device.ticks import Clock
from firmware.device.wiring import BUTTONS, DIRECT, KEYS, OWN, SH1106, SLOW, WiringError, check_names, read, refuse
from firmware.view.canvas import Canvas

_SETTINGS = "settings.toml"


def build(parts: "dict | None" = None) -> Device:
    """Return the Device of this board; no file written from a PC restarts it from now on.

    Note the display in `parts` as soon as there is one: what goes wrong later can be shown on it.
    Raise WiringError in one line: what settings.toml says wrong, or that no display is wired.
    """
    found: dict = {}
    read(os.getenv, find_pins(), found)
    check_spelling()
    display, bus = make_display(found)
    if parts is not None:
        parts["display"] = display
    buttons = Keys([found[key] for key in BUTTONS])
    buzzer = found["BUZZER"]
    memory = microcontroller.nvm
    supervisor.runtime.autoreload = False
    return Device(
        display=display,
        buttons=buttons,
        buzzer=Piezo(buzzer) if buzzer is not None else Silence(),
        clock=Clock(),
        store=(NvmStore(memory),) if memory is not None else (),
        wired=buttons.wired,
        bus=bus,
        machine=Board(),
        handmade=True,
        spare=Spare(len(memory) + MARK_BYTES) if memory is not None else None,
    )


def forget() -> None:
    """Drop this module and the table from memory, five kilobytes for the game; who imported them drops theirs."""
    for name in ("pico", "wiring"):
        sys.modules.pop("firmware.device." + name)
        if hasattr(device, name):
            delattr(device, name)


def find_display():
    """Return a display to show an error on, whatever else is wrong, or None where there is none."""
    found: dict = {}
    pins = find_pins()
    try:
        read(os.getenv, pins, found)
    except WiringError:
        pass
    try:
        # What could not be read is taken for its default.
        for key, default, _allowed in KEYS:
            if key not in found:
                found[key] = pins.get(default, default)
        if found["DISPLAY"] == SLOW:
            found["DISPLAY"] = DIRECT  # the same chip, and no library that may be missing
        return make_display(found)[0]
    except Exception:
        return None


def find_pins() -> dict:
    """Return the pins of this board by name."""
    pins = {}
    for name in dir(board):
        pin = getattr(board, name)
        if isinstance(pin, microcontroller.Pin):
            pins[name] = pin
    return pins


def check_spelling() -> None:
    """Refuse a key of ours that nobody knows; a file that is not there has none."""
    try:
        with open(_SETTINGS) as settings:
            check_names(settings)
    except OSError:
        pass


def make_display(found: dict) -> tuple:
    """Return the display and, where its speed can be changed, the bus that it hangs on."""
    kind = found["DISPLAY"]
    if kind != DIRECT:
        import displayio

        displayio.release_displays()  # one of a former run would still have the pins
    if kind == OWN:
        return own_display(found["ROTATION"]), None
    try:
        bus = Bus(found["SCL"], found["SDA"], found["I2C_HZ"])
    except ValueError as problem:
        raise WiringError("SKYLINE_SDA and SKYLINE_SCL: " + str(problem)) from None
    except RuntimeError as problem:  # no pull-ups
        raise WiringError("no display on SKYLINE_SDA and SKYLINE_SCL: " + str(problem)) from None
    address = found["I2C_ADDRESS"]
    rotation = found["ROTATION"]
    if kind == DIRECT:
        from firmware.device.ssd1306 import MOST_ROWS, SSD1306

        display = SSD1306(bus, Canvas(), address, rotation == 270)
        display.most = MOST_ROWS
        return display, bus
    from i2cdisplaybus import I2CDisplayBus

    from firmware.device.displayio_screen import DisplayioScreen

    assert bus.i2c is not None
    wires = I2CDisplayBus(bus.i2c, device_address=address)
    shape = {"width": 64, "height": 128, "rotation": rotation, "auto_refresh": False}
    panel: object
    try:
        if kind == SH1106:
            import adafruit_displayio_sh1106

            # The chip has 132 columns for a panel of 128: two are hidden on either side.
            panel = adafruit_displayio_sh1106.SH1106(wires, colstart=2, **shape)
        else:
            import adafruit_displayio_ssd1306

            panel = adafruit_displayio_ssd1306.SSD1306(wires, **shape)
    except ImportError:
        bus.deinit()
        raise refuse("DISPLAY", kind, "only with its library in lib/, where python -m tools.deploy puts it") from None
    return DisplayioScreen(panel, Canvas()), None


def own_display(rotation: int):
    """Return the display that the board has built in."""
    from firmware.device.displayio_screen import DisplayioScreen

    panel = getattr(board, "DISPLAY", None)
    if panel is None:
        raise refuse("DISPLAY", OWN, "only where the board has a display of its own; this one has none")
    if os.getenv("SKYLINE_ROTATION") is not None:
        panel.rotation = rotation
    return DisplayioScreen(panel, Canvas())
