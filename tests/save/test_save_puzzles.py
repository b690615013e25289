"""Solved puzzles: the fewest tries of each are kept (firmware/save/puzzles.py)."""

from firmware.save.puzzles import Progress


class TestProgress:
    def test_the_fewest_tries_count(self) -> None:
        progress = Progress(5, b"")
        assert progress.mark_solved(4, 3) and not progress.mark_solved(4, 3)
        assert not progress.mark_solved(4, 4) and progress.mark_solved(4, 1)
        assert progress.mark_solved(0, 99) and progress.mark_solved(3, 7)
        buffer = bytearray(8)
        length = progress.pack(buffer)
        restored = Progress(5, buffer[:length])
        assert list(restored.tries) == [15, 0, 0, 7, 1] and restored.count() == 3

    def test_records_with_more_or_fewer_puzzles_are_read(self) -> None:
        buffer = bytearray(8)
        progress = Progress(3, b"")
        progress.mark_solved(2, 7)
        length = progress.pack(buffer)
        assert list(Progress(6, buffer[:length]).tries) == [0, 0, 7, 0, 0, 0]
        assert list(Progress(2, buffer[:length]).tries) == [0, 0]
        assert list(Progress(2, b"\x09\xff").tries) == [0, 0]
