"""Guideline 2.4: rows, masks, `top` and `version` of a Matrix always agree."""

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


def make_matrix(*drawn: tuple[int, str]) -> Matrix:
    matrix = Matrix()
    for y, row in drawn:
        matrix.set_row(y, cells(row))
    return matrix


def row_text(matrix: Matrix, y: int) -> str:
    return "".join(CODES[cell] for cell in matrix.rows[y])


def assert_consistent(matrix: Matrix) -> None:
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
        assert_consistent(matrix)
        assert (matrix.top, matrix.version) == (0, 0)

    def test_a_row_can_be_set_anywhere(self) -> None:
        matrix = make_matrix((5, ".#.......T"), (2, "I........."), (39, "....O....."), (2, EMPTY))
        assert [row_text(matrix, y) for y in (5, 2, 39)] == [".#.......T", EMPTY, "....O....."]
        assert_consistent(matrix)

    def test_top_is_the_first_row_above_all_blocks(self) -> None:
        matrix = make_matrix((5, "#........."), (2, "#........."), (9, EMPTY))
        assert matrix.top == 6

    @pytest.mark.parametrize("facing", range(4))
    @pytest.mark.parametrize("piece", range(1, 8))
    def test_a_lock_down_fills_the_cells_of_every_mino(self, piece: int, facing: int) -> None:
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
            assert_consistent(matrix)

    def test_a_lock_down_below_the_highest_block_keeps_top(self) -> None:
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
    def test_a1_2_4_only_full_rows_of_the_tetrimino_are_marked(self, y: int, marked: list[int]) -> None:
        matrix = make_matrix(*((row, FULL) for row in (0, 1, 7, 8, 39)), (2, "#########."))
        hits = bytearray(40)
        assert matrix.mark_full(y, hits) == len(marked) and list(hits[: len(marked)]) == marked

    def test_a1_2_7_rows_above_a_line_clear_fall_in_order(self) -> None:
        below = ((0, "I........."), (1, FULL), (2, "J........."), (3, FULL), (4, "L........."))
        matrix = make_matrix(*below, (39, "O........."))
        matrix.collapse(bytearray([1, 3]), 2)
        assert [row_text(matrix, y)[0] for y in (0, 1, 2, 3, 36, 37, 38, 39)] == list("IJL..O..")
        assert matrix.top == 38
        assert_consistent(matrix)

    @pytest.mark.parametrize("gap", [0, 4, 9])
    def test_2_4_garbage_rises_with_a_gap_in_one_column(self, gap: int) -> None:
        matrix = make_matrix((0, "T........."), (38, ".Z........"))
        assert matrix.raise_row(gap)
        assert [row_text(matrix, 0), row_text(matrix, 1), row_text(matrix, 39)] == [
            "".join("." if x == gap else "#" for x in range(10)), "T.........", ".Z........",
        ]  # fmt: skip
        assert matrix.top == 40
        assert_consistent(matrix)

    def test_10_raise_row_returns_false_if_a_block_leaves_the_matrix(self) -> None:
        matrix = make_matrix((38, "#........."))
        assert [matrix.raise_row(0), matrix.raise_row(0)] == [True, False]
        assert_consistent(matrix)

    def test_b1_3_1_a_solid_line_is_full_to_a_tetrimino_but_never_clears(self) -> None:
        matrix = Matrix()
        matrix.raise_row(10)
        assert row_text(matrix, 0) == FULL and matrix.mark_full(0, bytearray(40)) == 0
        assert_consistent(matrix)

    def test_each_garbage_row_raises_top_by_one_up_to_40(self) -> None:
        matrix = Matrix()
        tops = []
        for _ in range(42):
            matrix.raise_row(3)
            tops.append(matrix.top)
        assert tops == [*range(1, 41), 40, 40]

    def test_every_change_raises_the_version(self) -> None:
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

    def test_the_matrix_stays_consistent_over_a_thousand_lock_downs(self) -> None:
        chance = random.Random(3)
        drill = Drill("", seed=3)
        for _ in range(1000):
            matrix = drill.game.matrix
            if drill.game.over or chance.random() < 0.1:
                drill = Drill("", seed=chance.randrange(1 << 30), garbage_rows=chance.randrange(12))
            elif chance.random() < 0.1:
                # A row with one gap, which an upright I fills.
                gap = chance.randrange(10)
                matrix.set_row(matrix.top, cells("".join("." if x == gap else "#" for x in range(10))))
                drill.place("hold")
            else:
                names = ["cw"] * chance.randrange(4) + [chance.choice(("left", "right"))] * chance.randrange(6)
                drill.place(*names)
            assert_consistent(drill.game.matrix)
