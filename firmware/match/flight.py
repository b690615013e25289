"""Hold sent lines until they arrive."""

from firmware.compat import const

FLIGHT_MS = const(500)

_PLACES = const(16)  # arrivals within one flight; a Tetrimino takes longer


class Flight:
    """Hold lines on their way to one player or team, in order of arrival.

    due_ms: match times, ascending. lines: how many arrive at each of these times. count: how many times are in use. The
    lists never grow: a frame must not allocate.
    """

    def __init__(self) -> None:
        self.due_ms = [0] * _PLACES
        self.lines = bytearray(_PLACES)
        self.count = 0

    def send(self, due_ms: int, lines: int) -> None:
        """Add `lines`, 1..255, that arrive at `due_ms`; the order of calls does not matter."""
        due = self.due_ms
        at = self.count
        while at and due[at - 1] > due_ms:
            at -= 1
        if at and due[at - 1] == due_ms or self.count == _PLACES:
            # A game never needs more places, but a remote player may send too much: add the lines to an earlier time.
            at = at - 1 if at else 0
            self.lines[at] = min(255, self.lines[at] + lines)
            return
        i = self.count
        while i > at:
            due[i] = due[i - 1]
            self.lines[i] = self.lines[i - 1]
            i -= 1
        due[at] = due_ms
        self.lines[at] = lines
        self.count += 1

    def land(self, now_ms: int) -> int:
        """Remove the lines that arrive until `now_ms` and return their number."""
        landed = gone = 0
        while gone < self.count and self.due_ms[gone] <= now_ms:
            landed += self.lines[gone]
            gone += 1
        if gone:
            self.count -= gone
            for i in range(self.count):
                self.due_ms[i] = self.due_ms[i + gone]
                self.lines[i] = self.lines[i + gone]
        return landed

    def total(self) -> int:
        """Return how many lines are on their way."""
        total = 0
        for i in range(self.count):
            total += self.lines[i]
        return total

    def find_due(self, lines: int) -> int:
        """Return when `lines` lines will have arrived, or -1 if fewer are on their way."""
        for i in range(self.count):
            lines -= self.lines[i]
            if lines <= 0:
                return self.due_ms[i]
        return -1
