"""Word errors in settings.toml in one line each, with the allowed values; wiring.py has the keys."""

from firmware.compat import TYPE_CHECKING
from firmware.device.wiring import DIRECT, KEYS, NONE, PIN_OR_NONE, PREFIX, WiringError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from firmware.contracts import Found, Pins

PAIRS = "SDA GP0 4 8 12 16 20 with SCL GP1 5 9 13 17 21, or SDA GP2 6 10 14 18 26 with SCL GP3 7 11 15 19 27"

UARTS = "TX GP0 12 16 with RX GP1 13 17, or TX GP4 8 20 with RX GP5 9 21, on a Pico"


def word(key: str, value: object, allowed: "Any") -> str:
    """Return the error line for a refused value.

    allowed: a text, the tuple of wiring.KEYS (words, numbers, or two bounds), or this board's pins by name.
    """
    if isinstance(allowed, dict):
        optional = (key.upper(), PIN_OR_NONE) in [(known, kind) for known, _default, kind in KEYS]
        allowed = list_names(allowed) + (" or none" if optional else "")
    elif isinstance(allowed, tuple):
        choices = [hex(choice) if key.upper() == "I2C_ADDRESS" else str(choice) for choice in allowed]
        bounds = len(allowed) == 2 and not isinstance(allowed[0], str)
        allowed = (" to " if bounds else ", ").join(choices)
    return name_key(key) + " is " + str(value) + ", allowed: " + allowed


def word_pair(key: str, sda: str, other: str, scl: str) -> str:
    """Return the error line for SDA and SCL that do not belong to one peripheral; `key` and `other` are their keys."""
    return word(key, sda + " with " + name_key(other) + " " + scl, PAIRS)


def word_uart(key: str, tx: "str | None", other: str, rx: "str | None") -> str:
    """Return the error line for the link's TX and RX: one is missing, or they do not belong to one UART."""
    return word(key, (tx or NONE) + " with " + name_key(other) + " " + (rx or NONE), UARTS)


def check_i2c(data_key: "tuple[str, Any]", clock_key: "tuple[str, Any]", found: "Found") -> None:
    """Raise WiringError unless a Pico's SDA and SCL belong to one I2C peripheral; other boards' pins go unchecked.

    Both come as wiring_reading.look_up() returns them.
    """
    key, sda = data_key
    other, scl = clock_key
    sda = sda or "GP0"
    scl = scl or "GP1"
    if found["SDA"] is not None and sda.upper().startswith("GP") and scl.upper().startswith("GP"):
        data = int(sda[2:].split("_")[0])
        clock = int(scl[2:].split("_")[0])
        if data % 2 or not clock % 2 or data // 2 % 2 != clock // 2 % 2:
            raise WiringError(word_pair(key, sda, other, scl))


def check_display(found: "Found") -> None:
    """Raise WiringError if the display cannot stand upright, or is on another bus than its driver needs."""
    from firmware.device.libraries import COLOURED, LYING  # a start without a mistake needs neither

    kind = found["DISPLAY"]
    if kind in LYING and found["ROTATION"] % 180 == 0:
        raise WiringError(word("ROTATION", found["ROTATION"], "90 or 270, the picture stands upright on the long side"))
    if found["SCK"] and kind == DIRECT:
        raise WiringError(word("DISPLAY", kind, "displayio-ssd1306 or another kind, if SKYLINE_SCK names a pin of SPI"))
    if found["SCK"] or kind in COLOURED:
        for key in ("SCK", "MOSI", "DC"):
            if found[key] is None:
                raise WiringError(word(key, NONE, "a pin, because the display is on SPI"))


def check_names(lines: "Iterable[str]") -> None:
    """Raise WiringError for an unknown SKYLINE_ key; `lines` are the lines of settings.toml."""
    for line in lines:
        name = line.split("=")[0].strip().strip("\"'")
        if name.upper().startswith(PREFIX):
            known = [key for key, _default, _allowed in KEYS]
            if name[len(PREFIX) :].upper() not in known or name != name_key(name[len(PREFIX) :]):
                raise WiringError(name + " is no key, allowed: " + PREFIX + " and " + ", ".join(known))


def name_key(key: str) -> str:
    """Return the full name of a key, in small letters if the file has it so."""
    return (PREFIX if key == key.upper() else PREFIX.lower()) + key


def list_names(pins: "Pins") -> str:
    """List the names of pins briefly: "A0-A2 GP0-GP22 LED"."""
    words: list[str] = []
    stem = ""
    last = -2
    for name in sorted(pins, key=sort_key):
        letters, number = sort_key(name)
        if letters == stem and number == last + 1:
            words[-1] = words[-1].split("-")[0] + "-" + name
        else:
            words.append(name)
        stem = letters
        last = number
    return " ".join(words)


def sort_key(name: str) -> tuple[str, int]:
    """Return the letters and the number of a pin's name, -2 without a number."""
    letters = name
    while letters and letters[-1] in "0123456789":
        letters = letters[:-1]
    return letters, int(name[len(letters) :]) if letters != name else -2
