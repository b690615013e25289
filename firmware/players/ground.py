"""Model a Matrix for the search."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.matrix import WIDTH
from firmware.engine.profiles import PROFILES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from firmware.contracts import Matrix

_FULL = const(1023)
_SOLID = const(2047)  # a row that cannot be cleared
_ROWS = const(28)
_SEEN_ROWS = const(24)
_NONE = const(-1)


class Ground:
    """Hold a Matrix for the search; bit x of a row is column x, and a row that cannot be cleared is _SOLID.

    rows: 28, empty from `top` up. cells: the number of Blocks. heights: of the ten columns. roofs: the row of the
    topmost hole of each column in `holed`. holed: the mask of columns with a hole; eaves: of columns whose hole is
    open to the side. slot: the column where a rotated T makes a T-Spin, or -1; slot_row: the upper of its two rows;
    slot_way: its last rotation. care, care_rows: masks of columns and rows; a drop outside them does not change
    `fine`. fine: the value of Tetris-ready rows and the slot. worth: the total value.
    """

    def __init__(self) -> None:
        self.rows = [0] * _ROWS
        self.heights = [0] * WIDTH
        self.roofs = [_NONE] * WIDTH
        self.cells = 0
        self.top = 0
        self.holed = 0
        self.eaves = 0
        self.slot = _NONE
        self.slot_row = 0
        self.slot_way = 0
        self.care = 0
        self.care_rows = 0
        self.fine = 0
        self.worth = 0

    def see(self, matrix: "Matrix") -> None:
        """Read the Matrix of a game; rows above the 24th are ignored."""
        rows = self.rows
        cells = 0
        top = matrix.top if matrix.top < _SEEN_ROWS else _SEEN_ROWS
        for y in range(_ROWS):
            row = 0
            if y < top:
                row = matrix.masks[y]
                row = row >> 3 & _FULL if row < 0x10000 else _SOLID
                left = row & _FULL
                while left:
                    left &= left - 1
                    cells += 1
            rows[y] = row
        self.top = top
        self.cells = cells

    def copy(self, other: "Ground") -> None:
        rows = self.rows
        for y in range(_ROWS):
            rows[y] = other.rows[y]
        self.top = other.top
        self.cells = other.cells

    def land(self, at: int, x: int) -> int:
        """Return the row where the lowest Mino of a drop lands; `at`: index of the facing in PROFILES."""
        rows = self.rows
        row_0 = PROFILES[at + 6] << x
        row_1 = PROFILES[at + 7] << x
        row_2 = PROFILES[at + 8] << x
        row_3 = PROFILES[at + 9] << x
        y = self.top
        while y and not (rows[y - 1] & row_0 or rows[y] & row_1 or rows[y + 1] & row_2 or rows[y + 2] & row_3):
            y -= 1
        return y

    def fill(self, at: int, x: int, y: int, there: "Sequence[int]", first: int, end: int, cells: int) -> int:
        """Become the Matrix `there` with a Tetrimino locked down; return the lines cleared.

        The caller measures the result. at: index of the facing in PROFILES. x, y: leftmost column and lowest row of
        the Tetrimino. there: rows from index `first` on, maybe this object's own; empty from row `end` up. cells: the
        number of Blocks in them.
        """
        rows = self.rows
        before = self.top
        for i in range(y):
            rows[i] = there[first + i]
        kept = y
        for i in range(at + 6, at + 10):
            row = PROFILES[i]
            if not row:
                break
            row <<= x
            if y < end:
                row |= there[first + y]
            y += 1
            if row != _FULL:
                rows[kept] = row
                kept += 1
        while y < end:
            rows[kept] = there[first + y]
            kept += 1
            y += 1
        self.top = kept
        lines = y - kept
        while kept < before:
            rows[kept] = 0
            kept += 1
        self.cells = cells + 4 - WIDTH * lines
        return lines
