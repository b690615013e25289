"""Standard, "Levels", "Falling Iteration Delay" and "Score": every row of their tables."""

import pytest

from firmware.engine import events
from firmware.modes.catalogue import STANDARD
from tests.support.standard_drill import DELAY_MS, StandardDrill
from tests.support.variants import TEST_SPEC, both_standards

# {lines} --> Earned Level
EARNED = [(range(11), 0)] + [(range(10 * level + 1, 10 * level + 11), level) for level in range(1, 9)]
EARNED += [(range(91, 400, 7), 9), (range(91, 102), 9)]

# Actual_Level  Free Fall Points  Instant Drop Points
POINTS = [(level, 6 + 3 * level, 24 + 3 * level) for level in range(10)]


def with_lines(lines: int, initial: int = 0, variant: int = STANDARD) -> StandardDrill:
    drill = StandardDrill(level=initial, spawned=False, variant=variant)
    drill.game.lines = lines
    drill.game.grade()  # type: ignore[attr-defined]
    return drill


class TestLevels:
    @pytest.mark.parametrize(("lines", "level"), EARNED, ids=lambda value: str(value).replace("range", ""))
    def test_lines_earn_the_level(self, lines: range, level: int) -> None:
        """Those of the test specification (2.5) are one number higher."""
        for count in lines:
            assert with_lines(count, variant=TEST_SPEC).game.level == level + 1
            assert with_lines(count).game.level == level and level == min(max((count - 1) // 10, 0), 9)

    @pytest.mark.parametrize("initial", range(10))
    def test_actual_level_is_the_maximum_of_initial_and_earned(self, initial: int) -> None:
        for lines in range(130):
            earned = min(max((lines - 1) // 10, 0), 9)
            assert with_lines(lines, initial).game.level == max(initial, earned)

    def test_a_level_beyond_the_last_begins_at_the_last(self) -> None:
        """The option has 15 levels, these rules have ten."""
        assert StandardDrill(level=9, spawned=False).game.level == 9
        game = StandardDrill(level=0, spawned=False).game
        game.options.level = 15
        assert type(game)(0, game.options, game.mode).level == 9

    def test_goal_is_the_number_of_lines_to_the_next_level(self) -> None:
        assert [with_lines(lines).game.goal for lines in (0, 1, 10, 11, 20, 90, 91)] == [11, 10, 1, 10, 1, 1, 0]
        assert with_lines(5, initial=3).game.goal == 36 and with_lines(5, initial=9).game.goal == 0

    @pytest.mark.parametrize(("lines", "level", "delay"), [(11, 1, 450), (10, 0, 500)])
    def test_the_eleventh_line_levels_up_and_shortens_the_delay(self, lines: int, level: int, delay: int) -> None:
        """A landing that levels up scores by the old level: the pile is checked "immediately after"."""
        drill = with_lines(lines - 1)
        drill.draw("IIII..IIII")
        drill.iterate()
        assert bool(drill.tap("hard") & events.LEVEL_UP) == bool(level)
        assert (drill.game.lines, drill.game.level, drill.game.score) == (lines, level, 24)
        drill.wait(delay - 1)
        assert not drill.game.piece
        drill.wait(1)
        assert drill.game.piece

    @both_standards
    @pytest.mark.parametrize("level", range(10))
    def test_level_has_the_iteration_delay(self, level: int, variant: int) -> None:
        """Also by 2.6 of the test specification."""
        delay = DELAY_MS[level]
        drill = StandardDrill(level=level, spawned=False, variant=variant)
        drill.wait(delay)
        for top in (20, 19, 18):
            for ms, lower in ((0, 0), (delay - 1, 0), (1, 1)):
                drill.wait(ms)
                assert max(y for _, y in drill.place) == top - lower
        assert drill.game.interval_us == (10 - level) * 1_000_000 // 20

    @both_standards
    @pytest.mark.parametrize(("level", "seconds"), [(0, 10), (9, 1)])
    def test_an_untouched_piece_lands_in_the_stated_seconds(self, level: int, seconds: int, variant: int) -> None:
        landed_ms = StandardDrill(level=level, variant=variant).until(events.LOCKED)
        assert landed_ms == pytest.approx(seconds * 1000, rel=0.06)


class TestPoints:
    @pytest.mark.parametrize("piece", "OSZLJT")
    @pytest.mark.parametrize(("level", "free_fall", "drop"), POINTS)
    def test_points_of_free_fall_and_of_instant_drop(self, level: int, free_fall: int, drop: int, piece: str) -> None:
        """ "Unrotated, Non-"I" pieces fall a total of 18 rows"."""
        falling, dropped = (StandardDrill(order=piece, level=level) for _ in range(2))
        falling.until(events.LOCKED)
        dropped.tap("hard")
        assert (falling.game.score, dropped.game.score) == (free_fall, drop)

    @pytest.mark.parametrize("iterations", range(20))
    def test_point_award_is_24_plus_3_levels_less_free_fall_iterations(self, iterations: int) -> None:
        """Also for an I, which falls 19 rows."""
        for level in (0, 4, 9):
            drill = StandardDrill(order="I", level=level)
            drill.iterate(iterations)
            drill.tap("hard")
            assert drill.game.score == 24 + 3 * level - iterations

    def test_points_do_not_depend_on_the_distance(self) -> None:
        for drill in (StandardDrill(art="IIIIIIIII.\n" * 12), StandardDrill()):
            drill.tap("hard")
            assert drill.game.score == 24

    def test_each_piece_counts_its_own_iterations(self) -> None:
        drill = StandardDrill()
        for count in (5, 2):
            drill.iterate(count)
            drill.tap("hard")
        assert drill.game.score == 24 - 5 + 24 - 1  # one of its two iterations generates the second

    @pytest.mark.parametrize("rows", [1, 2, 3, 4])
    def test_no_points_for_lines(self, rows: int) -> None:
        """ "nor two, three, or four lines simultaneously"."""
        drill = StandardDrill(order="I", art="IIIII.IIII\n" * rows)
        drill.iterate()
        drill.tap("ccw", "hard")
        assert (drill.game.lines, drill.game.score) == (rows, 23)
