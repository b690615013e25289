"""Read and play the recorded games."""

from __future__ import annotations

from pathlib import Path

from firmware.engine.game import Game
from firmware.modes.catalogue import make_mode
from firmware.save.recordings.recording import Player, Recording
from firmware.save.recordings.recording_trace import Trace

RECORDINGS = Path(__file__).resolve().parents[1] / "recordings"


NAMES = ("marathon", "fast", "sprint", "lost", "standard", "test_spec")


def read(name: str) -> Recording:
    """Return a recording of tests/recordings."""
    return Recording((RECORDINGS / f"{name}.sky").read_bytes())


def play(recording: Recording, slice_ms: int = 1000) -> tuple[Game, Trace]:
    """Play a recording to its end."""
    trace = Trace(make_mode(recording.variant))
    game = recording.game(trace)
    player = Player(recording, game)
    time_ms = 0
    while not player.finished():
        time_ms += slice_ms
        player.advance(time_ms)
    return game, trace
