"""Find a display and buttons to tell of a problem and begin anew with, whatever settings.toml says wrong."""

import os

import digitalio

from firmware.device import screen
from firmware.device.keys import Keys
from firmware.device.wiring import BUTTONS, DIRECT, KEYS, OWN, SLOW, WiringError
from firmware.device.wiring_reading import check_pair, look_up, take


def complete(parts: dict) -> None:
    """Put into `parts` what is not there yet: "display" and "buttons", None where there is none, and "found"."""
    parts["found"] = found = guess()
    if "display" not in parts:
        parts["display"] = find_display(found)
    if "buttons" not in parts:
        parts["buttons"] = find_buttons(found)


def guess() -> dict:
    """Return the value of every key, its default where settings.toml is wrong, None for a pin that another part has."""
    found: dict = {}
    pins = screen.find_pins()
    for key, default, allowed in KEYS:
        for value in (look_up(os.getenv, key)[1], default):
            try:
                if value is not None:
                    found[key] = take(key, value, allowed, pins, found)
                    break
            except WiringError:
                found[key] = None
    if found["DISPLAY"] == SLOW:
        found["DISPLAY"] = DIRECT  # the same chip, and no library that may be missing
    if found["DISPLAY"] != OWN and found["ROTATION"] % 180 == 0:
        found["ROTATION"] = 90
    try:
        check_pair(os.getenv, found)
    except WiringError:
        found["SDA"] = pins.get("GP0")
        found["SCL"] = pins.get("GP1")
    return found


def find_display(found: "dict | None" = None):
    """Return a display to show an error on, or None where none answers."""
    try:
        return screen.make(found or guess(), False)[0]
    except Exception:  # whatever it is, the buttons are to be looked for
        return None


def find_buttons(found: dict) -> "Keys | None":
    """Return those of the buttons that can be read, or None."""
    pins = [found[key] if is_free(found[key]) else None for key in BUTTONS]
    for pin in pins:
        if pin is not None:
            return Keys(pins)
    return None


def is_free(pin) -> bool:
    """Return whether there is a pin and no part has it."""
    try:
        if pin is not None:
            digitalio.DigitalInOut(pin).deinit()
            return True
    except ValueError:
        pass
    return False
