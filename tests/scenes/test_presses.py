"""How many presses lead from the title to what a player wants; PRESSES is the table."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from firmware.engine.controls import HARD_DROP as UP
from firmware.engine.controls import PAUSE as START
from firmware.engine.controls import RIGHT
from firmware.engine.controls import ROTATE_CW as A
from firmware.engine.controls import SOFT_DROP as DOWN
from firmware.modes.catalogue import SPRINT
from firmware.save.recorder import Recorder
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld, lose
from tests.support.handhelds.ring_harness import Line, Pipe

TODAY = 20261122
# How often a button is pressed; a direction that is held down to a line is one press.
PRESSES = {
    "sprint": 3,
    "sprint_again": 2,
    "sprint_100": 4,
    "versus": 4,
    "versus_again": 2,
    "daily": 3,
    "puzzle_1": 5,
    "marathon": 3,
    "ultra": 5,
    "link": 5,
    "handling": 5,
    "scores": 3,
    "learn": 3,
    "last_game": 5,
}


class Player:
    """Hold a handheld that was on before, and count the presses from its title."""

    def __init__(self, *, linked: bool = False) -> None:
        self.store = [RamStore(), RamStore()]
        self.linked = linked
        self.handheld = Handheld(store=self.store, first="menus.title")
        self.handheld.settings.ready = 1
        self.handheld.context.save_settings()
        self.power_on()

    def power_on(self) -> None:
        """Switch it off and on."""
        self.handheld = Handheld(store=self.store, first="", seed=None, recorder=Recorder())
        machine: Any = self.handheld.device.machine
        machine.read_day = lambda: TODAY
        if self.linked:
            self.handheld.device.link = Pipe(Line(random.Random(1)), Line(random.Random(2)))
        self.start_counting()

    def start_counting(self) -> None:
        """Be at the title."""
        assert self.name == "menus.title"
        self.presses = 0

    @property
    def name(self) -> str:
        return self.handheld.name

    def press(self, *buttons: int) -> None:
        """Press one button after the other."""
        for button in buttons:
            self.handheld.tap(button)
            self.handheld.step(frames=3)
            self.presses += 1

    def hold(self, button: int, line: bytes) -> None:
        """Hold a direction until a line is chosen."""
        handheld = self.handheld
        handheld.buttons.edges.append((button, 1, handheld.clock.now_ms))
        handheld.step()
        while handheld.scene.lines[handheld.scene.at] != line:
            handheld.step()
        handheld.buttons.edges.append((button, 0, handheld.clock.now_ms))
        handheld.step()
        self.presses += 1


def play_sprint() -> Player:
    """Return a player who knows the way to a Sprint, and has just gone it."""
    player = Player()
    player.press(A, DOWN, A)
    return player


def open_line(line: bytes, button: int = DOWN) -> Player:
    """Go to the main menu and pick a line of it, for which a direction is held down."""
    player = Player()
    player.press(A)
    player.hold(button, line)
    player.press(A)
    return player


def to_sprint() -> Player:
    player = play_sprint()
    assert (player.handheld.session.variant, player.handheld.game.goal) == (SPRINT, 40)
    assert player.handheld.game.level == 1 and player.name == "play.play"
    return player


def to_sprint_again() -> Player:
    player = play_sprint()
    player.power_on()
    player.press(A, A)
    assert (player.handheld.session.variant, player.handheld.game.goal) == (SPRINT, 40)
    return player


def to_sprint_100() -> Player:
    player = Player()
    player.press(A, DOWN, RIGHT, A)
    assert player.handheld.game.goal == 100
    return player


def to_versus() -> Player:
    player = open_line(b"VERSUS")
    player.press(A)
    assert player.name == "match.play" and player.handheld.scene.match.options.level_of(1) == 3
    return player


def to_versus_again() -> Player:
    player = to_versus()
    player.power_on()
    player.press(A, A)
    assert player.name == "match.play" and player.handheld.scene.match.options.level_of(1) == 3
    return player


def to_daily() -> Player:
    player = open_line(b"DAILY")
    assert player.name == "play.play" and player.handheld.game.seed == TODAY
    return player


def to_puzzle_1() -> Player:
    player = open_line(b"LEARN")
    player.press(A, A)
    assert player.name == "play.puzzle_play" and player.handheld.scene.number == 0
    return player


def to_marathon() -> Player:
    player = Player()
    player.press(A, A, A)
    assert player.name == "play.play" and player.handheld.session.variant == 0
    return player


def to_ultra() -> Player:
    player = open_line(b"MORE MODES")
    player.press(A, A)
    assert player.name == "play.play" and player.handheld.game.limit_ms == 120_000
    return player


def to_link() -> Player:
    player = Player(linked=True)
    player.press(A)
    player.hold(DOWN, b"VERSUS")
    player.press(A, DOWN, A)
    assert player.name == "link.lobby"
    return player


def to_handling() -> Player:
    player = Player()
    player.press(A, UP, A)
    player.hold(DOWN, b"HANDLING")
    player.press(A)
    assert player.name == "options.handling"
    return player


def to_scores() -> Player:
    player = open_line(b"SCORES", UP)
    assert player.name == "menus.scores"
    return player


def to_learn() -> Player:
    player = open_line(b"LEARN")
    assert player.name == "menus.learn"
    return player


def to_last_game() -> Player:
    player = play_sprint()
    player.handheld.step(50, 60)
    lose(player.handheld)
    player.handheld.go("menus.title")
    player.handheld.step(frames=2)
    player.start_counting()
    player.press(A)
    player.hold(DOWN, b"LEARN")
    player.press(A)
    player.hold(DOWN, b"LAST GAME")
    player.press(A)
    assert player.name == "play.watch"
    return player


@pytest.mark.parametrize("goal", PRESSES)
def test_presses_to(goal: str) -> None:
    way: Callable[[], Player] = globals()[f"to_{goal}"]
    assert way().presses == PRESSES[goal]


def test_start_leads_where_a_leads() -> None:
    player = Player()
    player.press(START, DOWN, START)
    assert player.name == "play.play" and player.presses == PRESSES["sprint"]
