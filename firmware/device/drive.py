"""Decide at power-on whom the drive belongs to: the PC, or the game while a button is held; and open USB to players."""

import os
import time

import board
import digitalio
import storage

_SETTLE_S = 0.01


def settle() -> bool:
    """Give the drive to the game if B is held, and return whether it is; a PC then can read it only."""
    pin = digitalio.DigitalInOut(find_pin())
    pin.switch_to_input(digitalio.Pull.UP)
    time.sleep(_SETTLE_S)  # the pull-up must charge the wire
    held = not pin.value
    pin.deinit()
    if held:
        storage.remount("/", False)
    if str(look_up("SKYLINE_LINK_USB")) == "1":
        import usb_cdc

        usb_cdc.enable(data=True)  # besides the console: a port for players alone
    return held


def find_pin():
    """Return the pin of button B; raise AttributeError when the board has none of that name."""
    # Not from wiring.py: a board would compile the whole table for this line, at every start.
    name = look_up("SKYLINE_ROTATE_CCW") or "GP7"
    return getattr(board, name if hasattr(board, name) else name.upper())


def look_up(key: str):
    """Return a key of settings.toml, in small letters or capitals, as wiring_reading.py has it."""
    return os.getenv(key.lower()) or os.getenv(key)
