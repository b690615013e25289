"""Load the modules of a match while the heap is still empty, and forget a match; play does not keep this module."""

import gc

from firmware.compat import TYPE_CHECKING
from firmware.router import list_ahead
from firmware.save.journal import MATCH

if TYPE_CHECKING:
    from firmware.contracts import Context, Session


def load(residents: str) -> None:
    """Load the modules of a list one at a time, up to its bar.

    Collect after each import. Otherwise garbage lies between the modules, and a board has no free block over 2 KB
    in play.
    """
    for name in list_ahead(residents):
        __import__("firmware." + name)
        gc.collect()


def forget(session: "Session") -> None:
    """Delete the match in progress."""
    session.hold_game(None)
    journal = session.journal
    if not journal.failed and len(journal.read(MATCH)):
        journal.save(MATCH, 0)


def begin_afresh(context: "Context", name: str, words: bytes = b"") -> None:
    """Go to a scene that needs nearly all of a board's heap; a board restarts for it, if there is room.

    words: a text for the scene to show, at most 49 bytes.
    """
    if context.device.machine.renews:
        context.go("match.entrance", name.encode() + (b" " + words if words else b""))
        return
    from firmware.announcing import tell

    tell(context)
    context.go(name, words or None)
