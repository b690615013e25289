"""Provide the few names that some interpreter lacks; import nothing of ours."""

try:
    from micropython import const
except ImportError:

    def const(value: "int | bytes") -> "int | bytes":  # type: ignore[misc]
        """Return `value`; MicroPython and CircuitPython fold the call away at compile time."""
        return value


# Boards have no `typing`; a checker treats any name spelled like this as true.
TYPE_CHECKING = False

TICKS_PERIOD = const(1 << 29)


def ticks_diff(later: int, earlier: int) -> int:
    """Return `later - earlier` in ms for two clocks that wrap at 2**29.

    Both are in 0..2**29-1 and the answer in -2**28..2**28-1, so they may lie at most three days apart.
    """
    return ((later - earlier + (TICKS_PERIOD >> 1)) & TICKS_PERIOD - 1) - (TICKS_PERIOD >> 1)


def ticks_add(ticks: int, delta_ms: int) -> int:
    """Return the clock reading `delta_ms` after `ticks`, wrapped at 2**29."""
    return (ticks + delta_ms) & TICKS_PERIOD - 1
