"""The view of a race shows Tetriminos a second, and the lead or lag to the best time (view/layouts/racing.py)."""

from typing import Any

import pytest

from firmware.engine import events
from firmware.engine.game import Game
from firmware.modes.catalogue import SPRINT, make_mode
from firmware.view.canvas import Canvas
from firmware.view.effects import EffectsView
from firmware.view.layouts.large import LargeView
from firmware.view.layouts.racing import adapt
from tests.support import golden


def begin(best_ms: int = 0, splits: tuple[int, ...] = (), large: int = 0) -> tuple[Any, Game]:
    view = adapt(LargeView if large else EffectsView, large)(Canvas())
    view.timed, view.best, view.splits = True, best_ms, list(splits)
    view.reset()
    return view, Game(1, mode=make_mode(SPRINT))


def draw(view: Any, game: Game, time_ms: int, lock_downs: int, lines: int) -> None:
    game.time_ms, game.lock_downs, game.lines, game.goal = time_ms, lock_downs, lines, 40 - lines
    view.draw(game)


def read_notice(view: Any) -> bytes:
    """Return the rows of pixels with the best time, which a lead or a notice replaces."""
    return bytes(view.canvas.buffer[1 + 8 * 8 : 1 + 16 * 8])


class TestRace:
    def test_tetriminos_a_second_replace_the_score(self) -> None:
        view, game = begin()
        view.draw(game)
        golden.compare(view.canvas, "race_begins")
        draw(view, game, 20_000, 37, 9)
        golden.compare(view.canvas, "race_pace")

    @pytest.mark.parametrize("lock_downs", [99, 101, 150, 201])
    def test_a_changed_pace_is_drawn_like_a_new_one(self, lock_downs: int) -> None:
        view, game = begin()
        draw(view, game, 100_000, lock_downs, 9)
        fresh, same = begin()

        for drawn, its_game in ((view, game), (fresh, same)):
            draw(drawn, its_game, 100_400, lock_downs, 9)

        assert view.pace == lock_downs - 1 and bytes(view.canvas.buffer) == bytes(fresh.canvas.buffer)

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

    @pytest.mark.parametrize(
        ("lines", "time_ms", "lead_ms"), [(10, 17_000, 3_000), (31, 46_000, -1_000), (41, 61_000, -1_000)]
    )
    def test_the_time_is_compared_with_the_best_game_if_known(self, lines: int, time_ms: int, lead_ms: int) -> None:
        view, game = begin(60_000, (20_000, 33_000, 45_000))
        game.time_ms, game.lines, game.goal = time_ms, lines, max(0, 40 - lines)
        view.draw(game)
        assert view.split_ms == lead_ms

    def test_nothing_is_compared_without_a_best_time(self) -> None:
        view, game = begin()
        draw(view, game, 20_000, 37, 9)
        before = read_notice(view)
        draw(view, game, 20_000, 37, 10)
        assert read_notice(view) == before

    def test_a_resumed_game_shows_the_best_time_until_the_next_tenth_line(self) -> None:
        view, game = begin(60_000)
        draw(view, game, 30_000, 60, 15)
        assert not view.has_lead
        draw(view, game, 34_000, 66, 20)
        assert view.has_lead and view.split_ms == -4_000

    def test_the_comparison_waits_until_a_notice_is_gone(self) -> None:
        view, game = begin(60_000)
        draw(view, game, 13_600, 26, 9)
        view.tell(events.TETRIS, game)
        draw(view, game, 13_700, 27, 10)
        notice = read_notice(view)
        draw(view, game, 13_800, 27, 10)
        assert read_notice(view) == notice
        for _ in range(80):
            draw(view, game, 13_800, 27, 10)
        other, same = begin(60_000)
        draw(other, same, 13_600, 26, 9)
        draw(other, same, 13_700, 27, 10)
        assert read_notice(view) == read_notice(other)

    @pytest.mark.parametrize(("name", "time_ms"), [("race_large_ahead", 13_700), ("race_large_late", 27_350)])
    def test_large_cells_show_the_lead_in_place_of_the_score(self, name: str, time_ms: int) -> None:
        view, game = begin(60_000, (15_000,), 1)
        game.score = 4_321
        draw(view, game, time_ms - 100, 26, 9)
        score = bytes(view.canvas.buffer)
        draw(view, game, time_ms, 27, 10)
        golden.compare(view.canvas, name)
        view.tell(events.TETRIS, game)
        for _ in range(80):
            draw(view, game, time_ms + 2_000, 27, 10)
        assert view.split_ms == 15_000 - time_ms and bytes(view.canvas.buffer) != score
