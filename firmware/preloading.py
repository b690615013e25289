"""Load the modules of a game while the player reads a menu; play does not keep this module in memory."""

import sys

# Each module comes after the modules that it imports: a button press has to wait for one import at most.
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
