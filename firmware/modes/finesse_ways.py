"""Find the fewest presses that lead to a place on an empty Matrix (README 8.2)."""

from firmware.compat import const
from firmware.engine.manipulation import Manipulation
from firmware.engine.profiles import FACINGS, PROFILES

_X = const(3)
_Y = const(15)
_COLUMNS = const(13)
_NONE = const(255)
_NAMES = (b"<", b">", b"<<", b">>", b"A", b"B")


def find_way(piece: int, facing: int, x: int) -> bytes:
    """Return the presses to a place, as README 8.3 writes them, apart by spaces; b"-" for none.

    A breadth-first search, turns before steps: so it turns first where that makes no difference.
    """
    tetrimino = Manipulation()
    wanted = find_cells(piece, facing, x)
    before = bytearray(b"\xff" * (4 * _COLUMNS))
    pressed = bytearray(4 * _COLUMNS)
    waiting = [_X + 3]
    before[_X + 3] = _X + 3
    for at in waiting:
        if find_cells(piece, at // _COLUMNS, at % _COLUMNS - 3) == wanted:
            return write_way(before, pressed, at)
        for press in (4, 5, 0, 1, 2, 3):
            tetrimino.place(piece, at % _COLUMNS - 3, _Y, at // _COLUMNS)
            if press >= 4:
                tetrimino.turn(5 - press)
            else:
                while tetrimino.shift(2 * (press & 1) - 1) and press >= 2:
                    pass
            there = tetrimino.facing * _COLUMNS + tetrimino.x + 3
            if before[there] == _NONE:
                before[there] = at
                pressed[there] = press
                waiting.append(there)
    return b"-"


def find_cells(piece: int, facing: int, x: int) -> int:
    """Return a number that is the same for the same cells."""
    row = (piece - 1) * 40 + facing * 10
    return facing % FACINGS[piece - 1] * _COLUMNS + x + (PROFILES[row] & 15)


def write_way(before: bytearray, pressed: bytearray, at: int) -> bytes:
    """Return the presses that led to a place."""
    way = b""
    while before[at] != at:
        way = _NAMES[pressed[at]] + b" " + way
        at = before[at]
    return way[:-1] or b"DROP"
