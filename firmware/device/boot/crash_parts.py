"""Find a display and buttons to show a problem, whatever is wrong in settings.toml."""

import os

import board
import digitalio

from firmware.compat import TYPE_CHECKING
from firmware.device.boot import screen
from firmware.device.config_error import check_i2c
from firmware.device.keys import Keys
from firmware.device.libraries import LYING, SLOW
from firmware.device.profiles import overlay
from firmware.device.wiring import BUTTONS, DIRECT, KEYS, WiringError
from firmware.device.wiring_reading import look_up, parse_value

if TYPE_CHECKING:
    from microcontroller import Pin

    from firmware.contracts import Display, Found, GetEnv, Parts


def complete(parts: "Parts") -> None:
    """Add "found", the values of all keys, and if missing "display" and "buttons", None if not found."""
    parts["found"] = found = guess()
    if "display" not in parts:
        parts["display"] = find_display(found)
    if "buttons" not in parts:
        parts["buttons"] = find_buttons(found)


def guess() -> "Found":
    """Return every key's value. Use the default for a wrong key, and None for a pin that is already taken."""
    found: "Found" = {}
    pins = screen.find_pins()
    getenv = find_getenv()
    for key, default, allowed in KEYS:
        for value in (look_up(getenv, key)[1], default):
            try:
                if value is not None:
                    found[key] = parse_value(key, value, allowed, pins, found)
                    break
            except WiringError:
                found[key] = None
    if found["DISPLAY"] == SLOW:
        found["DISPLAY"] = DIRECT  # the same chip, without a library that may be missing
    if found["DISPLAY"] in LYING and found["ROTATION"] % 180 == 0:
        found["ROTATION"] = 90
    try:
        check_i2c(look_up(getenv, "SDA"), look_up(getenv, "SCL"), found)
    except WiringError:
        found["SDA"] = pins.get("GP0")
        found["SCL"] = pins.get("GP1")
    return found


def find_getenv() -> "GetEnv":
    """Return what reads settings.toml and the board's profile; without a known profile only settings.toml."""
    try:
        return overlay(os.getenv, board.board_id)
    except WiringError:
        return os.getenv


def find_display(found: "Found | None" = None) -> "Display | None":
    """Return a display to show an error on, or None if none answers."""
    try:
        return screen.make(found or guess(), find_getenv(), False)[0]
    except Exception:  # whatever fails, look for the buttons next
        return None


def find_buttons(found: "Found") -> "Keys | None":
    """Return the readable buttons, or None."""
    pins = [found[key] if is_free(found[key]) else None for key in BUTTONS]
    for pin in pins:
        if pin is not None:
            return Keys(pins)
    return None


def is_free(pin: "Pin | None") -> bool:
    """Return whether the pin exists and is free."""
    try:
        if pin is not None:
            digitalio.DigitalInOut(pin).deinit()
            return True
    except ValueError:
        pass
    return False
