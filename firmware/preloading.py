"""Load the modules of a game while the player reads a menu; play does not keep this module in memory."""

import sys

from firmware.residents import GAME, STAY


def load_next(view: str) -> bool:
    """Load the next module that a game in `view` needs; return whether one was missing.

    A button press has to wait for one import at most, because each module comes after those that it imports.
    """
    for name in (STAY.partition("|")[0] + GAME.partition("|")[0] + view[9:]).split():
        if "firmware." + name not in sys.modules:
            __import__("firmware." + name)
            return True
    return False
