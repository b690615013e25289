"""Guideline 5.1, 5.3, 9: moves and turns of every Tetrimino and Facing, compared with cells."""

import itertools
from collections.abc import Set

import pytest

from firmware.engine.manipulation import FULL_SPIN, MINI_SPIN, NO_SPIN, Manipulation
from firmware.engine.tables import POINTS
from sim.bots.places import cells_of

FACINGS = [(piece, facing) for piece in range(1, 8) for facing in range(4)]
TURNS = [(piece, facing, clockwise) for piece, facing in FACINGS for clockwise in (0, 1)]
Cells = Set[tuple[int, int]]


def read_cells(manipulation: Manipulation) -> Cells:
    rows = (manipulation.a, manipulation.b, manipulation.c, manipulation.d)
    return {(bit - 3, manipulation.y + row) for row, mask in enumerate(rows) for bit in range(20) if mask >> bit & 1}


def fill(manipulation: Manipulation, blocks: Cells) -> None:
    for y in range(40):
        manipulation.matrix.set_row(y, bytes(8 if (x, y) in blocks else 0 for x in range(10)))


def make_manipulation(piece: int, x: int, y: int, facing: int, blocks: Cells | None = None) -> Manipulation:
    manipulation = Manipulation()
    fill(manipulation, blocks or set())
    assert manipulation.place(piece, x, y, facing)
    return manipulation


def all_cells_except(cells: Cells) -> Cells:
    return {(x, y) for x in range(10) for y in range(40)} - cells


class TestGhost24:
    @pytest.mark.parametrize(("piece", "facing"), FACINGS)
    def test_2_4_the_ghost_lies_as_low_as_the_tetrimino_falls(self, piece: int, facing: int) -> None:
        shape = cells_of(piece, facing, 0, 0)
        for x, blocks in itertools.product(range(-2, 9), ({(4, 2)}, {(3, 5), (6, 0), (1, 9)}, set[tuple[int, int]]())):
            if not all(0 <= x + column < 10 for column, _ in shape):
                continue
            manipulation = make_manipulation(piece, x, 15, facing, blocks)
            y = 15
            while all(y - 1 + row >= 0 and (x + column, y - 1 + row) not in blocks for column, row in shape):
                y -= 1
            assert manipulation.ghost_y == y

    def test_2_4_the_ghost_lies_below_an_overhang_like_the_tetrimino(self) -> None:
        manipulation = make_manipulation(4, 3, 5, 0, {(x, 9) for x in range(10)} | {(4, 2)})
        assert manipulation.ghost_y == 2 and manipulation.shift(1) and manipulation.shift(1)
        assert manipulation.ghost_y == -1

    def test_2_4_the_ghost_lies_on_a_block_that_only_an_upper_mino_would_hit(self) -> None:
        # The S's left column starts one row higher than its middle one.
        manipulation = make_manipulation(5, 3, 10, 1, {(4, 4)})
        assert manipulation.ghost_y == 4 and manipulation.turn(0) == 1 and manipulation.ghost_y == 4


class TestMovement5:
    @pytest.mark.parametrize(("piece", "facing"), FACINGS)
    def test_5_1_a_block_beside_any_mino_stops_a_step(self, piece: int, facing: int) -> None:
        shape = cells_of(piece, facing, 0, 0)
        for step in (-1, 1):
            for column, row in shape:
                beside = (4 + column + step, 10 + row)
                if (column + step, row) in shape:
                    continue
                manipulation = make_manipulation(piece, 4, 10, facing, {beside})
                before = read_cells(manipulation)
                assert not manipulation.shift(step) and (manipulation.x, read_cells(manipulation)) == (4, before)

    @pytest.mark.parametrize(("piece", "facing"), FACINGS)
    def test_5_1_a_step_moves_every_mino_and_stops_at_the_walls(self, piece: int, facing: int) -> None:
        shape = cells_of(piece, facing, 0, 0)
        manipulation = make_manipulation(piece, 4, 10, facing)
        for step, furthest, wall in ((-1, min, 0), (1, max, 9)):
            while manipulation.shift(step):
                assert read_cells(manipulation) == {(manipulation.x + x, 10 + y) for x, y in shape}
            assert furthest(x for x, _ in read_cells(manipulation)) == wall

    @pytest.mark.parametrize(("piece", "facing", "clockwise"), TURNS)
    def test_5_3_a_free_turn_takes_the_shape_of_the_new_facing(self, piece: int, facing: int, clockwise: int) -> None:
        manipulation = make_manipulation(piece, 4, 10, facing)
        after = (facing + (1 if clockwise else -1)) % 4
        shape = cells_of(piece, after, 0, 0)
        assert (manipulation.turn(clockwise), manipulation.facing) == (1, after)
        assert read_cells(manipulation) == {(manipulation.x + x, manipulation.y + y) for x, y in shape}
        assert manipulation.base == min(y for _, y in shape), "`base` is the row of the lowest Mino"
        placed = make_manipulation(piece, 4, 10, facing)
        assert placed.base == min(y for _, y in cells_of(piece, facing, 0, 0)), "also after place()"

    @pytest.mark.parametrize(("piece", "facing", "clockwise"), TURNS)
    def test_5_3_a_turn_without_a_free_point_changes_nothing(self, piece: int, facing: int, clockwise: int) -> None:
        if piece == 4:
            return  # an O has the same cells in every Facing
        here = cells_of(piece, facing, 4, 10)
        manipulation = make_manipulation(piece, 4, 10, facing, all_cells_except(here))
        assert manipulation.turn(clockwise) == 0
        assert (manipulation.facing, manipulation.x, manipulation.y) == (facing, 4, 10)
        assert read_cells(manipulation) == here

    @pytest.mark.parametrize(("piece", "facing", "clockwise"), TURNS)
    def test_a1_4_the_first_free_point_is_taken(self, piece: int, facing: int, clockwise: int) -> None:
        shape = cells_of(piece, (facing + (1 if clockwise else -1)) % 4, 0, 0)
        here = cells_of(piece, facing, 4, 10)
        first = (80 if piece == 1 else 0) + facing * 20 + clockwise * 10
        points = [(POINTS[index] - 2, POINTS[index + 1] - 2) for index in range(first, first + 10, 2)]
        targets = [{(4 + dx + x, 10 + dy + y) for x, y in shape} for dx, dy in points]
        for target in targets:
            # Only the cells before the turn and those of one point are free. A T may also fit at an earlier point.
            manipulation = make_manipulation(piece, 4, 10, facing, all_cells_except(here | target))
            taken = next(index for index in range(5) if targets[index] <= here | target)
            assert manipulation.turn(clockwise) == taken + 1
            assert (manipulation.x, manipulation.y) == (4 + points[taken][0], 10 + points[taken][1])
            assert read_cells(manipulation) == targets[taken] and manipulation.point_5_used == (taken == 4)

    @pytest.mark.parametrize(("piece", "facing", "clockwise"), TURNS)
    def test_a1_4_every_mino_of_the_turned_shape_must_be_free(self, piece: int, facing: int, clockwise: int) -> None:
        here = cells_of(piece, facing, 0, 0)
        for column, row in cells_of(piece, (facing + (1 if clockwise else -1)) % 4, 0, 0) - here:
            manipulation = make_manipulation(piece, 4, 10, facing, {(4 + column, 10 + row)})
            assert manipulation.turn(clockwise) != 1


NOSES = {0: {"ul", "ur"}, 1: {"ur", "lr"}, 2: {"ll", "lr"}, 3: {"ul", "ll"}}
CORNERS = {"ll": (4, 10), "lr": (6, 10), "ul": (4, 12), "ur": (6, 12)}
POCKET = set(CORNERS.values())


class TestSpins9:
    @pytest.mark.parametrize("point_5", [False, True])
    @pytest.mark.parametrize("facing", range(4))
    def test_9_1_three_corners_decide_and_the_cell_behind_does_not_count(self, facing: int, point_5: bool) -> None:
        behind = {(4 + x, 10 + y) for x in range(3) for y in range(3)}
        behind -= cells_of(6, facing, 4, 10) | set(CORNERS.values())
        for count in range(5):
            for taken in itertools.combinations(CORNERS, count):
                for extra in (set[tuple[int, int]](), behind):
                    manipulation = make_manipulation(6, 4, 10, facing, {CORNERS[corner] for corner in taken} | extra)
                    manipulation.turned_last = True
                    manipulation.point_5_used = point_5
                    nose = len(NOSES[facing] & set(taken))
                    expected = NO_SPIN if count < 3 else FULL_SPIN if nose == 2 or point_5 else MINI_SPIN
                    assert manipulation.spin() == expected, (taken, extra)

    def test_9_a_t_placed_without_a_turn_is_no_spin(self) -> None:
        assert make_manipulation(6, 4, 10, 1, POCKET).spin() == NO_SPIN

    def test_9_a_t_that_moved_after_its_turn_is_no_spin(self) -> None:
        manipulation = make_manipulation(6, 3, 10, 1, {(5, 9), (6, 13)})
        assert manipulation.turn(0) and manipulation.shift(1)
        fill(manipulation, POCKET - {(6, 10)})
        assert not manipulation.turned_last and manipulation.spin() == NO_SPIN

    def test_9_a_t_that_fell_after_its_turn_is_no_spin(self) -> None:
        manipulation = make_manipulation(6, 4, 11, 1)
        assert manipulation.turn(0)
        manipulation.sink(1)
        fill(manipulation, POCKET)
        assert manipulation.spin() == NO_SPIN


class TestPlaces:
    @pytest.mark.parametrize(("lowest", "inside"), [(18, True), (19, True), (20, False), (21, False)])
    @pytest.mark.parametrize(("piece", "facing"), FACINGS)
    def test_10_a_lock_out_needs_every_mino_above_the_skyline(
        self, piece: int, facing: int, lowest: int, inside: bool
    ) -> None:
        manipulation = make_manipulation(piece, 4, lowest - min(y for _, y in cells_of(piece, facing, 0, 0)), facing)
        assert manipulation.settle() is inside

    def test_10_a_block_out_needs_one_mino_on_a_block(self) -> None:
        for piece, facing in FACINGS:
            shape = cells_of(piece, facing, 0, 0)
            for column, row in itertools.product(range(4), range(4)):
                manipulation = Manipulation()
                fill(manipulation, {(3 + column, 18 + row)})
                assert manipulation.place(piece, 3, 18, facing) == ((column, row) not in shape)
                assert manipulation.piece == piece and ((column, row) not in shape or manipulation.ghost_y == 18)

    @pytest.mark.parametrize("asked", [True, False])
    def test_the_ghost_is_right_whether_read_often_or_once(self, asked: bool) -> None:
        """CPython computes the ghost when it is read: after each movement, or after all."""
        manipulation = make_manipulation(6, 3, 10, 0, {(x, 0) for x in range(4)})
        manipulation.shift(1)
        assert not asked or manipulation.ghost_y == -1
        manipulation.turn(1)
        assert not asked or manipulation.ghost_y == 0
        manipulation.sink(2)
        assert manipulation.ghost_y == 0
        manipulation.ghost_y = 3  # as when a suspended game is restored
        assert manipulation.ghost_y == 3
        manipulation.shift(1)
        assert manipulation.ghost_y == 0

    def test_a_tetrimino_rests_if_it_cannot_fall(self) -> None:
        manipulation = make_manipulation(6, 3, 1, 0, {(4, 0)})
        assert not manipulation.rests()
        manipulation.sink(1)
        assert manipulation.rests()
