"""Play by the technical test specification: Standard with other levels and points (Test Spec)."""

from firmware.compat import const
from firmware.engine.mode import Mode
from firmware.modes.standard import Standard, StandardGame

# The specification asks for an order, not for numbers (Test Spec 2.7). Points grow with the level. A quick drop gives
# more than a normal landing, a line more than both, and lines cleared together more than the same lines one by one. So
# a landing gives 10 points times the level, a quick drop 20. Lines give 100, 300, 500 and 800 times the level, as in
# Marathon.
_LAND = const(10)
_DROP = const(20)
_LINES = b"\x00\x0a\x1e\x32\x50"  # tens of points


class SpecGame(StandardGame):
    """Play one game by the test specification: levels 1 to 10, and no turn is saved for later (Test Spec 2.1, 2.5).

    The specification does not say how to earn a level. Here lines earn levels, as in Standard.
    """

    first_level = 1
    queues_turns = False

    def points(self, dropped: bool, lines: int) -> int:
        """Return the points of a landing with `lines` completed at this level (Test Spec 2.7)."""
        return ((_DROP if dropped else _LAND) + 10 * _LINES[lines]) * self.level


class Spec(Standard):
    """Play by the test specification for points."""

    rules = SpecGame


def make_mode(variant: int) -> Mode:
    return Spec()
