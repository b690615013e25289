"""The fattest match: what it leaves in its transitions, and forty pauses that each save it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.handhelds.board_console import bench, each_uf2, find_uf2, watch_heap
from tools.board import prepared
from tools.measure.room import matches, sets

pytestmark = [pytest.mark.board, each_uf2]
FREE_BYTES = 8192
BLOCK_BYTES = 4096
# In these moments the block depends on where the heap has put what came before: 2.3 to 6.9 KB were seen. The journal's
# rewriting takes a block of 4 KB itself, so that it erases the flash once.
SPLIT = {"rewriting", "next round", "results"}
SPLIT_BLOCK_BYTES = 2048


@contextmanager
def walk_through_a_match(uf2: Path | None, *choices: str) -> Iterator[matches.Walk]:
    """Yield the walk through the fattest match in its pause, and check at the end what it left."""
    handheld = bench(uf2).switch_on(prepared.read_choices((*sets.FATTEST, *choices)))
    with watch_heap(handheld) as figures:
        walk = matches.Walk(handheld, figures, sets.FATTEST)
        matches.measure_match(walk)
        yield walk
    print("HEAP", figures)
    for part, (free, block) in figures.least().items():
        least_block = SPLIT_BLOCK_BYTES if part in SPLIT else BLOCK_BYTES
        assert free >= FREE_BYTES and block >= least_block, (part, free, block)


def test_the_fattest_match_leaves_8_kilobytes_in_its_transitions(uf2: Path | None) -> None:
    with walk_through_a_match(uf2) as walk:
        assert {"start", "pause", "back from OPTIONS", "CONTINUE", "rewriting"} <= walk.figures.parts.keys()


@pytest.mark.long
def test_the_fattest_match_leaves_8_kilobytes_between_its_rounds(uf2: Path | None) -> None:
    with walk_through_a_match(uf2, "WINS=2") as walk:  # first, for later rounds may need the 301st name of a match
        walk.resume()
        walk.finish()
        assert {"next round", "results"} <= walk.figures.parts.keys()


@pytest.mark.long
def test_forty_pauses_of_the_fattest_match_leave_8_kilobytes(uf2: Path | None) -> None:
    pauses = list(matches.watch_pauses(uf2 or find_uf2(), sets.PAUSES))
    print("HEAP", *(f"{time_s:.0f} s {free}/{block}" for time_s, free, block in pauses))
    assert len(pauses) == sets.PAUSES
    assert min(free for _time_s, free, _block in pauses) >= FREE_BYTES
