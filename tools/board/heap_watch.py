"""Find the moments with the least free heap during play."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from tools.board import BoardError
from tools.board.handheld import Handheld
from tools.board.heap import Heap, read_heap


@dataclass(frozen=True)
class Moment:
    """The heap at a time, garbage counted as free.

    rewrites: whether the flash is being erased and written again. The game stands still and allocates nothing.
    """

    time_s: float
    heap: Heap
    rewrites: bool = False


REWRITING = "rewriting"
_REWRITING_S = 0.07  # from the erase of a page to the end of its programming, which takes 60 ms


class HeapWatch:
    """Record the heap after each of the firmware's collections and at each call of look().

    Use it as a context: `with HeapWatch(handheld) as watch: ...`. A handheld can have only one at a time.
    """

    def __init__(self, handheld: Handheld) -> None:
        self.moments: list[Moment] = []
        self._handheld = handheld

    def __enter__(self) -> HeapWatch:
        self._handheld.machine.chip["watched_pc"] = self._handheld.functions.swept
        self._handheld.machine.on_watched = lambda: self._note(read_heap(self._handheld.machine.chip))
        return self

    def __exit__(self, *_: object) -> None:
        self._handheld.machine.chip["watched_pc"] = -1
        self._handheld.machine.on_watched = None

    def run(self, seconds: float, every_s: float = 0.02) -> None:
        while seconds > 0:
            self._handheld.run(min(seconds, every_s))
            seconds -= every_s
            self.look()

    def look(self) -> None:
        """Record the heap now, without garbage, unless MicroPython is just starting."""
        with contextlib.suppress(BoardError):
            self._note(self._handheld.heap(collect=True))

    @property
    def least_free(self) -> Moment:
        """The moment with the fewest free bytes; raise ValueError if there is no moment."""
        return min(self.moments, key=lambda moment: moment.heap.free)

    @property
    def least_block(self) -> Moment:
        """The moment whose largest block is smallest; raise ValueError if there is no moment."""
        return min(self.moments, key=lambda moment: moment.heap.largest_block)

    def _note(self, heap: Heap) -> None:
        now_s = self._handheld.time_s
        rewrites = any(write.erases and 0 <= now_s - write.time_s < _REWRITING_S for write in self._handheld.writes)
        self.moments.append(Moment(now_s, heap, rewrites))


class Figures:
    """Record the free heap, garbage counted as free, in each part of a session."""

    def __init__(self, watch: HeapWatch) -> None:
        self.parts: dict[str, list[Moment]] = {}
        self.watch = watch
        self._used_moments = 0

    def note(self, part: str) -> None:
        """Add the moments since the last call, and one now, to a part, or else to REWRITING."""
        self.watch.look()
        for moment in self.watch.moments[self._used_moments :]:
            self.parts.setdefault(REWRITING if moment.rewrites else part, []).append(moment)
        self._used_moments = len(self.watch.moments)

    def skip(self) -> None:
        """Drop the moments since the last call."""
        self._used_moments = len(self.watch.moments)

    def __str__(self) -> str:
        return "; ".join(f"{part} {free} B, block {block}" for part, (free, block) in self.least().items())

    def least(self) -> dict[str, tuple[int, int]]:
        """Return for each part the fewest free bytes and the smallest largest block."""
        return {
            part: (min(each.heap.free for each in moments), min(each.heap.largest_block for each in moments))
            for part, moments in self.parts.items()
        }
