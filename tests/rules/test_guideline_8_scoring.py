"""Guideline 8, 8.1: points, and the start and end of a Back-to-Back sequence."""

from collections.abc import Callable

import pytest

from firmware.engine import events, scoring
from firmware.engine.manipulation import FULL_SPIN, MINI_SPIN, NO_SPIN
from tests.support.drill import Drill

# A T-Slot open from above on the left: the T comes down upright and turns in.
DOUBLE_SLOT = "##........\n#...######\n##.#######\n"


def clear_for_points(drill: Drill, rows: int) -> int:
    before = drill.game.score
    drill.clear(rows)
    return drill.game.score - before


class TestPoints8:
    @pytest.mark.parametrize("level", [1, 2, 15])
    @pytest.mark.parametrize(("rows", "points"), [(1, 100), (2, 300), (3, 500), (4, 800)])
    def test_8_line_clears(self, rows: int, points: int, level: int) -> None:
        drill = Drill("I", level=level)
        # An upright I falls from row 17 to the floor: 17 rows at two points.
        assert clear_for_points(drill, rows) == points * level + 34

    def test_8_more_than_four_lines_of_a_variant_count_as_a_tetris(self) -> None:
        assert scoring.award(NO_SPIN, 6) == 8 and scoring.name(NO_SPIN, 6, 0) == events.TETRIS

    @pytest.mark.parametrize(("script", "points"), [("+soft", 19), ("", 0)])
    def test_8_soft_drop_scores_one_point_a_row_and_a_fall_none(self, script: str, points: int) -> None:
        drill = Drill("T", script=script)
        drill.until(events.LANDED)
        assert drill.game.score == points

    def test_8_hard_drop_scores_two_points_a_row_at_every_level(self) -> None:
        drill = Drill("T", level=9)
        rows = drill.game.y - drill.game.ghost_y
        drill.tap("hard")
        assert drill.game.score == 2 * rows

    def test_8_points_come_in_the_eliminate_phase(self) -> None:
        drill = Drill("I", art="#########.")
        for script, score in (("cw right*4 hard", 34), ("299", 34), ("1", 134)):
            drill.act(script)
            assert drill.game.score == score


class TestBackToBack81:
    def test_8_1_the_example_of_5400_points(self) -> None:
        score = chain = 0
        for spun, lines in [(NO_SPIN, 4), (FULL_SPIN, 2), (FULL_SPIN, 0), (NO_SPIN, 4), (FULL_SPIN, 1)]:
            points = scoring.award(spun, lines)
            if scoring.name(spun, lines, chain) & events.BACK_TO_BACK:
                points += points // 2
            score += points * 100
            chain = scoring.follow_chain(spun, lines, chain)
        assert score == 5400

    def test_8_1_the_first_of_a_sequence_has_no_bonus_and_the_second_has(self) -> None:
        drill = Drill("I")
        assert [clear_for_points(drill, 4) for _ in range(3)] == [834, 1234, 1234]

    def test_8_1_a_t_spin_double_after_a_tetris_is_a_back_to_back(self) -> None:
        drill = Drill("IT")
        clear_for_points(drill, 4)
        drill.draw(DOUBLE_SLOT)
        before = drill.game.score
        drill.act("cw left left +soft")
        drill.until(events.LANDED)
        drill.release("soft")
        soft = drill.game.score - before
        expected = events.T_SPIN | events.DOUBLE | events.BACK_TO_BACK | events.HARD_DROPPED
        assert drill.act("cw hard 500") & expected == expected and drill.game.score - before - soft == 1800

    @pytest.mark.parametrize("rows", [1, 2, 3])
    def test_8_1_a_single_double_or_triple_breaks_it(self, rows: int) -> None:
        drill = Drill("I")
        clear_for_points(drill, 4)
        clear_for_points(drill, rows)
        assert clear_for_points(drill, 4) == 834

    @pytest.mark.parametrize("act", [Drill.place, lambda drill: drill.tap("hold")], ids=["a Lock Down", "a Hold"])
    def test_8_1_an_action_without_lines_does_not_break_it(self, act: Callable[[Drill], int]) -> None:
        drill = Drill("I")
        clear_for_points(drill, 4)
        act(drill)
        assert clear_for_points(drill, 4) == 1234

    @pytest.mark.parametrize("spun", [MINI_SPIN, FULL_SPIN])
    def test_8_a_spin_without_lines_neither_starts_nor_breaks_a_sequence(self, spun: int) -> None:
        assert scoring.follow_chain(spun, 0, 0) == 0 and scoring.follow_chain(spun, 0, 3) == 3
        assert not scoring.name(spun, 0, 3) & events.BACK_TO_BACK

    @pytest.mark.parametrize("spun", [MINI_SPIN, FULL_SPIN])
    def test_8_a_spin_with_lines_continues_it(self, spun: int) -> None:
        assert scoring.name(spun, 1, 1) & events.BACK_TO_BACK and scoring.follow_chain(spun, 1, 1) == 2
