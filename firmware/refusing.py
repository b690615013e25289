"""Refuse a match for which a board's heap has no room, and name why; play does not keep this module in memory."""

import gc

from firmware.compat import TYPE_CHECKING, const
from firmware.residents import REFUSAL

if TYPE_CHECKING:
    from firmware.contracts import Context

LINK = "link.lobby"

# The free bytes, with the modules of a match loaded, that leave 8 KB in play: for a linked match, then for a match
# against one, two and three computers. A Pico has 50,400; a display of 240 rows takes 9,900, so two fit.
_NEEDED = (26_800, 26_500, 30_500, 41_000)
# What a menu leaves more: the modules of a linked match, and of one against computers, less the menu itself.
_LINK_BYTES = const(63_000)
_MATCH_BYTES = const(54_400)
_EAR_BYTES = const(3_100)
_SWITCH_BYTES = const(4_700)


def refuses(context: "Context", name: str) -> bool:
    """Before the board restarts for a match or the lobby: in a menu, refuse what will have no room."""
    if not context.device.machine.renews or hasattr(context.router.scene, "match"):
        return False  # what was just played fits again
    context.router.drop(REFUSAL)
    gc.collect()
    return check(context, name == LINK, _LINK_BYTES if name == LINK else _MATCH_BYTES)


def check(context: "Context", linked: bool, unloaded: int = 0) -> bool:
    """Go to the menu with a note if the heap is too small for a match of which `unloaded` bytes are still to load."""
    free_bytes = context.device.machine.free_bytes()
    if free_bytes < 0:
        return False  # unknown
    # Imported late: the menu has it already, a match needs it no more.
    from firmware.save.match_choices import OPPONENTS, unpack

    count = 0 if linked else 1 + unpack(context.settings.versus)[OPPONENTS]
    missing = _NEEDED[count] - free_bytes + unloaded
    if missing > 0:
        context.go("match.menu", name_excess(context, count, missing))
    return missing > 0


def name_excess(context: "Context", count: int, missing: int) -> bytes:
    """Return a note: what to turn off for the missing bytes, else that there are too many rivals, or no match fits."""
    settings = context.settings
    words = b"THIS MATCH NEEDS|MORE MEMORY:|"
    if settings.one_switch and missing <= _SWITCH_BYTES:
        return words + b"TURN OFF SWITCH"
    if settings.by_ear > 1 and not settings.one_switch and missing <= _EAR_BYTES:
        return words + b"TURN OFF BY EAR"
    if count > 1 and missing <= _NEEDED[count] - _NEEDED[1]:
        return words + b"FEWER RIVALS"
    return b"MEMORY IS SHORT|ON THIS SCREEN:|" + (b"NO MATCH" if count else b"NO LINK")
