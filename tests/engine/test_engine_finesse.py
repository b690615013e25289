"""Finesse counts needless presses, after a Soft Drop too if it changes nothing (firmware/modes/README.md, F.4)."""

import pytest

from firmware.engine import events
from firmware.engine.manipulation import MINI_SPIN
from firmware.engine.tables import FALL_US
from tests.support.drill import Drill

ROOF = """
    ....##....
    ..........
    ..........
"""
CAVE = """
    ####......
    ..........
    ..........
"""


@pytest.mark.parametrize(
    ("script", "faults"),
    [
        pytest.param("left hard 200 cw right right hard 200 hard 200", 0, id="no more presses than needed"),
        pytest.param("left right hard 200 cw cw cw hard 200", 2, id="one press too many for each of two"),
        pytest.param("+left 600 hard", 0, id="a held direction reaches the wall with one press"),
        pytest.param("left left left hard 200", 1, id="taps to the wall"),
        pytest.param("left right soft hard", 1, id="a tap before the Hard Drop"),
        pytest.param("soft left right hard", 1, id="a tap before the moves"),
        pytest.param("left right +soft 1000 -soft hard", 1, id="a drop to the floor"),
        pytest.param("+soft 1000 -soft left right hard", 1, id="a drop to the floor, moves there"),
        pytest.param("left soft hard", 0, id="no needless press before a tap"),
        pytest.param("+soft 1000 -soft cw hard", 0, id="no needless press on the floor"),
    ],
)
def test_faults_are_presses_not_needed_and_a_soft_drop_hides_none(script: str, faults: int) -> None:
    assert Drill("T", script=script).game.statistics.faults == faults


@pytest.mark.parametrize("soft_factor", [5, 20, 1000])
def test_a_tap_before_every_hard_drop_changes_no_finesse(soft_factor: int) -> None:
    for tap in ("", "soft ", "+soft 30 -soft "):
        script = f"left right right {tap}hard 300 " * 6
        assert Drill("IJLOSTZ", script=script, soft_factor=soft_factor).game.statistics.faults == 6


class TestWhatOnlyADropReaches:
    def test_a_place_under_blocks_is_not_judged(self) -> None:
        drill = Drill("O", art=CAVE, script="+soft 1000 -soft right left left left hard")
        assert drill.game.matrix.rows[0][3], "it slid under the roof"
        assert drill.game.statistics.faults == 0

    def test_nor_is_one_that_a_fall_without_soft_drop_reaches(self) -> None:
        drill = Drill("O", art=ROOF, script="left left left left", level=13)
        drill.until(events.LANDED)
        drill.act("right right hard")
        assert drill.game.statistics.faults == 0

    def test_a_block_above_one_mino_is_enough(self) -> None:
        """S stands open at its right and under a Block at its left."""
        drill = Drill("S", art="...#......\n..........\n..........")
        drill.act("right right +soft 1000 -soft left left hard")
        assert [bool(cell) for cell in drill.game.matrix.rows[0][2:6]] == [False, True, True, False]
        assert drill.game.statistics.faults == 0

    def test_a_t_spin_in_the_open_is_not_judged(self) -> None:
        """The same place by a Hard Drop alone would be no Mini T-Spin."""
        drill = Drill("T", art=".#........", script="left left left +soft 1000 -soft cw hard")
        assert drill.game.spun == MINI_SPIN
        assert drill.game.statistics.faults == 0


class TestHighGravity:
    """From level 14 on a Tetrimino lands before it can reach its column: moves on a Surface are the only way."""

    def test_a_row_of_level_14_ends_before_auto_repeat_begins(self) -> None:
        assert 20 * FALL_US[13 - 1] > 300_000 > 20 * FALL_US[14 - 1]

    @pytest.mark.parametrize(("level", "faults"), [(13, 1), (14, 0), (15, 0)])
    def test_moves_on_a_surface_after_soft_drop(self, level: int, faults: int) -> None:
        drill = Drill("T", script="+soft 400 -soft left right hard", level=level)
        assert drill.game.statistics.faults == faults
