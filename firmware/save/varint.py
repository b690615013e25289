"""Write whole numbers into bytes, or read them again, by the same walk over their owners."""

from firmware.compat import TYPE_CHECKING, const

if TYPE_CHECKING:
    from typing import Any

_LONGEST_SHIFT = const(28)
_LOWEST = const(4)  # how far fields may fall below 0: boxes hang over walls, a broken combo is -1


class Numbers:
    """Write or read LEB128 at a place of a buffer: seven bits a byte, lowest first.

    used: the bytes passed. Past the end of the buffer all raise IndexError; a number of more than 35 bits raises
    ValueError.
    """

    def __init__(self, buffer: "Any", writing: bool) -> None:
        self.buffer = buffer
        self.writing = writing
        self.used = 0

    def number(self, number: int) -> int:
        """Write `number`, 0 or more, or read one; return it."""
        buffer = self.buffer
        used = self.used
        if self.writing:
            left = number
            while left > 127:
                buffer[used] = left & 127 | 128
                left >>= 7
                used += 1
            buffer[used] = left
        else:
            number = buffer[used] & 127
            shift = 7
            while buffer[used] > 127:
                used += 1
                if shift > _LONGEST_SHIFT:
                    raise ValueError("number")
                number |= (buffer[used] & 127) << shift
                shift += 7
        self.used = used + 1
        return number

    def fields(self, owner: object, names: tuple[str, ...]) -> None:
        """Write or read attributes of `owner`: numbers of -4 or more, and booleans, which stay such."""
        if not self.writing:
            for name in names:
                setattr(owner, name, type(getattr(owner, name))(self.number(0) - _LOWEST))
            return
        # Inlined from `number`: games are saved in play, and calls would take half of the time.
        buffer = self.buffer
        used = self.used
        for name in names:
            left = getattr(owner, name) + _LOWEST
            while left > 127:
                buffer[used] = left & 127 | 128
                left >>= 7
                used += 1
            buffer[used] = left
            used += 1
        self.used = used

    def items(self, row: bytearray, count: int) -> None:
        """Write or read the first `count` bytes of a bytearray."""
        end = self.used + count
        if end > len(self.buffer):
            raise IndexError("items")
        if self.writing:
            self.buffer[self.used : end] = row[:count]
        else:
            row[:count] = self.buffer[self.used : end]
        self.used = end
