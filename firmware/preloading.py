"""List what a game needs, to be loaded while nobody waits; nothing of this is in memory in play."""

import sys

# Each follows the modules that it needs, because a press waits for a whole module.
_AHEAD = (
    "engine.tables engine.matrix engine.scoring engine.manipulation engine.handling engine.finesse "
    "engine.statistics engine.game view.cells view.matrix view.playfield modes.rules modes.marathon "
    "scenes.play.play save.varint save.suspended "
)


def load_next(view: str) -> bool:
    """Load the next module that a game in `view` needs; return whether one was missing."""
    for name in (_AHEAD + view[9:]).split(" "):
        if "firmware." + name not in sys.modules:
            __import__("firmware." + name)
            return True
    return False
