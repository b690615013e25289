"""Turn the buttons and sticks of gamepads into controls (Guideline 4.1, column Joystick).

Nothing here needs SDL. SDL names buttons and axes as on an Xbox controller, whatever is printed on them. The caller
reports each movement with its time.
"""

from collections.abc import Sequence
from pathlib import Path

from firmware.device.wiring import NONE
from firmware.engine.controls import HARD_DROP, HOLD, LEFT, PAUSE, RIGHT, ROTATE_CCW, ROTATE_CW, SOFT_DROP
from sim import terminal
from sim.contacts import Contacts
from sim.desktop import control_file, keyboard
from sim.desktop.keyboard import TARGET

# In the order of SDL's numbers.
BUTTON_NAMES = (
    *("a", "b", "x", "y", "back", "guide", "start", "leftstick", "rightstick", "leftshoulder", "rightshoulder"),
    *("dpup", "dpdown", "dpleft", "dpright", "misc1", "paddle1", "paddle2", "paddle3", "paddle4", "touchpad"),
)
STICKS = ("leftx", "lefty", "rightx", "righty")
AXIS_NAMES = (*STICKS, "lefttrigger", "righttrigger")
NAMES = (*BUTTON_NAMES, *(stick + sign for stick in STICKS for sign in "-+"), *AXIS_NAMES[len(STICKS) :])

CONTROLS = keyboard.CONTROLS[: TARGET + 1]

# A and B are the screen's A and B. The left stick has no Hard Drop: it is too easily pushed up. Half turns have what
# the guideline leaves free.
DEFAULTS: dict[str, int | None] = {
    "dpleft": LEFT,
    "leftx-": LEFT,
    "dpright": RIGHT,
    "leftx+": RIGHT,
    "dpdown": SOFT_DROP,
    "lefty+": SOFT_DROP,
    "dpup": HARD_DROP,
    "a": ROTATE_CW,
    "y": ROTATE_CW,
    "b": ROTATE_CCW,
    "x": ROTATE_CCW,
    "leftshoulder": HOLD,
    "rightshoulder": HOLD,
    "lefttrigger": HOLD,
    "righttrigger": HOLD,
    "start": PAUSE,
    "back": PAUSE,
    "leftstick": TARGET,
    "rightstick": TARGET,
    "paddle1": TARGET,
    "paddle2": TARGET,
}
AT_MENU = {"lefty-": HARD_DROP}

# Shares of an axis's range. They differ, or a trembling thumb would press again and again.
_CLOSES = 0.55
_OPENS = 0.4
_SECTION = "gamepad"
_HEAD = """\
# Which button of a gamepad is which control of the handheld, as `python -m sim` reads it from
# {path}
# What is not named here is as it was. Controls: {controls}.
# Buttons and sticks have SDL's names: {names}.
"""


class Gamepads:
    """Press the contacts of one or more handhelds with any number of gamepads, each known by a number.

    more: the contacts of further persons. A new gamepad goes to the first person with the fewest gamepads.
    menus: the contacts that every gamepad presses in menus; None for each person's own.
    """

    def __init__(
        self,
        contacts: Contacts,
        controls: dict[str, int | None] = DEFAULTS,
        more: Sequence[Contacts] = (),
        menus: Contacts | None = None,
    ) -> None:
        self.people = (contacts, *more)
        self.controls = controls
        self._menus = menus
        self._owners: dict[int, Contacts] = {}
        self._closed: set[tuple[int, str]] = set()

    def owner(self, pad: int) -> Contacts:
        """Return the contacts that a gamepad presses; assign a new gamepad to a person."""
        if pad not in self._owners:
            owned = list(self._owners.values())
            self._owners[pad] = min(self.people, key=owned.count)
        return self._owners[pad]

    def move_button(self, pad: int, name: str, pressed: bool, t_ms: int) -> None:
        if pressed:
            contacts = self.owner(pad)
            if self._menus and self._menus.at_menu:
                contacts = self._menus
            control = self.controls.get(name)
            if control is None and contacts.at_menu:
                control = AT_MENU.get(name)
            self._closed.add((pad, name))
            contacts.press((pad, name), control, t_ms)
        else:
            self._closed.discard((pad, name))
            for contacts in self.people:  # a menu may have begun or ended since
                contacts.release((pad, name), t_ms)

    def move_axis(self, pad: int, name: str, value: float, t_ms: int) -> None:
        """Move a stick to -1..1 (right and down are above 0), or a trigger to 0..1."""
        directions = {name + "-": -value, name + "+": value} if name in STICKS else {name: value}
        for direction, share in directions.items():
            closed = (pad, direction) in self._closed
            if closed and share < _OPENS or not closed and share > _CLOSES:
                self.move_button(pad, direction, not closed, t_ms)

    def remove(self, pad: int, t_ms: int) -> None:
        """Release all buttons of a disconnected gamepad, and forget its owner."""
        for other, name in list(self._closed):
            if other == pad:
                self.move_button(pad, name, False, t_ms)
        self._owners.pop(pad, None)


def controls_path() -> Path:
    """Return the path of the player's own file, which need not exist."""
    return control_file.config_path("gamepad.ini")


def sdl_database_path() -> Path:
    """Return the path of the player's own mappings of gamepads, in the lines of gamecontrollerdb.txt."""
    return control_file.config_path("gamecontrollerdb.txt")


def read_map(path: Path) -> dict[str, int | None]:
    """Return the control of each button by name, None for no control.

    Raise OSError, or MapError for an invalid file.
    """
    lines = control_file.read(path, [_SECTION], NAMES, CONTROLS, "button of a gamepad")
    return DEFAULTS | {line.name: line.control for line in lines}


def write_map(controls: dict[str, int | None], path: Path) -> str:
    """Return the text of a gamepad.ini with `controls`; its head names `path`."""
    words = " ".join((*CONTROLS, NONE))
    head = terminal.name_commands(_HEAD).format(path=path, controls=words, names=" ".join(NAMES))
    return control_file.write({_SECTION: controls}, CONTROLS, head)
