"""Record a linked match on every side of a ring."""

from typing import Any

from firmware.save.recorder import Recorder
from firmware.save.recordings.link_recorder import LinkRecorder
from tests.support.handhelds.ring_harness import RingHarness, Side

NAMES = [b"ANN", b"BOB", b"C-T", b"DAN"]


class RecordingRing(RingHarness):
    def __init__(self, *arguments: Any, capacity: int = 1 << 18, **rules: Any) -> None:
        self.capacity = capacity
        super().__init__(*arguments, **rules)
        self.recorders: dict[int, LinkRecorder] = {}
        self.run(lambda: all(side.session for side in self.sides))
        for side in self.sides:
            self.note(side)

    def note(self, side: Side) -> None:
        match: Any = side.match
        recorder = Recorder(self.capacity)
        recorder.resize = lambda capacity: None  # type: ignore[method-assign]
        noted = self.recorders[match.me] = LinkRecorder(recorder, match, NAMES[: match.options.players])
        match.recorder = noted
        input_edge = match.input

        def note_edge(number: int, button: int, pressed: int, t_ms: int) -> None:
            input_edge(number, button, pressed, t_ms)
            if not match.over:
                noted.note_edge(number, button, pressed, t_ms)

        match.input = note_edge

    def blob(self, side: Side) -> bytes:
        noted = self.recorders[side.match.me]
        noted.stop(side.match.time_ms)
        return noted.replay()
