"""Read the board's clock in milliseconds."""

import time

import supervisor

from firmware.compat import ticks_diff

_SLICE_S = 0.001  # made once: a new float for every wait would allocate


class Clock:
    """Read supervisor.ticks_ms, the clock that also stamps keypad edges."""

    def __init__(self) -> None:
        self.ticks_ms = supervisor.ticks_ms

    def wait_until(self, t_ms: int) -> None:
        """Sleep until the clock reads `t_ms`; return at once if that time has passed."""
        while ticks_diff(t_ms, supervisor.ticks_ms()) > 0:
            time.sleep(_SLICE_S)
