"""Record a game in play; firmware/save/recordings/recording.py reads it and describes the format."""

from binascii import crc32

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.controls import PAUSE
from firmware.engine.options import FIELDS, Options

if TYPE_CHECKING:
    from typing import Any

PLAIN = const(1)  # formats
WITH_CHANGES = const(2)
CHANGE = const(15)  # in place of an edge, PAUSE pressed

_TAIL_BYTES = const(9)  # an end mark and the CRC
_LONGEST_GAP_MS = const((1 << 25) - 1)  # nine hours; keeps a shifted edge below 2**30


class Recorder:
    """Record the edges of a game into a buffer of a fixed size, without allocating.

    owner: None, or the MatchRecorder that notes a match here.
    """

    def __init__(self, capacity: int = 4096) -> None:
        self.buffer = bytearray(capacity)
        self.capacity = capacity
        self.used = 0
        self.last_ms = 0
        self.full = False
        self.owner: "Any" = None
        self.least = capacity

    def resize(self, capacity: int) -> None:
        """Replace the buffer by an empty one, if there is memory for it."""
        try:
            self.buffer = bytearray(capacity)
        except MemoryError:
            pass
        self.capacity = len(self.buffer)

    def begin_game(self, variant: int, seed: int, options: Options) -> None:
        """Clear the record and write the head of a new game; `seed` is 0..2**30-1."""
        self.capacity = len(self.buffer)  # a game that takes back has shared it
        if self.capacity > self.least:
            self.resize(self.least)  # a match took more
        self.buffer[0:3] = b"SKY"
        self.buffer[3] = PLAIN
        self.used = 4
        self.last_ms = 0
        self.full = False
        self.owner = None
        self.put(variant)
        self.put(seed)
        self.put(len(FIELDS))
        for name, _least, _most, _default in FIELDS:
            self.put(getattr(options, name))

    def put(self, number: int) -> None:
        """Write one number, 0..2**30-1, as LEB128."""
        used = self.used
        while number > 127:
            self.buffer[used] = number & 127 | 128
            number >>= 7
            used += 1
        self.buffer[used] = number
        self.used = used + 1

    def record_edge(self, button: int, pressed: int, time_ms: int) -> None:
        """Add an edge at the game's time; a full buffer ends the recording."""
        gap = time_ms - self.last_ms
        if self.full or gap > _LONGEST_GAP_MS or self.used + 5 + _TAIL_BYTES > self.capacity:
            self.full = True
            return
        self.put(gap << 4 | (8 if pressed else 0) | button)
        self.last_ms = time_ms

    def note_change(self, name: str, value: int) -> None:
        """Record an option's new value, 0..1023, from the last recorded edge on."""
        number = 0
        while FIELDS[number][0] != name:
            number += 1
        if self.full or self.used + 3 + _TAIL_BYTES > self.capacity:
            self.full = True
            return
        self.buffer[3] = WITH_CHANGES
        self.put((number << 10 | value) << 4 | CHANGE)

    def recorded(self, time_ms: int) -> bytes:
        """Return the whole file, ended at the game's time `time_ms`; recording may continue."""
        used = self.used
        gap = 0 if self.full else min(time_ms - self.last_ms, _LONGEST_GAP_MS)
        self.put(gap << 4 | PAUSE)
        body = bytes(self.buffer[: self.used])
        self.used = used
        return body + crc32(body).to_bytes(4, "little")
