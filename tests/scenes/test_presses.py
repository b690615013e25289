"""The number of presses from the title to the goals of a player, and from an end to the next game.

WAYS and AGAIN are the tables. `python -m tools.measure.presses` measures the last one on the board.
"""

import functools
import random
from collections.abc import Callable
from typing import Any

import pytest

from firmware.modes.catalogue import MARATHON, SPRINT
from firmware.save.recorder import Recorder
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld, lose
from tests.support.handhelds.pauses import DOWN, RIGHT, START, UP, A, go_on
from tests.support.handhelds.ring_harness import Line, Pipe

TODAY = 20261122
Step = int | tuple[int, bytes]
"""A button, or a direction that is held until a line is reached; both are one press."""
SPRINT_WAY = (A, DOWN, A)
VERSUS_WAY = (A, (DOWN, b"VERSUS"), A, A)
AGAIN_WAY = (A, A)
LAST_GAME_WAY = (A, (DOWN, b"LEARN"), A, (DOWN, b"LAST GAME"), A)
# By goal: the number of presses from the title, the presses, the scene that they open, and a check of the handheld.
WAYS: dict[str, tuple[int, tuple[Step, ...], str, Callable[[Handheld], bool]]] = {
    "sprint": (3, SPRINT_WAY, "play.play", lambda handheld: plays_sprint(handheld, 40) and handheld.game.level == 1),
    "sprint 100": (4, (A, DOWN, RIGHT, A), "play.play", lambda handheld: plays_sprint(handheld, 100)),
    "versus": (4, VERSUS_WAY, "match.play", lambda handheld: plays_versus(handheld)),
    "daily": (3, (A, (DOWN, b"DAILY"), A), "play.play", lambda handheld: handheld.game.seed == TODAY),
    "puzzle 1": (5, (A, (DOWN, b"LEARN"), A, A, A), "learn.puzzle_play", lambda handheld: handheld.scene.number == 0),
    "marathon": (3, (A, A, A), "play.play", lambda handheld: handheld.session.variant == MARATHON),
    "ultra": (5, (A, (DOWN, b"MORE MODES"), A, A, A), "play.play", lambda handheld: handheld.game.limit_ms == 120_000),
    "link": (6, (A, (DOWN, b"VERSUS"), A, DOWN, A, START), "link.lobby", lambda handheld: True),
    "handling": (4, (A, UP, A, A), "options.handling", lambda handheld: True),
    "sound": (5, (A, UP, A, DOWN, A), "options.sound", lambda handheld: True),
    "scores": (3, (A, (UP, b"SCORES"), A), "menus.score_list", lambda handheld: True),
    "learn": (3, (A, (DOWN, b"LEARN"), A), "learn.menu", lambda handheld: True),
    "start for a": (3, (START, DOWN, START), "play.play", lambda handheld: plays_sprint(handheld, 40)),
}

# From the end of a game to the next Tetrimino: the number of presses, and the most milliseconds from the first.
AGAIN = (1, 300)
ENDS = ("play.play", "menus.over", "menus.scores_initials", "menus.scores")


def plays_sprint(handheld: Handheld, lines: int) -> bool:
    return (handheld.session.variant, handheld.game.goal) == (SPRINT, lines)


def plays_versus(handheld: Handheld) -> bool:
    return handheld.name == "match.play" and handheld.scene.match.options.level_of(1) == 3


class Player:
    """Press buttons on a handheld that has been used before, from its title on."""

    def __init__(self, *, linked: bool = False) -> None:
        self.store = [RamStore(), RamStore()]
        self.linked = linked
        self.handheld = Handheld(store=self.store, first="menus.title")
        self.handheld.settings.ready = 1
        self.handheld.context.save_settings()
        self.power_on()

    def power_on(self) -> None:
        self.handheld = Handheld(store=self.store, first="", seed=None, recorder=Recorder())
        machine: Any = self.handheld.device.machine
        machine.read_day = lambda: TODAY
        if self.linked:
            self.handheld.device.link = Pipe(Line(random.Random(1)), Line(random.Random(2)))

    def go(self, way: tuple[Step, ...]) -> None:
        handheld = self.handheld
        assert handheld.name == "menus.title"
        for step in way:
            if isinstance(step, int):
                handheld.follow(step, frames=3)
                continue
            button, line = step
            handheld.move(button, 1)
            while handheld.scene.lines[handheld.scene.at] != line:
                handheld.step()
            handheld.move(button, 0)


@pytest.mark.parametrize("goal", WAYS)
def test_number_of_presses_to_the_goal(goal: str) -> None:
    presses, way, name, is_there = WAYS[goal]
    assert len(way) == presses
    player = Player(linked=goal == "link")
    player.go(way)
    assert player.handheld.name == name and is_there(player.handheld)


def test_number_of_presses_to_play_the_same_again() -> None:
    assert len(AGAIN_WAY) == 2
    for way, is_there in ((SPRINT_WAY, functools.partial(plays_sprint, lines=40)), (VERSUS_WAY, plays_versus)):
        player = Player()
        player.go(way)
        player.power_on()
        player.go(AGAIN_WAY)
        assert is_there(player.handheld)


@pytest.mark.parametrize(
    ("place", "goal"),
    [
        (place, goal)
        for place in ENDS
        for goal in ("sprint", "sprint 100", "marathon", "ultra", "daily")
        if "initials" not in place or "sprint" not in goal
    ],  # a race that is not won has no place
)
def test_presses_and_time_from_the_end_of_a_game_to_the_next_tetrimino(place: str, goal: str) -> None:
    player = Player()
    player.go(WAYS[goal][1])
    handheld = player.handheld
    handheld.wait_until(handheld.scene.is_playing)
    ended, variant, aim = handheld.game, handheld.session.variant, handheld.game.goal
    lose(handheld)
    handheld.step(20, 60)
    go_on(handheld, place)
    presses, most_ms = AGAIN
    since_ms = handheld.clock.now_ms
    for _ in range(presses):
        handheld.move(START, 1)
    handheld.wait_until(lambda: handheld.name == "play.play" and handheld.game is not ended and handheld.game.piece)
    assert handheld.clock.now_ms - since_ms <= most_ms
    assert handheld.session.variant == variant and handheld.game.goal == aim


def test_number_of_presses_to_watch_the_last_game() -> None:
    assert len(LAST_GAME_WAY) == 5
    player = Player()
    player.go(SPRINT_WAY)
    player.handheld.step(50, 60)
    lose(player.handheld)
    player.handheld.open("menus.title", frames=2)
    player.go(LAST_GAME_WAY)
    assert player.handheld.name == "replay.watch"
