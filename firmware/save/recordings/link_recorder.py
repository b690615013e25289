"""Record a linked match in play; firmware/save/recordings/link_recording.py reads it and describes the format."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.controls import PAUSE
from firmware.link.events import GONE, SIZES
from firmware.save.recordings.match_recorder import put_options, start_recording

if TYPE_CHECKING:
    from firmware.contracts import Blob, Recorder
    from firmware.link.linked import LinkedMatch

LINKED = const(5)  # the format; firmware/save/recordings/match_recorder.py has others
LINKED_WITH_CHANGES = const(7)  # the local player changed options
END = const(0)  # the byte after a released PAUSE of the local player
NEXT = const(1)
LEFT = const(2)
CHANGED = const(3)

_TAIL_BYTES = const(28)  # the longest event, the end of a round, an end mark and the CRC
_SHIFT = const(6)  # of the time before an entry


class LinkRecorder:
    """Record own edges and the events of others into the buffer of a Recorder, without allocating.

    It stays after the match to replay it, so it keeps no reference to the match.
    """

    def __init__(self, recorder: "Recorder", match: "LinkedMatch", names: list[bytes]) -> None:
        self.recorder = recorder
        self.me = match.me
        self.end_ms = 0
        start_recording(recorder, LINKED, len(names), self)
        self.seed = match.first_seed
        recorder.put(match.me)
        recorder.put(match.first_seed)
        put_options(recorder, match.options, match.choices)
        for name in names:
            for letter in name:
                self.put_byte(letter)

    def note_edge(self, number: int, button: int, pressed: int, time_ms: int) -> None:
        """Add an edge of the local player at the local match time; ignore a released PAUSE."""
        if pressed or button != PAUSE:
            self.put(number << 4 | (8 if pressed else 0) | button, time_ms)

    def note_event(self, number: int, event: "Blob", at: int, time_ms: int) -> None:
        """Add another player's event, at the local match time."""
        if self.put(number << 4 | event[at] >> 4, time_ms):
            for i in range(at, at + SIZES[event[at] >> 4]):
                self.put_byte(event[i])

    def note_gone(self, number: int, count: int, out_ms: int, time_ms: int) -> None:
        """Add that a player is gone or has left."""
        mine = number == self.me
        if self.put(number << 4 | (PAUSE if mine else GONE), time_ms):
            if mine:
                self.put_byte(LEFT)
            self.recorder.put(count)
            self.recorder.put(out_ms)

    def note_next(self, time_ms: int) -> None:
        """Add the end of a round and the beginning of the next."""
        if self.put(self.me << 4 | PAUSE, time_ms):
            self.put_byte(NEXT)
            self.recorder.continue_at(self.recorder.used, 0)

    def put(self, entry: int, time_ms: int, more_bytes: int = 0) -> bool:
        """Add an entry at its time; return whether there was room for `more_bytes` than an event has, too."""
        return self.recorder.put_entry(_SHIFT, entry, time_ms, _TAIL_BYTES + more_bytes)

    def put_byte(self, byte: int) -> None:
        recorder = self.recorder
        recorder.buffer[recorder.used] = byte
        recorder.used += 1

    def stop(self, time_ms: int) -> None:
        """Set the end of the recording that `replay` returns to the round's time `time_ms`."""
        self.end_ms = time_ms

    def replay(self) -> bytes:
        """Return the whole file; recording may continue."""
        return self.recorder.recorded(self.end_ms, _SHIFT, self.me << 4 | PAUSE, bytes((END,)))
