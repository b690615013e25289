"""Bots as yardsticks for others: one ply, no Hold, rated by Pierre Dellacherie's features, or random."""

import random
from typing import NamedTuple

from firmware.engine.matrix import WIDTH, Matrix
from sim.bots.places import Place
from sim.bots.protocol import Message, Move, find_places, read_matrix
from tools.bots.bot_server import BotServer

PLAIN, EL_TETRIS, RANDOM = "dellacherie", "el-tetris", "random"

_FULL = (1 << WIDTH) - 1
_SEED = 1


class Weights(NamedTuple):
    """What a bot adds up.

    height: of the middle of the Tetrimino.  eroded: cleared lines times its Minos in them.  lines: cleared ones.
    row_changes, column_changes: from filled to empty cells and back.  wells: 1 + 2 + ... for the rows of each.
    """

    height: float = 0
    eroded: float = 0
    lines: float = 0
    row_changes: float = 0
    column_changes: float = 0
    holes: float = 0
    wells: float = 0


# El-Tetris: https://imake.ninja/el-tetris-an-improvement-on-pierre-dellacheries-algorithm/
WEIGHTS = {
    PLAIN: Weights(-1, 1, 0, -1, -1, -4, -1),
    EL_TETRIS: Weights(
        height=-4.500158825082766,
        lines=3.4181268101392694,
        row_changes=-3.2178882868487753,
        column_changes=-9.348695305445199,
        holes=-7.899265427351652,
        wells=-3.3855972247263626,
    ),
    RANDOM: Weights(),
}


class PlainBot(BotServer):
    """Answer the messages of a host; without weights, with a random place."""

    def __init__(self, kind: str = PLAIN) -> None:
        super().__init__()
        self.name = f"Skyline {kind.upper()}"
        self.weights = WEIGHTS[kind]
        self.random = random.Random(_SEED)
        self.matrix = Matrix()

    def start(self, message: Message) -> None:
        self.matrix = read_matrix(message.get("board"))

    def suggest(self) -> tuple[Move | None, Message]:
        places = find_places(self.matrix, self.queue[0]) if self.queue else None
        if not places:
            return None, {}
        piece = self.queue[0]
        if any(self.weights):
            rows = [mask >> 3 & _FULL for mask in self.matrix.masks[: self.matrix.top]]
            best = max(places, key=lambda place: rate_place(rows, piece, place, self.weights))
        else:
            best = self.random.choice(list(places))
        return Move(piece, *best[:4]), {"nodes": len(places)}

    def lock_down(self, move: Move, held: bool) -> None:
        move.lock(self.matrix)


def rate_place(rows: list[int], piece: int, place: Place, weights: Weights) -> float:
    """Rate a place; `rows` are the Matrix rows as masks."""
    cells = Move(piece, *place[:4]).cells()
    rows = rows + [0] * (max(y for _, y in cells) + 1 - len(rows))
    for x, y in cells:
        rows[y] |= 1 << x
    full = {y for y, row in enumerate(rows) if row == _FULL}
    eroded = len(full) * sum(y in full for _, y in cells)
    height = (min(y for _, y in cells) + max(y for _, y in cells) + 1) / 2
    kept = [row for row in rows if row != _FULL]
    row_changes = column_changes = holes = wells = 0
    below, cover = _FULL, 0
    for row in kept:
        walled = row << 1 | 1 | 1 << WIDTH + 1
        row_changes += ((walled ^ walled >> 1) & (1 << WIDTH + 1) - 1).bit_count()
        column_changes += (row ^ below).bit_count()
        below = row
    column_changes += below.bit_count()
    depths = [0] * WIDTH
    for row in reversed(kept):
        cover |= row
        holes += (cover & ~row).bit_count()
        walled = row << 1 | 1 | 1 << WIDTH + 1
        for x in range(WIDTH):
            if walled >> x & 7 == 5 and not cover >> x & 1:
                depths[x] += 1
                wells += depths[x]
            else:
                depths[x] = 0
    found = height, eroded, len(full), row_changes, column_changes, holes, wells
    return sum(weight * count for weight, count in zip(weights, found, strict=True))
