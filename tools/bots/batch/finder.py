"""Find the places of one game of the engine with the batch's compiled search."""

from typing import Any

import numpy as np

from firmware.engine.matrix import EDGE, Matrix
from sim.bots.places import Place
from tools.bots.batch.compiling import note_compiling
from tools.bots.batch.masks import mask_places
from tools.bots.batch.places import PLACES, find_best_spin, find_bits
from tools.bots.batch.state import SKYLINE
from tools.bots.strong import columns as bits


class Finder:
    """Find the places of the Tetrimino in play and of the one that Hold brings, by the actions of `Skyline-v0`."""

    def __init__(self) -> None:
        note_compiling()
        self.pieces = (0, 0)
        self.kinds = [0, 0]
        self.mask = np.zeros(2 * PLACES, np.int8)
        self.found = bits.make_scratch(), bits.make_scratch()
        self.find(Matrix(), (bits.I, bits.T))  # compiles while nobody waits for an answer

    def find(self, matrix: Matrix, pieces: tuple[int, int], spins: int = 0) -> Any:
        """Return the mask of the reachable places, with spins by the option; a piece may be 0."""
        self.pieces = pieces
        self.mask[:] = 0
        columns = bits.make_columns(mask >> EDGE for mask in matrix.masks[: matrix.top])
        for half, (piece, scratch) in enumerate(zip(pieces, self.found, strict=True)):
            if piece:
                part = self.mask[half * PLACES :][:PLACES]
                self.kinds[half] = mask_places(columns, piece, scratch, spins, part)
        return self.mask.copy()

    def get_place(self, action: int) -> Place | None:
        """Return the place of an action, or None if it cannot be reached."""
        if not self.mask[action]:
            return None
        half, rest = divmod(action, PLACES)
        rest, row = divmod(rest, SKYLINE + 1)
        facing, column = divmod(rest, 10)
        piece, kinds, landings = self.pieces[half], self.kinds[half], self.found[half].landings
        x, y = column - int(bits.FIRSTS[piece, facing]), row - int(bits.LOWS[piece, facing])
        bit = 1 << bits.ROWS - 1 - y
        if row == SKYLINE:
            above = int(find_bits(landings, kinds, facing, x + bits.EDGE)) & 2 * bit - 1
            bit = 1 << above.bit_length() - 1
            y = bits.ROWS - above.bit_length()
        return Place(facing, x, y, find_best_spin(landings, kinds, facing, x + bits.EDGE, bit), 0)
