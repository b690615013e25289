"""Play or watch a game in a window."""

import argparse
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from firmware.engine.controls import PAUSE
from sim import terminal
from sim.clock import RealClock
from sim.contacts import Contacts
from sim.desktop import gamepad, key_file
from sim.desktop.bot_seat import BotSeat
from sim.desktop.computer import Computer
from sim.desktop.keyboard import Keyboard, Table
from sim.desktop.opening import make_session, open_link
from sim.desktop.session import Session
from sim.desktop.speaker import NoSpeaker, open_speaker
from sim.display import ChipDisplay
from sim.game_record import AnyRecording
from sim.link import Pipe
from sim.oled import COLOURS
from sim.rules import copy_rules, paste_rules
from sim.scenes import can_restart
from sim.terminal import Refusal, tell_install

if TYPE_CHECKING:
    from sim.desktop.oled_surface import OledSurface
    from sim.desktop.window import Window

NINE_BUTTONS = 511  # as a Device's `wired`
_Map = TypeVar("_Map")
_WITHOUT_WINDOW = "`python3 -m tools.setup web` plays in a browser, --headless --play FILE needs no window"


def play_in_window(options: argparse.Namespace, recording: AnyRecording | None, bot_seat: BotSeat | None) -> Session:
    """Play or watch until the window is closed."""
    if find_spec("pygame") is None:
        raise Refusal(f"the window needs pygame-ce; {tell_install('sim')}, or {_WITHOUT_WINDOW}")
    import pygame

    link = open_link(options)
    try:
        return _open_and_play(options, recording, link, bot_seat)
    except pygame.error as error:
        raise Refusal(f"cannot open a window ({error}); {_WITHOUT_WINDOW}") from error
    finally:
        pygame.quit()
        if link:
            link.close()


def _open_and_play(
    options: argparse.Namespace, recording: AnyRecording | None, link: Pipe | None, bot_seat: BotSeat | None
) -> Session:
    from sim.desktop.controllers import Controllers
    from sim.desktop.further_handhelds import FurtherHandhelds
    from sim.desktop.legend_rows import list_on_board
    from sim.desktop.window import Window

    clock = RealClock()
    contacts = Contacts()
    people = [contacts, *(Contacts() for _ in range(1, options.players or 1))]
    for other in people[1:]:
        other.connect(lambda: True)  # a further person's buttons lead through no menu
    tell = partial(terminal.note, "sim")
    kept = key_file.KeptKeys(read_keys(options), len(people), options.keys or key_file.find_path(), tell)
    # Players without keys get the first gamepads.
    first, *more = [people[number] for number in sorted(range(len(people)), key=lambda n: bool(kept.keys.tables[n]))]
    gamepads = gamepad.Gamepads(first, read_gamepad_map(options), more, menus=contacts)
    controllers = Controllers(gamepads, tell)
    speaker = NoSpeaker() if options.mute else open_speaker()
    session = make_session(
        *(options, clock, contacts, speaker, recording, link),
        others=people[1:],
        bot_seat=bot_seat,
        wired=NINE_BUTTONS,
        keys=kept.keys,
        make_machine=partial(Computer, keys=kept.keys),
    )
    further_handhelds = FurtherHandhelds(session.app, kept.keys)
    assert isinstance(session.display, ChipDisplay)
    displays = [session.display, *further_handhelds.displays]
    window = Window(
        [_make_surface(display, options) for display in displays],
        Keyboard(*people, keys=kept.keys),
        clock.ticks_ms,
        options.scale or 0,
        controllers,
        not options.no_legend,
        list_on_board(options.board.name, options.board.buttons) if options.board else (),
    )
    if isinstance(speaker, NoSpeaker) and speaker.reason:
        tell(f"there is no sound ({speaker.reason}); use --mute to hide this message")
    desk = Desk(session, clock, contacts, window)
    if link is None:  # a link's pause would stop all players
        window.focus_lost = desk.pause
    window.copied, window.pasted = desk.copy, desk.paste
    clock.idle = desk.look_after_window

    def present() -> None:
        further_handhelds.show()
        window.present()

    session.present = present
    with closing(window):
        session.run()
    return session


def _make_surface(display: ChipDisplay, options: argparse.Namespace) -> "OledSurface":
    from sim.desktop.oled_surface import OledSurface
    from sim.desktop.screen_surface import make_board_surface

    if options.board is None:
        return OledSurface(display, options.colour)
    return make_board_surface(display, options.board, COLOURS[options.colour].lit)


class Desk:
    """Carry what happens to the window to the session, and back."""

    def __init__(self, session: Session, clock: RealClock, contacts: Contacts, window: "Window") -> None:
        self.session = session
        self.clock = clock
        self.contacts = contacts
        self.window = window

    def pause(self) -> None:
        if self.session.playing:
            self.contacts.tap(PAUSE, self.clock.ticks_ms())

    def copy(self) -> str:
        """Return the rules as a line, and print it."""
        line = copy_rules(self.session.app)
        if line:
            terminal.note("sim", f"copied {line}")
        return line

    def paste(self, text: str) -> bool:
        """Load the rules of a line; return whether a menu is open, which takes them."""
        if not self.session.at_menu:
            return False
        problem = paste_rules(self.session.app, text)
        if problem:
            terminal.note("sim", f"cannot load these rules: {problem}")
        return True

    def look_after_window(self) -> None:
        self.contacts.at_menu = self.session.at_menu
        self.contacts.restarts = can_restart(self.session.app.router.scene)
        self.window.pump()
        if self.window.closed:
            self.session.app.stop()


def read_gamepad_map(options: argparse.Namespace) -> dict[str, int | None]:
    """Return the control of each gamepad button: from a file, or our defaults."""
    return _read_map(gamepad.read_map, options.gamepad, gamepad.controls_path(), gamepad.DEFAULTS, "--gamepad-map")


def read_keys(options: argparse.Namespace) -> Mapping[str, Table]:
    """Return the keys of each section: from a file, or our defaults."""
    named = options.keys if options.keys and options.keys.exists() else None  # a new one is written by the game
    return _read_map(key_file.read, named, options.keys or key_file.find_path(), key_file.USUAL, "--keys-map")


def _read_map(read: Callable[[Path], _Map], named: Path | None, own: Path, usual: _Map, prints: str) -> _Map:
    """Return what a file says; without a `named` one, `usual` if there is no file of the player's own."""
    path = named or own
    try:
        return read(path)
    except (FileNotFoundError, NotADirectoryError):
        if not named:
            return usual
        raise Refusal(f"cannot read {path}: there is no such file; {prints} prints one") from None
    except OSError as error:
        raise Refusal(f"cannot read {path}: {error.strerror}") from error
