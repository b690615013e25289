"""Solved puzzles: the fewest tries of each are kept (firmware/save/puzzles.py)."""

from firmware.save.puzzles import Progress
from tests.support.records import packed


def test_the_fewest_tries_count() -> None:
    progress = Progress(5, b"")
    assert progress.mark_solved(4, 3) and not progress.mark_solved(4, 3)
    assert not progress.mark_solved(4, 4) and progress.mark_solved(4, 1)
    assert progress.mark_solved(0, 99) and progress.mark_solved(3, 7)
    restored = Progress(5, packed(progress))
    assert list(restored.tries) == [15, 0, 0, 7, 1] and restored.count() == 3


def test_records_with_more_or_fewer_puzzles_are_read() -> None:
    progress = Progress(3, b"")
    progress.mark_solved(2, 7)
    record = packed(progress)
    assert list(Progress(6, record).tries) == [0, 0, 7, 0, 0, 0]
    assert list(Progress(2, record).tries) == [0, 0]


def test_a_record_of_another_format_has_no_solved_puzzle() -> None:
    assert list(Progress(2, b"\x09\xff").tries) == [0, 0]
