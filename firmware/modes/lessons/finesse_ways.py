"""Find the shortest sequence of presses to a place on an empty Matrix (README 8.2)."""

from firmware.compat import const
from firmware.engine.manipulation import Manipulation
from firmware.engine.tables import SHAPES

_X = const(3)
_Y = const(15)
_COLUMNS = const(13)
_NONE = const(255)
_ROW = const(15)  # mask of the lowest row of 4x4 cells
_COLUMN = const(0x1111)  # mask of the left column
_NAMES = (b"<", b">", b"<<", b">>", b"A", b"B")


def find_way(piece: int, facing: int, x: int) -> bytes:
    """Return the presses to a place in the notation of README 8.3, separated by spaces; b"-" if it has none.

    The breadth-first search tries turns before steps, so of equal sequences it finds the one that turns first.
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
    """Return a number for the covered cells; places with equal cells have equal numbers."""
    row = (piece * 4 + facing - 4) * 4
    cells = SHAPES[row] | SHAPES[row + 1] << 4 | SHAPES[row + 2] << 8 | SHAPES[row + 3] << 12
    while not cells & _ROW:
        cells >>= 4
    while not cells & _COLUMN:
        cells >>= 1
        x += 1
    return cells << 4 | x


def write_way(before: bytearray, pressed: bytearray, at: int) -> bytes:
    way = b""
    while before[at] != at:
        way = _NAMES[pressed[at]] + b" " + way
        at = before[at]
    return way[:-1] or b"DROP"
