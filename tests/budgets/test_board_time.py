"""Frame times on the board, estimated from instructions and bytes, with line clears and effects."""

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


@needs_wasm
@pytest.mark.parametrize("path", RECORDING_PARAMS)
def test_frames_and_edges_of_a_recording_keep_their_time(path: Path) -> None:
    played = scripts.measure_frames(path.read_bytes())
    frames = board.frames_of(path.stem, played)
    assert len(frames) > 1000 and sum(frame.board_us for frame in frames) / len(frames) <= MEAN_MS * 1000
    assert max(frame.board_us for frame in frames) <= board.FRAME_US  # no frame is late
    assert max(frame.edge_to_pixels_us for frame in frames if frame.edge) <= EDGE_MS * 1000
    assert played.allocated == 0


@pytest.mark.parametrize("name", HEAVIEST)
def test_unchanged_rows_are_not_sent(name: str) -> None:
    carried = measure_traffic((RECORDINGS / f"{name}.sky").read_bytes())
    assert carried.changed > 10_000 and carried.ratio <= MOST_SENT
