"""A step of the Rewind, back or forward, takes a board at most 20.5 ms: estimated from instructions."""

from itertools import pairwise

import pytest

from tests.support.needs import needs_wasm
from tests.support.recorded import RECORDINGS
from tools import interpreters
from tools.measure import board, scripts

STEP_MS = 20.5  # 20 before games had a rotation system and a dealer to keep

_STEPS = """
from time import ticks_us as mark
from firmware.modes.catalogue import make_mode
from firmware.save.suspended import pack
from firmware.save.recordings.recording import Recording
from firmware.save.recordings.rewind import Rewind
from firmware.save.recordings.rewind_steps import Steps
recording = Recording(BLOB)
game = recording.game(make_mode(recording.variant))
rewind = Rewind(None, pack, recording.variant, bytearray(448), bytearray(2048))
t_ms = 0
while game.lock_downs < 40 and recording.read():
    while t_ms < recording.time_ms:
        t_ms = min(t_ms + 16, recording.time_ms)
        game.advance(t_ms)
        if game.piece and game.lock_downs != rewind.number:
            rewind.step(game)
    rewind.record_edge(recording.button, recording.pressed, t_ms)
    game.input(recording.button, recording.pressed, t_ms)
steps = Steps(rewind, game)
mark()
while steps.back():
    mark()
print(40 - steps.number)
while steps.forward():
    mark()
"""


@needs_wasm
@pytest.mark.parametrize("name", ["marathon", "fast"])
def test_a_step_takes_little_more_than_a_frame(name: str) -> None:
    played = scripts.run(_STEPS.replace("BLOB", repr((RECORDINGS / f"{name}.sky").read_bytes())))
    spans_us = [board.to_us(after - before) for before, after in pairwise(interpreters.marks_of(played))]
    assert int(played.last_line) >= 15  # Tetriminos in 2,048 bytes
    assert len(spans_us) >= 30 and max(spans_us) <= STEP_MS * 1000
