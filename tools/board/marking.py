"""Find what a garbage collection would keep, as py/gc.c does: mark from the roots, then sweep."""

import numpy as np

from tools.board.rp2040 import compiled
from tools.board.rp2040.layout import RAM_BYTES, RAM_START

BLOCK_BYTES = 16
RAM_BLOCKS = RAM_BYTES // BLOCK_BYTES
FREE, HEAD, TAIL, MARKED = range(4)
_BLOCK_WORDS = BLOCK_BYTES // 4


@compiled
def mark(ram: np.ndarray, kinds: np.ndarray, scanned: np.ndarray, roots: np.ndarray, todo: np.ndarray) -> None:
    """Change to MARKED each HEAD in `kinds` that a root refers to, directly or through other blocks.

    kinds, scanned: of each 16 bytes of RAM, its state, and whether its words may be pointers.
    todo: room for as many numbers as there are blocks.
    """
    for root in roots:
        count = _reach(kinds, root, todo, 0)
        while count:
            count -= 1
            block = todo[count]
            is_scanned = scanned[block]
            while True:
                if is_scanned:
                    for at in range(block * _BLOCK_WORDS, (block + 1) * _BLOCK_WORDS):
                        count = _reach(kinds, ram[at], todo, count)
                block += 1
                if block == RAM_BLOCKS or kinds[block] != TAIL:
                    break


@compiled
def _reach(kinds: np.ndarray, word: int, todo: np.ndarray, count: int) -> int:
    """Mark the block that a word points at, if it is a HEAD, and add it to `todo`; return the count of `todo`."""
    offset = word - RAM_START
    if 0 <= offset < RAM_BYTES and not offset % BLOCK_BYTES and kinds[offset // BLOCK_BYTES] == HEAD:
        kinds[offset // BLOCK_BYTES] = MARKED
        todo[count] = offset // BLOCK_BYTES
        count += 1
    return count


@compiled
def sweep(kinds: np.ndarray) -> None:
    """Free each HEAD that is not marked, with its tails."""
    is_kept = False
    for block in range(RAM_BLOCKS):
        if kinds[block] == HEAD or kinds[block] == MARKED:
            is_kept = kinds[block] == MARKED
        if not is_kept:
            kinds[block] = FREE
