"""Encode, queue and hash the events of a player's game. README.md describes their bytes."""

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

GUILTY = const(1 << 15)  # added to the count of events in GONE if the player is accused

SIZES = b"\x00\x0a\x04\x05\x04\x04\x05\x05\x08\x06\x08\x00\x00\x00\x00\x00"

_ROOM = const(384)  # bytes
KEPT = const(64)  # hashes of the latest events, a power of 2


class EventQueue:
    """Queue events as bytes until they are sent.

    used: how many bytes of `buffer` hold events. overflowed: whether an event ever found no room. moved_ms: the time of
    the last event that `move` took out.
    """

    def __init__(self) -> None:
        self.buffer = bytearray(_ROOM)
        self.used = 0
        self.overflowed = False
        self.moved_ms = 0

    def clear(self) -> None:
        self.used = 0

    def reserve(self, head: int, time_ms: int) -> int:
        """Begin an event with its first byte and its time; return its place in `buffer`."""
        buffer = self.buffer
        size = SIZES[head >> 4]
        at = self.used
        if at + size > _ROOM:
            self.overflowed = True
            at = 0
        else:
            self.used += size
        buffer[at] = head
        buffer[at + 1] = time_ms & 255
        buffer[at + 2] = time_ms >> 8 & 255
        buffer[at + 3] = time_ms >> 16 & 255
        return at

    def add(self, head: int, time_ms: int, number: int = 0) -> None:
        """Add an event; `number` fills the bytes after its time."""
        at = self.reserve(head, time_ms)
        for i in range(at + 4, at + SIZES[head >> 4]):
            self.buffer[i] = number & 255
            number >>= 8

    def add_lock(
        self, targets: int, time_ms: int, packed: int, x: int, y: int, sent: int, countered: int, queued: int
    ) -> int:
        """Add a Lock Down; return its place in `buffer`."""
        at = self.reserve(LOCK << 4 | targets, time_ms)
        event = self.buffer
        event[at + 4] = packed
        event[at + 5] = x
        event[at + 6] = y
        event[at + 7] = sent
        event[at + 8] = countered
        event[at + 9] = queued
        return at

    def add_start(self, time_ms: int, run: int, number: int, clock_ms: int) -> None:
        """Add the start of run `run` in round `number`. `add` cannot do it: a small integer has no room for 4 bytes."""
        at = self.reserve(START << 4, time_ms)
        event = self.buffer
        event[at + 4] = run
        event[at + 5] = number
        event[at + 6] = clock_ms & 255
        event[at + 7] = clock_ms >> 8

    def move(self, frame: bytearray, at: int, room: int) -> int:
        """Move the oldest events, at most `room` bytes, to `frame` from `at` on; return the number of bytes."""
        buffer = self.buffer
        used = self.used
        count = last = 0
        while count < used:
            size = SIZES[buffer[count] >> 4]
            if count + size > room:
                break
            last = count
            count += size
        for i in range(count):
            frame[at + i] = buffer[i]
        self.moved_ms = read_event_ms(buffer, last)
        self.used = used = used - count
        for i in range(used):
            buffer[i] = buffer[i + count]
        return count


def read_event_ms(event: "Blob", at: int) -> int:
    """Return the match time of an event."""
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


class EventHash:
    """Hash the events of one player, and remember the latest KEPT hashes.

    value: 30 bits. count: how many events were mixed in.
    """

    def __init__(self) -> None:
        self.value = 0
        self.count = 0
        self.moments_ms = [0] * KEPT
        self.values = [0] * KEPT

    def add(self, number: int, time_ms: int) -> None:
        """Mix in an event: a number below 2**24, and its time."""
        self.value = mix(self.value, number)
        self.end_event(time_ms)

    def add_lock(self, event: "Blob", at: int, matrix: "Matrix", time_ms: int) -> None:
        """Mix in a Lock Down, and the Matrix before its full rows disappear."""
        value = self.value
        value = ((value & 0x1FFFFFF) << 5 | value >> 25) ^ event[at]  # like `mix`: 20 calls would take a board 0.3 ms
        for i in range(at + 4, at + 10):
            value = ((value & 0x1FFFFFF) << 5 | value >> 25) ^ event[i]
        masks = matrix.masks
        for y in range(matrix.top):
            value = ((value & 0x1FFFFFF) << 5 | value >> 25) ^ masks[y]
        self.value = value
        self.end_event(time_ms)

    def end_event(self, time_ms: int) -> None:
        at = self.count & KEPT - 1
        self.value = self.values[at] = mix(self.value, time_ms)
        self.moments_ms[at] = time_ms
        self.count += 1

    def keep_first(self, count: int) -> None:
        """Keep only the first `count` events; at most KEPT events can be dropped."""
        if count < self.count:
            self.count = count
            self.value = self.values[count - 1 & KEPT - 1] if count else 0

    def drop_after(self, time_ms: int) -> None:
        count = self.count
        while count and count > self.count - KEPT and self.moments_ms[count - 1 & KEPT - 1] > time_ms:
            count -= 1
        self.keep_first(count)


class Hand:
    """Deal a player's Tetriminos; all players get the same ones, in the same order.

    piece: the Tetrimino in play. next: the six after it. hold: the Tetrimino in the Hold Queue, or 0.
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
