"""Load the modules of a game while the player reads a menu; play does not keep this module in memory."""

import sys


def load_next(names: str) -> bool:
    """Load the next module of a list that is not loaded; return whether there was one.

    A button press has to wait for one import at most, because each module comes after those that it imports.
    """
    for name in names.split():
        if "firmware." + name not in sys.modules:
            __import__("firmware." + name)
            return True
    return False
