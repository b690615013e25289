"""Find a display and buttons to show a problem, whatever is wrong in settings.toml."""

import board
import digitalio

from firmware.compat import TYPE_CHECKING
from firmware.device.boot import screen
from firmware.device.chip import find_chip, find_number, is_i2c
from firmware.device.keys import Keys
from firmware.device.libraries import LYING, SLOW
from firmware.device.profiles import overlay
from firmware.device.settings import load
from firmware.device.wiring import BUTTONS, DIRECT, KEYS, WiringError
from firmware.device.wiring_reading import parse_value

if TYPE_CHECKING:
    from microcontroller import Pin

    from firmware.contracts import Display, Found, Parts, Written


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
    found["written"] = written = find_written()
    for key, default, allowed in KEYS:
        for value in (written.get(key, (key, default))[1], default):
            try:
                found[key] = parse_value(key, value, allowed, pins, found)
                break
            except WiringError:
                found[key] = None
    if found["DISPLAY"] == SLOW:
        found["DISPLAY"] = DIRECT  # the same chip, without a library that may be missing
    if found["DISPLAY"] in LYING and found["ROTATION"] % 180 == 0:
        found["ROTATION"] = 90
    numbers = [find_number(found[key]) for key in ("SDA", "SCL")]
    if find_chip().startswith("RP2") and min(numbers) >= 0 and not is_i2c(*numbers):
        found["SDA"] = pins.get("GP0")
        found["SCL"] = pins.get("GP1")
    return found


def find_written() -> "Written":
    """Return the good lines of settings.toml with the board's profile; without a known profile only those lines."""
    written = load(True)
    try:
        return overlay(written, board.board_id)
    except WiringError:
        return written


def find_display(found: "Found | None" = None) -> "Display | None":
    """Return a display to show an error on, or None if none answers."""
    try:
        return screen.make(found or guess(), False)[0]
    except Exception:  # whatever fails, look for the buttons next
        return None


def find_buttons(found: "Found") -> "Keys | None":
    pins = [keep_if_free(found[key]) for key in BUTTONS]
    return Keys(pins) if any(pins) else None


def keep_if_free(pin: "Pin | None") -> "Pin | None":
    """Return the pin, or None if something uses it."""
    try:
        if pin:
            digitalio.DigitalInOut(pin).deinit()
        return pin
    except ValueError:
        return None
