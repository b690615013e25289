"""Name the handheld's pins: the defaults of the table for settings.toml (firmware/device/wiring.py)."""

from firmware.device.wiring import BUTTONS, KEYS

_PINS = {key: int(str(default)[2:]) for key, default, _allowed in KEYS if str(default).startswith("GP")}
SDA, SCL, BUZZER = _PINS["SDA"], _PINS["SCL"], _PINS["BUZZER"]
LINK_TX, LINK_RX = 12, 13
LINK_SETTINGS = [f'SKYLINE_LINK_TX = "GP{LINK_TX}"', f'SKYLINE_LINK_RX = "GP{LINK_RX}"']

# The letter on each button; BUTTON_PINS has both the control's name and the letter.
_LETTERS = {"LEFT": "L", "RIGHT": "R", "HARD_DROP": "U", "SOFT_DROP": "D"}
_LETTERS |= {"ROTATE_CW": "A", "ROTATE_CCW": "B", "HOLD": "C", "PAUSE": "S"}
BUTTON_PINS = {key: _PINS[key] for key in BUTTONS} | {_LETTERS[key]: _PINS[key] for key in BUTTONS}
CONTROL_PINS = [_PINS[key] for key in BUTTONS]  # by the number of the control


def find_pin(name: str) -> int:
    """Return the pin of a button; raise ValueError."""
    try:
        return BUTTON_PINS[name.upper()]
    except KeyError:
        raise ValueError(f"there is no button {name}: they are {', '.join(BUTTON_PINS)}") from None
