"""Provide names that some interpreters lack; import no other module of Skyline."""

try:
    from micropython import const
except ImportError:

    def const(value: "int | bytes | str") -> "int | bytes | str":  # type: ignore[misc]
        """Return `value`; MicroPython and CircuitPython fold the call away at compile time."""
        return value


# Boards have no `typing`; type checkers treat any name spelled like this as true.
TYPE_CHECKING = False

TICKS_PERIOD = const(1 << 29)


def ticks_diff(later: int, earlier: int) -> int:
    """Return `later - earlier` in ms for two clocks that wrap at 2**29.

    Both are in 0..2**29-1, the answer in -2**28..2**28-1: the clocks may differ by at most three days.
    """
    return ((later - earlier + (TICKS_PERIOD >> 1)) & TICKS_PERIOD - 1) - (TICKS_PERIOD >> 1)


def ticks_add(ticks: int, delta_ms: int) -> int:
    """Return the clock reading `delta_ms` after `ticks`, wrapped at 2**29."""
    return (ticks + delta_ms) & TICKS_PERIOD - 1
