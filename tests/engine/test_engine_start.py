"""Guideline 2.3, 3.4, A1.2.1: the start of a game, and long waits."""

import pytest

from firmware.engine import events, phases
from firmware.engine.game import Game
from firmware.engine.mode import Mode
from firmware.engine.options import Options
from firmware.engine.randomizer import Random
from tests.support.drill import Drill


class Sweeper(Mode):
    """Clear the Matrix in each Iterate Phase: the game never ends."""

    def iterate(self, game) -> None:
        for y in range(40):
            game.matrix.set_row(y, bytes(10))


def find_starting_rows(seed: int, rows: int) -> list[bytes]:
    options = Options()
    options.garbage_rows = rows
    return [bytes(row) for row in Game(seed, options).matrix.rows[:rows]]


class TestStart:
    def test_a_new_game_has_no_points_no_time_and_nothing_in_play(self) -> None:
        game = Game(77)
        assert (game.seed, game.phase, game.piece, game.over) == (77, phases.GENERATION, 0, 0)
        assert [game.score, game.lines, game.goal, game.hold, game.chain, game.lock_downs] == [0] * 6
        assert (game.time_ms, game.time_us, game.limit_ms) == (0, 0, 0)
        assert (game.hits, game.hit_count) == (bytearray(40), 0) and game.level == 1
        # A view may read these before the first Tetrimino.
        assert (game.facing, game.x, game.y, game.ghost_y) == (0, 0, 0, 0)

    def test_a_new_game_has_empty_statistics_and_results(self) -> None:
        game = Game(77)
        assert [game.action, game.spun, game.cleared, game.awarded] == [0] * 4
        counts = game.statistics
        assert counts.kinds == [0] * 15
        assert [counts.pieces, counts.holds, counts.faults, counts.back_to_backs] == [0] * 4

    def test_2_4_each_row_of_starting_blocks_has_one_gap(self) -> None:
        for seed in range(50):
            rows = find_starting_rows(seed, 15)
            assert len(rows) == 15 and all(sorted(row) == [0] + [8] * 9 for row in rows)

    def test_2_4_the_gaps_depend_on_the_seed_alone(self) -> None:
        assert find_starting_rows(5, 15) == find_starting_rows(5, 15)
        assert len({tuple(find_starting_rows(seed, 15)) for seed in range(64)}) == 64

    def test_3_3_the_bag_draws_again_to_avoid_a_modulo_bias(self) -> None:
        # 32768 is no multiple of 7: number 32767 is drawn again.
        drawing = Random(1)
        while True:
            before = drawing.a, drawing.b
            if drawing.below(32768) == 32767:
                break
        following = drawing.below(32768)
        drawing.a, drawing.b = before
        assert drawing.below(7) == following % 7

    def test_5_4_the_hard_drop_guard_skips_the_first_tetrimino(self) -> None:
        assert Drill("O", guard_ms=80).tap("hard") & events.LOCKED

    @pytest.mark.parametrize(("control", "columns"), [("cw", [3, 4]), ("ccw", [4, 5])])
    def test_5_3_initial_rotation_tries_the_points_of_its_direction(self, control: str, columns: list[int]) -> None:
        drill = Drill("T", initial_rotation=1, script="hard")
        drill.draw("....#.....", bottom=19)  # where the lowest Mino would be after a turn at point 1
        drill.act(f"+{control} 200")
        assert (drill.piece, drill.columns) == ("T", columns)

    @pytest.mark.parametrize("leap_ms", [500_000, 500_001, 1_700_000])
    def test_a_long_wait_passes_its_exact_time(self, leap_ms: int) -> None:
        drill = Drill("T", mode=Sweeper())
        drill.wait(leap_ms)
        assert (drill.game.over, drill.game.time_ms) == (0, leap_ms)
