"""Note a match as it is played; firmware/save/match_recording.py reads it again and tells the format."""

from firmware.compat import const
from firmware.engine.controls import PAUSE
from firmware.engine.options import FIELDS
from firmware.match.options import FIELDS as MATCH_FIELDS

MATCH = const(3)  # the format, behind those of firmware/save/recorder.py
NEXT_ROUND = const(1 << 4)  # with PAUSE let go: one round ends here, another begins

_TAIL_BYTES = const(14)  # the end of a round, an end mark and the CRC
_LONGEST_GAP_MS = const((1 << 23) - 1)  # two hours; keeps a shifted edge below 2**30


class MatchRecorder:
    """Note the edges of all players into the buffer of a Recorder, without allocating."""

    def __init__(self, recorder) -> None:
        self.recorder = recorder
        self.end_ms = 0

    def begin_match(self, match) -> None:
        """Forget what was noted and write the head of a new match."""
        recorder = self.recorder
        recorder.buffer[0:3] = b"SKY"
        recorder.buffer[3] = MATCH
        recorder.used = 4
        recorder.full = False
        recorder.owner = match.first_seed + 1
        recorder.last_ms = self.end_ms = 0
        recorder.put(match.first_seed)
        recorder.put(len(MATCH_FIELDS))
        for row in MATCH_FIELDS:
            recorder.put(getattr(match.options, row[0]))
        recorder.put(len(FIELDS))
        for choice in match.choices:
            for row in FIELDS:
                recorder.put(getattr(choice, row[0]))

    def note_of(self, number: int, button: int, pressed: int, time_ms: int) -> None:
        """Add an edge of player `number` at the round's own time; once the buffer is full the recording ends there.

        That PAUSE is let go, which does nothing in a match, stands for the end of a round, or of all.
        """
        if pressed or button != PAUSE:
            self.put(number << 4 | (8 if pressed else 0) | button, time_ms)

    def put(self, edge: int, time_ms: int) -> None:
        """Add an edge at its moment."""
        recorder = self.recorder
        gap = time_ms - recorder.last_ms
        if recorder.full or gap > _LONGEST_GAP_MS or recorder.used + 5 + _TAIL_BYTES > recorder.capacity:
            recorder.full = True
            return
        recorder.put(gap << 6 | edge)
        recorder.last_ms = time_ms

    def note_round(self, time_ms: int) -> None:
        """Add that the round ended at its `time_ms`, and another begins."""
        self.put(NEXT_ROUND | PAUSE, time_ms)
        self.recorder.last_ms = 0

    def stop(self, time_ms: int) -> None:
        """Let what `replay` returns end at the round's `time_ms`."""
        self.end_ms = time_ms

    def replay(self) -> bytes:
        """Return the whole file; noting may go on."""
        from binascii import crc32

        recorder = self.recorder
        used = recorder.used
        gap = 0 if recorder.full else min(max(0, self.end_ms - recorder.last_ms), _LONGEST_GAP_MS)
        recorder.put(gap << 6 | PAUSE)
        body = bytes(recorder.buffer[: recorder.used])
        recorder.used = used
        return body + crc32(body).to_bytes(4, "little")
