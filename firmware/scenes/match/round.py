"""Save a match; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING
from firmware.save.match_suspended import suspend

if TYPE_CHECKING:
    from firmware.contracts import Context, Match


def keep(context: "Context", match: "Match") -> bool:
    """Save a match to resume after power-off; return whether there was room. Without memory the match goes on."""
    if context.journal.failed:
        return False
    context.router.tidy()  # no collection: imports collect, and each takes a board 10 to 20 ms
    try:
        kept = suspend(match, context.journal, context.tidy)
    except MemoryError:
        kept = False
    context.router.tidy()
    return kept
