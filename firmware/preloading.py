"""Load the modules of a game while the player reads a menu; play does not keep this module in memory."""

import sys


def load_next(staying: str, keeps: str, view: str) -> bool:
    """Load the next module of two lists of residents, or the view; return whether one was missing.

    A button press has to wait for one import at most, because each module comes after those that it imports.
    """
    for name in (staying.partition("|")[0] + keeps.partition("|")[0] + view[9:]).split():
        if "firmware." + name not in sys.modules:
            __import__("firmware." + name)
            return True
    return False
