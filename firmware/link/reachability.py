"""Check whether a Tetrimino can reach the place where a remote player reports its Lock Down."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.matrix import SKYLINE

if TYPE_CHECKING:
    from firmware.contracts import Game

_FIRST_ROW = const(20)
_FIRST_CELL = const(1 << 7)  # column 4 in a row's mask: with row 20, a Mino of every Tetrimino that was just generated


def is_reachable(game: "Game", paths: "list[int]") -> bool:
    """Return whether empty cells join the Tetrimino in play to the cells where it was generated.

    A turn does not leap over Blocks: at each rotation point, the new Minos share a cell or an edge with the old ones.
    paths: a list of 42 numbers for temporary masks.
    """
    masks = game.matrix.masks
    loose = game.options.modern  # a half turn may leap to a corner
    top = max(game.matrix.top, SKYLINE)
    y = game.y
    if top == SKYLINE:  # most places have only empty cells above
        minos = game.a | game.b | game.c | game.d
        for row in range(y + game.base, top):
            minos &= ~masks[row]
        if minos:
            return True
    for row in range(top + 2):
        paths[row] = 0
    paths[_FIRST_ROW] = _FIRST_CELL
    step = -1
    idle = 0
    while idle < 2:  # until a sweep down and a sweep up find nothing new
        idle += 1
        path = 0
        row = 0 if step > 0 else top + 1
        while 0 <= row <= top + 1:
            free = ~masks[row]
            if loose:
                path |= path << 1 | path >> 1
            path = (path | paths[row]) & free
            while path != (path | path << 1 | path >> 1) & free:
                path = (path | path << 1 | path >> 1) & free
            if path != paths[row]:
                paths[row] = path
                idle = 0
            row += step
        if paths[y] & game.a or paths[y + 1] & game.b or paths[y + 2] & game.c or paths[y + 3] & game.d:
            return True
        step = -step
    return False
