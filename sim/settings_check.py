"""Check settings for a board before they are on it: the board's own reading, and the chip's rules from profiles.txt."""

from firmware.compat import TYPE_CHECKING
from firmware.device import chip
from firmware.device.libraries import NO_DISPLAY
from firmware.device.wiring import OWN, PICO
from firmware.device.wiring_reading import read, refuse

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from firmware.contracts import Found, Written

# More names of pins in a Pico's `board` module, by GPIO number. With a radio, 23 to 25 belong to that.
_ALIASES = {
    23: ("SMPS_MODE",),
    24: ("VBUS_SENSE",),
    25: ("LED",),
    26: ("A0", "GP26_A0"),
    27: ("A1", "GP27_A1"),
    28: ("A2", "GP28_A2"),
}
PINS_OF_A_PICO = {name: n for n in range(29) for name in (f"GP{n}",) + _ALIASES.get(n, ())}
PINS_OF_A_PICO.update({"A3": 29, "VOLTAGE_MONITOR": 29})
_LAST_PIN = {"RP2040": 29, "RP2350": 47, "": 48}  # boards of other chips also have names like GP48


class AnyPins(dict):  # type: ignore[type-arg]  # MicroPython has no dict[str, Any]
    """The pins of an unknown board: every name in capitals counts, but GP99 exists on no chip."""

    def __init__(self, chip_name: str) -> None:
        self.chip_name = chip_name
        self.last = _LAST_PIN[chip_name]
        self.seen: dict[str, str] = {}

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str) or name != name.upper() or not "A" <= name[:1] <= "Z" or " " in name:
            return False
        digits = find_digits(name)
        return not digits or len(digits) < 3 and int(digits) <= self.last and digits == str(int(digits))

    def __getitem__(self, name: str) -> "Any":
        """Return the pin's number if its name tells it, else always one object, so that a second key is noticed."""
        if self.chip_name and find_digits(name):
            return int(find_digits(name))
        return self.seen.setdefault(name, name)


def find_digits(name: str) -> str:
    """Return the number in a name such as GP15, else an empty text."""
    return name[2:] if name[:2] == "GP" and not name[2:].strip("0123456789") else ""


def find_chip(text: str) -> str:
    """Return RP2040 or RP2350 if a board's id or description says so, else an empty text."""
    for name in ("RP2040", "RP2350"):
        if name in text.upper():
            return name
    return ""


def find_pins(record: "Mapping[str, str] | None", board_id: str, chip_name: str) -> "dict[str, Any]":
    """Return the pins of a board by name: its profile's or a Pico's, and of an unknown board any."""
    if record and "pins" in record:
        pairs = [pair.split("=") for pair in record["pins"].split()]
        return {name: int(number) for name, number in pairs}
    if record or not board_id or board_id.startswith(PICO):
        radio = "_w" in board_id.split(PICO)[-1][:3]
        return {name: n for name, n in PINS_OF_A_PICO.items() if not (radio and 23 <= n <= 25)}
    return AnyPins(chip_name)


def check(written: "Written", record: "Mapping[str, str] | None", board_id: str, told: str = "") -> "Found":
    """Return every key's value; raise WiringError for what the board would refuse.

    written: from settings_file.parse, with the profile that counts. record: the profile of the board itself, or None.
    told: what else names the chip.
    """
    chip_name = record["chip"] if record else find_chip(told + board_id) or ("" if board_id else "RP2040")
    found: Found = {}
    read(written, find_pins(record, board_id, chip_name), found)
    if record and found["DISPLAY"] == OWN and record.get("DISPLAY") != OWN:
        raise refuse("DISPLAY", OWN, NO_DISPLAY)
    chip.check(found, chip_name, number, int(record["backlight"]) if record and "backlight" in record else -1)
    return found


def number(pin: object) -> int:
    """Return the GPIO number that stands for a pin here, -1 for the name of an unknown one."""
    return pin if isinstance(pin, int) else -1
