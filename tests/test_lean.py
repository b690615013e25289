"""A frame allocates nothing and the firmware leaves room for the rest: measured on 32-bit MicroPython.

A 32-bit MicroPython counts bytes like the board; with its heap locked, whatever allocates raises
MemoryError. Played are the engine, the view and the display's driver on a bus that only counts.
"""

from pathlib import Path

import pytest

from tools import interpreters
from tools.measure import scripts

RECORDINGS = sorted((Path(__file__).parent / "recordings").glob("*.sky"))
FRAMES = 1000
HEAP_IN_PLAY_BYTES = 48 * 1024

pytestmark = pytest.mark.skipif(
    bool(interpreters.missing(interpreters.WASM)), reason=interpreters.missing(interpreters.WASM) or "installed"
)


@pytest.mark.parametrize("seed", [1, 4711])
def test_frame_allocates_nothing_whatever_is_pressed(seed: int) -> None:
    played = scripts.play_buttons_locked(seed, FRAMES)
    assert played["version"] > 0, "no Tetrimino locked down: nothing was tested"


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_frame_of_a_recorded_game_allocates_nothing(path: Path) -> None:
    played = scripts.play_recording_locked(path.read_bytes(), FRAMES)
    assert played["version"] > 0, "no Tetrimino locked down: nothing was tested"


def test_recorded_games_clear_lines_within_the_frames_played() -> None:
    """An Eliminate Phase must be among what allocates nothing."""
    assert any(scripts.play_recording_locked(path.read_bytes(), FRAMES)["lines"] for path in RECORDINGS)


def test_locked_heap_reports_an_allocation() -> None:
    with pytest.raises(interpreters.ScriptFailed, match="heap is locked"):
        scripts.run("import micropython\nmicropython.heap_lock()\nx = bytearray(100)\n")


def test_engine_view_and_one_scene_in_play_leave_room_for_the_rest() -> None:
    assert scripts.measure_heap().of_scene <= HEAP_IN_PLAY_BYTES
