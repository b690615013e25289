"""Frame times on the board, estimated from instructions and bytes, with line clears and effects."""

import functools
from pathlib import Path

import pytest

from tests.support.needs import needs_wasm
from tests.support.recorded import PATHS, RECORDINGS
from tools.measure import board, scripts
from tools.measure.traffic import measure_traffic

HEAVIEST = ("fast", "standard")
QUICK = HEAVIEST[0]
MEAN_MS, EDGE_MS = 4.5, 34
MOST_SENT = 3.5  # bytes sent per byte needed; whole rows are sent

RECORDING_PARAMS = [pytest.param(path, id=path.stem, marks=[pytest.mark.long] * (path.stem != QUICK)) for path in PATHS]


@functools.cache
def measure(path: Path) -> scripts.Frames:
    return scripts.measure_frames(path.read_bytes())


@needs_wasm
@pytest.mark.parametrize("path", RECORDING_PARAMS)
def test_frames_of_a_recording_are_short_and_none_is_late(path: Path) -> None:
    times_us = [frame.board_us for frame in board.frames_of(path.stem, measure(path))]
    assert len(times_us) > 1000 and sum(times_us) / len(times_us) <= MEAN_MS * 1000
    assert max(times_us) <= board.FRAME_US


@needs_wasm
@pytest.mark.parametrize("path", RECORDING_PARAMS)
def test_each_edge_of_a_recording_shows_in_time(path: Path) -> None:
    frames = board.frames_of(path.stem, measure(path))
    assert max(frame.edge_to_pixels_us for frame in frames if frame.edge) <= EDGE_MS * 1000


@needs_wasm
@pytest.mark.parametrize("path", RECORDING_PARAMS)
def test_no_frame_of_a_recording_allocates(path: Path) -> None:
    assert measure(path).allocated == 0


@pytest.mark.parametrize("name", HEAVIEST)
def test_unchanged_rows_are_not_sent(name: str) -> None:
    carried = measure_traffic((RECORDINGS / f"{name}.sky").read_bytes())
    assert carried.changed > 10_000 and carried.ratio <= MOST_SENT
