"""Find the display by settings.toml, for the first picture; pico.py builds the rest."""

import os

import board
import microcontroller

from firmware.compat import TYPE_CHECKING
from firmware.device.bus import Bus
from firmware.device.wiring import DIRECT, PICO, WiringError
from firmware.device.wiring_reading import look_up, read, spare
from firmware.view.canvas import Canvas

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Display, Found, GetEnv, Parts, Pins

_USUAL = (0x3C, 0x3D)  # a jumper on the module sets the address, and the printed address is often wrong


def build(parts: "Parts") -> "Display":
    """Return the display, still dark: the first show() lights it.

    Put it into `parts` with the values of all keys, the bus and the memory: a later error needs them. If no display
    answers, signal that and wait for one. Raise WiringError if settings.toml is wrong.
    """
    memory = microcontroller.nvm
    found: "Found" = {}
    parts["found"] = found
    getenv = spare(os.getenv)
    if look_up(getenv, "BOARD")[1] or not board.board_id.startswith(PICO):
        # Imported late: a Pico has the defaults, and its first picture comes sooner.
        from firmware.device.profiles import overlay

        getenv = overlay(getenv, board.board_id)
    read(getenv, find_pins(), found)
    if memory:
        from firmware.device.nvm import NvmStore

        parts["store"] = (NvmStore(memory),)
    parts["display"], parts["bus"] = make(found, getenv, True)
    return parts["display"]


def find_pins() -> "Pins":
    """Return the pins of this board by name."""
    pins = {}
    for name in dir(board):
        pin = getattr(board, name)
        if isinstance(pin, microcontroller.Pin):
            pins[name] = pin
    return pins


def make(found: "Found", getenv: "GetEnv", patient: bool) -> "tuple[Any, Any]":
    """Return the display, and its bus or None; only the bus of our own driver can change its speed.

    If none answers, wait for one if `patient`, else return None for both.
    """
    kind = found["DISPLAY"]
    if kind != DIRECT:
        from firmware.device import panels

        panel = panels.make_first(found, getenv)
        if panel:
            return panel, None
    try:
        bus = Bus(found["SCL"], found["SDA"], found["I2C_HZ"])
    except ValueError as problem:
        raise WiringError("SKYLINE_SDA and SKYLINE_SCL: " + str(problem)) from None
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
        return panels.make_panel(found, bus, address), None
    from firmware.device.ssd1306 import MOST_ROWS, SSD1306

    display = SSD1306(bus, Canvas(), address, found["ROTATION"] == 270)
    display.most = MOST_ROWS
    return display, bus
