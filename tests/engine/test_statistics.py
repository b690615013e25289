"""Guideline 2.3.1 and A1.2.7: what is counted in a game."""

from firmware.engine import events
from tests.support.drill import Drill


def test_lines_by_kind_and_back_to_backs() -> None:
    drill = Drill("I")
    for rows in (1, 2, 2, 3, 4, 4, 4):
        drill.clear(rows)
    statistics = drill.game.statistics
    assert statistics.kinds[1:5] == [1, 2, 1, 3]
    assert statistics.back_to_backs == 2


def test_t_spins_by_kind() -> None:
    drill = Drill("T")
    drill.draw("##........\n#...######\n##.#######")
    drill.game.place(6, 1, 0, 1)
    drill.tap("cw", "hard")
    drill.wait(500)
    assert drill.game.statistics.kinds[2 * 5 + 2] == 1


def test_more_than_four_lines_count_as_a_tetris() -> None:
    drill = Drill("T")
    drill.game.statistics.count(0, 6, 0)
    assert drill.game.statistics.kinds[4] == 1


def test_the_longest_combo_counts_from_the_second_line_clear_on() -> None:
    drill = Drill("I")
    drill.clear(1)
    assert drill.game.statistics.longest_combo == 0
    drill.clear(1)
    drill.clear(1)
    assert drill.game.statistics.longest_combo == 2
    drill.place()
    drill.clear(1)
    assert (drill.game.statistics.combo, drill.game.statistics.longest_combo) == (0, 2)


def test_pieces_and_holds() -> None:
    drill = Drill("TJL")
    drill.tap("hold")
    drill.place()
    drill.place()
    assert (drill.game.statistics.pieces, drill.game.statistics.holds) == (2, 1)


class TestFinesse:
    def test_no_more_presses_than_needed_is_no_fault(self) -> None:
        drill = Drill("T")
        drill.place("left")
        drill.place("cw", "right", "right")
        drill.place()
        assert drill.game.statistics.faults == 0

    def test_one_press_too_many_is_a_fault(self) -> None:
        drill = Drill("T")
        drill.place("left", "right")
        drill.place("cw", "cw", "cw")
        assert drill.game.statistics.faults == 2

    def test_a_held_direction_reaches_the_wall_with_one_press(self) -> None:
        drill = Drill("T")
        drill.press("left")
        drill.wait(600)
        drill.tap("hard")
        assert drill.game.statistics.faults == 0

    def test_taps_to_the_wall_are_a_fault(self) -> None:
        drill = Drill("T")
        drill.place("left", "left", "left")
        assert drill.game.statistics.faults == 1

    def test_what_is_soft_dropped_is_not_judged(self) -> None:
        drill = Drill("T")
        drill.tap("left", "right")
        drill.press("soft")
        drill.wait(500)
        drill.release("soft")
        drill.tap("hard")
        assert drill.game.statistics.faults == 0

    def test_what_is_moved_after_landing_is_not_judged(self) -> None:
        drill = Drill("T")
        drill.until(events.LANDED)
        drill.tap("left", "right", "hard")
        assert drill.game.statistics.faults == 0

    def test_what_is_turned_into_a_hole_after_landing_is_not_judged(self) -> None:
        drill = Drill("T", art=".#########")
        drill.tap("left", "left", "left")
        drill.until(events.LANDED)
        drill.tap("cw", "hard")
        assert drill.game.statistics.faults == 0

    def test_a_natural_lock_down_is_not_judged(self) -> None:
        drill = Drill("T")
        drill.tap("left", "right")
        drill.until(events.LOCKED)
        assert drill.game.statistics.faults == 0


def test_rates_are_whole_hundredths() -> None:
    statistics = Drill("T").game.statistics
    assert statistics.hundredths_per(60_000, 30, 45_000) == 4000  # 30 Tetriminos in 45 s: TPM 40.00
    assert statistics.hundredths_per(1000, 30, 45_000) == 66  # PPS 0.66
    assert statistics.hundredths_per(60_000, 30, 0) == 0
