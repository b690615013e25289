"""Keep the Blocks of a game of the arrays: ten columns for the rules, cell codes for observations."""

from typing import Any

from tools.bots.batch.compiling import compiled
from tools.bots.shaping import BUMPS, EMPTY, HEIGHTS, HOLES
from tools.bots.strong import columns as bits


@compiled
def find_top(columns: Any) -> int:
    """Return the height of the highest Block."""
    blocks = 1 << bits.ROWS
    for x in range(10):
        blocks |= columns[x]
    return bits.ROWS - bits.find_lowest(blocks)


@compiled
def rate_blocks(columns: Any) -> int:
    """Return what `rate_matrix` of tools/bots/shaping.py returns."""
    heights = holes = bumps = last = 0
    for x in range(10):
        height = bits.ROWS - bits.find_lowest(columns[x] | 1 << bits.ROWS)
        heights += height
        holes += height - bits.count_ones(columns[x])
        bumps += abs(height - last) if x else 0
        last = height
    return EMPTY - HEIGHTS * heights - HOLES * holes - BUMPS * bumps


@compiled
def fits(wide: Any, piece: int, facing: int, x: int, y: int) -> bool:
    """Return whether a piece overlaps neither Block nor wall, with its box's lower left cell at (x, y)."""
    for i in range(4):
        column = wide[x + bits.EDGE + bits.CELL_X[piece, facing, i]]
        if column >> bits.ROWS - 1 - y - bits.CELL_Y[piece, facing, i] & 1:
            return False
    return True


@compiled
def raise_row(columns: Any, cells: Any, gap: int) -> bool:
    """Raise a row of garbage; return False if a Block leaves the Matrix at the top."""
    for at in range(min(find_top(columns), bits.ROWS - 1) * 10 - 1, -1, -1):
        cells[at + 10] = cells[at]
    for x in range(10):
        cells[x] = 0 if x == gap else 8
    return bits.raise_rows(columns, 1, gap)


@compiled
def clear_rows(columns: Any, cells: Any) -> int:
    """Remove the full rows; return their number."""
    full = bits.find_full(columns)
    if not full:
        return 0
    top = find_top(columns) * 10
    to = 0
    for at in range(top):
        if not full >> bits.ROWS - 1 - at // 10 & 1:
            cells[to] = cells[at]
            to += 1
    for at in range(to, top):
        cells[at] = 0
    return bits.clear_rows(columns, full)
