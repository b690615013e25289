"""Read and play the recorded games."""

from binascii import crc32
from collections.abc import Iterator
from pathlib import Path

from firmware.engine.game import Game
from firmware.modes.catalogue import make_mode
from firmware.save.recorder import Recorder
from firmware.save.recordings.recording import Player, Recording
from firmware.save.recordings.recording_trace import Trace
from tests.support.drill import state

RECORDINGS = Path(__file__).resolve().parents[1] / "recordings"
PATHS = sorted(RECORDINGS.glob("*.sky"))
NAMES = ("marathon", "fast", "sprint", "lost", "standard", "test_spec")


def seal(body: bytes) -> bytes:
    """Return a body with a valid check sum, which a faulty writer would also add."""
    return body + crc32(body).to_bytes(4, "little")


def read(name: str) -> Recording:
    return Recording((RECORDINGS / f"{name}.sky").read_bytes())


def play(recording: Recording, slice_ms: int = 1000) -> tuple[Game, Trace]:
    game = recording.game(make_mode(recording.variant))
    game.mode = trace = Trace(game.mode)
    player = Player(recording, game)
    time_ms = 0
    while not player.finished():
        time_ms += slice_ms
        player.advance(time_ms)
    return game, trace


def edges_of(recording: Recording) -> Iterator[tuple[int, int, int]]:
    """Yield control, pressed and time of each edge."""
    recording.rewind()
    while recording.read():
        yield recording.button, recording.pressed, recording.time_ms


def record_more(game: Game, recorder: Recorder, count: int, gap_ms: int) -> None:
    """Play and record further edges; the recording must then lead to this game."""
    time_ms = game.time_ms
    for step in range(count):
        time_ms += gap_ms
        button, pressed = step * 5 % 7, step % 3 > 0
        game.input(button, pressed, time_ms)
        recorder.record_edge(button, pressed, time_ms)
    game.advance(time_ms + 500)
    again, _ = play(Recording(recorder.recorded(time_ms + 500)))
    again.mode = game.mode
    again.now_ms = game.now_ms
    assert state(again) == state(game)
