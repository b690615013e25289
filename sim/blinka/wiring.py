"""Say what is wired to which pin of a Raspberry Pi, by the keys of a handheld's settings.toml.

The keys, their values and the messages are those of firmware/device/wiring.py. A missing key has its default here.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware.device.config_error import name_key, show
from firmware.device.settings_file import parse
from firmware.device.wiring import BUTTONS, KEYS, NONE, PIN, PIN_OR_NONE, WiringError
from firmware.device.wiring_reading import read
from sim import terminal
from sim.terminal import Refusal

if TYPE_CHECKING:
    from firmware.contracts import Found, Written

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


def read_settings(path: Path) -> "Written":
    """Return the keys of a settings.toml; refuse one that a handheld would refuse. SETTINGS may be missing."""
    try:
        return parse(terminal.read(path))
    except FileNotFoundError:
        if path == SETTINGS:
            return {}
        raise Refusal(f"cannot read {path}: there is no such file") from None
    except OSError as problem:
        raise Refusal(f"cannot read {path}: {problem.strerror}") from problem
    except WiringError as wrong:
        raise Refusal(f"{path}: {wrong}") from None


def find_wires(written: "Written", pins: Mapping[str, Any]) -> "Found":
    """Return the value of every key of settings.toml, pins as objects of `pins`; raise WiringError for a wrong one."""
    found: Found = {}
    _check_keys(written)
    _check_pins(written, pins)
    defaults: Written = {key: (key, pin) for key, pin in DEFAULTS.items()}
    read(defaults | written, dict(pins), found)
    return found


def _check_keys(written: "Written") -> None:
    """Raise WiringError for a key that no Raspberry Pi has a use for."""
    for key, (spelled, value) in written.items():
        name = name_key(spelled)
        if key not in _USED:
            told = _SPEED if key == "I2C_HZ" else "take it out for a Raspberry Pi"
            raise WiringError(f"{name} has no use here: {told}")
        if key == "DISPLAY" and str(value).lower() not in KINDS:
            raise WiringError(f"{name} is {show(value)}, allowed on a Raspberry Pi: {', '.join(KINDS)}")


def _check_pins(written: "Written", pins: Mapping[str, Any]) -> None:
    """Raise WiringError for the name of no pin, with the nearest name."""
    for key, _default, allowed in KEYS:
        if key not in written or allowed not in (PIN, PIN_OR_NONE):
            continue
        spelled, name = written[key]
        if str(name).upper() in pins or str(name).lower() == NONE:
            continue
        nearest = get_close_matches(str(name).upper(), pins, 1, 0)
        raise WiringError(
            f"{name_key(spelled)} is {show(name)}: there is no such pin, the nearest name is {nearest[0]}"
        )


def name_pins(written: "Written") -> list[str]:
    """Return the names of the buttons' pins, as settings.toml or the defaults have them."""
    return [str(written.get(key, (key, DEFAULTS[key]))[1]).upper() for key in BUTTONS]
