"""Find the frames of a run: the game polls the buttons at the start of each, and sleeps after it unless it is late."""

import itertools
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from tools.board.display_bus import Transfer
from tools.board.machine import Sleep

_TICK_S = 0.000_2  # longer than a timer interrupt
_EDGE_S = 0.000_6  # longer than from one edge's poll to the next poll


@dataclass(frozen=True)
class Frame:
    """One frame: its start, the time that the core worked, and the transfers and bytes sent to the display.

    It starts when the core wakes up, or after a late frame when the game polls the buttons.
    """

    start_s: float
    busy_s: float
    transfers: int
    bytes: int


def find_frames(
    sleeps: Sequence[Sleep], transfers: Sequence[Transfer], polls: Sequence[float], from_s: float = 0.0
) -> list[Frame]:
    """Return the frames that started at `from_s` or later.

    A frame ends with the next sleep, or after a late frame with the next poll. A timer interrupt is not a frame.
    """
    frames: list[Frame] = []
    at = 0
    # A frame polls again after each edge, so its first poll begins it.
    starts = [poll for before, poll in zip([-1.0, *polls], polls, strict=False) if poll - before > _EDGE_S]
    for before, after in itertools.pairwise(sleeps):
        if before.end_s < from_s or after.start_s - before.end_s <= _TICK_S:
            continue
        inside = starts[bisect_left(starts, before.end_s) : bisect_left(starts, after.start_s)]
        for start_s, end_s in itertools.pairwise([before.end_s, *inside[1:], after.start_s]):
            while at < len(transfers) and transfers[at].start_s < start_s:
                at += 1
            first = at
            while at < len(transfers) and transfers[at].start_s < end_s:
                at += 1
            sent = transfers[first:at]
            frames.append(Frame(start_s, end_s - start_s, len(sent), sum(each.bytes for each in sent)))
    return frames
