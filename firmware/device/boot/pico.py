"""Build the handheld from a CircuitPython board and its wired parts, by settings.toml.

A button connects its pin to ground, and so does the piezo. The display needs 3V3(OUT), GND, SDA and SCL. SDA and SCL
are a pair of one I2C peripheral, such as GP0 and GP1. No other PWM output may use the piezo's slice (GP14 and GP15).
wiring.py has the keys and the pins of a Raspberry Pi Pico; screen.py finds the display.
"""

import sys

import supervisor

from firmware.compat import TYPE_CHECKING
from firmware.device.backup_bank import MARK_BYTES, BackupBank
from firmware.device.config_error import check_names
from firmware.device.handheld import Device
from firmware.device.keys import Keys
from firmware.device.machine import Board
from firmware.device.piezo import Piezo, Silence
from firmware.device.ticks import Clock
from firmware.device.wiring import BUTTONS

if TYPE_CHECKING:
    from firmware.contracts import Buzzer, Found, Parts

_SETTINGS = "settings.toml"
# Only the start needs these modules.
_START_MODULES = (
    "device.boot.pico",
    "device.boot.screen",
    "device.wiring",
    "device.wiring_reading",
    "device.profiles",
    "device.panels",
    "device.libraries",
    "device.config_error",
    "device.boot.no_display",
    "device.boot",
    "save.early_settings",
    "save.journal_reading",
    "view.notice",
    "view.lines",
    "view.logo",
)


def build(parts: "Parts | None" = None) -> Device:
    """Return the Device of this board; from now on a file saved on a PC does not restart it.

    parts: the parts that firmware.device.boot.screen.build found; without a display, this calls it. The buttons are
    added. Raise WiringError in one line if settings.toml is wrong.
    """
    if parts is None:
        parts = {}
    if "display" not in parts:
        from firmware.device.boot import screen

        screen.build(parts)
    found = parts["found"]
    parts["buttons"] = buttons = make_buttons(found)
    check_spelling()
    store = parts.get("store", ())
    link = None
    if found["LINK_TX"] or found["LINK_RX"] or found["LINK_USB"]:
        from firmware.device import link as ends

        link = ends.build(found, parts["getenv"])
    supervisor.runtime.autoreload = False
    return Device(
        display=parts["display"],
        buttons=buttons,
        buzzer=make_buzzer(found),
        clock=Clock(),
        store=store,
        link=link,
        wired=buttons.wired,
        bus=parts["bus"],
        machine=Board(),
        handmade=True,
        backup=BackupBank(store[0].size + MARK_BYTES) if store else None,
    )


def make_buttons(found: "Found") -> Keys:
    """Return the eight buttons, or nine."""
    pins = [found[key] for key in BUTTONS]
    if found["TARGET"] is None:
        return Keys(pins)
    from firmware.device.nine_keys import NineKeys

    return NineKeys(pins + [found["TARGET"]])


def make_buzzer(found: "Found") -> "Buzzer":
    """Return what makes sound: a piezo or an amplifier, or silence."""
    if found["I2S_DATA"] is not None:
        from firmware.device.i2s import Amplifier

        return Amplifier(found["I2S_BIT_CLOCK"], found["I2S_WORD_SELECT"], found["I2S_DATA"])
    if found["BUZZER"] is None:
        return Silence()
    if found["BUZZER_ENABLE"] is not None:
        from digitalio import DigitalInOut

        DigitalInOut(found["BUZZER_ENABLE"]).switch_to_output(True)  # the pin stays high without the object
    return Piezo(found["BUZZER"])


def forget() -> None:
    """Drop the modules that only the start needed, 10 KB; callers must drop their own references to them."""
    for name in _START_MODULES:
        path = "firmware." + name
        if path in sys.modules:
            del sys.modules[path]
            package, _, name = path.rpartition(".")
            if hasattr(sys.modules[package], name):
                delattr(sys.modules[package], name)


def check_spelling() -> None:
    """Raise WiringError if settings.toml, if it exists, has an unknown SKYLINE_ key."""
    try:
        with open(_SETTINGS) as settings:
            check_names(settings)
    except OSError:
        pass
