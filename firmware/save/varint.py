"""Write whole numbers into bytes as LEB128, seven bits a byte, lowest first, and read them again."""

from firmware.compat import TYPE_CHECKING, const

if TYPE_CHECKING:
    from firmware.contracts import Any, Buffer

_LONGEST_SHIFT = const(28)
_LOWEST = const(4)  # added to fields, which may be as low as -4: a box may overlap a wall, no combo is -1


def write(buffer: "Buffer", at: int, number: int) -> int:
    """Write `number`, 0 or more, at `at`; return the index after it."""
    while number > 127:
        buffer[at] = number & 127 | 128
        number >>= 7
        at += 1
    buffer[at] = number
    return at + 1


class Numbers:
    """Write or read the numbers of `blob` from `at` on; the same calls do both, so the order never differs.

    Beyond `end`, writing raises IndexError and reading ValueError.
    """

    def __init__(self, blob: "Any", writing: bool = False, at: int = 0) -> None:
        self.blob = blob
        self.writing = writing
        self.at = at
        self.end = len(blob)

    def get(self) -> int:
        """Return the next number, of at most 35 bits."""
        blob = self.blob
        at = self.at
        number = shift = 0
        byte = 128
        while byte > 127:
            if at >= self.end or shift > _LONGEST_SHIFT:
                raise ValueError("recording is damaged: a number at byte %d does not end" % at)
            byte = blob[at]
            at += 1
            number |= (byte & 127) << shift
            shift += 7
        self.at = at
        return number

    def walk(self, number: int) -> int:
        """Write `number`, 0 or more, or read one; return it."""
        if not self.writing:
            return self.get()
        self.at = write(self.blob, self.at, number)
        return number

    def fields(self, owner: object, names: tuple[str, ...]) -> None:
        """Write or read attributes of `owner`: numbers of -4 or more, and booleans; each keeps its type."""
        if not self.writing:
            for name in names:
                setattr(owner, name, type(getattr(owner, name))(self.get() - _LOWEST))
            return
        # Copied from `write`: games are saved in play, and calls would take half of the time.
        blob = self.blob
        at = self.at
        for name in names:
            left = getattr(owner, name) + _LOWEST
            while left > 127:
                blob[at] = left & 127 | 128
                left >>= 7
                at += 1
            blob[at] = left
            at += 1
        self.at = at

    def items(self, row: bytearray, count: int) -> None:
        """Write or read the first `count` bytes of a bytearray."""
        end = self.at + count
        if end > self.end:
            raise IndexError("items")
        if self.writing:
            self.blob[self.at : end] = row[:count]
        else:
            row[:count] = self.blob[self.at : end]
        self.at = end
