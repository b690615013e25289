"""Bring a suspended game back to life."""

from firmware.compat import const
from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.save.numbers import Numbers
from firmware.save.suspended import FORMAT, OPTIONS, SOLID_CELL, UNCLEARABLE, walk

_HEIGHT = const(40)
_WIDTH = const(10)


def restore(buffer, make_mode) -> "Game | None":
    """Return the game of a record, which `buffer` is from its first byte to its last; None for another format.

    make_mode: as of firmware/modes/catalogue.py.  The game plays on as it would have; whoever
    starts its clock releases the controls that are `pressed` and no longer down.
    """
    numbers = Numbers(buffer, False)
    try:
        if numbers.number(0) != FORMAT:
            return None
        mode = make_mode(numbers.number(0))
        seed = numbers.number(0)
        options = Options()
        count = numbers.number(0)
        if count > len(OPTIONS):
            return None
        numbers.fields(options, OPTIONS[:count])
        game = (mode.game or Game)(seed, options, mode)
        walk(game, numbers)
        fill(game.matrix, buffer, numbers.used)
    except (IndexError, ValueError):
        return None
    return game


def fill(matrix, buffer, at: int) -> None:
    """Put the Blocks of all rows below the top into their places; `at` is where they begin."""
    top = matrix.top
    version = matrix.version
    row = bytearray(_WIDTH)
    for y in range(_HEIGHT):
        for x in range(0, _WIDTH, 2):
            pair = buffer[at] if y < top else 0
            row[x] = pair >> 4
            row[x + 1] = pair & 15
            at += 1
        solid = row[_WIDTH - 1] == SOLID_CELL
        if solid:
            row[_WIDTH - 1] = row[0]
        matrix.set_row(y, row)
        if solid:
            matrix.masks[y] = UNCLEARABLE
    matrix.top = top
    matrix.version = version
