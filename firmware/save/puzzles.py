"""Keep the fewest tries by which each puzzle was solved.

The record: format (1 byte), then four bits for each puzzle, the first puzzle in the low bits: the fewest tries, at most
15; 0 if it is not solved.
"""

from firmware.compat import TYPE_CHECKING, const

if TYPE_CHECKING:
    from firmware.contracts import Blob, Buffer

MOST_TRIES = const(15)  # that four bits hold

_FORMAT = const(1)


class Progress:
    """Hold the tries of `count` puzzles; puzzles missing in the record are unsolved."""

    def __init__(self, count: int, record: "Blob") -> None:
        self.tries = bytearray(count)
        if len(record) and record[0] == _FORMAT:
            for i in range(min(count, 2 * (len(record) - 1))):
                self.tries[i] = record[1 + i // 2] >> 4 * (i & 1) & 15

    def mark_solved(self, number: int, tries: int) -> bool:
        """Record that a puzzle is solved; return whether this is new or took fewer tries."""
        tries = min(tries, MOST_TRIES)
        if self.tries[number] and self.tries[number] <= tries:
            return False
        self.tries[number] = tries
        return True

    def count(self) -> int:
        """Return how many puzzles are solved."""
        return len(self.tries) - self.tries.count(b"\0")

    def pack(self, buffer: "Buffer") -> int:
        buffer[0] = _FORMAT
        length = 1 + (len(self.tries) + 1) // 2
        for i in range(1, length):
            buffer[i] = 0
        for i in range(len(self.tries)):
            buffer[1 + i // 2] |= self.tries[i] << 4 * (i & 1)
        return length
