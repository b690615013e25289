"""Record a game in play; firmware/save/recordings/recording.py reads it and describes the format."""

from binascii import crc32

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.controls import PAUSE
from firmware.engine.options import NAMES, Options
from firmware.save.varint import write

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

PLAIN = const(1)  # formats
WITH_CHANGES = const(2)
CHANGE = const(15)  # an edge of PAUSE pressed, which means a change of an option

ENTRY_BYTES = const(5)  # most bytes of an entry
TAIL_BYTES = const(9)  # an end mark and the CRC
_SHIFT = const(4)  # of the time before an edge
_BITS = const(29)  # of an entry with its time, which must be a board's small integer


class Recorder:
    """Record the edges of a game into a buffer of a fixed size, without allocating.

    owner: None, or the MatchRecorder or LinkRecorder that records a match here.
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
        """Replace the buffer by an empty one of `capacity` bytes if there is memory for it."""
        try:
            self.buffer = bytearray(capacity)
        except MemoryError:
            pass
        self.capacity = len(self.buffer)

    def begin(self, form: int, least: int, most: int, owner: object = None) -> None:
        """Begin a recording of this format in a buffer of `least` to `most` bytes."""
        self.capacity = len(self.buffer)  # a game with Rewind used only a part of the buffer
        size = max(least, min(self.capacity, most))
        if size != self.capacity:
            self.resize(size)
        self.buffer[0:3] = b"SKY"
        self.buffer[3] = form
        self.owner = owner
        self.continue_at(4, 0)

    def begin_game(self, variant: int, seed: int, options: Options) -> None:
        """Begin the recording of a new game; `seed` is 0..2**30-1."""
        self.begin(PLAIN, 0, self.least)  # a match may have enlarged the buffer
        self.put(variant)
        self.put(seed)
        self.put(len(NAMES))
        self.put_fields(options, NAMES)

    def put(self, number: int) -> None:
        """Write one number, 0..2**30-1."""
        self.used = write(self.buffer, self.used, number)

    def put_fields(self, owner: object, names: "Sequence[str]") -> None:
        """Write the options of `owner` with these names."""
        for name in names:
            self.put(getattr(owner, name))

    def put_entry(self, shift: int, entry: int, time_ms: int, tail_bytes: int) -> bool:
        """Write the time since the last entry << `shift` | `entry`; return whether there was room before the tail.

        Without room the recording ends here.
        """
        gap = time_ms - self.last_ms
        if self.full or gap >> _BITS - shift or self.used + ENTRY_BYTES + tail_bytes > self.capacity:
            self.full = True
            return False
        self.put(gap << shift | entry)
        self.last_ms = time_ms
        return True

    def record_edge(self, button: int, pressed: int, time_ms: int) -> None:
        """Add an edge at the game's time."""
        self.put_entry(_SHIFT, (8 if pressed else 0) | button, time_ms, TAIL_BYTES)

    def note_change(self, name: str, value: int) -> None:
        """Record an option's new value, 0..1023, from the last recorded edge on."""
        number = 0
        while NAMES[number] != name:
            number += 1
        if self.full or self.used + 3 + TAIL_BYTES > self.capacity:
            self.full = True
            return
        self.buffer[3] = WITH_CHANGES
        self.put((number << 10 | value) << 4 | CHANGE)

    def recorded(self, time_ms: int, shift: int = _SHIFT, entry: int = PAUSE, mark: bytes = b"") -> bytes:
        """Return the whole file, which ends at `time_ms` with `entry` and `mark`; recording may continue."""
        used = self.used
        gap = 0 if self.full else max(0, min(time_ms - self.last_ms, (1 << _BITS - shift) - 1))
        self.put(gap << shift | entry)
        body = bytes(self.buffer[: self.used]) + mark
        self.used = used
        return body + crc32(body).to_bytes(4, "little")

    def continue_at(self, used: int, last_ms: int, full: bool = False) -> None:
        """Continue after the first `used` bytes, whose last entry is at `last_ms`."""
        self.used = used
        self.last_ms = last_ms
        self.full = full
