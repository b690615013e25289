"""Choose the keys of a PC: what OPTIONS > BUTTONS and HELP > CONTROLS open in the window and in the page (sim/web)."""

from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.save import buttons
from firmware.scenes.menu import Menu
from firmware.sound.effects import MENU_CHOOSE
from firmware.view.art import FONT_3X5
from firmware.view.canvas import text_width

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Canvas, Context, EdgeQueue

PAGES = {"options.controls": "sim.keys_page", "help.mapping": "sim.keys_page"}  # as a Machine's `pages`
_PATIENCE_MS = const(8000)
_WIDTH = const(60)  # of a line with its key

_ALL = const(10)  # the lines after those of the controls
_RESET = const(11)
_PLAYER = const(12)


class Scene(Menu):
    """Give a control the next key that is pressed; ALL asks for one control after the other.

    Menus know some keys whatever is chosen, so no choice can lock a player out. person: whose keys they are. asked: the
    control that waits for its key, -1 for none. whole_set: whether the next control follows it.
    """

    heading = b"BUTTONS"
    records = (
        (b"LEFT", b"MOVE LEFT"),
        (b"RIGHT", b"MOVE RIGHT"),
        (b"SOFT", b"SOFT DROP"),
        (b"HARD", b"HARD DROP"),
        (b"CW", b"TURN CLOCKWISE"),
        (b"CCW", b"TURN BACK"),
        (b"HOLD", b"HOLD"),
        (b"START", b"PAUSE"),
        (b"180", b"180, TARGET"),
        (b"RESTART", b"RESTART"),
        (b"ALL", b"ONE BY ONE"),
        (b"RESET", b"ALL KEYS"),
        (b"PLAYER", b"WHOSE KEYS"),
    )
    rows = 11
    font = FONT_3X5
    pitch = 8

    def __init__(self, context: "Context", subject: object = None) -> None:
        self.keys: Any = context.device.machine.keys  # type: ignore[attr-defined]  # of this machine
        self.parent = "help.help" if context.router.name.startswith("help") else "options.options"
        self.person = 0
        self.asked = -1
        self.whole_set = False
        Menu.__init__(self, context, _PLAYER if self.keys.players > 1 else 0)
        self.game = subject if hasattr(subject, "matrix") else None
        self.lines = self.lines[: _PLAYER + (self.keys.players > 1)]

    def value(self, at: int) -> bytes:
        """Return the keys of a control, as far as there is room, or the player."""
        if at >= _ALL:
            return b"%d" % (self.person + 1) if at == _PLAYER else b""
        names = b"..." if at == self.asked else self.keys.name(self.person, at) or b"-"
        return fit(names, _WIDTH - text_width(self.lines[at], FONT_3X5) - 4)

    def turn(self, at: int, step: int) -> bool:
        if at != _PLAYER:
            return False
        self.person = (self.person + step) % self.keys.players
        return True

    def pick(self, at: int) -> None:
        self.whole_set = at == _ALL
        if at == _RESET:
            self.keys.reset()
            self.reset_buttons()
        elif not self.turn(at, 1):
            self.ask(0 if self.whole_set else at)

    def reset_buttons(self) -> None:
        """Undo a choice of buttons from before keys could be chosen: nothing else shows it here."""
        buttons.reset(self.context.settings, self.context.device.wired)
        self.context.apply_settings()
        self.context.save_settings()

    def ask(self, control: int) -> None:
        self.asked = self.at = control
        self.scroll()
        self.fresh = True
        self.until_ms = ticks_add(self.now_ms, _PATIENCE_MS)
        self.keys.ask(self.person, control)

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Choose a line; or wait for a key, until another button is pressed or eight seconds have passed."""
        if self.asked < 0:
            Menu.update(self, edges, now_ms)
            return
        self.now_ms = now_ms
        self.button = -1  # do not repeat a direction held from before
        if not self.keys.is_asking():
            self.context.voice.tell_menu(MENU_CHOOSE)
            following = self.asked + 1 if self.whole_set else _ALL
            self.stop()
            if following < _ALL:
                self.ask(following)
        elif ticks_diff(now_ms, self.until_ms) >= 0 or any(edges.pressed[: edges.count]):
            self.keys.stop()
            self.stop()
        self.context.voice.update(now_ms)

    def stop(self) -> None:
        self.asked = -1
        self.fresh = True

    def draw_note(self, canvas: "Canvas", note: bytes) -> None:
        """Describe the line, or ask for a key."""
        if self.asked >= 0:
            note = b"PRESS A KEY FOR|" + note + b"|OR WAIT"
        Menu.draw_note(self, canvas, note)


def name_control(context: "Context", control: int) -> bytes:
    """Return the name of the key that gives a control, or of the button on the glass for a finger."""
    machine: Any = context.device.machine
    return b"1 KEY" if context.settings.one_switch else machine.keys.prompt(0, control) or b"-"


def fit(names: bytes, width: int) -> bytes:
    """Return as many names, or letters of the first, as a width has room for."""
    while text_width(names, FONT_3X5) > width:
        names = names.rpartition(b"  ")[0] or names[:-1]
    return names
