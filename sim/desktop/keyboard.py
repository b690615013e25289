"""Turn a PC's keys into the controls of handhelds (Guideline 4.1).

Nothing here needs a window. A key is a place on the keyboard, whatever the layout prints on it. It has the name that
browsers give it (KeyboardEvent.code): the letter of a US layout. The caller reports each key with its time.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from firmware.device.chords import WINDOW_MS
from firmware.device.wiring import BUTTONS
from firmware.engine.controls import HARD_DROP, HOLD, LEFT, PAUSE, RIGHT, ROTATE_CCW, ROTATE_CW, SOFT_DROP
from firmware.scenes.play_state import START_HELD_MS
from sim.contacts import NINTH, Contacts

# Beyond the eight controls: the ninth is a half turn, the Target Mark or REWIND, as the game says. RESTART is START,
# held long enough to restart the game.
TARGET = NINTH
RESTART = 9
RESTART_HELD_MS = START_HELD_MS + WINDOW_MS  # where a chord has START, its press waits for the other button
CONTROLS = (*(name.lower() for name in BUTTONS), "target", "restart")

Table = dict[str, int]  # the control of each key, the most useful keys first


def _list(keys: Mapping[int, str]) -> Table:
    return {key: control for control, names in keys.items() for key in names.split()}


# Guideline, table 4.1, column Keyboard, where "Control" and "Shift" are two keys each; the letters on the handheld's
# buttons; and keys that only a PC has.
ALONE = _list(
    {
        LEFT: "ArrowLeft Numpad4",
        RIGHT: "ArrowRight Numpad6",
        SOFT_DROP: "ArrowDown Numpad2",
        HARD_DROP: "Space Numpad8",
        ROTATE_CW: "KeyA KeyX ArrowUp Numpad1 Numpad5 Numpad9",
        ROTATE_CCW: "KeyB KeyZ ControlLeft ControlRight Numpad3 Numpad7",
        HOLD: "KeyC ShiftLeft ShiftRight Numpad0",
        PAUSE: "KeyS Enter Escape F1 NumpadEnter",
        TARGET: "KeyV Backspace",
        RESTART: "KeyR",
    }
)
# The keys of two persons at one keyboard: no key is in both tables.
LEFT_HALF = _list(
    {
        LEFT: "KeyA",
        RIGHT: "KeyD",
        SOFT_DROP: "KeyS",
        HARD_DROP: "KeyW Space",
        ROTATE_CW: "KeyG KeyE",
        ROTATE_CCW: "KeyF KeyQ",
        HOLD: "KeyR ShiftLeft",
        PAUSE: "Escape F1",
        TARGET: "KeyT",
    }
)
RIGHT_HALF = _list(
    {
        LEFT: "ArrowLeft Numpad4",
        RIGHT: "ArrowRight Numpad6",
        SOFT_DROP: "ArrowDown Numpad2",
        HARD_DROP: "ArrowUp Numpad8",
        ROTATE_CW: "KeyL Numpad9",
        ROTATE_CCW: "KeyK Numpad7",
        HOLD: "KeyO ShiftRight Numpad0",
        PAUSE: "Enter Backspace NumpadEnter",
        TARGET: "KeyI NumpadDecimal",
    }
)
# Persons 3 and 4 play on gamepads, unless they choose keys.
TOGETHER = (LEFT_HALF, RIGHT_HALF, Table(), Table())

# Menus know these keys whatever was chosen, so that no choice can lock a player out: up is up. Control does nothing
# there, because it is half of a shortcut of the window.
ALWAYS_IN_MENUS: dict[str, int | None] = {
    "ArrowLeft": LEFT,
    "ArrowRight": RIGHT,
    "ArrowDown": SOFT_DROP,
    "ArrowUp": HARD_DROP,
    "Space": ROTATE_CW,
    "Enter": PAUSE,
    "NumpadEnter": PAUSE,
    "Escape": ROTATE_CCW,
    "Backspace": ROTATE_CCW,
    "ControlLeft": None,
    "ControlRight": None,
}
# In menus a key without a control may have the letter of a button in its layout.
LETTERS = {"a": ROTATE_CW, "b": ROTATE_CCW, "c": HOLD, "s": PAUSE}

# The keys that can have a control, with what a US layout prints on them. The window keeps Tab and F11.
LABELS = {
    **{f"Key{letter}": letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
    **{f"Digit{digit}": digit for digit in "1234567890"},
    "Minus": "-",
    "Equal": "=",
    "BracketLeft": "[",
    "BracketRight": "]",
    "Backslash": "\\",
    "Semicolon": ";",
    "Quote": "'",
    "Backquote": "`",
    "Comma": ",",
    "Period": ".",
    "Slash": "/",
    "IntlBackslash": "<",
    "ArrowLeft": "\N{LEFTWARDS ARROW}",
    "ArrowRight": "\N{RIGHTWARDS ARROW}",
    "ArrowUp": "\N{UPWARDS ARROW}",
    "ArrowDown": "\N{DOWNWARDS ARROW}",
    "Space": "Space",
    "Enter": "Enter",
    "Escape": "Esc",
    "Backspace": "Backspace",
    "Insert": "Insert",
    "Delete": "Delete",
    "Home": "Home",
    "End": "End",
    "PageUp": "PageUp",
    "PageDown": "PageDown",
    "ControlLeft": "Ctrl",
    "ControlRight": "right Ctrl",
    "ShiftLeft": "Shift",
    "ShiftRight": "right Shift",
    **{f"F{number}": f"F{number}" for number in range(1, 13) if number != 11},
    **{f"Numpad{digit}": f"Num {digit}" for digit in "0123456789"},
    "NumpadEnter": "Num Enter",
    "NumpadDecimal": "Num .",
    "NumpadAdd": "Num +",
    "NumpadSubtract": "Num -",
    "NumpadMultiply": "Num *",
    "NumpadDivide": "Num /",
}

CAPITALS = set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 +-/.,:<>'")  # of the handheld's small font


class Keys:
    """Know which key presses which control, for each person, and change it.

    tables: one for each person.  asked: the person and the control for which a key is wanted, or None.  changed: all
    are called after each change.  label: returns what the layout prints on a key.
    """

    def __init__(self, tables: Iterable[Mapping[str, int]] = (ALONE,)) -> None:
        self.tables = [dict(table) for table in tables]
        self.asked: tuple[int, int] | None = None
        self.changed: list[Callable[[], None]] = []
        self.label: Callable[[str], str] = LABELS.__getitem__

    @property
    def players(self) -> int:
        return len(self.tables)

    def find(self, person: int, control: int, at_menu: bool = False) -> list[str]:
        """Return the keys of a control; in menus the ones that are always there come last."""
        table = self.tables[person]
        found = [key for key, other in table.items() if other == control and not (at_menu and key in ALWAYS_IN_MENUS)]
        return found + [key for key, other in ALWAYS_IN_MENUS.items() if at_menu and other == control]

    def name(self, person: int, control: int) -> bytes:
        """Return the labels of a control's keys in letters that a handheld has."""
        return b"  ".join(name_in_capitals(key, self.label) for key in self.find(person, control))

    def prompt(self, person: int, control: int) -> bytes:
        """Return the label of the first key of a control, or nothing."""
        return self.name(person, control).partition(b"  ")[0]

    def ask(self, person: int, control: int) -> None:
        """Give the control the next key that is pressed."""
        self.asked = person, control

    def stop(self) -> None:
        """Want no key any more."""
        self.asked = None

    def is_asking(self) -> bool:
        return self.asked is not None

    def take(self, key: str) -> None:
        """Give the wanted key to the control that asks.

        It replaces the control's keys. A control that thereby loses its last key gets the first one of these.
        """
        if not self.asked or key not in LABELS:
            return
        person, control = self.asked
        free = [each for each in self.find(person, control) if each != key]
        for each in free:
            del self.tables[person][each]
        for other, table in enumerate(self.tables):
            lost = table.pop(key, None)
            if free and lost is not None and (other, lost) != self.asked and not self.find(other, lost):
                table[free[0]] = lost
        self.tables[person][key] = control
        self.asked = None
        self._tell_change()

    def reset(self) -> None:
        """Give every control its usual keys again."""
        usual = choose_tables(self.players)
        for table, other in zip(self.tables, usual, strict=True):
            table.clear()
            table.update(other)
        self._tell_change()

    def _tell_change(self) -> None:
        for tell in self.changed:
            tell()


def choose_tables(players: int) -> Sequence[Table]:
    """Return the usual tables of one person, or of several at one keyboard."""
    return (ALONE,) if players == 1 else TOGETHER[:players]


def name_in_capitals(key: str, label: Callable[[str], str]) -> bytes:
    """Return the label of a key in letters that a handheld has; else that of a US layout, or the key's name."""
    arrows = {"ArrowLeft": "<", "ArrowRight": ">", "ArrowUp": "UP", "ArrowDown": "DOWN"}
    names = (arrows.get(key, label(key)), LABELS[key], key)
    return next(name.upper() for name in names if set(name.upper()) <= CAPITALS).encode()


class Keyboard:
    """Press the contacts of one or more handhelds with keys; each handheld has its own keys.

    people: the contacts of each person.  keys: which key presses which control, for each of them.
    In menus, everybody's keys press the contacts of the first person.
    """

    def __init__(self, *people: Contacts, keys: Keys | None = None) -> None:
        self.people = people
        self.keys = keys or Keys(choose_tables(len(people)))

    def press(self, key: str, t_ms: int, letter: str = "") -> None:
        """Press a key that has `letter` in its layout; a key that was asked for gets its control instead."""
        if self.keys.asked:
            self.keys.take(key)
            return
        person, control = self._find(key)
        if self.people[0].at_menu:
            if control is None:
                control = LETTERS.get(letter)
            if control != RESTART:
                self.people[0].press(key, ALWAYS_IN_MENUS.get(key, control), t_ms)
            elif self.people[0].restarts:
                self.people[0].hold(key, PAUSE, t_ms, RESTART_HELD_MS)
        elif control == RESTART:
            self.people[person].hold(key, PAUSE, t_ms, RESTART_HELD_MS)
        else:
            self.people[person].press(key, control, t_ms)

    def _find(self, key: str) -> tuple[int, int | None]:
        for person, table in enumerate(self.keys.tables):
            if key in table:
                return person, table[key]
        return 0, None

    def release(self, key: str, t_ms: int) -> None:
        """Release a key for everybody: a menu may have begun or ended since it was pressed."""
        for contacts in self.people:
            contacts.release(key, t_ms)

    def release_all(self, t_ms: int) -> None:
        for contacts in self.people:
            contacts.release_all(t_ms)
