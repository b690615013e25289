"""Provide a handheld's clocks: one in real time, one that runs as fast as the game can be played."""

import time
from collections.abc import Callable

from firmware.compat import ticks_add, ticks_diff

# A board's clock wraps for the first time 65 s after power-on, so this one does too.
POWER_ON_MS = (1 << 29) - 65_000
_SLICE_S = 0.001


class RealClock:
    """The PC's time in ms, wrapped at 2**29; calls `idle` every millisecond of a wait."""

    def __init__(self) -> None:
        self.idle: Callable[[], None] = lambda: None
        self._start_ns = time.monotonic_ns()

    def ticks_ms(self) -> int:
        return self.ticks_at(self.moment_ns())

    def moment_ns(self) -> int:
        """Return the PC's time, which does not wrap."""
        return time.monotonic_ns()

    def ticks_at(self, moment_ns: int) -> int:
        return ticks_add(POWER_ON_MS, (moment_ns - self._start_ns) // 1_000_000)

    def wait_until(self, t_ms: int) -> None:
        """Sleep until the clock reads `t_ms`; call `idle` at least once."""
        self.idle()
        while ticks_diff(t_ms, self.ticks_ms()) > 0:
            time.sleep(_SLICE_S)
            self.idle()


class VirtualClock:
    """A clock that moves only in wait_until(): an hour passes in a moment."""

    def __init__(self) -> None:
        self.passed_ms = 0

    def ticks_ms(self) -> int:
        return ticks_add(POWER_ON_MS, self.passed_ms)

    def wait_until(self, t_ms: int) -> None:
        """Jump to `t_ms`, unless it is in the past."""
        self.passed_ms += max(0, ticks_diff(t_ms, self.ticks_ms()))
