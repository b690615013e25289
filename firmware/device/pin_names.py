"""Name the buttons' pins for the test of the buttons; play does not keep this module in memory."""

import os

import board

from firmware.device.profiles import overlay
from firmware.device.wiring import BUTTONS, KEYS
from firmware.device.wiring_reading import look_up


def list_pins() -> "list[bytes]":
    """Return what is written beside each button, by settings.toml and the board's profile: GP2 or KEY12, A for SW_A."""
    getenv = overlay(os.getenv, board.board_id)
    names = []
    for key, default, _allowed in KEYS:
        if key in BUTTONS or key == "TARGET":
            name = str(look_up(getenv, key)[1] or default).upper()
            for maker in ("BUTTON_", "SW_"):
                name = name.replace(maker, "")
            names.append(name.replace("_", " ").encode())
    return names
