"""Queue button edges between two frames without allocating."""

from firmware.compat import const, ticks_diff

MOST_EDGES = const(32)  # in one poll of the buttons
# For each button that is its own control, when its press counts among the edges of one time. Releases come first, then
# rotations and a half turn, Hold, moves, drops and the pause. The mapping orders other controls by its own queue.
RANKS = b"\x03\x03\x04\x05\x01\x01\x02\x06\x01"


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
        """Add an edge after those of the same time that come first by RANKS; raise IndexError if the queue is full.

        A scan of the buttons gives its edges one time, in the order of their pins.
        """
        at = self.count
        times = self.t_ms
        times[at] = t_ms
        self.count = at + 1
        rank = RANKS[button] * pressed
        while at and times[at - 1] == t_ms and self.button[at - 1] != button:
            if RANKS[self.button[at - 1]] * self.pressed[at - 1] <= rank:
                break
            self.button[at] = self.button[at - 1]
            self.pressed[at] = self.pressed[at - 1]
            at -= 1
        self.button[at] = button
        self.pressed[at] = pressed

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
