"""Number the variants; a recording stores these numbers."""

from firmware.compat import const
from firmware.engine.mode import Mode

MARATHON = const(0)
SPRINT = const(1)
ULTRA = const(2)
ULTRA_LINES = const(3)
WORST = const(6)


def make_mode(variant: int) -> Mode:
    """Return the mode of a variant; raise ValueError with one line for an unknown one."""
    # Imported late: what is not played is not in memory.
    if variant == MARATHON:
        from firmware.modes.marathon import Marathon

        return Marathon()
    if variant == SPRINT:
        from firmware.modes.sprint import Sprint

        return Sprint()
    if variant == ULTRA or variant == ULTRA_LINES:
        from firmware.modes.ultra import Ultra

        return Ultra(variant == ULTRA_LINES)
    if variant == WORST:
        from firmware.modes.worst import Worst

        return Worst()
    raise ValueError("variant %d is not one of this version of Skyline" % variant)
