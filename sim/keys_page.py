"""Choose the keys of a PC: what OPTIONS > BUTTONS and HELP > CONTROLS open in the window and in the page (sim/web)."""

from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.scenes.menu import Menu
from firmware.sound.effects import MENU_CHOOSE
from firmware.view.art import FONT_3X5
from firmware.view.canvas import text_width

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Canvas, Context, EdgeQueue

PAGES = {"options.controls": "sim.keys_page", "help.mapping": "sim.keys_page"}  # as a Machine's `pages`
_PATIENCE_MS = const(8000)
_CONTROLS = const(10)
_WIDTH = const(60)  # of a line with its key
_NOTE_WIDTH = const(64)

_NAMES = (
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
)


class Scene(Menu):
    """Give a control the next key that is pressed; ALL asks for one control after the other.

    Menus know some keys whatever is chosen, so no choice can lock a player out. person: whose keys they are. asked: the
    control that waits for its key, -1 for none. whole_set: whether the next control follows it.
    """

    heading = b"BUTTONS"
    rows = 11
    font = FONT_3X5
    pitch = 8

    def __init__(self, context: "Context", subject: object = None) -> None:
        self.keys: Any = context.device.machine.keys  # type: ignore[attr-defined]  # of this machine
        self.parent = "help.help" if context.router.name.startswith("help") else "options.options"
        self.person = 0
        self.asked = -1
        self.whole_set = False
        self.lines = [b"ALL"] + [line for line, _note in _NAMES] + [b"RESET"]
        self.notes = [b"CHOOSE ALL KEYS,|ONE BY ONE"] + [note for _line, note in _NAMES] + [b"RESET ALL KEYS"]
        self.first = 1  # the line of the first control
        if self.keys.players > 1:
            self.lines.insert(0, b"PLAYER")
            self.notes.insert(0, b"WHOSE KEYS")
            self.first = 2
        Menu.__init__(self, context, subject)

    def control_of(self, at: int) -> int:
        """Return the control of a line, or -1."""
        control = at - self.first
        return control if 0 <= control < _CONTROLS else -1

    def value(self, at: int) -> bytes:
        """Return the key of a control, or the player, as far as there is room."""
        control = self.control_of(at)
        if control < 0:
            return b"%d" % (self.person + 1) if self.lines[at] == b"PLAYER" else b""
        name = b"..." if control == self.asked else self.keys.name(self.person, control).split(b"  ")[0] or b"-"
        return fit(name, _WIDTH - text_width(self.lines[at], FONT_3X5) - 4)

    def turn(self, at: int, step: int) -> bool:
        """Choose the player."""
        if self.lines[at] != b"PLAYER":
            return False
        self.person = (self.person + step) % self.keys.players
        return True

    def pick(self, at: int) -> None:
        """Ask for keys, or reset them."""
        self.whole_set = self.lines[at] == b"ALL"
        if self.lines[at] == b"RESET":
            self.keys.reset()
            self.reset_buttons()
        elif not self.turn(at, 1):
            self.ask(0 if self.whole_set else self.control_of(at))

    def reset_buttons(self) -> None:
        """Undo a choice of buttons from before keys could be chosen: nothing else shows it here."""
        buttons = self.context.settings.buttons
        for i in range(len(buttons)):
            buttons[i] = 1 << i
        self.context.apply_settings()
        self.context.save_settings()

    def ask(self, control: int) -> None:
        """Wait for the key of a control."""
        self.asked = control
        self.at = control + self.first
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
            following = self.asked + 1 if self.whole_set else _CONTROLS
            self.stop()
            if following < _CONTROLS:
                self.ask(following)
        elif ticks_diff(now_ms, self.until_ms) >= 0 or True in [bool(edges.pressed[i]) for i in range(edges.count)]:
            self.keys.stop()
            self.stop()
        self.context.voice.update(now_ms)

    def stop(self) -> None:
        """Wait for no key any more."""
        self.asked = -1
        self.fresh = True

    def draw_note(self, canvas: "Canvas", note: bytes) -> None:
        """Ask for a key; or name the control and its keys."""
        control = self.control_of(self.at)
        if self.asked >= 0:
            note = b"PRESS A KEY FOR|" + note + b"|OR WAIT"
        elif control >= 0:
            note += b"|" + wrap(self.keys.name(self.person, control).split(b"  "))
        Menu.draw_note(self, canvas, note)


def wrap(names: "list[bytes]") -> bytes:
    """Return as many names as have room in two lines."""
    lines = [b""]
    for name in names:
        longer = lines[-1] + b"  " + name if lines[-1] else name
        if text_width(longer, FONT_3X5) <= _NOTE_WIDTH:
            lines[-1] = longer
        elif len(lines) == 1:
            lines.append(fit(name, _NOTE_WIDTH))
    return b"|".join(lines)


def fit(name: bytes, width: int) -> bytes:
    """Return a name, cut to a width."""
    while text_width(name, FONT_3X5) > width:
        name = name[:-1]
    return name
