"""Decide at power-on whom the drive belongs to: the PC, or the game while a button is held."""

import os
import time

import board
import digitalio
import storage

# B. Not from wiring.py: a board would compile the whole table for this line, at every start.
_KEY = "SKYLINE_ROTATE_CCW"
_DEFAULT = "GP7"
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
    return held


def find_pin():
    """Return the pin of the button; raise AttributeError when the board has none of that name."""
    name = os.getenv(_KEY.lower()) or os.getenv(_KEY) or _DEFAULT  # in small letters or capitals, as wiring.py has it
    return getattr(board, name if hasattr(board, name) else name.upper())
