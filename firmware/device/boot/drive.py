"""Decide at power-on who owns the drive: the game if button B is held, else the PC. Open the USB port for players."""

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


def settle() -> None:
    """Give the drive to the game if B is held; a PC can then only read it."""
    if str(read("SKYLINE_LINK_USB")) in ("1", "0x1"):
        import usb_cdc

        usb_cdc.enable(data=True)  # a port for players, besides the console
    pin = digitalio.DigitalInOut(find_pin())
    pin.switch_to_input(digitalio.Pull.UP)
    time.sleep(_SETTLE_S)  # the pull-up must charge the wire
    held = not pin.value
    pin.deinit()
    if held:
        storage.remount("/", False)


def find_pin() -> "Pin":
    """Return the pin of button B; raise AttributeError if the board lacks it."""
    key = "SKYLINE_ROTATE_CCW"
    name = read(key)
    # Nothing is imported for a Pico: it would compile that at every start.
    if not name and (read("SKYLINE_BOARD") or not board.board_id.startswith("raspberry_pi")):
        from firmware.device.profiles import find_name

        name = find_name("ROTATE_CCW", board.board_id)
    name = name or "GP7"
    return getattr(board, name if hasattr(board, name) else name.upper())


def read(key: str) -> "Any":
    """Return the value of a key of settings.toml, spelled in small letters or capitals, like wiring_reading.py."""
    return os.getenv(key.lower()) or os.getenv(key)
