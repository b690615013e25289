"""Find the display by settings.toml, for the first picture; pico.py builds the rest."""

import board
import microcontroller

from firmware.compat import TYPE_CHECKING
from firmware.device.bus import Bus
from firmware.device.settings import load
from firmware.device.wiring import DIRECT, PICO
from firmware.device.wiring_reading import read
from firmware.view.canvas import Canvas

if TYPE_CHECKING:
    from firmware.contracts import Any, Display, Found, Parts, Pins

_USUAL = (0x3C, 0x3D)  # a jumper on the module sets the address, and the printed address is often wrong


def build(parts: "Parts") -> "Display":
    """Return the display, still dark: the first show() lights it.

    Put it into `parts` with the values of all keys, the bus and the memory: a later error needs them. If no display
    answers, signal that and wait for one. Raise WiringError if settings.toml is wrong.
    """
    memory = microcontroller.nvm
    found: "Found" = {}
    parts["found"] = found
    written = load()
    if "BOARD" in written or not board.board_id.startswith(PICO):
        # Imported late: a Pico has the defaults, and its first picture comes sooner.
        from firmware.device.profiles import overlay

        written = overlay(written, board.board_id)
    read(written, find_pins(), found)
    if memory:
        from firmware.device.nvm import NvmStore

        parts["store"] = (NvmStore(memory),)
    parts["display"], parts["bus"] = make(found, True)
    return parts["display"]


def find_pins() -> "Pins":
    pins = {}
    for name in dir(board):
        pin = getattr(board, name)
        if isinstance(pin, microcontroller.Pin):
            pins[name] = pin
    return pins


def make(found: "Found", patient: bool) -> "tuple[Any, Any]":
    """Return the display, and its bus or None; only the bus of our own driver can change its speed.

    If none answers, wait for one if `patient`, else return None for both.
    """
    kind = found["DISPLAY"]
    if kind != DIRECT:
        from firmware.device import panels

        panel = panels.claim(found, "DISPLAY", panels.make_first, found)
        if panel:
            return panel, None
    try:
        bus = Bus(found["SCL"], found["SDA"], found["I2C_HZ"])
    except (ValueError, RuntimeError) as problem:
        from firmware.device.chip import refuse_claim

        refuse_claim(found, "SDA SCL", problem)
    addresses = [found["I2C_ADDRESS"]]
    addresses += [usual for usual in _USUAL if usual not in addresses]
    address = bus.find(addresses)
    if not address:
        if not patient:
            bus.deinit()
            return None, None
        from firmware.device.boot.no_display import wait_for_display

        address = wait_for_display(bus, addresses, found)
    if kind != DIRECT:
        return panels.claim(found, "DISPLAY", panels.make_panel, found, bus, address), None
    from firmware.device.ssd1306 import MOST_ROWS, SSD1306

    display = SSD1306(bus, Canvas(), address, found["ROTATION"] == 270)
    display.most = MOST_ROWS
    return display, bus
