"""Name the handheld's pins: those of the table that settings.toml goes by, at their defaults."""

from firmware.device.wiring import BUTTONS, KEYS

_PINS = {key: int(str(default)[2:]) for key, default, _allowed in KEYS if str(default).startswith("GP")}
SDA, SCL, BUZZER = _PINS["SDA"], _PINS["SCL"], _PINS["BUZZER"]
LINK_TX, LINK_RX = 12, 13
LINK_SETTINGS = [f'SKYLINE_LINK_TX = "GP{LINK_TX}"', f'SKYLINE_LINK_RX = "GP{LINK_RX}"']

# By the name of the control, and by the letter on the button.
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
