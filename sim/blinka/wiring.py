"""Say what is wired to which pin of a Raspberry Pi, by the keys of a handheld's settings.toml.

The keys, their values and the messages are those of firmware/device/wiring.py. A missing key has its default here.
"""

import sys
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware.device.config_error import check_names, name_key
from firmware.device.wiring import BUTTONS, KEYS, NONE, PIN, PIN_OR_NONE, PREFIX, WiringError
from firmware.device.wiring_reading import look_up, read
from sim import terminal
from sim.terminal import Refusal

if sys.version_info >= (3, 11):
    import tomllib
else:
    tomllib: Any = None

if TYPE_CHECKING:
    from firmware.contracts import Found

SETTINGS = Path("settings.toml")  # in the current folder, unless --blinka names another file
# The header of a Raspberry Pi: the rows of pins from the corner with number 1 on, odd numbers first.
_HEADER = """
3V3 5V  D2 5V  D3 GND  D4 D14  GND D15  D17 D18  D27 GND  D22 D23  3V3 D24  D10 GND
D9 D25  D11 D8  GND D7  D0 D1  D5 GND  D6 D12  D13 GND  D19 D16  D26 D20  GND D21
"""
NUMBERS = {name: number for number, name in reversed(list(enumerate(_HEADER.split(), 1)))}
NUMBERS |= {"SDA": NUMBERS["D2"], "SCL": NUMBERS["D3"]}
# By key: the pin, by Blinka's name in `board`.
DEFAULTS = {
    "SDA": "SDA",
    "SCL": "SCL",
    "LEFT": "D17",
    "RIGHT": "D27",
    "SOFT_DROP": "D22",
    "HARD_DROP": "D5",
    "ROTATE_CW": "D6",
    "ROTATE_CCW": "D13",
    "HOLD": "D19",
    "PAUSE": "D26",
    "BUZZER": "D18",
}
KINDS = ("ssd1306", "displayio-ssd1306")
_USED = (*DEFAULTS, "DISPLAY", "ROTATION", "I2C_ADDRESS")
_SPEED = "Linux sets the speed of I2C, by dtparam=i2c_arm_baudrate=400000 in /boot/firmware/config.txt"


def read_settings(path: Path) -> dict[str, Any]:
    """Return the keys of a settings.toml; refuse a file that is no TOML. SETTINGS may be missing."""
    try:
        text = terminal.read_text(path)
    except FileNotFoundError:
        if path == SETTINGS:
            return {}
        raise Refusal(f"cannot read {path}: there is no such file") from None
    except UnicodeDecodeError:
        raise Refusal(f"{path} is not UTF-8: save it as plain text") from None
    except OSError as problem:
        raise Refusal(f"cannot read {path}: {problem.strerror}") from problem
    toml = tomllib or _import_tomli()
    try:
        found: dict[str, Any] = toml.loads(text.removeprefix("\ufeff"))
    except (toml.TOMLDecodeError, RecursionError) as problem:
        raise Refusal(f"{path}: {problem}") from None
    return found


def _import_tomli() -> Any:
    """Return the reader of TOML for Python 3.10."""
    try:
        import tomli
    except ImportError:
        raise Refusal("settings.toml needs tomli with this Python; pip install tomli") from None
    return tomli


def find_wires(settings: Mapping[str, Any], pins: Mapping[str, Any]) -> "Found":
    """Return the value of every key of settings.toml, pins as objects of `pins`; raise WiringError for a wrong one."""
    found: Found = {}
    check_names(settings)
    _check_keys(settings)
    _check_pins(settings, pins)
    read(lambda key: settings.get(key, DEFAULTS.get(key[len(PREFIX) :])), dict(pins), found)
    return found


def _check_keys(settings: Mapping[str, Any]) -> None:
    """Raise WiringError for a key that no Raspberry Pi has a use for, or that a table hides."""
    for name, value in settings.items():
        if isinstance(value, dict) and any(key.upper().startswith(PREFIX) for key in value):
            raise WiringError(f"[{name}] hides keys of {PREFIX[:-1]}: move them above the first table")
        key = name.upper().removeprefix(PREFIX)
        if not name.upper().startswith(PREFIX) or key in _USED:
            continue
        raise WiringError(f"{name} has no use here: {_SPEED if key == 'I2C_HZ' else 'take it out for a Raspberry Pi'}")
    written, kind = look_up(settings.get, "DISPLAY")
    if kind is not None and str(kind).lower() not in KINDS:
        raise WiringError(f"{name_key(written)} is {kind}, allowed on a Raspberry Pi: {', '.join(KINDS)}")


def _check_pins(settings: Mapping[str, Any], pins: Mapping[str, Any]) -> None:
    """Raise WiringError for the name of no pin, with the nearest name."""
    for key, _default, allowed in KEYS:
        written, name = look_up(settings.get, key)
        if name is None or allowed not in (PIN, PIN_OR_NONE):
            continue
        if str(name).upper() in pins or str(name).lower() == NONE:
            continue
        nearest = get_close_matches(str(name).upper(), pins, 1, 0)
        raise WiringError(f"{name_key(written)} is {name}: there is no such pin, the nearest name is {nearest[0]}")


def name_pins(settings: Mapping[str, Any]) -> list[str]:
    """Return the names of the buttons' pins, as settings.toml or the defaults have them."""
    return [str(look_up(settings.get, key)[1] or DEFAULTS[key]).upper() for key in BUTTONS]
