"""Choose the look of Blocks: solid as in minos.py, with their Tetrimino's pattern, or as outlines."""

from firmware.compat import const
from firmware.view.minos import MINOS

_MINO_ROWS = const(5)
_LAST_BLOCK = const(8)
_OUTLINE = const(33)  # also marks places; the patterns of the Blocks follow, which views do not use
PATTERNS = const(0)
SOLID = const(1)
OUTLINES = const(2)


def choose_mino(kind: int, blocks: int) -> int:
    """Return the index in minos.MINOS of `kind` in the look `blocks`; in each garbage differs from other Blocks."""
    if blocks == SOLID or not kind or kind > _LAST_BLOCK:
        return kind
    return _OUTLINE if blocks == OUTLINES and kind < _LAST_BLOCK else _OUTLINE + kind


def choose_minos(blocks: int) -> bytes:
    minos = bytearray()
    for kind in range(_OUTLINE + 1):
        at = choose_mino(kind, blocks) * _MINO_ROWS
        minos.extend(MINOS[at : at + _MINO_ROWS])
    return bytes(minos)
