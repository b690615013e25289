"""Read settings.toml by the table of firmware/device/wiring.py.

Keys and values may be in capitals or small letters; errors (config_error.py) show them as written.
"""

from firmware.compat import TYPE_CHECKING
from firmware.device.wiring import DIRECT, KEYS, NONE, OWN, PIN, PIN_OR_NONE, PREFIX, WORD, WiringError

if TYPE_CHECKING:
    from typing import Any

    from microcontroller import Pin

    from firmware.contracts import Found, GetEnv, Pins


def read(getenv: "GetEnv", pins: "Pins", found: "Found") -> None:
    """Fill `found` with the value of every key, pins as the pin or None.

    `getenv` works like os.getenv and may return text or numbers; `pins` has the board's pins by name. Raise WiringError
    for a wrong value; `found` then has the keys read so far.
    """
    for key, default, allowed in KEYS:
        written, value = look_up(getenv, key)
        found[key] = parse_value(written, default if value is None else value, allowed, pins, found)
    if found["SCK"] or found["DISPLAY"] != DIRECT or found["ROTATION"] % 180 == 0:
        # Imported late, here and below: compiling it would delay the first picture.
        from firmware.device.config_error import check_display

        check_display(found)
    sda = look_up(getenv, "SDA")
    scl = look_up(getenv, "SCL")
    if sda[1] or scl[1]:
        from firmware.device.config_error import check_i2c

        check_i2c(sda, scl, found)


def spare(getenv: "GetEnv", path: str = "/settings.toml") -> "GetEnv":
    """Return a function like `getenv` that asks it only for keys that the file at `path` mentions.

    CircuitPython reads the whole file for each of the 70 spellings: 0.1 s before the first picture.
    """
    try:
        with open(path, "rb") as file:
            text = file.read()
    except OSError:
        return getenv
    return lambda key: getenv(key) if key.encode() in text else None


def look_up(getenv: "GetEnv", key: str) -> "tuple[str, Any]":
    """Return a key as settings.toml spells it, and its value or None."""
    small = key.lower()
    value = getenv(PREFIX.lower() + small)
    if value is not None:
        return small, value
    return key, getenv(PREFIX + key)


def parse_value(key: str, value: object, allowed: "Any", pins: "Pins", found: "Found") -> "Any":
    """Return `value` as a word, a number or a pin, or None for no pin; raise WiringError if it is not allowed."""
    if isinstance(allowed, tuple):
        return choose(key, value, allowed)
    if allowed == WORD:
        return None if value == NONE else value
    if key.upper() in ("SDA", "SCL") and (found["DISPLAY"] == OWN or found["SCK"]):
        return None
    return find_pin(key, value, allowed, pins, found)


def choose(key: str, value: object, allowed: "tuple[Any, ...]") -> "str | int":
    """Return `value` as an allowed word or number; raise WiringError for any other."""
    if isinstance(allowed[0], str):
        found = str(value).lower()
        if found in allowed:
            return found
    else:
        try:
            number = int(str(value), 0)
        except ValueError:
            number = -1
        if number in allowed or len(allowed) == 2 and allowed[0] <= number <= allowed[1]:
            return number
    raise refuse(key, value, allowed)


def find_pin(key: str, name: object, allowed: str, pins: "Pins", found: "Found") -> "Pin | None":
    """Return the pin called `name`, or None for "none"; raise WiringError if another key has it."""
    if str(name).lower() == NONE and allowed == PIN_OR_NONE:
        return None
    written = name
    if name not in pins:
        name = str(name).upper()
    if name not in pins:
        raise refuse(key, written, pins)
    pin = pins[name]
    for other, _default, kind in KEYS:
        if kind in (PIN, PIN_OR_NONE) and found.get(other) is pin:
            raise refuse(key, written, "any pin but this, which is " + PREFIX + other)
    return pin


def refuse(key: str, value: object, allowed: object) -> WiringError:
    """Return the error that names the allowed values; config_error.word describes the arguments."""
    from firmware.device.config_error import word

    return WiringError(word(key, value, allowed))
