"""Guideline 9: T-Spins, Mini T-Spins, and turns that are neither."""

import re

import pytest

from firmware.engine.manipulation import FULL_SPIN, MINI_SPIN, NO_SPIN
from tests.support.drill import Drill

# The pictures of 9.1 are lost; each position here is rebuilt from its caption: kind and lines, facings before and
# after the turn, and the rotation point. The values are the rows of Blocks, and the T's box before and after.
EXAMPLES = {
    "T-Spin / E-S, point 1": ("## #...# ##.#", (1, 0), (1, 0)),
    "T-Spin / S-W, point 1": ("# ...# #.#", (0, 0), (0, 0)),
    "T-Spin / N-W, point 5": ("......# . .....#.# .......# .....#.#", (4, 2), (5, 0)),
    "T-Spin / N-E, point 5": ("...# . ..#.# ..# ..#.#", (3, 2), (2, 0)),
    "T-Spin Single / E-S, point 1": ("## #...###### ##.#", (1, 0), (1, 0)),
    "T-Spin Single / N-W, point 5": ("......# . .....#.# #####..### .....#.#", (4, 2), (5, 0)),
    "T-Spin Double / E-S, point 1": ("## #...###### ##.#######", (1, 0), (1, 0)),
    "T-Spin Double / N-W, point 5": ("......# . .....#.# #####..### ######.###", (4, 2), (5, 0)),
    "T-Spin Triple / N-E, point 5": ("...# . ###.###### ###..##### ###.######", (3, 2), (2, 0)),
    "Mini T-Spin / N-E, point 2, at the wall": (".#", (0, 0), (-1, 0)),
    "Mini T-Spin / N-E, point 2, between Blocks": ("...# . ...#.#", (4, 0), (3, 0)),
    "Mini T-Spin / N-E, point 2, over a hole": (".# .", (0, 1), (-1, 1)),
    "Mini T-Spin Single / N-E, point 2, at the wall": (".#########", (0, 0), (-1, 0)),
    "Mini T-Spin Single / N-E, point 2, between Blocks": ("...# . ####.#####", (4, 0), (3, 0)),
    "Mini T-Spin / W-N, point 3": ("...#..# .", (4, 0), (3, -1)),
    "Mini T-Spin Single / W-N, point 3": ("...#..# ###...####", (4, 0), (3, -1)),
}


def place_at_start(name: str) -> Drill:
    """Return a Drill with the T at the start of an example."""
    art, (x, y), _end = EXAMPLES[name]
    drill = Drill("T", " ".join(row.ljust(10, ".") for row in art.split()))
    assert drill.game.place(6, x, y, "NESW".index(name.split("/ ")[1][0])), "the T does not fit at its start"
    return drill


def turn_by_point_5() -> Drill:
    """Return a T after a turn by point 5; by its corners alone it is a Mini T-Spin."""
    drill = Drill("T")
    drill.draw("...#......\n..........\n..#.#.....\n..........\n..#.......")
    drill.game.place(6, 3, 2, 0)
    assert drill.game.turn(1) == 5
    return drill


class TestTSpins9:
    @pytest.mark.parametrize("name", EXAMPLES)
    def test_9_1_example(self, name: str) -> None:
        kind, facings, point = re.split(" / |, ", name)[:3]
        before, after = ("NESW".index(facing) for facing in facings.split("-"))
        game = place_at_start(name).game
        assert game.turn(after == before + 1 & 3) == int(point[-1])
        assert (game.x, game.y, game.facing) == (*EXAMPLES[name][2], after)
        assert game.spin() == (MINI_SPIN if kind.startswith("Mini") else FULL_SPIN)
        game.lock_down()
        assert game.hit_count == ("T-Spin", "Single", "Double", "Triple").index(kind.split()[-1])

    def test_9_a_t_dropped_into_a_slot_is_no_t_spin(self) -> None:
        drill = Drill("T")
        drill.draw("#.#.......\n..........\n#.#.......\n")
        drill.game.place(6, 0, 8, 1)
        drill.game.turn(1)
        drill.draw("#.........\n..........\n#.#.......\n")
        drill.tap("hard")
        assert drill.game.spun == NO_SPIN

    def test_9_a_hard_drop_without_a_fall_keeps_the_t_spin(self) -> None:
        drill = place_at_start("T-Spin / E-S, point 1")
        drill.tap("cw", "hard")
        assert drill.game.spun == FULL_SPIN

    def test_9_only_a_t_spins(self) -> None:
        drill = Drill("L")
        drill.draw("#.........\n...#......\n#.#.......\n")
        drill.game.place(3, 0, 0, 2)
        drill.game.turn(1)
        drill.game.turned_last = True
        assert drill.game.spin() == NO_SPIN

    @pytest.mark.parametrize("further", [0, 1])
    def test_9_1_point_5_upgrades_a_mini_also_after_further_rotations(self, further: int) -> None:
        drill = turn_by_point_5()
        for _ in range(further):
            assert drill.game.turn(1) == 1
        assert drill.game.spin() == FULL_SPIN
        drill.game.point_5_used = False
        assert drill.game.spin() == MINI_SPIN

    @pytest.mark.parametrize("leave", ["move", "fall"])
    def test_9_1_a_move_or_a_fall_ends_the_upgrade_by_point_5(self, leave: str) -> None:
        drill = turn_by_point_5()
        game = drill.game
        game.turn(1)
        if leave == "move":
            assert game.shift(1) and game.shift(-1)
        else:
            game.sink(0)
        game.turn(0)
        game.turn(1)
        assert game.spin() == MINI_SPIN
