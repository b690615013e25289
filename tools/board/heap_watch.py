"""Find the tightest moment of the heap in a stretch of play."""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType

from tools.board.handheld import Handheld
from tools.board.heap import SWEPT, Heap, read_heap


@dataclass(frozen=True)
class Moment:
    """What was free at a time, garbage not counted."""

    time_s: float
    heap: Heap


class HeapWatch:
    """Note what is live after every collection of the firmware's own, and whenever look() is called.

    Use it as a context: `with HeapWatch(handheld) as watch: ...`; a handheld has one at a time.
    """

    def __init__(self, handheld: Handheld) -> None:
        self.moments: list[Moment] = []
        self._handheld = handheld

    def __enter__(self) -> HeapWatch:
        self._handheld.machine.chip["watched_pc"] = SWEPT
        self._handheld.machine.on_watched = self._note_sweep
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._handheld.machine.chip["watched_pc"] = -1
        self._handheld.machine.on_watched = None

    def run(self, seconds: float, every_s: float = 0.1) -> None:
        """Let time pass, and look every `every_s`."""
        while seconds > 0:
            self._handheld.run(min(seconds, every_s))
            seconds -= every_s
            self.look()

    def look(self) -> None:
        """Note what is live now."""
        self._note(self._handheld.heap(collect=True))

    @property
    def least_free(self) -> Moment:
        """The moment with the least free bytes; raise ValueError where there was none."""
        return min(self.moments, key=lambda moment: moment.heap.free)

    @property
    def least_block(self) -> Moment:
        """The moment with the smallest largest block; raise ValueError where there was none."""
        return min(self.moments, key=lambda moment: moment.heap.largest_block)

    def _note_sweep(self) -> None:
        """Note what a collection left."""
        self._note(read_heap(self._handheld.machine.chip))

    def _note(self, heap: Heap) -> None:
        self.moments.append(Moment(self._handheld.time_s, heap))


class Figures:
    """Note what of the heap is free, garbage not counted, in each part of a session."""

    def __init__(self, watch: HeapWatch) -> None:
        self.parts: dict[str, list[Moment]] = {}
        self._watch = watch
        self._seen = 0

    def note(self, part: str) -> None:
        """Count what was noted since the last call, and what is live now, to a part."""
        self._watch.look()
        self.parts.setdefault(part, []).extend(self._watch.moments[self._seen :])
        self._seen = len(self._watch.moments)

    def skip(self) -> None:
        """Forget what was noted since the last call."""
        self._seen = len(self._watch.moments)

    def __str__(self) -> str:
        return "; ".join(f"{part} {free} B, block {block}" for part, (free, block) in self.least().items())

    def least(self) -> dict[str, tuple[int, int]]:
        """Return for each part the least that was free, and the smallest of the largest blocks."""
        return {
            part: (min(each.heap.free for each in moments), min(each.heap.largest_block for each in moments))
            for part, moments in self.parts.items()
        }
