"""Guideline 6, 6.1 and 7: levels, goals and fall speeds."""

import pytest

from firmware.engine import events
from firmware.engine.game import AIM_REACHED
from firmware.engine.options import VARIABLE
from firmware.engine.scoring import award
from firmware.engine.tables import FALL_US
from firmware.modes.marathon import Marathon
from tests.support.drill import Drill

# The table of section 7, from level 1 on.
SECONDS_PER_LINE = [1.0, 0.793, 0.618, 0.473, 0.355, 0.262, 0.190, 0.135, 0.094, 0.064]
SECONDS_PER_LINE += [0.043, 0.028, 0.018, 0.011, 0.007]


class TestFixedGoal6:
    def test_fixed_goal_is_ten_lines_a_level(self) -> None:
        drill = Drill("I", mode=Marathon())
        for line in range(9):
            assert not drill.clear(1) & events.LEVEL_UP and (drill.game.level, drill.game.goal) == (1, 9 - line)
        assert drill.clear(1) & events.LEVEL_UP
        assert (drill.game.level, drill.game.goal, drill.game.lines) == (2, 10, 10)

    @pytest.mark.parametrize("level", range(1, 16))
    def test_a_start_level_adds_the_goals_of_all_levels_before(self, level: int) -> None:
        assert Drill("I", mode=Marathon(), level=level).game.goal == 10 * level

    def test_the_example_from_level_4_to_5(self) -> None:
        drill = Drill("I", mode=Marathon(), level=4)
        for _ in range(9):
            drill.clear(4)
        assert (drill.game.level, drill.game.goal) == (4, 4)
        drill.clear(4)
        assert (drill.game.level, drill.game.goal) == (5, 10)

    def test_surplus_lines_count_for_the_next_level(self) -> None:
        drill = Drill("I", mode=Marathon())
        for _ in range(3):
            drill.clear(4)
        assert (drill.game.level, drill.game.goal) == (2, 8)


class TestVariableGoal6:
    @pytest.mark.parametrize("level", range(1, 16))
    def test_variable_goal_is_five_times_the_level(self, level: int) -> None:
        assert Drill("I", mode=Marathon(), level=level, goal_rule=VARIABLE).game.goal == 5 * level

    def test_the_goal_grows_by_five_each_level(self) -> None:
        drill = Drill("I", mode=Marathon(), goal_rule=VARIABLE)
        for clears, level, goal in ((1, 2, 10), (2, 3, 15)):
            for _ in range(clears):
                drill.clear(3)
            assert (drill.game.level, drill.game.goal) == (level, goal)

    @pytest.mark.parametrize(
        ("spun", "lines", "awarded"),
        # Nothing to Tetris; Mini T-Spin to its Double, which is not in the table; T-Spin to T-Spin Triple.
        [(0, 0, 0), (0, 1, 1), (0, 2, 3), (0, 3, 5), (0, 4, 8), (1, 0, 1), (1, 1, 2), (1, 2, 4)]
        + [(2, 0, 4), (2, 1, 8), (2, 2, 12), (2, 3, 16)],
    )
    def test_6_1_and_8_awarded_line_clears_of_100_points_each(self, spun: int, lines: int, awarded: int) -> None:
        assert award(spun, lines) == awarded

    def test_6_1_a_back_to_back_awards_one_half_more(self) -> None:
        drill = Drill("I", mode=Marathon(), level=15, goal_rule=VARIABLE)
        drill.clear(4)
        assert drill.game.goal == 75 - 8
        drill.clear(4)
        assert drill.game.goal == 75 - 8 - 12

    def test_variable_goals_to_level_15_add_up_to_600_lines(self) -> None:
        drill = Drill("I", mode=Marathon(), goal_rule=VARIABLE)
        awarded = 0
        while not drill.game.over:
            drill.clear(3)
            awarded += drill.game.awarded
        assert awarded == 600 and drill.game.over == AIM_REACHED


class TestSpeed7:
    @pytest.mark.parametrize("level", range(1, 16))
    def test_7_the_speed_matches_the_formula_and_the_table(self, level: int) -> None:
        exact = (0.8 - (level - 1) * 0.007) ** (level - 1)
        assert abs(FALL_US[level - 1] - exact * 1e6) <= 0.5
        assert abs(FALL_US[level - 1] / 1e6 - SECONDS_PER_LINE[level - 1]) < 0.001

    @pytest.mark.no_cover
    @pytest.mark.parametrize("level", range(1, 16))
    def test_7_a_tetrimino_falls_at_that_speed(self, level: int) -> None:
        drill = Drill("T", level=level)
        rows = drill.game.y - drill.game.ghost_y
        took_ms = drill.until(events.LANDED)
        assert abs(took_ms * 1000 / rows - FALL_US[level - 1]) < 1000

    def test_7_levels_above_15_follow_the_formula_to_20_and_stay_there(self) -> None:
        assert list(FALL_US) == sorted(FALL_US, reverse=True)
        drill = Drill("T", mode=Marathon(), aim=1, level=15)
        speeds = []
        for level in (16, 20, 21, 99):
            drill.game.level = level
            drill.game.set_interval()
            speeds.append(drill.game.interval_us)
        assert speeds == [FALL_US[15], FALL_US[19], FALL_US[19], FALL_US[19]]

    def test_7_falling_does_not_wait_for_manipulation(self) -> None:
        drill = Drill("T")
        row = drill.game.y
        drill.act("100 cw left right " * 10 + "cw cw")
        assert drill.game.y == row - 1

    def test_6_options_out_of_range_raise_value_error(self) -> None:
        with pytest.raises(ValueError, match=r"^option level is 16, allowed is 1 to 15$"):
            Drill("T", level=16)
