"""List what a game needs, to be loaded while nobody waits; nothing of this is in memory in play."""

import sys

from firmware import router

# Each follows the modules that it needs, because a press waits for a whole module.
_AHEAD = (
    "engine.tables engine.matrix engine.scoring engine.manipulation engine.handling engine.finesse "
    "engine.statistics engine.game view.cells view.matrix view.playfield modes.rules modes.marathon "
    "scenes.play.play save.varint save.suspended"
)


def find_missing(large_cells: int) -> str:
    """Return the next module to load, or "" if all are loaded."""
    for name in _AHEAD.split(" "):
        if "firmware." + name not in sys.modules:
            return "firmware." + name
    path = router.find_view(large_cells)
    return "" if path in sys.modules else path
