"""Watch the screens of handhelds: how long a press takes, and how long nothing moves.

A wait ends with the last transfer of the picture, when the game polls the buttons again: then it answers.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.board import prepared
from tools.board.bench import Bench
from tools.board.handheld import Handheld
from tools.board.player import Player, reads
from tools.board.ring import Ring

WORDS = ("LOADING", "SAVING")
_LOOK_S = 0.004
_LONGEST_S = 10.0


@dataclass(frozen=True)
class Still:
    """A time in which no frame ran and the screen showed no word; part: of the walk."""

    part: str
    start_s: float
    seconds: float


class Waits:
    """Play on a handheld, and note every still of its screen.

    player: lets time pass by `run` alone, so nothing stays unseen. longest: the longest still of each part.
    ring, others: of linked handhelds.
    """

    def __init__(self, handheld: Handheld, ring: Ring | None = None, others: "Sequence[Waits]" = ()) -> None:
        self.handheld = handheld
        self.others = others
        self._pass_time = ring.run if ring else handheld.run
        self.player = Player(handheld, self.run)
        self.longest: dict[str, Still] = {}
        self.part = ""
        self._reset()

    def begin(self, part: str) -> None:
        """Name the next part; a still that lasts into it counts as a whole, but not from a part without a name."""
        if not self.part:
            self._reset()
        self.part = part
        for other in self.others:
            other.begin(part and f"{part}, on the other")

    def run(self, seconds: float) -> None:
        handheld = self.handheld
        end_s = handheld.time_s + seconds
        while handheld.time_s < end_s - _LOOK_S / 8:
            self._pass_time(min(_LOOK_S, end_s - handheld.time_s))
            for each in (self, *self.others):
                each.look()

    def press(self, button: str, is_there: Callable[[], bool] | None = None, hold_s: float = 0.06) -> float:
        """Press a button; return the seconds until another picture without a word is complete and `is_there` holds."""
        handheld = self.handheld
        before, start_s, polls = handheld.picture(), handheld.time_s, self._polls
        handheld.press(button)
        try:
            while handheld.time_s < start_s + _LONGEST_S:
                self.run(_LOOK_S)
                if handheld.time_s > start_s + hold_s:
                    handheld.release(button)
                if polls == self._polls:
                    continue  # in mid-frame, part of the picture may be old
                polls, picture = self._polls, handheld.picture()
                if picture != before and any(picture) and not says_word(picture) and (not is_there or is_there()):
                    return handheld.transfers[-1].end_s - start_s
        finally:
            handheld.release(button)
        return self.player.fail(f"{self.part}: the screen did not come")

    def choose(self, line: str, is_there: Callable[[], bool] | None = None) -> float:
        """Go to a line of a menu and choose it; return the seconds until its screen is there."""
        self.player.go_down_to(line)
        return self.press("A", is_there)

    def _reset(self) -> None:
        self._polls = len(self.handheld.machine.polls)
        self._since_s = self.handheld.time_s

    def look(self) -> None:
        """Note a still that ends or grows."""
        now_s = self.handheld.time_s
        still = Still(self.part, self._since_s, now_s - self._since_s)
        if self.part and still.seconds > self.longest.get(self.part, Still("", 0, 0)).seconds:
            self.longest[self.part] = still
        if len(self.handheld.machine.polls) != self._polls or says_word(self.handheld.picture()):
            self._reset()


@functools.lru_cache(4096)
def says_word(picture: bytes) -> bool:
    return any(reads(picture, word) for word in WORDS)


class WatchedBench(Bench):
    """A bench that keeps the stills of its handhelds."""

    def __init__(self, uf2: Path, files: dict[str, bytes]) -> None:
        super().__init__(uf2, files)
        self._waits: list[Waits] = []

    def watch(self, choices: tuple[str, ...] = (), fast: bool = True) -> Waits:
        """Return a handheld with these choices just switched on for the second time."""
        self._waits.append(Waits(self.switch_on(prepared.read_choices(choices), fast=fast)))
        return self._waits[-1]

    def watch_ring(self, count: int, choices: tuple[str, ...]) -> Waits:
        """Return the first of `count` handhelds on a ring, just switched on; its `others` are the rest."""
        nvm = prepared.read_choices(choices)
        handhelds = [self.switch_on(nvm, link=True, seed=number) for number in range(1, count + 1)]
        ring = Ring(handhelds)
        others = [Waits(each, ring) for each in handhelds[1:]]
        self._waits += [*others, Waits(handhelds[0], ring, others)]
        return self._waits[-1]

    @property
    def stills(self) -> list[Still]:
        return [still for waits in self._waits for still in waits.longest.values()]
