"""Dig through rows of garbage in the shortest time (README 1)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.game import AIM_REACHED
from firmware.engine.matrix import EDGE, GARBAGE_CELL, WIDTH
from firmware.engine.mode import Mode

if TYPE_CHECKING:
    from firmware.contracts import Game

_ROWS = const(10)
_ALL_AT_ONCE = const(18)  # most rows at the beginning: a Tetrimino needs room above
_FULL = const(0xFFFF)


def is_garbage(row: bytearray) -> bool:
    """Return whether a row is garbage; one of its first two cells is, because it has only one gap."""
    return row[0] == GARBAGE_CELL or row[1] == GARBAGE_CELL


class Dig(Mode):
    """Dig out as many rows as the option `aim` says, else ten; `goal` counts them down."""

    def begin(self, game: "Game") -> None:
        """Raise the first rows."""
        goal = game.goal = game.options.aim or _ROWS
        for _ in range(goal if goal <= _ALL_AT_ONCE else _ROWS):
            game.matrix.raise_row(self.find_gap(game))

    def find_gap(self, game: "Game") -> int:
        """Return the next row's gap, in another column than the gap of the row above it."""
        if not is_garbage(game.matrix.rows[0]):
            return game.garbage.below(WIDTH)
        gap = game.garbage.below(WIDTH - 1)
        return gap + (1 << gap + EDGE >= game.matrix.masks[0] ^ _FULL)

    def iterate(self, game: "Game") -> None:
        """Count the full rows that are garbage."""
        for i in range(game.hit_count):
            if is_garbage(game.matrix.rows[game.hits[i]]):
                game.goal -= 1

    def complete(self, game: "Game") -> None:
        """End the game after the last row, or raise a new row for each cleared row of garbage."""
        if game.goal <= 0:
            game.goal = 0
            game.end(AIM_REACHED)
            return
        for there in range(min(_ROWS, game.goal)):  # garbage is below all other rows, also after a new row
            if not is_garbage(game.matrix.rows[there]) and not game.receive(1, self.find_gap(game)):
                return

    def result(self, game: "Game") -> int:
        """Return the ranked time in ms, less is better; 0 if not finished."""
        return game.time_ms * (game.over == AIM_REACHED)


def make_mode(variant: int) -> Mode:
    return Dig()
