"""Guideline 2.3.1 and A1.2.7: the statistics of a game."""

import pytest

from firmware.engine import events
from tests.support.drill import Drill


class TestCounts:
    def test_lines_by_kind_and_back_to_backs(self) -> None:
        drill = Drill("I")
        for rows in (1, 2, 2, 3, 4, 4, 4):
            drill.clear(rows)
        statistics = drill.game.statistics
        assert (statistics.kinds[1:5], statistics.back_to_backs) == ([1, 2, 1, 3], 2)

    def test_t_spins_by_kind(self) -> None:
        drill = Drill("T")
        drill.draw("##........\n#...######\n##.#######")
        drill.game.place(6, 1, 0, 1)
        drill.act("cw hard 500")
        assert drill.game.statistics.kinds[2 * 5 + 2] == 1

    def test_more_than_four_lines_count_as_a_tetris(self) -> None:
        drill = Drill("T")
        drill.game.statistics.count(0, 6, 0)
        assert drill.game.statistics.kinds[4] == 1

    def test_the_longest_combo_counts_from_the_second_line_clear_on(self) -> None:
        drill = Drill("I")
        for longest in (0, 1, 2):
            drill.clear(1)
            assert drill.game.statistics.longest_combo == longest
        drill.place()
        drill.clear(1)
        assert (drill.game.statistics.combo, drill.game.statistics.longest_combo) == (0, 2)

    def test_pieces_and_holds(self) -> None:
        drill = Drill("TJL", script="hold hard 200 hard 200")
        assert (drill.game.statistics.pieces, drill.game.statistics.holds) == (2, 1)

    @pytest.mark.parametrize(
        ("script", "faults"),
        [
            pytest.param("left hard 200 cw right right hard 200 hard 200", 0, id="no more presses than needed"),
            pytest.param("left right hard 200 cw cw cw hard 200", 2, id="one press too many for each of two"),
            pytest.param("+left 600 hard", 0, id="a held direction reaches the wall with one press"),
            pytest.param("left left left hard 200", 1, id="taps to the wall"),
            pytest.param("left right +soft 500 -soft hard", 0, id="soft-dropped Tetriminos are not judged"),
        ],
    )
    def test_finesse_faults_count_unneeded_presses(self, script: str, faults: int) -> None:
        assert Drill("T", script=script).game.statistics.faults == faults

    @pytest.mark.parametrize(
        ("art", "before", "until", "after"),
        [
            pytest.param("", "", events.LANDED, "left right hard", id="moved"),
            pytest.param(".#########", "left left left", events.LANDED, "cw hard", id="turned into a hole"),
            pytest.param("", "left right", events.LOCKED, "", id="locked down by itself"),
        ],
    )
    def test_finesse_ignores_presses_after_landing(self, art: str, before: str, until: int, after: str) -> None:
        drill = Drill("T", art=art, script=before)
        drill.until(until)
        drill.act(after)
        assert drill.game.statistics.faults == 0

    def test_rates_are_whole_hundredths(self) -> None:
        statistics = Drill("T").game.statistics
        assert statistics.hundredths_per(60_000, 30, 45_000) == 4000  # 30 Tetriminos in 45 s: TPM 40.00
        assert statistics.hundredths_per(1000, 30, 45_000) == 66  # PPS 0.66
        assert statistics.hundredths_per(60_000, 30, 0) == 0
