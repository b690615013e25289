"""Keep the Blocks of a game of the arrays: ten columns for the rules, cell codes for observations."""

from typing import Any

import numpy as np

from firmware.engine.profiles import PROFILES
from tools.bots.batch.compiling import compiled
from tools.bots.strong.columns import CELL_X, CELL_Y, EDGE, FIELD, ROWS, find_lowest

_PROFILES = np.array(list(PROFILES)).reshape(7, 4, 10)
_NO_PIECE = np.zeros((1, 4), np.int64)
# piece, facing: column and row of its lowest leftmost corner in the box, and its width
FIRSTS = np.concatenate((_NO_PIECE, _PROFILES[:, :, 0] & 15))
LOWS = np.concatenate((_NO_PIECE, _PROFILES[:, :, 0] >> 4))
WIDTHS = np.concatenate((_NO_PIECE, _PROFILES[:, :, 1]))


@compiled
def find_top(columns: Any) -> int:
    """Return the height of the highest Block."""
    blocks = 1 << ROWS
    for x in range(10):
        blocks |= columns[x]
    return ROWS - find_lowest(blocks)


@compiled
def fits(wide: Any, piece: int, facing: int, x: int, y: int) -> bool:
    """Return whether a piece overlaps neither Block nor wall, with its box's lower left cell at (x, y)."""
    for i in range(4):
        if wide[x + EDGE + CELL_X[piece, facing, i]] >> ROWS - 1 - y - CELL_Y[piece, facing, i] & 1:
            return False
    return True


@compiled
def raise_row(columns: Any, cells: Any, gap: int) -> bool:
    """Raise a row of garbage; return False if a Block leaves the Matrix at the top."""
    top = find_top(columns)
    for at in range(min(top, ROWS - 1) * 10 - 1, -1, -1):
        cells[at + 10] = cells[at]
    lost = 0
    for x in range(10):
        lost |= columns[x] & 1
        columns[x] >>= 1
        cells[x] = 0
        if x != gap:
            columns[x] |= 1 << ROWS - 1
            cells[x] = 8
    return lost == 0


@compiled
def clear_rows(columns: Any, cells: Any) -> int:
    """Remove the full rows; return their number."""
    full = FIELD
    for x in range(10):
        full &= columns[x]
    if not full:
        return 0
    top = find_top(columns)
    lines = 0
    while full:
        row = full & -full  # the highest one
        full ^= row
        lines += 1
        above = row - 1
        for x in range(10):
            columns[x] = columns[x] & ~(above | row) | (columns[x] & above) << 1
        for at in range((ROWS - 1 - find_lowest(row)) * 10, (top - 1) * 10):
            cells[at] = cells[at + 10]
        top -= 1
        for at in range(top * 10, top * 10 + 10):
            cells[at] = 0
    return lines
