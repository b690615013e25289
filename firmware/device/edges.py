"""Queue button edges between two frames without allocating."""

from firmware.compat import const

MOST_EDGES = const(32)  # in one poll of the buttons


class EdgeQueue:
    """Hold up to `capacity` edges, oldest first, in three parallel arrays.

    Edge i < count is button[i] (0..8), pressed[i] (1 down, 0 up) and t_ms[i] (0..2**29-1). A writer stops at `capacity`
    and keeps the rest for the next poll, because a lost release would hold a button down for ever.
    """

    def __init__(self, capacity: int = MOST_EDGES) -> None:
        self.capacity = capacity
        self.count = 0
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
        """Forget every edge."""
        self.count = 0
