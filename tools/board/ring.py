"""Connect two to four handhelds in a ring: TX of each to RX of the next."""

import random
from collections.abc import Sequence

from tools.board import BoardError
from tools.board.handheld import Handheld
from tools.board.rp2040.layout import HZ

SLICE_S = 0.001  # how long each handheld runs in turn; also the delay of every wire
MAX_HANDHELDS = 4


class Ring:
    """Run handhelds side by side.

    cut: for each handheld, whether its outgoing wire is cut.  noise: share of bytes replaced by random ones.
    carried: number of bytes sent by each handheld.
    """

    def __init__(self, handhelds: Sequence[Handheld], seed: int = 1) -> None:
        if not 2 <= len(handhelds) <= MAX_HANDHELDS:
            raise BoardError(f"a ring has 2 to {MAX_HANDHELDS} handhelds, not {len(handhelds)}")
        self.handhelds = list(handhelds)
        self.cut = [False] * len(handhelds)
        self.noise = 0.0
        self.carried = [0] * len(handhelds)
        self.time_s = 0.0
        self._random = random.Random(seed)

    def run(self, seconds: float) -> None:
        cycles_left = round(seconds * HZ)
        while cycles_left > 0:
            cycles = min(cycles_left, round(SLICE_S * HZ))
            starts = [each.cycles for each in self.handhelds]
            for each in self.handhelds:
                if each.is_on:
                    each.machine.run_to(each.cycles + cycles)
            for number in range(len(self.handhelds)):
                self._carry(number, starts, cycles)
            cycles_left -= cycles
            self.time_s += cycles / HZ

    def _carry(self, number: int, starts: Sequence[int], cycles: int) -> None:
        """Pass the bytes that a handheld sent in this slice to the next one; they arrive in its next slice."""
        sender, to = self.handhelds[number], (number + 1) % len(self.handhelds)
        for cycle, byte in sender.machine.sent:
            self.carried[number] += 1
            if self.cut[number] or not self.handhelds[to].is_on:
                continue
            if self.noise and self._random.random() < self.noise:
                byte = self._random.randrange(256)
            self.handhelds[to].machine.receive(starts[to] + cycles + cycle - starts[number], byte)
        sender.machine.sent.clear()
