"""Tell the time of the board in milliseconds."""

import time

import supervisor

from firmware.compat import ticks_diff

_SLICE_S = 0.001  # made once: a float computed for every wait would lie on the heap


class Clock:
    """Read supervisor.ticks_ms, the clock that also stamps the edges of keypad."""

    def __init__(self):
        self.ticks_ms = supervisor.ticks_ms

    def wait_until(self, t_ms: int) -> None:
        """Sleep until the clock reads `t_ms`; return at once when that is past."""
        while ticks_diff(t_ms, supervisor.ticks_ms()) > 0:
            time.sleep(_SLICE_S)
