"""Tell frames apart: the game waits for a deadline after each, and the core sleeps meanwhile."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from tools.board.display_bus import Transfer
from tools.board.machine import Sleep

_TICK_S = 0.000_2  # an interrupt that only counts time takes less


@dataclass(frozen=True)
class Frame:
    """One frame: when the core woke for it, for how long it worked, and what it sent to the display."""

    start_s: float
    busy_s: float
    transfers: int
    bytes: int


def find_frames(sleeps: Sequence[Sleep], transfers: Sequence[Transfer], from_s: float = 0.0) -> list[Frame]:
    """Return the times between sleeps in which more was done than to count time."""
    frames: list[Frame] = []
    at = 0
    for before, after in itertools.pairwise(sleeps):
        busy_s = after.start_s - before.end_s
        if before.end_s < from_s or busy_s <= _TICK_S:
            continue
        while at < len(transfers) and transfers[at].start_s < before.end_s:
            at += 1
        first = at
        while at < len(transfers) and transfers[at].start_s < after.start_s:
            at += 1
        sent = transfers[first:at]
        frames.append(Frame(before.end_s, busy_s, len(sent), sum(each.bytes for each in sent)))
    return frames
