"""A bot as a yardstick for others: one ply, no Hold, rated by Pierre Dellacherie's features."""

from firmware.engine.matrix import WIDTH, Matrix
from sim.bots.places import Place
from sim.bots.protocol import LETTERS, Message, Move, find_places, read_matrix
from tools.bots.bot_server import BotServer

_FULL = (1 << WIDTH) - 1
_HEIGHT, _ERODED, _ROW_CHANGES, _COLUMN_CHANGES, _HOLES, _WELLS = -1, 1, -1, -1, -4, -1


class PlainBot(BotServer):
    """Answer the messages of a host."""

    name = "Skyline DELLACHERIE"

    def __init__(self) -> None:
        super().__init__()
        self.matrix: Matrix | None = None

    def start(self, message: Message) -> None:
        self.matrix = read_matrix(message.get("board"))

    def stop(self) -> None:
        self.matrix = None

    def suggest(self) -> tuple[Move | None, Message]:
        """Return the best place of the piece in play."""
        places = find_places(self.matrix, self.queue[0]) if self.matrix and self.queue else None
        if not self.matrix or not places:
            return None, {}
        rows = [mask >> 3 & _FULL for mask in self.matrix.masks[: self.matrix.top]]
        piece = self.queue[0]
        best = max(places, key=lambda place: rate_place(rows, piece, place))
        return Move(piece, *best[:4]), {"nodes": len(places)}

    def play(self, move: Move) -> None:
        if not self.matrix:
            raise ValueError("a play without a start")
        if not self.take_piece(move.piece):
            raise ValueError(f"{LETTERS[move.piece]} cannot be played there")
        move.lock(self.matrix)


def rate_place(rows: list[int], piece: int, place: Place) -> int:
    """Rate a place; `rows` are the Matrix rows as masks."""
    cells = Move(piece, *place[:4]).cells()
    rows = rows + [0] * (max(y for _, y in cells) + 1 - len(rows))
    for x, y in cells:
        rows[y] |= 1 << x
    full = {y for y, row in enumerate(rows) if row == _FULL}
    eroded = len(full) * sum(y in full for _, y in cells)
    height = min(y for _, y in cells) + max(y for _, y in cells)
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
    return (
        _HEIGHT * height // 2
        + _ERODED * eroded
        + _ROW_CHANGES * row_changes
        + _COLUMN_CHANGES * column_changes
        + _HOLES * holes
        + _WELLS * wells
    )
