"""Start `skyline` from an installed wheel.

In the wheel this file is skyline_game/__init__.py, beside firmware/, sim/ and tools/ (see pyproject.toml).
"""

import importlib
import os
import sys

_FOLDER = os.path.dirname(os.path.abspath(__file__))


def _import_our_packages() -> None:
    """Import our packages, whatever other packages are called, and keep our folder in front of theirs.

    Behind the standard library: it has a module `code`, like we have. Processes that we start get the same path.
    """
    path = list(sys.path)
    sys.path.insert(0, _FOLDER)
    for name in ("firmware", "sim", "tools"):
        importlib.import_module(name)
    beside = os.path.dirname(_FOLDER)
    at = next((at for at, entry in enumerate(path) if os.path.abspath(entry) == beside), len(path))
    sys.path[:] = path[:at] + [_FOLDER] + path[at:]


_import_our_packages()


def main() -> int:
    from tools.wheel.commands import main

    return main()
