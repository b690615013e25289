"""Play by the technical test specification: Standard with other levels and points (Test Spec)."""

from firmware.compat import const
from firmware.engine.mode import Mode
from firmware.modes.standard import Standard, StandardGame

# The text asks for an order, not for numbers (Test Spec 2.7). Every level gives more; a quick drop more than a normal
# landing; a line more than either; each further line at a time more again. A landing is 10 points a level and a quick
# drop twice that, so the longest wait costs less than half of what speed earns. Lines give the guideline's 100, 300,
# 500 and 800 a level, as in Marathon. Each is more than its lines in any smaller parts, and the least is five times the
# best landing of its level.
_LAND = const(10)
_DROP = const(20)
_LINES = b"\x00\x0a\x1e\x32\x50"  # tens of points


class SpecGame(StandardGame):
    """Play one game by the test specification: levels 1 to 10, and no turn is saved for later (Test Spec 2.1, 2.5).

    The text does not say how to earn a level: by lines, as in Standard.
    """

    first_level = 1
    queues_turns = False

    def points(self, dropped: bool, lines: int) -> int:
        """Return the points of a landing with `lines` completed at this level (Test Spec 2.7)."""
        return ((_DROP if dropped else _LAND) + 10 * _LINES[lines]) * self.level


class Spec(Standard):
    """Use these rules, for points."""

    rules = SpecGame


def make_mode(variant: int) -> Mode:
    """Return the mode of the variant of this module."""
    return Spec()
