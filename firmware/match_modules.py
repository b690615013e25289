"""List the modules of a match, and load them while the heap is still empty."""

import gc

from firmware.compat import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware.contracts import Context

# A match keeps its modules, so a pause, Practice or the end of a round imports few more. Behind the bar are modules
# that only the beginning or such a moment needs: a match drops them.
KEPT = (
    "engine match players view link scenes.match.p scenes.link.p save.recordings.match_r save.recordings.link_r"
    "|match.fi link.lo players.l players.c view.large view.lo view.n scenes.match.pa scenes.link.pa"
)
# Each module comes after the modules that it imports.
_MATCH = (
    "engine.tables engine.matrix engine.scoring engine.manipulation engine.handling engine.finesse "
    "engine.statistics engine.randomizer engine.mode engine.initial_actions engine.game match.options match.flight "
    "match.attack match.seat match.match view.art view.cells view.matrix view.playfield view.effects view.rising "
    "view.small view.word view.layouts.rivals view.layouts.match scenes.play_scene scenes.match.play "
    "save.recordings.match_recorder"
)
_COMPUTERS = (
    "engine.profiles players.ground players.weights players.features players.rating players.ply players.opening "
    "players.beam players.planner players.player"
)
_LINK = (
    "link.events link.wire link.ring link.reachability link.players link.linked link.clock link.members link.stalls "
    "link.session save.recordings.link_recorder scenes.link.play"
)


def load(linked: bool) -> None:
    """Load the modules of a match one at a time.

    Collect after each import. Otherwise garbage lies between the modules, and a board has no free block over 2 KB
    in play.
    """
    for name in (_MATCH + " " + (_LINK if linked else _COMPUTERS)).split(" "):
        __import__("firmware." + name)
        gc.collect()


def begin_afresh(context: "Context", name: str, words: bytes = b"") -> None:
    """Go to a scene that needs nearly all of a board's heap; first restart with an empty heap if possible.

    words: a text for the scene to show, at most 40 bytes.
    """
    from firmware.refusing import refuses

    if refuses(context, name):
        return
    del refuses
    from firmware.view.notice import draw

    draw(context.canvas, True)
    context.device.display.show()
    context.device.machine.renew(name.encode() + (b" " + words if words else b""))
    context.go(name, words or None)
