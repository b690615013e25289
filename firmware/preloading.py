"""Load the modules of a game while the player reads a menu; play does not keep this module in memory."""

import sys


def load_next(names: "list[str]", view: str) -> bool:
    """Load the next of these modules, or the view; return whether one was missing.

    A button press has to wait for one import at most, because each module comes after those that it imports.
    """
    for name in names + [view[9:]]:
        if "firmware." + name not in sys.modules:
            __import__("firmware." + name)
            return True
    return False
