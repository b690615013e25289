"""Build the handheld from a CircuitPython board and its wired parts, by settings.toml.

A button connects its pin to ground, and so does the piezo. The display needs 3V3(OUT), GND, SDA and SCL. SDA and SCL
are a pair of one I2C peripheral, such as GP0 and GP1. No other PWM output may use the piezo's slice (GP14 and GP15).
wiring.py has the keys and the pins of a Raspberry Pi Pico; screen.py finds the display.
"""

import sys

import supervisor

from firmware.compat import TYPE_CHECKING
from firmware.device.backup_bank import MARK_BYTES, BackupBank
from firmware.device.claims import claim
from firmware.device.handheld import Device
from firmware.device.machine import Board
from firmware.device.piezo import Piezo, Silence
from firmware.device.ticks import Clock

if TYPE_CHECKING:
    from firmware.contracts import Buzzer, Parts

_SPECIAL = "BUZZER_ENABLE I2S_BIT_CLOCK I2S_WORD_SELECT I2S_DATA"  # keys; one text takes no names of the heap
# Only the start needs these modules.
_START_MODULES = (
    "device.boot.pico device.boot.screen device.taps device.wiring device.wiring_reading device.profiles "
    "device.panels device.special device.claims device.settings device.settings_file device.pin_names "
    "device.chip device.link device.libraries device.config_error device.boot.no_display device.boot "
    "save.early_settings save.journal_reading view.notice view.logo"
)


def build(parts: "Parts | None" = None) -> Device:
    """Return the Device of this board; from now on a file saved on a PC does not restart it.

    parts: the parts that firmware.device.boot.screen.build found; without a display, this calls it. Raise WiringError
    in one line if settings.toml is wrong.
    """
    if parts is None:
        parts = {}
    if "display" not in parts:
        from firmware.device.boot import screen

        screen.build(parts)

        from firmware.device.taps import add

        add(parts)
    found = parts["found"]
    buzzer: "Buzzer | None" = None
    if [key for key in _SPECIAL.split() if found[key] is not None]:
        from firmware.device import special

        buzzer = special.make_amplifier(found)
    buttons = parts["buttons"]
    if not buzzer:
        pin = found["BUZZER"]
        buzzer = Silence() if pin is None else claim(found, "BUZZER", Piezo, pin)
    store = parts.get("store", ())
    link = None
    if found["LINK_TX"] or found["LINK_RX"] or found["LINK_USB"]:
        from firmware.device import link as ends

        link = ends.build(found)
    supervisor.runtime.autoreload = False
    return Device(
        display=parts["display"],
        buttons=buttons,
        buzzer=buzzer,
        clock=Clock(),
        store=store,
        link=link,
        wired=buttons.wired,
        bus=parts["bus"],
        machine=Board(),
        handmade=True,
        backup=BackupBank(store[0].size + MARK_BYTES) if store else None,
    )


def forget() -> None:
    """Drop the modules that only the start needed, 10 KB; callers must drop their own references to them."""
    for name in _START_MODULES.split():
        path = "firmware." + name
        if path in sys.modules:
            del sys.modules[path]
            package, _, name = path.rpartition(".")
            if hasattr(sys.modules[package], name):
                delattr(sys.modules[package], name)
