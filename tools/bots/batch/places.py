"""Find where a Tetrimino of a batch can go, and turn it there, as firmware/engine/manipulation.py does."""

from typing import Any

import numpy as np

from firmware.engine.game import SPAWN_X
from tools.bots.batch.blocks import fits
from tools.bots.batch.compiling import compiled
from tools.bots.batch.state import SKYLINE
from tools.bots.strong.columns import (
    CELL_X,
    CELL_Y,
    FULL_SPIN,
    MINI_SPIN,
    POINT_X,
    POINT_Y,
    ROWS,
    SPOTS,
    I,
    T,
    find_landings,
    find_lowest,
    shift,
    widen,
)

DROPS = 40
PLACES = DROPS * (SKYLINE + 1)
ROOM = (1 << 48) - 1

# facing: the fewest turns to it
_TURNS = np.array([0, 1, 2, 1])
_LEFT = 3  # the facing after one turn counterclockwise
_POINT_5 = 4


@compiled
def turn(wide: Any, piece: int, facing: int, x: int, y: int, clockwise: int) -> tuple[int, int, int]:
    """Turn a piece by SRS; return the rotation point from 0 to 4 and the new x and y; point -1 if all five fail."""
    box = 1 if piece == I else 0
    other = facing + 2 * clockwise - 1 & 3
    for point in range(5):
        other_x = x + POINT_X[box, facing, clockwise, point]
        other_y = y + POINT_Y[box, facing, clockwise, point]
        if fits(wide, piece, other, other_x, other_y):
            return point, other_x, other_y
    return -1, x, y


@compiled
def turn_to(wide: Any, piece: int, facing: int, y: int) -> tuple[int, int, int, bool, bool]:
    """Turn a new Tetrimino to a facing, by the shorter way.

    Return its facing, x and y, whether it turned, and whether by rotation point 5.
    """
    here = 0
    x = SPAWN_X
    turned = False
    fifth = False
    clockwise = 1 if facing != _LEFT else 0
    for _ in range(_TURNS[facing]):
        point, x, y = turn(wide, piece, here, x, y, clockwise)
        if point >= 0:
            here = here + 2 * clockwise - 1 & 3
            turned = True
            fifth |= point == _POINT_5
    return here, x, y, turned, fifth


@compiled
def find_floor(columns: Any, piece: int, facing: int, x: int) -> int:
    """Return the y where a piece comes to rest that falls from above all Blocks."""
    y = -ROWS
    for i in range(4):
        height = ROWS - find_lowest(columns[x + CELL_X[piece, facing, i]] | 1 << ROWS)
        y = max(y, height - CELL_Y[piece, facing, i])
    return y


@compiled
def find_places(columns: Any, wide: Any, piece: int, maps: Any, landings: Any) -> bool:
    """Find all landings of a piece with the best spin of each; return False if it cannot enter.

    Other than `find_landings`, a T keeps rotation point 5 while it only turns (Guideline 9.1).
    """
    if not find_landings(wide, widen(columns, wide), piece, maps, landings):
        return False
    if piece == T:
        spins = 0
        for facing in range(4):
            for x in range(1, SPOTS - 1):
                spins |= landings[MINI_SPIN, facing, x]
        if spins:
            follow_fifth(maps, landings)
    return True


@compiled
def follow_fifth(maps: Any, landings: Any) -> None:
    """Turn Mini T-Spins into T-Spins that further rotations after rotation point 5 lead to."""
    free = maps[0]
    seen = maps[1]
    fifth = maps[2]
    fifth[:] = 0
    first = True
    changed = True
    while changed:
        changed = False
        for facing in range(4):
            for x in range(1, SPOTS - 1):
                starts = seen[facing, x] if first else fifth[facing, x]
                if not starts:
                    continue
                for clockwise in range(2):
                    other = facing + 2 * clockwise - 1 & 3
                    left = starts
                    for i in range(5):
                        if not left:
                            break
                        other_x = x + POINT_X[0, facing, clockwise, i] & 15
                        up = POINT_Y[0, facing, clockwise, i]
                        there = shift(left, up) & free[other, other_x]
                        left &= ~shift(there, -up)
                        if not first or i == _POINT_5:
                            new = there & ~fifth[other, other_x]
                            if new:
                                fifth[other, other_x] |= new
                                changed = True
        if first:
            first = False
            changed = True
    for facing in range(4):
        for x in range(1, SPOTS - 1):
            full = landings[MINI_SPIN, facing, x] & fifth[facing, x]
            landings[MINI_SPIN, facing, x] ^= full
            landings[FULL_SPIN, facing, x] |= full
