"""Give every key of firmware/device/wiring.py its value: of settings.toml, of the board's profile, or its default.

Keys and values may be in capitals or small letters; errors (config_error.py) show them as written.
"""

from firmware.compat import TYPE_CHECKING
from firmware.device.wiring import DIRECT, KEYS, NONE, OWN, PIN, PIN_OR_NONE, WORD, WiringError

if TYPE_CHECKING:
    from microcontroller import Pin

    from firmware.contracts import Any, Found, Pins, Written


def read(written: "Written", pins: "Pins", found: "Found") -> None:
    """Fill `found` with the value of every key, pins as the pin or None, and with `written` itself.

    written: from settings_file.py and profiles.py; `pins` has the board's pins by name. Raise WiringError for a wrong
    value; `found` then has the keys read so far.
    """
    found["written"] = written
    for key, default, allowed in KEYS:
        spelled, value = written.get(key) or (key, default)
        found[key] = parse_value(spelled, value, allowed, pins, found)
    # A pin may be 0 on a PC; both are None, or they are two pins.
    if found["ROTATION"] % 180 == 0 or found["DISPLAY"] != DIRECT or found["SCK"] != found["BACKLIGHT"]:
        # Imported late, here and below: compiling it would delay the first picture.
        from firmware.device.config_error import check_display

        check_display(found)


def parse_value(key: str, value: object, allowed: "Any", pins: "Pins", found: "Found") -> "Any":
    """Return `value` as a word, a number or a pin, or None for no pin; raise WiringError if it is not allowed."""
    if isinstance(allowed, tuple):
        return choose(key, value, allowed)
    if allowed == WORD:
        word = str(value).lower()
        return None if word == NONE else word
    if key.upper() in ("SDA", "SCL") and (found["DISPLAY"] == OWN or found["SCK"] is not None):
        return None
    return find_pin(key, value, allowed, pins, found)


def choose(key: str, value: object, allowed: "tuple[Any, ...]") -> "str | int":
    """Return `value` as an allowed word or number; raise WiringError for any other."""
    word: "Any" = str(value).lower()
    if not isinstance(allowed[0], str):
        if isinstance(value, str):
            from firmware.device.settings_file import read_number

            word = read_number(word)
        else:
            word = value
        if word is not None and len(allowed) == 2 and allowed[0] <= word <= allowed[1]:
            return word
    if word in allowed:
        return word
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
    for other in found:
        if found[other] is pin and [row for row in KEYS if row[0] == other and row[2] in (PIN, PIN_OR_NONE)]:
            raise refuse(key, found, other)
    return pin


def refuse(key: str, value: object, allowed: object) -> WiringError:
    """Return the error that names the allowed values; config_error.word describes the arguments."""
    from firmware.device.config_error import word

    return WiringError(word(key, value, allowed))
