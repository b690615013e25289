"""List what the keys of a PC, the buttons of a gamepad and those of a board do, for a legend."""

from collections.abc import Iterable, Mapping, Sequence

from firmware.engine.controls import HARD_DROP, HOLD, LEFT, PAUSE, RIGHT, ROTATE_CCW, ROTATE_CW, SOFT_DROP
from sim.desktop.gamepad import STICKS
from sim.desktop.keyboard import ALWAYS_IN_MENUS, RESTART, TARGET, Keys

Action = tuple[str, tuple[int, ...]]  # what controls do

IN_PLAY: tuple[Action, ...] = (
    ("move", (LEFT, RIGHT)),
    ("Soft Drop", (SOFT_DROP,)),
    ("Hard Drop", (HARD_DROP,)),
    ("turn clockwise", (ROTATE_CW,)),
    ("turn back", (ROTATE_CCW,)),
    ("Hold", (HOLD,)),
    ("START: pause", (PAUSE,)),
    ("target, 180, rewind", (TARGET,)),
    ("restart", (RESTART,)),
)
_ON_BUTTONS = IN_PLAY[:-1]  # no button restarts
IN_MENUS: tuple[Action, ...] = (
    ("choose", (LEFT, RIGHT, HARD_DROP, SOFT_DROP)),
    ("A: go on", (ROTATE_CW,)),
    ("B: go back", (ROTATE_CCW,)),
    ("START: go on, done", (PAUSE,)),
)
OF_WINDOW = (("these keys", ("Tab",)), ("full screen", ("F11",)), ("size", ("ControlLeft", "+", "-")))
MOST_CAPS = 3  # of one control: all keys of HOLD would fill the column

Row = tuple[str, Sequence[str]]  # an action and its keys; a heading has no keys


def list_all(keys: Keys, gamepads: Sequence[str] = (), controls: Mapping[str, int | None] | None = None) -> list[Row]:
    """Return the rows of the column: the keys, then the buttons of these gamepads if there are any."""
    found: list[Row] = [("in play", ()), *list_in_play(keys, 0)]
    found += [("in menus", ()), *list_in_menus(keys), ("this window", ()), *OF_WINDOW]
    if gamepads and controls:
        found.append((" and ".join(gamepads), ()))
        found += _list_on_gamepad(controls)
    return found


def list_unmapped(names: Iterable[str]) -> list[Row]:
    """Return the rows for gamepads without a mapping."""
    found: list[Row] = []
    for name in names:
        found += [(f"{name}: no mapping", ()), ("its line goes into", ()), ("skyline/gamecontrollerdb.txt", ())]
    return found


def list_in_play(keys: Keys, person: int) -> list[Row]:
    """Return the keys of one person, without spare ones."""
    found: list[Row] = []
    for action, controls in IN_PLAY:
        caps = []
        for control in controls:
            every = keys.find(person, control)
            needed = [key for key in every if not _is_spare(key, every)] or every[:1]
            caps += needed[: _most(controls)]
        if caps:
            found.append((action, caps))
    return found


def list_in_menus(keys: Keys) -> list[Row]:
    """Return the keys of menus: of each button the first that the player has, and the first that is always there."""
    found: list[Row] = []
    for action, controls in IN_MENUS:
        caps = []
        for control in controls:
            every = keys.find(0, control, at_menu=True)
            chosen = [key for key in every if key not in ALWAYS_IN_MENUS and not _is_spare(key, every)]
            always = [key for key in every if key in ALWAYS_IN_MENUS]
            caps += always[:1] if len(controls) > 1 else chosen[:1] + always[:1]
        found.append((action, caps))
    return found


def _is_spare(key: str, keys: Sequence[str]) -> bool:
    """Return whether a key is on the numpad, or the right one of two."""
    return key.startswith("Numpad") or key.endswith("Right") and key.replace("Right", "Left") in keys


def _most(controls: Sequence[int]) -> int:
    return MOST_CAPS if len(controls) == 1 else 1


def list_for_party(keys: Keys, gamepads: Sequence[tuple[int, str]], controls: Mapping[str, int | None]) -> list[Row]:
    """Return the rows for several persons: each one's keys, then gamepads, given as (person, name)."""
    found: list[Row] = []
    for number in range(keys.players):
        names = [name for other, name in gamepads if other == number]
        heading = " and ".join([f"player {number + 1}", *names])
        own = list_in_play(keys, number)
        found.append((heading if own or names else f"{heading}: plug in a gamepad", ()))
        found += own
    found += [("this window", ()), *OF_WINDOW]
    if gamepads:
        found += [("on gamepads", ()), *_list_on_gamepad(controls)]
    return found


def list_on_board(name: str, buttons: Sequence[str]) -> list[Row]:
    """Return the rows of a board: what is written on its nine buttons, in the order of the controls."""
    found: list[Row] = [(name, ())]
    for action, controls in _ON_BUTTONS:
        caps = [buttons[control] for control in controls]
        if caps != ["NONE"]:
            found.append((action, caps))
    return found


def _list_on_gamepad(controls: Mapping[str, int | None]) -> list[Row]:
    found: list[Row] = []
    for action, wanted in _ON_BUTTONS:
        names = [name for control in wanted for name, other in controls.items() if other == control]
        caps = [name for name in names if name[:-1] not in STICKS][:MOST_CAPS]
        if caps:
            found.append((action, caps))
    return found
