"""Leave a word for the next run of code.py, which starts with an empty heap; RAM that a reload spares carries it."""

from firmware.compat import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

sleep_memory: "Any"
try:
    from alarm import sleep_memory
except ImportError:
    sleep_memory = None  # a board without it goes on in the heap it has

_MARK = b"Sky"
_LENGTH_AT = 3
_WORD_AT = 4


def leave(word: bytes) -> bool:
    """Keep up to 64 bytes for `take` after the next reload; return whether this board can."""
    if sleep_memory is None:
        return False
    sleep_memory[0:_WORD_AT] = _MARK + bytes((len(word),))
    sleep_memory[_WORD_AT : _WORD_AT + len(word)] = word
    return True


def take() -> bytes:
    """Return the word that the last run left, or nothing; it is taken once."""
    if sleep_memory is None or bytes(sleep_memory[0:_LENGTH_AT]) != _MARK:
        return b""
    sleep_memory[0] = 0
    return bytes(sleep_memory[_WORD_AT : _WORD_AT + sleep_memory[_LENGTH_AT]])
