"""Matches against computers on the real firmware: no crash up to the rematch, and enough free heap."""

from pathlib import Path
from typing import NamedTuple

import pytest

from firmware.save.match_choices import ALLIED, LEVELS, OPPONENTS, TEAMS, TOGETHER, WINS
from tests.support.handhelds.board_console import LEVEL_5, ONE, THREE, Figures, each_uf2, make_console, watch_heap
from tools.board.player import Player

pytestmark = pytest.mark.board
TWO = {OPPONENTS: 1, LEVELS: LEVEL_5, LEVELS + 1: LEVEL_5}
TWO_ROUNDS = {WINS: 1}
FORTY_LINES = {TOGETHER: 1}
ROUND_S = 300  # two strong computers play long after the player topped out


def play_match(console: Player, figures: Figures, seed: int, seconds: float) -> None:
    """Play a match to two wins, with a pause in each round, and begin a rematch."""
    console.run(0.013 * seed)  # another moment starts another match
    console.start_versus()
    figures.note("load")
    rounds = 0
    while not console.is_at_results:
        console.play(seconds / 4, seed + rounds, lambda: console.has_result)
        figures.note("play" if not rounds else "second round")
        if not console.has_result:
            console.tap("S", after_s=0.3)
            console.expect(lambda: console.shows("PAUSE") or console.has_result, 3)  # LOADING shows meanwhile
        if not console.has_result:  # the round may end at the press
            figures.note("pause")
            console.tap("A", after_s=0.5)
            figures.note("resumed")
        console.play(seconds, seed + rounds + 50, lambda: console.has_result)
        end_round(console, figures)
        rounds += 1
        console.tap("A", after_s=1.5)
        console.check()
    figures.note("results")
    assert rounds >= 2
    begin_rematch(console, figures)
    console.play(5, seed)
    figures.note("rematch")


def end_round(console: Player, figures: Figures) -> None:
    for _ in range(20):
        if console.has_result:
            break
        console.top_out()
        figures.note("topping out")
    console.expect(lambda: console.has_result, ROUND_S)
    console.run(1.5)
    console.check()
    figures.note("result")


def go_to_results(console: Player, figures: Figures) -> None:
    console.tap("A", after_s=1.5)
    console.expect(lambda: console.is_at_results, 3)
    figures.note("results")


def begin_rematch(console: Player, figures: Figures) -> None:
    console.run(1)  # a result takes no press before
    console.enter_match("A")
    figures.note("rematch")


def measure_match(versus: dict[int, int], seed: int, seconds: float) -> Figures:
    console = make_console(versus)
    with watch_heap(console.handheld) as figures:
        try:
            play_match(console, figures, seed, seconds)
        finally:
            print("HEAP", figures)
    return figures


LONG_MATCHES = [(TWO, 0, 8), (THREE, 0, 8)]
LONG_MATCHES += [(ONE, seed, 60) for seed in range(1, 10)] + [(THREE, seed, 60) for seed in range(5)]


@pytest.mark.parametrize(
    ("versus", "seed", "seconds"),
    [(ONE, 0, 8), *(pytest.param(*match, marks=pytest.mark.long) for match in LONG_MATCHES)],
)
def test_a_match_leaves_8_kilobytes_of_heap_and_a_block_of_4(versus: dict[int, int], seed: int, seconds: int) -> None:
    measure_match(versus | TWO_ROUNDS, seed, seconds).check()


@pytest.mark.long
def test_a_round_won_together_with_a_computer_leaves_enough_heap() -> None:
    console = make_console(ONE | FORTY_LINES)

    with watch_heap(console.handheld) as figures:
        console.start_versus()
        figures.note("load")
        console.expect(lambda: console.has_result, ROUND_S)
        assert console.shows("WIN")
        console.run(1.5)
        figures.note("result")
        go_to_results(console, figures)
        begin_rematch(console, figures)

    figures.check()


@pytest.mark.long
@pytest.mark.parametrize(
    ("versus", "has_hint"),
    [(ONE | FORTY_LINES, True), (TWO, True), (THREE, False), (THREE | {TEAMS: ALLIED}, False)],
    ids=["together", "two", "three", "teams"],
)
def test_practice_with_a_hint_and_a_pause_leaves_enough_heap(versus: dict[int, int], has_hint: bool) -> None:
    console = make_console(versus)

    with watch_heap(console.handheld) as figures:
        console.start_versus()
        console.top_out()
        console.expect(lambda: console.shows("TRAINING") or console.has_result, 5)
        figures.note("practice")
        if console.has_result:
            console.fail("the round is over before there was any Practice")
        console.play(3, 1)
        figures.note("practice")
        console.tap("S", after_s=1.2)
        console.check()
        assert console.shows("HINT") == has_hint
        figures.note("pause of practice")
        if has_hint:
            console.tap("D")
        console.tap("A", after_s=1.5)
        figures.note("hint")
        console.tap("A+B", after_s=1.5)
        console.play(2, 2)
        figures.note("hint")
        console.expect(lambda: console.has_result, ROUND_S)
        console.run(1.5)
        figures.note("result")
        go_to_results(console, figures)

    figures.check()


class Continued(NamedTuple):
    """A match continued after power-off: the pictures of its pause before and after, and the heap from then on."""

    before: bytes
    after: bytes
    figures: Figures


def cut_power_in_pause(versus: dict[int, int], uf2: Path | None) -> Continued:
    """Cut the power in a pause, continue from the title, and play on."""
    console = make_console(versus, uf2)
    console.start_versus()
    console.play(6, 3)
    console.tap("S", after_s=1.5)
    assert console.shows("PAUSE")
    before = console.handheld.picture()

    console.handheld.restart()
    console.to_title()
    assert console.shows("CONTINUE")
    with watch_heap(console.handheld) as figures:
        console.enter_match("A")
        figures.note("load")
        console.expect(lambda: console.shows("PAUSE"), 3)
        figures.note("pause")
        after = console.handheld.picture()
        console.tap("A", after_s=0.5)
        console.play(5, 4)
        figures.note("play")

    return Continued(before, after, figures)


@each_uf2
@pytest.mark.parametrize("versus", [ONE, pytest.param(THREE, marks=pytest.mark.long)], ids=["one", "three"])
def test_a_match_continues_after_power_off_with_enough_heap(versus: dict[int, int], uf2: Path | None) -> None:
    continued = cut_power_in_pause(versus, uf2)

    assert continued.after == continued.before
    continued.figures.check()
