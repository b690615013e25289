"""Load the modules of a match while the heap is still empty."""

import gc

from firmware.compat import TYPE_CHECKING
from firmware.residents import STAY

if TYPE_CHECKING:
    from firmware.contracts import Context


def load(residents: str) -> None:
    """Load the modules of a list one at a time, up to its bar.

    Collect after each import. Otherwise garbage lies between the modules, and a board has no free block over 2 KB
    in play.
    """
    for name in (STAY.partition("|")[0] + residents.partition("|")[0]).split():
        __import__("firmware." + name)
        gc.collect()


def begin_afresh(context: "Context", name: str, words: bytes = b"") -> None:
    """Go to a scene that needs nearly all of a board's heap; a board restarts for it, if there is room.

    words: a text for the scene to show, at most 40 bytes.
    """
    if context.device.machine.renews:
        context.go("match.entrance", name.encode() + (b" " + words if words else b""))
        return
    from firmware.view.notice import draw

    draw(context.canvas, True)
    context.device.display.show()
    context.go(name, words or None)
