"""Read the numbers that recordings of matches are made of.

A recorded game of one player (recording.py) reads its own: beside a demonstration a board lacks room for one class
more.
"""

from binascii import crc32


class Reader:
    """Read a recording byte by byte. blob: all of it. at: the next byte. end: where its check sum begins."""

    blob: bytes
    at: int
    end: int

    def open(self, blob: bytes) -> None:
        """Go behind the format; raise ValueError with one line if the check sum is wrong."""
        end = len(blob) - 4
        if crc32(blob[:end]) != int.from_bytes(blob[end:], "little"):
            raise ValueError("recording is damaged: its check sum does not match")
        self.blob = blob
        self.end = end
        self.at = 4

    def get(self) -> int:
        """Return the next number; raise ValueError if the file ends within it."""
        number = 0
        shift = 0
        while True:
            if self.at >= self.end or shift > 28:
                raise ValueError("recording is damaged: a number at byte %d does not end" % self.at)
            byte = self.blob[self.at]
            self.at += 1
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number

    def count(self, fields: tuple[tuple[str, int, int, int], ...]) -> int:
        """Read how many options follow."""
        count = self.get()
        if count > len(fields):
            raise ValueError("recording has %d options, this version of Skyline knows %d" % (count, len(fields)))
        return count

    def take(self, owner: object, fields: tuple[tuple[str, int, int, int], ...], count: int) -> None:
        """Read the first `count` options; those of a later version stay at their defaults."""
        for i in range(count):
            setattr(owner, fields[i][0], self.get())
