"""Find where a Tetrimino of a batch can go, and turn it there, as firmware/engine/manipulation.py does."""

from typing import Any

import numpy as np

from firmware.engine.game import SPAWN_X
from tools.bots.batch.blocks import fits
from tools.bots.batch.compiling import compiled, inlined
from tools.bots.batch.state import SKYLINE
from tools.bots.strong import columns as bits

DROPS = 40
PLACES = DROPS * (SKYLINE + 1)

# facing: the fewest turns to it
_TURNS = np.array([0, 1, 2, 1])
_LEFT = 3  # the facing after one turn counterclockwise
_POINT_5 = 4


@compiled
def turn(wide: Any, piece: int, facing: int, x: int, y: int, clockwise: int) -> tuple[int, int, int]:
    """Turn a piece by SRS; return the rotation point from 0 to 4 and the new x and y; point -1 if all five fail."""
    box = 1 if piece == bits.I else 0
    other = facing + 2 * clockwise - 1 & 3
    for point in range(5):
        other_x = x + bits.POINT_X[box, facing, clockwise, point]
        other_y = y + bits.POINT_Y[box, facing, clockwise, point]
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
    y = -bits.ROWS
    for i in range(4):
        height = bits.ROWS - bits.find_lowest(columns[x + bits.CELL_X[piece, facing, i]] | 1 << bits.ROWS)
        y = max(y, height - bits.CELL_Y[piece, facing, i])
    return y


@compiled
def find_places(columns: Any, piece: int, scratch: bits.Scratch, spins: int) -> int:
    """Find all landings of a piece with all spins of each, by the option `spins`.

    Return how many kinds of spins to look at, 0 if the piece cannot enter.
    """
    top = bits.widen(columns, scratch.wide)
    kinds = bits.find_landings(scratch, top, piece, spins)
    # Only a Mini can turn on into a T-Spin, so most searches are exact without more.
    if kinds and piece == bits.T and scratch.landings[bits.MINI_SPIN].any():
        bits.find_exactly(scratch, top, piece, False)
    return kinds


@inlined
def find_bits(landings: Any, kinds: int, facing: int, spot: int) -> int:
    found = landings[bits.NO_SPIN, facing, spot]
    for spin in range(1, kinds):
        found |= landings[spin, facing, spot]
    return found


@compiled
def find_best_spin(landings: Any, kinds: int, facing: int, spot: int, bit: int) -> int:
    for spin in range(kinds - 1, bits.NO_SPIN, -1):
        if landings[spin, facing, spot] & bit:
            return spin
    return bits.NO_SPIN
