"""Keep which puzzles are solved, and by how few tries.

The record: format (1 byte), then four bits for each puzzle, the first in the low ones. 0 is not solved, else the fewest
tries, 15 for more.
"""

from firmware.compat import TYPE_CHECKING, const

if TYPE_CHECKING:
    from firmware.contracts import Blob, Buffer

_MOST_TRIES = const(15)

_FORMAT = const(1)


class Progress:
    """Hold the tries of `count` puzzles; a record of another length is read as far as it goes."""

    def __init__(self, count: int, record: "Blob") -> None:
        self.tries = bytearray(count)
        if len(record) and record[0] == _FORMAT:
            for i in range(min(count, 2 * (len(record) - 1))):
                self.tries[i] = record[1 + i // 2] >> 4 * (i & 1) & 15

    def mark_solved(self, number: int, tries: int) -> bool:
        """Note that a puzzle is solved; return whether that is new, or better."""
        tries = min(tries, _MOST_TRIES)
        if self.tries[number] and self.tries[number] <= tries:
            return False
        self.tries[number] = tries
        return True

    def count(self) -> int:
        """Return how many are solved."""
        total = 0
        for tries in self.tries:
            if tries:
                total += 1
        return total

    def pack(self, buffer: "Buffer") -> int:
        """Write the record to `buffer`; return its length."""
        buffer[0] = _FORMAT
        length = 1 + (len(self.tries) + 1) // 2
        for i in range(1, length):
            buffer[i] = 0
        for i in range(len(self.tries)):
            buffer[1 + i // 2] |= self.tries[i] << 4 * (i & 1)
        return length
