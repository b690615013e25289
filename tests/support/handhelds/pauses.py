"""Begin games, pause them and choose from their menus."""

from typing import Any

from firmware.engine import controls
from firmware.modes.catalogue import MARATHON
from firmware.save.recorder import Recorder
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld

A, B, START, HOLD = controls.ROTATE_CW, controls.ROTATE_CCW, controls.PAUSE, controls.HOLD
DOWN, UP, LEFT, RIGHT = controls.SOFT_DROP, controls.HARD_DROP, controls.LEFT, controls.RIGHT
PLAY_ON, AGAIN, OPTIONS, PRACTISE, MENU = range(5)


def power_on(**arguments: Any) -> Handheld:
    """Return a handheld that records and keeps its games, before its first menu."""
    return Handheld(first="menus.legal", recorder=Recorder(), store=[RamStore(), RamStore()], **arguments)


def open_game(handheld: Handheld, variant: int = MARATHON) -> None:
    """Open a game of a mode as its menu does, up to the countdown."""
    handheld.settings.variant = handheld.session.variant = variant
    handheld.open("play", frames=3)


def paused(seconds: int = 0, variant: int = MARATHON, **arguments: Any) -> Handheld:
    handheld = power_on(**arguments)
    handheld.session.variant = variant
    handheld.session.counts_down = False
    handheld.open("play")
    play(handheld, seconds)
    handheld.tap(START)
    return handheld


def go_on(handheld: Handheld, name: str) -> Handheld:
    """Press A after each second until the scene `name` is on the screen."""
    for _ in range(40):
        if handheld.name == name:
            return handheld
        handheld.step(10, 110)
        handheld.follow(A)
    raise AssertionError(handheld.name)


def begin_game(variant: int = MARATHON, **settings: int) -> Handheld:
    """Return a handheld that begins a game, as if chosen in its menus, without a countdown."""
    handheld = Handheld(store=[RamStore(4096)], first="menus.title")
    handheld.change_settings(**settings)
    handheld.session.variant = handheld.settings.variant = variant
    handheld.session.counts_down = False
    handheld.open("play", ms=0, frames=3)
    return handheld


def play(handheld: Handheld, seconds: int) -> None:
    for second in range(seconds):
        handheld.press((LEFT, RIGHT)[second % 2], 600)
        handheld.step(700)
        handheld.tap(UP)
        handheld.step(284)


def choose(handheld: Handheld, at: int) -> str:
    """Go down to a line and press A; return the name of the next scene."""
    return handheld.follow(*[DOWN] * at, A, frames=2)
