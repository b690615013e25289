"""Read a drive's settings.toml like CircuitPython's os.getenv, and refuse values that the firmware would refuse.

The board reads only a part of TOML: lines of KEY = "text" or KEY = a whole number, up to the first table. It searches
one key at a time: the first line of a key counts, and lines of other keys may be invalid. tomllib accepts other
files, and is new in Python 3.11.
"""

import re
from collections.abc import Callable
from typing import Any

from firmware.device import profiles
from firmware.device.config_error import check_names, word_uart
from firmware.device.wiring import BUTTONS, NONE, WiringError
from firmware.device.wiring_reading import look_up, read
from tools.deploy import DeployError

_VALUE = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|([^"#\s][^#]*?))\s*(?:#.*)?')
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))")
_CONTROLS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}

# More names of pins in a Pico's `board` module, by GP number.
_ALIASES = {
    23: ("SMPS_MODE",),
    24: ("VBUS_SENSE",),
    25: ("LED",),
    26: ("A0", "GP26_A0"),
    27: ("A1", "GP27_A1"),
    28: ("A2", "GP28_A2"),
}
PICO = {name: n for n in range(29) for name in (f"GP{n}", *_ALIASES.get(n, ()))} | {"A3": 29, "VOLTAGE_MONITOR": 29}
_PICOS = ("", "raspberry_pi_pico", "raspberry_pi_pico2")
_UARTS = (((0, 12, 16), (1, 13, 17)), ((4, 8, 20), (5, 9, 21)))  # TX and RX of each UART, as in word_uart's message


class AnyPins(dict[str, str]):
    """The pins of an unknown board: every name in capitals counts as a pin."""

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name == name.upper()

    def __missing__(self, name: str) -> str:
        return self.setdefault(name, name)  # the same object each time, so that two keys with the same pin are noticed


def make_getenv(text: str) -> Callable[[str], str | int | None]:
    """Return a function like os.getenv with this settings.toml; it raises DeployError for an invalid value."""

    def getenv(key: str) -> str | int | None:
        for number, line in enumerate(text.split("\n"), 1):
            if line.lstrip().startswith("["):
                return None
            found = re.match(rf"\s*{re.escape(key)}\s*=(.*)", line)
            if found:
                value = _read_value(found[1])
                if value is None:
                    raise DeployError(
                        f'line {number}: {key} ={found[1].rstrip()}, allowed: "text" in double quotes or a whole number'
                    )
                return value
        return None

    return getenv


def _read_value(written: str) -> str | int | None:
    """Return the text or the number after an equals sign, None for an invalid value."""
    parts = _VALUE.fullmatch(written)
    if parts is None:
        return None
    if parts[2] is None:
        return _ESCAPE.sub(_unescape, parts[1])
    try:
        return int(parts[2], 0)
    except ValueError:
        return None


def _unescape(escape: re.Match[str]) -> str:
    digits = escape[1] or escape[2]
    return chr(int(digits, 16) % 0x110000) if digits else _CONTROLS.get(escape[3], escape[3])


def check(text: str, board_id: str) -> str:
    """Return the kind of display in a settings.toml; raise DeployError for values that the board would refuse.

    board_id: from boot_out.txt; on any other board than a Pico, pins may have any names. Its profile counts, too.
    """
    pins = PICO if board_id in _PICOS else AnyPins()
    values: dict[str, Any] = {}
    try:
        check_names(text.split("\n"))
        getenv = profiles.overlay(make_getenv(text), board_id)
        read(getenv, pins, values)
        _check_link(getenv, values, pins is PICO)
    except (WiringError, DeployError) as wrong:
        raise DeployError(f"settings.toml on the drive: {wrong}") from None
    return values["DISPLAY"]


def describe(text: str, board_id: str) -> str:
    """Return a line that names the board's profile and its display, buttons and sound; "" for a Pico of the guide."""
    values: dict[str, Any] = {}
    getenv = profiles.overlay(make_getenv(text), board_id)
    read(getenv, AnyPins(), values)
    record = profiles.find(values["BOARD"] or board_id)
    if record is None or "DISPLAY" not in record:
        return ""
    buttons = " ".join(values[key] or NONE for key in BUTTONS)
    sound = values["BUZZER"] or values["I2S_DATA"] or NONE
    return f"{record['name']}: display {values['DISPLAY']}; buttons {buttons}; sound {sound}; {record['note']}"


def _check_link(getenv: Callable[[str], str | int | None], values: dict[str, Any], known: bool) -> None:
    """Raise WiringError if only one of TX and RX is set, or if `known` pins do not belong to one UART."""
    tx, rx = values["LINK_TX"], values["LINK_RX"]
    if (tx is None) != (rx is None) or known and tx is not None and not any(tx in a and rx in b for a, b in _UARTS):
        written, tx = look_up(getenv, "LINK_TX")
        other, rx = look_up(getenv, "LINK_RX")
        raise WiringError(word_uart(written, tx, other, rx))
