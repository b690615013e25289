"""Build the handheld from a CircuitPython board and the parts wired to it, as settings.toml has them.

A button connects its pin to ground; the piezo lies between its pin and ground; the display
needs 3V3(OUT), GND, SDA and SCL. SDA and SCL are a pair of one I2C peripheral (GP0 with GP1
is the first), and the piezo's PWM slice (GP14 and GP15) is shared with nothing else.
firmware/device/wiring.py has the keys and the pins of a Raspberry Pi Pico, screen.py finds the display.
"""

import sys

import supervisor

from firmware.device.handheld import Device
from firmware.device.keys import Keys
from firmware.device.machine import Board
from firmware.device.piezo import Piezo, Silence
from firmware.device.refusal import check_names
from firmware.device.spare import MARK_BYTES, Spare
from firmware.device.ticks import Clock
from firmware.device.wiring import BUTTONS

_SETTINGS = "settings.toml"
# What only the start needs; what code.py needs of it stays with code.py.
_OF_START = (
    "device.pico",
    "device.screen",
    "device.wiring",
    "device.wiring_reading",
    "device.refusal",
    "device.distress",
    "save.glance",
    "save.journal_reading",
    "view.notice",
    "view.lines",
)


def build(parts: "dict | None" = None) -> Device:
    """Return the Device of this board; no file written from a PC restarts it from now on.

    parts: what firmware.device.screen.build left, which is called where it has no display; the buttons
    are added. Raise WiringError in one line: what settings.toml says wrong.
    """
    if parts is None:
        parts = {}
    if "display" not in parts:
        from firmware.device import screen

        screen.build(parts)
    found = parts["found"]
    parts["buttons"] = buttons = Keys([found[key] for key in BUTTONS])
    check_spelling()
    buzzer = found["BUZZER"]
    store = parts.get("store", ())
    supervisor.runtime.autoreload = False
    return Device(
        display=parts["display"],
        buttons=buttons,
        buzzer=Piezo(buzzer) if buzzer is not None else Silence(),
        clock=Clock(),
        store=store,
        wired=buttons.wired,
        bus=parts["bus"],
        machine=Board(),
        handmade=True,
        spare=Spare(store[0].size + MARK_BYTES) if store else None,
    )


def forget() -> None:
    """Drop what only the start needed, ten kilobytes for the game; who imported it drops theirs."""
    for name in _OF_START:
        path = "firmware." + name
        if path in sys.modules:
            del sys.modules[path]
            package, _, name = path.rpartition(".")
            if hasattr(sys.modules[package], name):
                delattr(sys.modules[package], name)


def check_spelling() -> None:
    """Refuse a key of ours that nobody knows; a file that is not there has none."""
    try:
        with open(_SETTINGS) as settings:
            check_names(settings)
    except OSError:
        pass
