"""Find the places of one game of the engine with the batch's compiled search."""

from typing import Any

import numpy as np

from firmware.engine.matrix import EDGE as ROW_EDGE
from firmware.engine.matrix import Matrix
from sim.bots.places import Place
from tools.bots.batch.blocks import FIRSTS, LOWS
from tools.bots.batch.compiling import compiled, note_compiling
from tools.bots.batch.masks import mask_places
from tools.bots.batch.places import PLACES, ROOM
from tools.bots.batch.state import SKYLINE
from tools.bots.strong.columns import EDGE, FULL_SPIN, MINI_SPIN, NO_SPIN, ROWS, SPOTS, WIDE, T


class Finder:
    """Find the places of the Tetrimino in play and of the one that Hold brings, by the actions of `Skyline-v0`."""

    def __init__(self) -> None:
        note_compiling()
        self.pieces = (0, 0)
        self.mask = np.zeros(2 * PLACES, np.int8)
        self.rows = np.zeros(ROWS, np.int64)
        self.columns = np.zeros(10, np.int64)
        self.wide = np.full(WIDE, ROOM, np.int64)
        self.maps = np.zeros((3, 4, WIDE), np.int64)
        self.landings = np.zeros((2, 3, 4, SPOTS), np.int64)

    def find(self, matrix: Matrix, pieces: tuple[int, int]) -> Any:
        """Return the mask of the reachable places; a piece may be 0."""
        self.pieces = pieces
        self.rows[:] = matrix.masks[:ROWS]
        find_all(self.rows, *pieces, self.columns, self.wide, self.maps, self.landings, self.mask)
        return self.mask.copy()

    def get_place(self, action: int) -> Place | None:
        """Return the place of an action, or None if it cannot be reached."""
        if not self.mask[action]:
            return None
        half, rest = divmod(action, PLACES)
        rest, row = divmod(rest, SKYLINE + 1)
        facing, column = divmod(rest, 10)
        piece = self.pieces[half]
        x, y = column - int(FIRSTS[piece, facing]), row - int(LOWS[piece, facing])
        plain, mini, full = (int(bits) for bits in self.landings[half, :, facing, x + EDGE])
        if piece != T:
            mini = full = 0
        bit = 1 << ROWS - 1 - y
        if row == SKYLINE:
            bit = 1 << (((plain | mini | full) & 2 * bit - 1).bit_length() - 1)
            y = ROWS - bit.bit_length()
        spin = FULL_SPIN if full & bit else MINI_SPIN if mini & bit else NO_SPIN
        return Place(facing, x, y, spin, 0)


@compiled
def find_all(rows: Any, piece: int, other: int, columns: Any, wide: Any, maps: Any, landings: Any, mask: Any) -> None:
    """Write the landings of two pieces and the mask of their places; rows: the masks of the engine's Matrix."""
    columns[:] = 0
    for y in range(ROWS):
        row = rows[y] >> ROW_EDGE
        for x in range(10):
            columns[x] |= (row >> x & 1) << ROWS - 1 - y
    mask[:] = 0
    if piece:
        mask_places(columns, wide, piece, maps, landings[0], mask[:PLACES])
    if other:
        mask_places(columns, wide, other, maps, landings[1], mask[PLACES:])
