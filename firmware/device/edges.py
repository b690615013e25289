"""Queue button edges between two frames without allocating."""

from firmware.compat import const, ticks_diff

MOST_EDGES = const(32)  # in one poll of the buttons


class EdgeQueue:
    """Hold up to `capacity` edges, oldest first, in three parallel arrays.

    Edge i < count is button[i] (0..8), pressed[i] (1 down, 0 up) and t_ms[i] (0..2**29-1). A writer stops at `capacity`
    and keeps the rest for the next poll, because a lost release would hold a button down for ever.
    waiting: how many more edges follow the first `count`; a later frame takes them.
    """

    def __init__(self, capacity: int = MOST_EDGES) -> None:
        self.capacity = capacity
        self.count = self.waiting = 0
        self.button = bytearray(capacity)
        self.pressed = bytearray(capacity)
        self.t_ms = [0] * capacity

    def append(self, button: int, pressed: int, t_ms: int) -> None:
        """Append one edge; raise IndexError if the queue is full."""
        count = self.count
        self.button[count] = button
        self.pressed[count] = pressed
        self.t_ms[count] = t_ms
        self.count = count + 1

    def clear(self) -> None:
        self.count = self.waiting = 0

    def hold_back(self) -> None:
        """Let the second press, and every edge after it, wait for a later frame."""
        presses = 0
        for i in range(self.count):
            presses += self.pressed[i]
            if presses > 1:
                self.waiting = self.count - i
                self.count = i
                return

    def advance(self) -> None:
        """Replace the edges of the last frame by those that wait."""
        first = self.count
        self.count = self.waiting
        self.waiting = 0
        for i in range(self.count):
            self.button[i] = self.button[first + i]
            self.pressed[i] = self.pressed[first + i]
            self.t_ms[i] = self.t_ms[first + i]

    def restamp(self, t_ms: int) -> None:
        """Let edges from before `t_ms` count from then on."""
        for i in range(self.count + self.waiting):
            if ticks_diff(self.t_ms[i], t_ms) < 0:
                self.t_ms[i] = t_ms
