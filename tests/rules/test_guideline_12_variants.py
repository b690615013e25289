"""Guideline 12: Marathon, Sprint and Ultra."""

import pytest

from firmware.engine import events
from firmware.engine.game import AIM_REACHED, Game
from firmware.engine.mode import Mode
from firmware.modes.catalogue import MARATHON, SPRINT, ULTRA, ULTRA_LINES, make_mode
from tests.support.drill import Drill


class TestMarathon121:
    def test_game_ends_with_the_goal_of_level_15(self) -> None:
        drill = Drill("I", mode=make_mode(MARATHON))
        happened = 0
        while not drill.game.over:
            happened = drill.clear(4)
        assert drill.game.over == AIM_REACHED and happened & events.COMPLETED
        assert (drill.game.level, drill.game.goal, drill.game.lines) == (15, 0, 152)
        assert drill.game.mode.result(drill.game) == drill.game.score

    def test_endless_game_continues_past_level_15(self) -> None:
        drill = Drill("I", mode=make_mode(MARATHON), aim=1)
        for _ in range(40):
            drill.clear(4)
        assert (drill.game.over, drill.game.level) == (0, 17)


class TestSprint122:
    @pytest.mark.parametrize(("aim", "lines"), [(0, 40), (20, 20), (100, 100)])
    def test_game_ends_with_its_lines(self, aim: int, lines: int) -> None:
        drill = Drill("I", mode=make_mode(SPRINT), aim=aim)
        assert drill.game.goal == lines
        while not drill.game.over:
            drill.clear(4)
        assert (drill.game.over, drill.game.goal, drill.game.lines) == (AIM_REACHED, 0, lines)
        assert drill.game.mode.result(drill.game) == drill.game.time_ms > 0

    def test_lines_raise_no_level(self) -> None:
        drill = Drill("I", mode=make_mode(SPRINT), level=3)
        while not drill.game.over:
            assert not drill.clear(4) & events.LEVEL_UP
        assert drill.game.level == 3

    def test_a_lost_game_has_no_result(self) -> None:
        drill = Drill("O", art="....##....\n" * 20, mode=make_mode(SPRINT), script="hard")
        assert drill.game.mode.result(drill.game) == 0


class TestUltra123:
    @pytest.mark.parametrize(("aim", "minutes"), [(0, 2), (3, 3)])
    def test_game_ends_exactly_at_its_time(self, aim: int, minutes: int) -> None:
        drill = Drill("I", mode=make_mode(ULTRA), aim=aim)
        for _ in range(minutes * 60 - 1):
            drill.clear(4)
            drill.wait(1000 - drill.t_ms % 1000)
        drill.wait(minutes * 60_000 - 1 - drill.t_ms)
        assert not drill.game.over
        assert drill.wait(1) & (events.GAME_OVER | events.COMPLETED) == events.GAME_OVER | events.COMPLETED
        assert (drill.game.over, drill.game.time_ms) == (AIM_REACHED, minutes * 60_000)

    def test_a_long_advance_stops_at_the_end(self) -> None:
        drill = Drill("I", mode=make_mode(ULTRA), lock_rule=1)
        drill.game.limit_ms = 5000
        drill.wait(9000)
        assert drill.game.time_ms == 5000

    @pytest.mark.parametrize("left_ms", [1, 150, 299, 300, 301])
    @pytest.mark.parametrize("slice_ms", [1, 16, 1000])
    def test_a_lock_down_before_the_end_counts_even_while_animated(self, left_ms: int, slice_ms: int) -> None:
        drill = Drill("I", art="#########.\n" * 4, mode=make_mode(ULTRA))
        game = drill.game
        game.limit_ms = left_ms
        happened = drill.tap("cw", *["right"] * 4, "hard")
        while drill.t_ms < 2 * left_ms:
            happened |= drill.wait(slice_ms)
        assert (game.over, game.time_ms) == (AIM_REACHED, left_ms) and happened & events.ELIMINATED
        assert (game.score - 2 * 17, game.lines, game.matrix.top, game.statistics.kinds[4]) == (800, 4, 0, 1)
        assert (game.hit_count, game.mode.result(game)) == (0, game.score)

    def test_a_lock_down_after_the_end_does_not_count(self) -> None:
        drill = Drill("I", art="#########.\n" * 4, mode=make_mode(ULTRA))
        drill.game.limit_ms = 200
        drill.wait(200)
        assert not drill.tap("cw", *["right"] * 4, "hard") & events.LOCKED
        assert (drill.game.score, drill.game.lines) == (0, 0)

    def test_a_line_clear_at_the_limit_ends_the_game_only_once(self) -> None:
        ends = []

        class Race(Mode):
            def complete(self, game: Game) -> None:
                game.end(AIM_REACHED)

            def end(self, game: Game) -> None:
                ends.append(game.over)

        drill = Drill("I", art="#########.\n" * 4, mode=Race())
        drill.game.limit_ms = 100
        drill.act("cw right*4 hard 100 100")
        assert (ends, drill.game.score - 2 * 17) == ([AIM_REACHED], 800)

    def test_result_is_the_score_or_the_lines(self) -> None:
        for variant, result in ((ULTRA, 834), (ULTRA_LINES, 4)):
            drill = Drill("I", mode=make_mode(variant))
            drill.clear(4)
            assert drill.game.mode.result(drill.game) == result
            for _ in range(4):
                drill.clear(4)
            assert drill.game.level == 1, "Ultra does not level up"


def test_12_an_unknown_variant_raises_value_error() -> None:
    with pytest.raises(ValueError, match=r"^this version has no variant 99$"):
        make_mode(99)


def test_12_a_mode_without_rules_has_no_result() -> None:
    assert Mode().result(Drill("I").game) == 0
