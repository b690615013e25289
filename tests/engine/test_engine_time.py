"""The clock of a game: it does not matter how often `advance` is called; pauses, late edges, and a clock that wraps."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.compat import TICKS_PERIOD, ticks_add
from firmware.engine import events
from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.modes.catalogue import make_mode
from tests.support.drill import Drill, state

Edge = tuple[int, int, bool]  # time, control, pressed
Setup = tuple[int, int, Options, list[Edge], int, int]


@st.composite
def games(draw: st.DrawFn) -> Setup:
    """Draw a seed, a variant, options, edges, a duration and a start time on the clock."""
    options = Options()
    options.level = draw(st.integers(1, 15))
    options.lock_rule = draw(st.integers(0, 2))
    options.das_ms = draw(st.sampled_from([1, 17, 100, 300]))
    options.arr_ms = draw(st.sampled_from([0, 1, 16, 55]))
    options.soft_factor = draw(st.sampled_from([1, 20, 100]))
    options.generation_ms = draw(st.sampled_from([0, 1, 200]))
    options.animate_ms = draw(st.sampled_from([0, 300]))
    options.garbage_rows = draw(st.sampled_from([0, 12]))
    options.guard_ms = draw(st.sampled_from([0, 100]))
    options.cut_repeat = draw(st.sampled_from([0, 1, 2, 60, 1000]))
    for name in ("goal_rule", "initial_rotation", "initial_hold"):
        setattr(options, name, draw(st.integers(0, 1)))
    end_ms = draw(st.integers(100, 6000))
    edges = draw(st.lists(st.tuples(st.integers(0, end_ms), st.integers(0, 6), st.booleans()), min_size=1, max_size=60))
    start = draw(st.sampled_from([0, TICKS_PERIOD - 1000, 12345]))
    return draw(st.integers(0, (1 << 30) - 1)), draw(st.integers(0, 3)), options, sorted(edges), end_ms, start


def play(game: Game, edges: list[Edge], moments: list[int], start: int) -> int:
    """Play the edges, advancing to every one of `moments` (sorted) on the way; return all event bits."""
    game.start(start)
    happened = 0
    waiting = list(edges)
    for moment in moments:
        while waiting and waiting[0][0] <= moment:
            t_ms, control, pressed = waiting.pop(0)
            happened |= game.input(control, pressed, ticks_add(start, t_ms))
        happened |= game.advance(ticks_add(start, moment))
    return happened


class TestSlices:
    @settings(max_examples=60)
    @given(games(), st.randoms(use_true_random=False))
    def test_a_game_is_the_same_however_often_it_is_advanced(self, setup: Setup, chance: random.Random) -> None:
        seed, variant, options, edges, end_ms, start = setup
        slices = [
            [end_ms],
            list(range(end_ms + 1)),
            sorted({chance.randrange(end_ms) for _ in range(chance.randrange(1, 50))} | {end_ms}),
        ]
        outcomes = []
        for moments in slices:
            game = Game(seed, options, make_mode(variant))
            happened = play(game, edges, moments, start)
            outcomes.append((happened, state(game)))
        assert outcomes[0] == outcomes[1] == outcomes[2]

    def test_an_hour_at_once_equals_an_hour_in_seconds(self) -> None:
        leap = Drill("", mode=make_mode(0))
        steps = Drill("", mode=make_mode(0))
        leap.wait(3_600_000)
        for _ in range(3600):
            steps.wait(1000)
        leap.game.now_ms = steps.game.now_ms
        assert state(leap.game) == state(steps.game) and leap.game.over

    def test_a_fall_of_many_rows_stops_for_an_auto_repeat_step(self) -> None:
        # At level 15 a row takes 7 ms: eleven rows fit into 80 ms, but the step at 50 ms comes between.
        art = "..........\n" + "######....\n" * 8
        leap = Drill("O", art=art, level=15, das_ms=50)
        leap.press("right")
        leap.wait(80)
        steps = Drill("O", art=art, level=15, das_ms=50)
        steps.press("right")
        for _ in range(80):
            steps.wait(1)
        assert state(leap.game) == state(steps.game)


class TestClock:
    def test_a_pause_ends_with_a_start_at_another_moment(self) -> None:
        drill = Drill("T")
        drill.wait(400)
        drill.game.start(90_000)
        drill.t_ms = 90_000
        assert not drill.wait(599) & events.MOVED
        row = drill.game.y
        drill.wait(1)
        assert drill.game.y == row - 1 and drill.game.time_ms == 1000

    def test_a_moment_before_the_last_one_counts_as_now(self) -> None:
        drill = Drill("T")
        drill.wait(500)
        drill.game.input(0, True, 200)
        assert (drill.game.now_ms, drill.game.time_ms) == (500, 500) and drill.columns == [2, 3, 4]

    def test_the_clock_may_wrap_in_the_middle_of_a_game(self) -> None:
        here = Drill("T")
        there = Drill("T")
        there.t_ms = TICKS_PERIOD - 700
        there.game.start(there.t_ms)
        for drill in (here, there):
            drill.wait(600)
            drill.tap("left")
            drill.wait(600)
        assert here.game.y == there.game.y and here.game.time_ms == there.game.time_ms == 1200
