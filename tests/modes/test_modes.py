"""The rules of firmware/modes/README.md, by its sections."""

from itertools import pairwise

import pytest

from firmware.engine import events, phases
from firmware.engine.game import AIM_REACHED, BLOCK_OUT, LOCK_OUT, TOP_OUT
from firmware.engine.options import EXTENDED, INFINITE
from firmware.modes.catalogue import make_mode
from firmware.modes.survive import find_due
from firmware.view.layouts.grades import name_grade
from tests.support.drill import Drill
from tests.support.variants import DIG, MASTER, SURVIVE


def find_gaps(drill: Drill, rows: int) -> list[int]:
    """Return the column of the gap in each of the lowest rows, which must be garbage."""
    found = []
    for y in range(rows):
        row = bytes(drill.game.matrix.rows[y])
        assert sorted(row) == [0] + [8] * 9
        found.append(row.index(0))
    return found


def clear_lowest(drill: Drill, rows: int = 1) -> int:
    """Move the gaps of the lowest rows to the last column and fill them with an I; return the event bits."""
    matrix = drill.game.matrix
    for y in range(matrix.top):
        matrix.set_row(y, bytes(8 * (matrix.rows[y] != bytearray(10)) * (x < 9 or y >= rows) for x in range(10)))
    for y in range(rows, matrix.top):
        matrix.set_row(y, bytes(8 * (x != y % 9) * (x < 9) for x in range(10)))
    return drill.place("cw", *["right"] * 4)


class TestDig1:
    @pytest.mark.parametrize(("aim", "goal", "rows"), [(0, 10, 10), (10, 10, 10), (18, 18, 18), (100, 100, 10)])
    def test_1_1_matrix_begins_with_the_garbage_of_the_aim(self, aim: int, goal: int, rows: int) -> None:
        drill = Drill(mode=make_mode(DIG), aim=aim)
        assert (drill.game.goal, drill.game.matrix.top, len(find_gaps(drill, rows))) == (goal, rows, rows)

    @pytest.mark.parametrize("seed", range(8))
    def test_1_2_no_gap_is_above_another(self, seed: int) -> None:
        found = find_gaps(Drill(mode=make_mode(DIG), aim=18, seed=seed), 18)
        assert all(below != above for below, above in pairwise(found)) and len(set(found)) > 4

    def test_1_3_only_rows_of_garbage_count(self) -> None:
        drill = Drill("I", mode=make_mode(DIG), aim=10)
        drill.draw("..........\n" * 10 + "IIIIIIIII.\nIIIIIIIII.\n#########.\n")
        drill.place("cw", *["right"] * 4)
        assert (drill.game.lines, drill.game.goal) == (3, 9)

    def test_1_4_a_row_rises_for_each_row_dug_out_until_ten_are_left(self) -> None:
        drill = Drill("I", mode=make_mode(DIG), aim=100)
        game = drill.game
        assert clear_lowest(drill, 4) & events.GARBAGE and (game.goal, game.lines) == (96, 4)
        assert [8 in row for row in game.matrix.rows[:11]] == [True] * 10 + [False]
        assert len(set(find_gaps(drill, 4))) > 1, "new rows have other gaps"
        game.goal = 12
        for rows, left in ((10, 8), (8, 4)):
            drill.draw("..........\n" * 30)
            drill.draw("#########.\n" * rows)
            assert bool(clear_lowest(drill, 4) & events.GARBAGE) == (rows == 10)
            assert (game.goal, sum(8 in row for row in game.matrix.rows)) == (left, left)

    def test_1_4_a_line_without_garbage_makes_no_row_rise(self) -> None:
        drill = Drill("O", mode=make_mode(DIG), aim=100)
        drill.draw("IIII..IIII\n", 10)
        assert not drill.place() & events.GARBAGE and (drill.game.lines, drill.game.goal) == (1, 100)

    def test_1_5_game_ends_with_the_last_row_and_its_time_is_the_result(self) -> None:
        drill = Drill("I", mode=make_mode(DIG), aim=10, level=3)
        happened = 0
        while not drill.game.over:
            happened = clear_lowest(drill, min(4, drill.game.matrix.top))
        game = drill.game
        assert (game.over, game.goal, game.level) == (AIM_REACHED, 0, 3) and happened & events.COMPLETED
        assert game.mode.result(game) == game.time_ms > 0

    def test_1_5_a_lost_game_has_no_result(self) -> None:
        drill = Drill("O", mode=make_mode(DIG), aim=18)
        while not drill.game.over:
            drill.place()
        assert drill.game.over in (BLOCK_OUT, LOCK_OUT) and drill.game.mode.result(drill.game) == 0

    def test_1_4_rising_rows_can_cause_a_top_out(self) -> None:
        drill = Drill("I", mode=make_mode(DIG), aim=100)
        for y in range(10, 40):
            drill.game.matrix.set_row(y, b"\1" + bytes(9))
        drill.game.matrix.set_row(0, bytes(10))
        drill.game.mode.complete(drill.game)
        assert drill.game.over == TOP_OUT


class TestSurvive2:
    def test_2_1_rows_are_due_faster_at_each_level(self) -> None:
        intervals = [5000, 4375, 3828, 3349, 2930, 2563, 2242, 1961, 1715, 1500, 1312, 1148, 1004, 878, 768]
        due_ms = [find_due(1, level, goal) for level in range(1, 16) for goal in range(10, 0, -1)]
        steps = [later - earlier for earlier, later in zip([0, *due_ms], due_ms, strict=False)]
        assert steps == [interval for interval in intervals for _ in range(10)]
        assert find_due(15, 15, 10) == 768, "at the level where a game begins"

    @pytest.fixture
    def drill(self) -> Drill:
        return Drill("O", mode=make_mode(SURVIVE), lock_rule=EXTENDED)

    def test_2_2_after_ten_rows_the_level_rises(self, drill: Drill) -> None:
        game = drill.game
        assert game.goal == 10
        game.time_ms = 49_999
        drill.place()
        assert (game.level, game.goal) == (1, 1)
        for y in range(40):
            game.matrix.set_row(y, bytes(10))
        game.time_ms = 50_000
        assert drill.place() & events.LEVEL_UP and (game.level, game.goal) == (2, 10)
        drill.tap("left")
        assert game.interval_us == 793_000

    def test_2_2_tenth_row_of_level_25_completes_the_game(self, drill: Drill) -> None:
        game = drill.game
        game.level, game.goal, game.time_ms = 25, 1, 1_000_000
        assert drill.place() & events.COMPLETED and (game.over, game.goal) == (AIM_REACHED, 0)

    def test_2_3_rows_rise_together_after_a_lock_down(self, drill: Drill) -> None:
        drill.game.time_ms = 15_300
        drill.wait(0)
        assert drill.game.matrix.top == 0, "never while a Tetrimino is in play"
        assert drill.place() & events.GARBAGE
        assert (len(set(find_gaps(drill, 3))), drill.game.matrix.top, drill.game.goal) == (1, 5, 7)
        assert not drill.place() & events.GARBAGE

    def test_2_3_rising_rows_can_cause_a_top_out(self, drill: Drill) -> None:
        drill.game.matrix.set_row(38, b"\1" + bytes(9))
        drill.game.time_ms = 15_000
        drill.place()
        assert drill.game.over == TOP_OUT

    @pytest.mark.parametrize("variant", [SURVIVE, MASTER])
    def test_2_4_and_3_2_infinite_placement_becomes_extended(self, variant: int) -> None:
        assert Drill(mode=make_mode(variant), lock_rule=INFINITE).game.options.lock_rule == EXTENDED

    def test_2_5_the_result_is_the_time_survived(self, drill: Drill) -> None:
        while not drill.game.over:
            drill.place()
            drill.wait(400)
        assert drill.game.mode.result(drill.game) == drill.game.time_ms > 5000


class TestMaster3:
    def drill(self, order: str, level: int = 19, art: str = "", **options: int) -> Drill:
        drill = Drill(order, art, make_mode(MASTER), **options)
        drill.game.level = level
        return drill

    def test_3_1_fall_speed_follows_the_formula_up_to_level_18(self) -> None:
        for level, interval_us in ((1, 1_000_000), (15, 7059), (18, 1457)):
            game = self.drill("O", level).game
            game.set_interval()
            assert (game.interval_us, game.phase, game.y) == (interval_us, phases.FALLING, 18)

    def test_3_1_tetrimino_appears_on_the_floor_from_level_19_on(self) -> None:
        drill = self.drill("TOI")
        drill.tap("hard")
        drill.wait(200)
        game = drill.game
        assert (drill.piece, game.phase, game.y) == ("O", phases.LOCK, game.ghost_y)

    def test_3_1_tetrimino_falls_from_an_edge_at_once(self) -> None:
        drill = self.drill("OO", art="....##....\n")
        drill.tap("left", "left", "left", "left", "hard")
        drill.wait(200)
        assert {y for _, y in drill.cells} == {1, 2}
        drill.tap("right")
        assert {y for _, y in drill.cells} == {1, 2}
        happened = drill.tap("right")
        assert {y for _, y in drill.cells} == {0, 1}
        assert happened & events.LANDED and drill.game.phase == phases.LOCK

    def test_3_1_auto_repeat_of_0_ms_begins_on_the_floor(self) -> None:
        drill = self.drill("OO", art="#.........\n#.........\n", arr_ms=0, das_ms=50)
        drill.press("left")
        drill.tap("hard")
        drill.wait(400)
        assert (min(drill.columns), {y for _, y in drill.cells}) == (1, {0, 1})

    def test_3_2_a_fall_to_no_lower_row_resets_no_moves(self) -> None:
        """Guideline 5.7: only a lower row gives fifteen moves again."""
        drill = self.drill("TT")
        drill.tap("left", "left", "left", "hard")
        drill.wait(200)
        for _ in range(15):
            assert drill.game.piece
            drill.tap("cw")
            drill.wait(1)
        assert not drill.game.piece

    @pytest.mark.parametrize(
        ("level", "lock_ms", "generation_ms", "animate_ms"),
        [(18, 500, 200, 300), (19, 500, 200, 300), (20, 450, 180, 260), (24, 280, 100, 120), (27, 170, 50, 60)],
    )
    def test_3_2_times_of_a_level(self, level: int, lock_ms: int, generation_ms: int, animate_ms: int) -> None:
        drill = self.drill("I", level)
        drill.draw("#########.\n" * 3)
        drill.tap("cw", *["right"] * 4, "hard")
        assert drill.until(events.ELIMINATED) == animate_ms and drill.until(events.GENERATED) == generation_ms
        drill.until(events.LANDED)
        drill.tap("left")
        assert drill.until(events.LOCKED) == lock_ms

    def test_3_3_grades(self) -> None:
        names = [name_grade(level).decode() for level in range(1, 29)]
        assert names == [*"987654321", *(f"S{n}" for n in range(1, 10)), *(f"M{n}" for n in range(1, 10)), "GM"]

    def test_3_3_goal_of_level_27_ends_the_game(self) -> None:
        drill = Drill("I", mode=make_mode(MASTER), level=15)
        happened = 0
        while not drill.game.over:
            happened = drill.clear(4)
        game = drill.game
        assert (game.over, game.level, game.goal, game.lines) == (AIM_REACHED, 28, 0, 132)
        assert happened & events.COMPLETED and game.mode.result(game) == game.score > 0

    def test_3_4_goals_are_ten_lines_and_surplus_lines_count(self) -> None:
        drill = Drill("I", mode=make_mode(MASTER), level=7, goal_rule=1)
        assert drill.game.goal == 10
        assert [drill.clear(4) & events.LEVEL_UP for _ in range(3)] == [0, 0, events.LEVEL_UP]
        assert (drill.game.level, drill.game.goal) == (8, 8)
