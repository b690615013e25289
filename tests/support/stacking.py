"""Choose places of Tetriminos in tests with long games: low, level and without holes."""

import itertools

from firmware.engine import controls
from firmware.engine.game import Game
from firmware.engine.tables import SHAPES

FULL = 0xFFFF

# facing, steps to the side, first column; for each column the lowest Mino and the row above the highest; the masks of
# the box's rows at this place
Placed = tuple[int, int, int, list[int], list[int], list[int]]


def placements(piece: int) -> list[Placed]:
    """Return all places of a Tetrimino that a Hard Drop reaches."""
    found = []
    for facing in range(4):
        rows = SHAPES[piece * 16 - 16 + facing * 4 :][:4]
        columns = [[y for y in range(4) if rows[y] >> x & 1] for x in range(4)]
        left = next(x for x in range(4) if columns[x])
        minos = [column for column in columns if column]
        for x in range(11 - len(minos)):
            lows, highs = [column[0] for column in minos], [column[-1] + 1 for column in minos]
            masks = [row << x - left + 3 if x >= left else row << 3 >> left - x for row in rows]
            found.append((facing, x - left - 3, x, lows, highs, masks))
    return found


PLACEMENTS = [[], *(placements(piece) for piece in range(1, 8))]


def rate(game: Game, placed: Placed, heights: list[int]) -> float:
    """Return a higher number for a Matrix that is lower, more level and with fewer holes after the fall."""
    _facing, _steps, x, lows, highs, rows = placed
    y = max(heights[x + i] - low for i, low in enumerate(lows))
    masks = game.matrix.masks
    lines = sum(row > 0 and masks[y + i] | row == FULL for i, row in enumerate(rows))
    holes = sum(y + low - heights[x + i] for i, low in enumerate(lows))
    after = heights[:]
    for i, high in enumerate(highs):
        after[x + i] = y + high
    bumps = sum((a - b) ** 2 for a, b in itertools.pairwise(after))
    return lines - y - 4 * holes - 0.06 * bumps


def choose_moves(game: Game) -> list[int]:
    """Return the controls to tap before a Hard Drop of the Tetrimino that has just appeared."""
    seen = 0
    heights = [0] * 10
    for y in range(game.matrix.top - 1, -1, -1):
        new = game.matrix.masks[y] & ~seen
        seen |= new
        for x in range(10):
            if new >> x + 3 & 1:
                heights[x] = y + 1
    facing, steps, *_ = max(PLACEMENTS[game.piece], key=lambda placed: rate(game, placed, heights))
    return [controls.ROTATE_CW] * facing + [controls.RIGHT if steps > 0 else controls.LEFT] * abs(steps)
