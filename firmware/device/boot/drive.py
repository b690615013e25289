"""Decide at power-on who owns the drive: the PC, or the game while a button is held. Open the USB port for players."""

import os
import time

import board
import digitalio
import storage

from firmware.compat import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from microcontroller import Pin

_SETTLE_S = 0.01


def settle() -> bool:
    """Give the drive to the game if B is held, and return whether it is; a PC can then only read it."""
    pin = digitalio.DigitalInOut(find_pin())
    pin.switch_to_input(digitalio.Pull.UP)
    time.sleep(_SETTLE_S)  # the pull-up must charge the wire
    held = not pin.value
    pin.deinit()
    if held:
        storage.remount("/", False)
    if str(read("SKYLINE_LINK_USB")) == "1":
        import usb_cdc

        usb_cdc.enable(data=True)  # a port for players, besides the console
    return held


def find_pin() -> "Pin":
    """Return the pin of button B; raise AttributeError if the board lacks it."""
    # Not from wiring.py: a board would compile the whole table at every start for this line.
    name = read("SKYLINE_ROTATE_CCW") or "GP7"
    return getattr(board, name if hasattr(board, name) else name.upper())


def read(key: str) -> "Any":
    """Return a key of settings.toml, in small letters or capitals, like wiring_reading.py."""
    return os.getenv(key.lower()) or os.getenv(key)
