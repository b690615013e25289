"""Draw Blocks as the player likes: with their Tetrimino's pattern, solid, or as outlines."""

from firmware.compat import const
from firmware.view.minos import MINOS

_MINO_ROWS = const(5)
_LAST_BLOCK = const(8)
_LAST_IN_PLAY = const(15)
_FLASH = const(32)  # all lit; the plain Blocks follow

PATTERNS = const(0)
SOLID = const(1)
OUTLINES = const(2)


def choose_mino(kind: int, blocks: int) -> int:
    """Return which Mino of art.MINOS shows `kind` if Blocks look like `blocks`.

    With solid Blocks a Tetrimino in play has no marks either: it stays the brighter one.
    """
    if not blocks or not kind or kind > _LAST_IN_PLAY:
        return kind
    if kind <= _LAST_BLOCK:
        return _FLASH + blocks
    return _FLASH if blocks == SOLID else kind


def choose_minos(blocks: int) -> bytes:
    """Return art.MINOS with every Mino as choose_mino has it."""
    minos = bytearray()
    for kind in range(len(MINOS) // _MINO_ROWS):
        at = choose_mino(kind, blocks) * _MINO_ROWS
        minos.extend(MINOS[at : at + _MINO_ROWS])
    return bytes(minos)
