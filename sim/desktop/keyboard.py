"""Turn a PC's keys into the eight controls (Guideline 4.1).

Nothing here needs a window. Keys have pygame's names. The caller reports each key with its time.
"""

from firmware.engine.controls import HARD_DROP, HOLD, LEFT, PAUSE, RIGHT, ROTATE_CCW, ROTATE_CW, SOFT_DROP
from firmware.scenes.play_state import START_HELD_MS
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
# Further keys: the letters on the handheld's buttons (C is in TABLE), and keys that only a PC has.
MORE = {
    "K_a": ROTATE_CW,
    "K_b": ROTATE_CCW,
    "K_s": PAUSE,
    "K_RETURN": PAUSE,
    "K_KP_ENTER": PAUSE,
    "K_BACKSPACE": ROTATE_CCW,
    "K_r": PAUSE,
}
# Keys with another control in menus, as usual on a PC: up is up. Control does nothing there,
# because it is half of a shortcut of the window.
AT_MENU = {
    "K_UP": HARD_DROP,
    "K_KP8": HARD_DROP,
    "K_SPACE": ROTATE_CW,
    "K_ESCAPE": ROTATE_CCW,
    "K_LCTRL": None,
    "K_RCTRL": None,
}
# The key that takes a Tetrimino back, in games that allow it (firmware/modes/README.md, 6.4).
TAKES_BACK = "K_BACKSPACE"
BACK = (HOLD, PAUSE)
# This key acts like START, held long enough to restart the game.
RESTARTS = "K_r"

# The keys of two persons at one keyboard: no key is in both halves. Persons 3 and 4 play on gamepads.
HALVES = (
    {
        LEFT: ("K_a",),
        RIGHT: ("K_d",),
        HARD_DROP: ("K_w", "K_SPACE"),
        SOFT_DROP: ("K_s",),
        ROTATE_CW: ("K_g", "K_e"),
        ROTATE_CCW: ("K_f", "K_q"),
        HOLD: ("K_r", "K_LSHIFT"),
        PAUSE: ("K_ESCAPE", "K_F1"),
    },
    {
        LEFT: ("K_LEFT", "K_KP4"),
        RIGHT: ("K_RIGHT", "K_KP6"),
        HARD_DROP: ("K_UP", "K_KP8"),
        SOFT_DROP: ("K_DOWN", "K_KP2"),
        ROTATE_CW: ("K_l", "K_KP9"),
        ROTATE_CCW: ("K_k", "K_KP7"),
        HOLD: ("K_o", "K_RSHIFT", "K_KP0"),
        PAUSE: ("K_RETURN", "K_BACKSPACE", "K_KP_ENTER"),
    },
)


class Keyboard:
    """Press the contacts of one or more handhelds with keys; each handheld has its own keys.

    people: the contacts of each person; persons 3 and 4 have no keys.  keys: all keys that do something.
    In menus, everybody's keys press the contacts of the first person.
    """

    def __init__(self, *people: Contacts) -> None:
        self.people = people
        self._controls: dict[str, tuple[Contacts, int]] = {}
        for contacts, table in zip(people, HALVES if len(people) > 1 else (TABLE,), strict=False):
            self._controls |= {key: (contacts, control) for control, keys in table.items() for key in keys}
        if len(people) == 1:
            self._controls |= {key: (people[0], control) for key, control in MORE.items()}
        self.keys = frozenset(self._controls)

    def press(self, key: str, t_ms: int) -> None:
        if key not in self._controls:
            return
        contacts, control = self._controls[key]
        if key == TAKES_BACK and contacts.takes_back:
            for control_to_press in BACK:
                contacts.press((key, control_to_press), control_to_press, t_ms)
            return
        restarts = key == RESTARTS and control == PAUSE  # R is HOLD with two persons
        if self.people[0].at_menu:
            self.people[0].press(key, None if restarts else AT_MENU.get(key, control), t_ms)
        else:
            contacts.press(key, control, max(0, t_ms - START_HELD_MS) if restarts else t_ms)

    def release(self, key: str, t_ms: int) -> None:
        """Release a key for everybody: a menu may have begun or ended since it was pressed."""
        for contacts in self.people:
            contacts.release(key, t_ms)
            if key == TAKES_BACK:
                for control_to_press in reversed(BACK):
                    contacts.release((key, control_to_press), t_ms)

    def release_all(self, t_ms: int) -> None:
        for contacts in self.people:
            contacts.release_all(t_ms)
