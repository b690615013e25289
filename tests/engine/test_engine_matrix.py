"""Guideline 2.4 and what a Matrix promises: rows, masks, `top` and `version` always tell the same."""

import random

import pytest

from firmware.engine.manipulation import Manipulation
from firmware.engine.matrix import Matrix
from tests.support.drill import CODES, Drill

FULL = "##########"
EMPTY = ".........."
WALLS = 0b111_0000000000_111
SOLID = 0xFFFF


def cells(row: str) -> bytes:
    return bytes(CODES.index(cell) for cell in row)


def matrix_of(*drawn: tuple[int, str]) -> Matrix:
    matrix = Matrix()
    for y, row in drawn:
        matrix.set_row(y, cells(row))
    return matrix


def text(matrix: Matrix, y: int) -> str:
    return "".join(CODES[cell] for cell in matrix.rows[y])


def assert_sound(matrix: Matrix) -> None:
    """Check the masks, the ceiling, the floor and `top` against the rows."""
    assert [len(row) for row in matrix.rows] == [10] * 40
    for y, row in enumerate(matrix.rows):
        taken = sum(1 << x + 3 for x in range(10) if row[x])
        assert matrix.masks[y] & SOLID == WALLS | taken, f"row {y}"
    assert matrix.masks[40:] == [SOLID] * 6 and not any(any(row) for row in matrix.rows[matrix.top :])


def box(manipulation: Manipulation) -> int:
    """Return the Tetrimino in its box as 16 bits, its lowest row first."""
    rows = (manipulation.a, manipulation.b, manipulation.c, manipulation.d)
    return sum((mask >> manipulation.x + 3) << 4 * index for index, mask in enumerate(rows))


class TestMatrix:
    def test_2_4_a_new_matrix_is_40_empty_rows_of_10(self) -> None:
        matrix = Matrix()
        assert_sound(matrix)
        assert (matrix.top, matrix.version) == (0, 0)

    def test_a_row_that_is_drawn_is_there_wherever_it_is(self) -> None:
        matrix = matrix_of((5, ".#.......T"), (2, "I........."), (39, "....O....."), (2, EMPTY))
        assert [text(matrix, y) for y in (5, 2, 39)] == [".#.......T", EMPTY, "....O....."]
        assert_sound(matrix)

    def test_top_is_the_first_row_above_all_blocks(self) -> None:
        matrix = matrix_of((5, "#........."), (2, "#........."), (9, EMPTY))
        assert matrix.top == 6

    @pytest.mark.parametrize("facing", range(4))
    @pytest.mark.parametrize("piece", range(1, 8))
    def test_a_lock_down_puts_every_mino_where_it_stood(self, piece: int, facing: int) -> None:
        for x in (0, 4):
            # The box of an upright I hangs over the left wall by up to two columns.
            manipulation = Manipulation()
            assert manipulation.place(piece, x, 3, facing)
            minos = {(x + bit % 4, 3 + bit // 4) for bit in range(16) if box(manipulation) >> bit & 1}
            assert len(minos) == 4
            manipulation.settle()
            matrix = manipulation.matrix
            taken = {(column, y): cell for y in range(40) for column, cell in enumerate(matrix.rows[y]) if cell}
            assert taken == dict.fromkeys(minos, piece) and matrix.top == max(y for _, y in minos) + 1
            assert_sound(matrix)

    def test_a_lock_down_below_the_highest_block_leaves_top_alone(self) -> None:
        manipulation = Manipulation()
        manipulation.matrix.set_row(12, cells("#........."))
        assert manipulation.place(6, 4, 0, 0)
        manipulation.settle()
        assert manipulation.matrix.top == 13

    @pytest.mark.parametrize(
        ("y", "marked"),
        [(-2, [0, 1]), (-1, [0, 1]), (0, [0, 1]), (1, [1]), (2, [])]
        + [(4, [7]), (5, [7, 8]), (35, []), (36, [39]), (37, [39]), (39, [39])],
    )
    def test_a1_2_4_the_full_rows_of_the_tetrimino_are_marked_and_no_others(self, y: int, marked: list[int]) -> None:
        matrix = matrix_of(*((row, FULL) for row in (0, 1, 7, 8, 39)), (2, "#########."))
        hits = bytearray(40)
        assert matrix.mark_full(y, hits) == len(marked) and list(hits[: len(marked)]) == marked

    def test_a1_2_7_what_is_above_a_line_clear_falls_and_keeps_its_order(self) -> None:
        below = ((0, "I........."), (1, FULL), (2, "J........."), (3, FULL), (4, "L........."))
        matrix = matrix_of(*below, (39, "O........."))
        matrix.collapse(bytearray([1, 3]), 2)
        assert [text(matrix, y)[0] for y in (0, 1, 2, 3, 36, 37, 38, 39)] == list("IJL..O..")
        assert_sound(matrix)

    def test_a1_2_7_top_falls_with_the_rows_cleared(self) -> None:
        matrix = matrix_of((0, FULL), (1, "#........."))
        matrix.collapse(bytearray([0]), 1)
        assert matrix.top == 1

    @pytest.mark.parametrize("gap", [0, 4, 9])
    def test_2_4_garbage_comes_from_below_open_in_one_column(self, gap: int) -> None:
        matrix = matrix_of((0, "T........."), (38, ".Z........"))
        assert matrix.raise_row(gap)
        assert [text(matrix, 0), text(matrix, 1), text(matrix, 39)] == [
            "".join("." if x == gap else "#" for x in range(10)), "T.........", ".Z........",
        ]  # fmt: skip
        assert matrix.top == 40
        assert_sound(matrix)

    def test_10_garbage_that_pushes_a_block_past_the_top_says_so(self) -> None:
        matrix = matrix_of((38, "#........."))
        assert [matrix.raise_row(0), matrix.raise_row(0)] == [True, False]
        assert_sound(matrix)

    def test_b1_3_1_a_solid_line_is_full_to_a_tetrimino_but_never_clears(self) -> None:
        matrix = Matrix()
        matrix.raise_row(10)
        assert text(matrix, 0) == FULL and matrix.mark_full(0, bytearray(40)) == 0
        assert_sound(matrix)

    def test_garbage_raises_top_by_one_row_each_and_no_higher_than_the_ceiling(self) -> None:
        matrix = Matrix()
        tops = []
        for _ in range(42):
            matrix.raise_row(3)
            tops.append(matrix.top)
        assert tops == [*range(1, 41), 40, 40]

    def test_every_change_makes_the_version_grow(self) -> None:
        manipulation = Manipulation()
        matrix = manipulation.matrix
        versions = [matrix.version]
        for y in (10, 20):
            assert manipulation.place(6, 3, y, 0)
            for change, values in (
                (matrix.set_row, (0, cells(FULL))), (manipulation.settle, ()), (matrix.collapse, (bytearray([0]), 1)),
                (matrix.raise_row, (0,)),
            ):  # fmt: skip
                change(*values)
                versions.append(matrix.version)
        assert versions == sorted(set(versions))

    def test_a_thousand_lock_downs_line_clears_and_rows_of_garbage_stay_sound(self) -> None:
        chance = random.Random(3)
        drill = Drill("", seed=3)
        for _ in range(1000):
            matrix = drill.game.matrix
            if drill.game.over or chance.random() < 0.1:
                drill = Drill("", seed=chance.randrange(1 << 30), garbage_rows=chance.randrange(12))
            elif chance.random() < 0.1:
                # A row that only waits for an upright I, wherever it is.
                gap = chance.randrange(10)
                matrix.set_row(matrix.top, cells("".join("." if x == gap else "#" for x in range(10))))
                drill.place("hold")
            else:
                names = ["cw"] * chance.randrange(4) + [chance.choice(("left", "right"))] * chance.randrange(6)
                drill.place(*names)
            assert_sound(drill.game.matrix)
