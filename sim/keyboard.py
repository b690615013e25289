"""Turn a PC's keys into the eight controls (Guideline 4.1).

Nothing here needs a window: keys are named as pygame names them, and whoever has one says
which key moved when.
"""

from __future__ import annotations

from firmware.engine.controls import (
    HARD_DROP,
    HOLD,
    LEFT,
    PAUSE,
    RIGHT,
    ROTATE_CCW,
    ROTATE_CW,
    SOFT_DROP,
)
from sim.contacts import Contacts

# Guideline, table 4.1, column Keyboard; "Control" and "Shift" are two keys each.
TABLE = {
    LEFT: ("K_LEFT", "K_KP4"),
    RIGHT: ("K_RIGHT", "K_KP6"),
    HARD_DROP: ("K_SPACE", "K_KP8"),
    SOFT_DROP: ("K_DOWN", "K_KP2"),
    ROTATE_CW: ("K_UP", "K_x", "K_KP1", "K_KP5", "K_KP9"),
    ROTATE_CCW: ("K_LCTRL", "K_RCTRL", "K_z", "K_KP3", "K_KP7"),
    HOLD: ("K_LSHIFT", "K_RSHIFT", "K_c", "K_KP0"),
    PAUSE: ("K_ESCAPE", "K_F1"),
}
# Besides: the letters that stand on the handheld's buttons, C among the above; and what only a PC has.
MORE = {
    "K_a": ROTATE_CW,
    "K_b": ROTATE_CCW,
    "K_s": PAUSE,
    "K_RETURN": PAUSE,
    "K_KP_ENTER": PAUSE,
    "K_BACKSPACE": ROTATE_CCW,
}
# In menus a button is where a hand finds it: up is up, and what else a PC is used to. Control is
# half of a shortcut of the window there, not a way back.
AT_MENU = {
    "K_UP": HARD_DROP,
    "K_KP8": HARD_DROP,
    "K_SPACE": ROTATE_CW,
    "K_ESCAPE": ROTATE_CCW,
    "K_LCTRL": None,
    "K_RCTRL": None,
}


class Keyboard:
    """Press the contacts of a handheld with keys."""

    def __init__(self, contacts: Contacts) -> None:
        self.contacts = contacts
        self._controls = MORE | {key: control for control, keys in TABLE.items() for key in keys}

    def press(self, key: str, t_ms: int) -> None:
        """Take a key that went down."""
        control = self._controls.get(key)
        if self.contacts.at_menu:
            control = AT_MENU.get(key, control)
        self.contacts.press(key, control, t_ms)

    def release(self, key: str, t_ms: int) -> None:
        """Take a key that went up."""
        self.contacts.release(key, t_ms)
