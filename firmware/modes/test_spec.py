"""Play by the rules of the technical test specification: Standard's, with other levels and points (Test Spec)."""

from firmware.compat import const
from firmware.engine.mode import Mode
from firmware.modes.standard import Standard, StandardGame

# The text asks for an order, not for numbers (Test Spec 2.7): more at every level, a quick drop more
# than a normal landing, a line more than either, each further line at a time more again. A landing
# is 10 points a level and a quick drop twice that, so that even the longest wait costs less than
# half of what speed can earn. Lines are worth the guideline's 100, 300, 500 and 800 a level, so that
# a player knows them from Marathon: each is more than its lines are one by one or in any other
# parts, and the least of them is five times the best landing of its level.
_LAND = const(10)
_DROP = const(20)
_LINES = b"\x00\x0a\x1e\x32\x50"  # tens of points


class SpecGame(StandardGame):
    """One game by the test specification: levels 1 to 10, and no turn is kept for later (Test Spec 2.1, 2.5).

    The text does not say how a level is earned: by lines, as in Standard.
    """

    first_level = 1
    queues_turns = False

    def points(self, dropped: bool, lines: int) -> int:
        """Return what a landing with `lines` completed is worth at this level (Test Spec 2.7)."""
        return ((_DROP if dropped else _LAND) + 10 * _LINES[lines]) * self.level


class Spec(Standard):
    """Be played by these rules, for points."""

    rules = SpecGame


def make_mode(variant: int) -> Mode:
    """Return the mode of the variant of this module."""
    return Spec()
