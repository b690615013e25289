"""Turn bytes into frames and back: COBS between zeros, CRC-16 at the end.

After wrong bytes the receiver starts again at the next zero. It accepts only whole, correct frames.
"""

from array import array

from firmware.compat import TYPE_CHECKING, const

if TYPE_CHECKING:
    from firmware.contracts import Any, Pipe

LONGEST = const(64)  # bytes of a frame, with its CRC

_OUT = const(1024)  # size of the output buffer, a power of 2
_CHUNK = const(5)  # the most bytes of one write are 1 << this
_READS = const(4)  # reads for each poll; a flood of bytes waits for the next poll
_READ = const(128)  # bytes of one read
_SKIP = const(-1)  # in place of the distance to the next zero: ignore bytes until the frame ends
_BEGINNING = const(-2)  # the same: no byte of the frame has come
_POLYNOMIAL = const(0x11021)  # with its leading term, which clears the bit that leaves
_FIRST_CRC = const(0xFFFF)


def make_table() -> "array[int]":
    """Return the remainders of all bytes, CRC-16/CCITT."""
    table = array("H", bytes(512))
    for byte in range(256):
        crc = byte << 8
        for _ in range(8):
            crc = crc << 1 ^ (_POLYNOMIAL if crc & 0x8000 else 0)
        table[byte] = crc
    return table


class Wire:
    """Send and receive frames over a pipe without waiting.

    pipe: .read_into(buffer) returns the number of bytes read, .write(buffer) the number of bytes accepted. frame: the
    last received frame.
    """

    def __init__(self, pipe: "Pipe | None") -> None:
        self.pipe: "Any" = pipe  # a lobby always has one
        self.table = make_table()
        self.frame = bytearray(LONGEST)
        self.bytes = bytearray(_READ)
        self.count = self.at = 0
        self.reads = 0
        self.length = 0
        self.left = _BEGINNING
        self.crc = _FIRST_CRC
        self.out = bytearray(_OUT)
        self.first = self.used = 0
        piece = bytearray(1 << _CHUNK)
        self.pieces = [memoryview(piece)[: 1 << i] for i in range(_CHUNK + 1)]  # of all lengths: 0.5 KB more

    def poll(self) -> None:
        """Allow as many bytes to be read as a device can handle at once."""
        self.reads = _READS

    def push(self) -> None:
        """Write waiting bytes to the pipe."""
        out = self.out
        piece = self.pieces[_CHUNK]
        while self.used:
            size = _CHUNK
            while 1 << size > self.used:
                size -= 1
            count = 1 << size
            first = self.first
            for i in range(count):
                piece[i] = out[first + i & _OUT - 1]
            taken = self.pipe.write(self.pieces[size])
            self.first = first + taken & _OUT - 1
            self.used -= taken
            if taken < count:
                return

    def receive(self) -> int:
        """Put the next frame into `frame` and return its length without its CRC; return 0 if none is complete."""
        frame = self.frame
        table = self.table
        data = self.bytes
        at = self.at
        count = self.count
        length = self.length
        left = self.left
        crc = self.crc
        found = 0
        while True:
            if at == count:
                if self.reads:
                    self.reads -= 1
                    count = self.pipe.read_into(data)
                    at = 0
                if at == count:
                    break
            byte = data[at]
            at += 1
            if not byte:
                # A valid frame ends at its announced zero, and its CRC leaves no remainder.
                if not left and not crc and length > 2:
                    found = length - 2
                left = _BEGINNING
                crc = _FIRST_CRC
                if found:
                    break
                continue
            if left > 0:
                left -= 1
            elif left == _SKIP:
                continue
            else:
                begun = left == 0
                left = byte - 1
                if not begun:
                    length = 0
                    continue
                byte = 0
            if length == LONGEST:
                left = _SKIP
                continue
            frame[length] = byte
            length += 1
            crc = crc << 8 & 0xFFFF ^ table[crc >> 8 ^ byte]
        self.at = at
        self.count = count
        self.length = length
        self.left = left
        self.crc = crc
        return found

    def send(self, frame: bytearray, length: int) -> bool:
        """Queue the first `length` bytes of `frame`, which has room for a CRC; return whether there was room."""
        if self.used + length + 4 > _OUT:
            return False
        table = self.table
        out = self.out
        crc = _FIRST_CRC
        code = self.first + self.used
        to = code + 1
        for i in range(length + 2):
            if i == length:
                frame[i] = crc >> 8
                frame[i + 1] = crc & 255
            byte = frame[i]
            crc = crc << 8 & 0xFFFF ^ table[crc >> 8 ^ byte]
            if byte:
                out[to & _OUT - 1] = byte
            else:
                out[code & _OUT - 1] = to - code
                code = to
            to += 1
        out[code & _OUT - 1] = to - code
        out[to & _OUT - 1] = 0
        self.used += length + 4
        return True
