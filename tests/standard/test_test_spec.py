"""The differences of the technical test specification from Standard, by section.

test_standard_pieces.py, test_standard_play.py and test_standard_score.py test the rules that both share.
"""

import itertools

import pytest

from firmware.engine import events
from tests.support.standard_drill import StandardDrill
from tests.support.variants import TEST_SPEC

LEVELS = range(1, 11)


def begin(level: int, order: str = "O", art: str = "", spawned: bool = True) -> StandardDrill:
    """Return a game that starts at `level`, 1 to 10."""
    return StandardDrill(order=order, art=art, variant=TEST_SPEC, level=level - 1, spawned=spawned)


def score_landing(level: int, rows: int, dropped: bool = True) -> int:
    """Return the points of an upright I that completes `rows` rows."""
    drill = begin(level, "I", "IIIII.IIII\n" * rows)
    drill.iterate()
    drill.tap("ccw")
    if dropped:
        drill.tap("hard")
    else:
        drill.until(events.LOCKED)
    assert drill.game.lines == rows
    return drill.game.score


class TestTestSpec:
    def test_2_1_rotations_are_not_queued(self) -> None:
        """ "the player must wait for one free-fall delay to elapse"; this specification has no queue."""
        drill = begin(1, "T")
        assert drill.tap("ccw") & events.ROTATE_FAILED
        before = drill.place
        drill.iterate()
        assert drill.place == {(x, y - 1) for x, y in before}

    def test_2_1_the_dot_coincides_with_board_position_5_0(self) -> None:
        """Counted from (0, 0) at the top left: the sixth column of the top row. T's other cells lie around it."""
        place = begin(1, "T").place
        x, y = 5 + 1, 20 - 0
        assert place == {(x, y), (x - 1, y), (x + 1, y), (x, y - 1)}

    @pytest.mark.parametrize("level", LEVELS)
    def test_2_5_levels_are_1_through_10(self, level: int) -> None:
        assert begin(level, spawned=False).game.level == level

    @pytest.mark.parametrize("dropped", [False, True])
    @pytest.mark.parametrize("rows", range(5))
    def test_2_7_points_of_a_landing_increase_with_each_level(self, rows: int, dropped: bool) -> None:
        points = [score_landing(level, rows, dropped) for level in LEVELS]
        assert all(low < high for low, high in itertools.pairwise(points))

    @pytest.mark.parametrize("rows", range(5))
    @pytest.mark.parametrize("level", LEVELS)
    def test_2_7_a_quick_drop_is_worth_more_than_a_normal_landing(self, level: int, rows: int) -> None:
        assert score_landing(level, rows, dropped=True) > score_landing(level, rows, dropped=False)

    @pytest.mark.parametrize("level", LEVELS)
    def test_2_7_a_line_is_worth_more_than_a_landing(self, level: int) -> None:
        """It is worth more than the best landing without a line."""
        assert score_landing(level, 1, dropped=False) > score_landing(level, 0, dropped=True)

    @pytest.mark.parametrize("rows", [2, 3, 4])
    @pytest.mark.parametrize("level", LEVELS)
    def test_2_7_more_lines_at_a_time_are_worth_more(self, level: int, rows: int) -> None:
        """This holds for both kinds of landing, and against the same lines in parts."""
        assert score_landing(level, rows, dropped=False) > score_landing(level, rows - 1, dropped=True)
        parts = [
            score_landing(level, part) + score_landing(level, rows - part) - 2 * score_landing(level, 0)
            for part in range(1, rows)
        ]
        assert score_landing(level, rows) - score_landing(level, 0) > max(parts)

    @pytest.mark.parametrize(("rows", "points"), [(0, 10), (1, 110), (2, 310), (3, 510), (4, 810)])
    def test_2_7_points_of_this_implementation(self, rows: int, points: int) -> None:
        for level in (1, 2, 10):
            assert score_landing(level, rows, dropped=False) == points * level
            assert score_landing(level, rows, dropped=True) == (points + 10) * level
