"""The view of a race shows Tetriminos a second, and the lead or lag to the best time (view/layouts/racing.py)."""

from typing import Any

import pytest

from firmware.engine.game import Game
from firmware.modes.catalogue import SPRINT, make_mode
from firmware.view.canvas import Canvas
from firmware.view.effects import EffectsView
from firmware.view.layouts.large import LargeView
from firmware.view.layouts.racing import adapt
from tests.support import golden


def begin(best_ms: int = 0) -> tuple[Any, Game]:
    view = adapt(EffectsView, 0)(Canvas())
    view.timed, view.best = True, best_ms
    view.reset()
    return view, Game(1, mode=make_mode(SPRINT))


def draw(view: Any, game: Game, time_ms: int, lock_downs: int, lines: int) -> None:
    game.time_ms, game.lock_downs, game.lines, game.goal = time_ms, lock_downs, lines, 40 - lines
    view.draw(game)


class TestRace:
    def test_tetriminos_a_second_replace_the_score(self) -> None:
        view, game = begin()
        view.draw(game)
        golden.compare(view.canvas, "race_begins")
        draw(view, game, 20_000, 37, 9)
        golden.compare(view.canvas, "race_pace")

    @pytest.mark.parametrize(("name", "time_ms"), [("race_ahead", 13_700), ("race_late", 16_300)])
    def test_every_tenth_line_shows_the_time_won_or_lost(self, name: str, time_ms: int) -> None:
        view, game = begin(60_000)
        draw(view, game, time_ms - 100, 26, 9)
        draw(view, game, time_ms, 27, 10)
        golden.compare(view.canvas, name)
        drawn = bytes(view.canvas.buffer)
        draw(view, game, time_ms, 27, 19)
        view.reset()
        draw(view, game, time_ms, 27, 10)
        assert bytes(view.canvas.buffer) == drawn

    def test_the_time_is_compared_with_an_even_pace_at_that_line(self) -> None:
        view, game = begin(60_000)
        draw(view, game, 30_000, 60, 21)
        assert view.split_ms == 1_500

    def test_nothing_is_compared_without_a_best_time(self) -> None:
        view, game = begin()
        draw(view, game, 20_000, 37, 9)
        before = bytes(view.canvas.buffer[1 + 8 * 8 : 1 + 16 * 8])
        draw(view, game, 20_000, 37, 10)
        assert bytes(view.canvas.buffer[1 + 8 * 8 : 1 + 16 * 8]) == before

    def test_the_comparison_waits_until_a_notice_is_gone(self) -> None:
        view, game = begin(60_000)
        draw(view, game, 13_600, 26, 9)
        view.tell(1 << 13, game)
        draw(view, game, 13_700, 27, 10)
        notice = bytes(view.canvas.buffer[1 + 8 * 8 : 1 + 16 * 8])
        draw(view, game, 13_800, 27, 10)
        assert bytes(view.canvas.buffer[1 + 8 * 8 : 1 + 16 * 8]) == notice
        for _ in range(80):
            draw(view, game, 13_800, 27, 10)
        other, same = begin(60_000)
        draw(other, same, 13_700, 27, 10)
        assert bytes(view.canvas.buffer[1 + 8 * 8 : 1 + 16 * 8]) == bytes(other.canvas.buffer[1 + 8 * 8 : 1 + 16 * 8])

    def test_large_cells_have_no_race_view(self) -> None:
        assert adapt(LargeView, 1) is LargeView
