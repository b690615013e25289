"""Encode the events of a player's game, and hash them.

An event is its kind << 4 with four bits of its own, the match time in three bytes, little-endian, and:

    LOCK   1  whom it attacks, a bit each   piece << 5 | facing << 3 | hold, x + 3, y + 3, lines sent, countered, queued
    HOLD   2  -
    RISE   3  -                             rows that rose
    OUT    4  why
    CLEAR  5  lines, for those who gather them together
    LATE   6  who sent                      lines that came later than their flight: they enter now
    ROUND  7  -                             number of the round that begins; its moment is 0
    START  8  -                             run, round, and when: 16 bits of the clock of who says so
    GONE   9  who is away                   how much is known of that player, 15 bits, and 1 for who told what cannot be
    SUM   10  -                             hash of the round that is over, 32 bits
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.randomizer import Bag, Random

if TYPE_CHECKING:
    from firmware.contracts import Blob, Matrix

LOCK = const(1)
HOLD = const(2)
RISE = const(3)
OUT = const(4)
CLEAR = const(5)
LATE = const(6)
ROUND = const(7)
START = const(8)
GONE = const(9)
SUM = const(10)

GUILTY = const(1 << 15)

SIZES = b"\x00\x0a\x04\x05\x04\x04\x05\x05\x08\x06\x08\x00\x00\x00\x00\x00"

_ROOM = const(384)
_KEPT = const(64)  # of earlier moments, a power of 2


class EventQueue:
    """Queue events as bytes until they are sent. used: how many. lost: whether the queue ever overflowed."""

    def __init__(self) -> None:
        self.bytes = bytearray(_ROOM)
        self.used = 0
        self.lost = False

    def add(self, head: int, time_ms: int) -> int:
        """Begin an event with this first byte; return the place of its fifth byte."""
        size = SIZES[head >> 4]
        at = self.used
        if at + size > _ROOM:
            self.lost = True
            at = 0
        else:
            self.used += size
        self.bytes[at] = head
        self.bytes[at + 1] = time_ms & 255
        self.bytes[at + 2] = time_ms >> 8 & 255
        self.bytes[at + 3] = time_ms >> 16 & 255
        return at + 4

    def add_number(self, head: int, time_ms: int, number: int) -> None:
        """Add an event with one byte after its time."""
        at = self.add(head, time_ms)
        self.bytes[at] = number

    def drop(self, count: int) -> None:
        """Forget the first `count` bytes."""
        rest = self.used - count
        for i in range(rest):
            self.bytes[i] = self.bytes[i + count]
        self.used = rest


def read_moment_of(event: "Blob", at: int) -> int:
    """Return the time of an event."""
    return event[at + 1] | event[at + 2] << 8 | event[at + 3] << 16


def read_number(frame: "Blob", at: int) -> int:
    """Read 30 bits of a frame or an event."""
    return frame[at] | frame[at + 1] << 8 | frame[at + 2] << 16 | (frame[at + 3] & 63) << 24


def write_number(frame: bytearray, at: int, number: int) -> None:
    """Write 30 bits into a frame or an event."""
    for i in range(4):
        frame[at + i] = number >> 8 * i & 255


def mix(value: int, number: int) -> int:
    """Return the 30-bit hash `value` mixed with a number."""
    return ((value & 0x1FFFFFF) << 5 | value >> 25) ^ number


class Chronicle:
    """Hash the events of one player and remember recent hashes.

    value: 30 bits. count: how many events it covers.
    """

    def __init__(self) -> None:
        self.value = 0
        self.count = 0
        self.moments_ms = [0] * _KEPT
        self.values = [0] * _KEPT

    def fold(self, number: int) -> None:
        """Mix a number below 2**24 into the hash."""
        value = self.value
        self.value = ((value & 0x1FFFFFF) << 5 | value >> 25) ^ number

    def close(self, time_ms: int) -> None:
        """End an event of this time."""
        self.fold(time_ms)
        self.moments_ms[self.count & _KEPT - 1] = time_ms
        self.values[self.count & _KEPT - 1] = self.value
        self.count += 1

    def cut(self, count: int) -> None:
        """Forget all but the first `count` events."""
        if count < self.count:
            self.count = count
            self.value = self.values[count - 1 & _KEPT - 1] if count else 0

    def cut_after(self, time_ms: int) -> None:
        """Forget the events after a moment."""
        count = self.count
        while count and count > self.count - _KEPT and self.moments_ms[count - 1 & _KEPT - 1] > time_ms:
            count -= 1
        self.cut(count)


def note_lock(chronicle: Chronicle, event: "Blob", at: int, matrix: "Matrix", now_ms: int) -> None:
    """Mix in a Lock Down, with the Matrix before its rows go."""
    value = chronicle.value
    value = ((value & 0x1FFFFFF) << 5 | value >> 25) ^ event[at]  # like `fold`: 20 calls would take a board 0.3 ms
    for i in range(at + 4, at + 10):
        value = ((value & 0x1FFFFFF) << 5 | value >> 25) ^ event[i]
    masks = matrix.masks
    for y in range(matrix.top):
        value = ((value & 0x1FFFFFF) << 5 | value >> 25) ^ masks[y]
    chronicle.value = value
    chronicle.close(now_ms)


class Hand:
    """Know a player's Tetriminos: all players get the same, in the same order.

    piece: in play. next: the six after it. hold.
    """

    def __init__(self, seed: int) -> None:
        self.bag = Bag(Random(seed))
        self.next = bytearray(6)
        for i in range(6):
            self.next[i] = self.bag.deal()
        self.hold = self.piece = 0
        self.draw()

    def draw(self) -> None:
        """Bring the next Tetrimino into play."""
        queue = self.next
        self.piece = queue[0]
        for i in range(5):
            queue[i] = queue[i + 1]
        queue[5] = self.bag.deal()

    def exchange(self) -> None:
        """Hold the Tetrimino in play."""
        held = self.hold
        self.hold = self.piece
        if held:
            self.piece = held
        else:
            self.draw()
