"""Know which modules the falling blocks are made of: what is loaded ahead of a game, and stays for the next one."""

import sys

# These take a board seconds to load.
_STAY = (
    "firmware.engine.",
    "firmware.modes.catalogue",
    "firmware.modes.marathon",
    "firmware.save.numbers",
    "firmware.save.suspended",
    "firmware.scenes.play",
    "firmware.view.art",
    "firmware.view.c",
    "firmware.view.matrix",
    "firmware.view.playfield",
)
# Each after those it needs, for a press waits as long as one of them takes.
_AHEAD = (
    "firmware.engine.tables",
    "firmware.engine.matrix",
    "firmware.engine.phases",
    "firmware.engine.scoring",
    "firmware.engine.manipulation",
    "firmware.engine.handling",
    "firmware.engine.finesse",
    "firmware.engine.statistics",
    "firmware.engine.game",
    "firmware.view.cells",
    "firmware.view.matrix",
    "firmware.view.playfield",
    "firmware.save.numbers",
    "firmware.save.suspended",
    "firmware.scenes.play",
    "firmware.modes.catalogue",
    "firmware.modes.marathon",
)


def find_view(large_cells: int) -> str:
    """Return the module of the view of a game: there is no room for both."""
    return "firmware.view.large" if large_cells else "firmware.view.effects"


def find_missing(large_cells: int) -> str:
    """Return the next module to load, or "" where all are there."""
    for path in _AHEAD:
        if path not in sys.modules:
            return path
    path = find_view(large_cells)
    return "" if path in sys.modules else path


def is_one(path: str, large_cells: int) -> bool:
    """Return whether a module stays for the next game."""
    for start in _STAY:
        if path.startswith(start):
            return True
    return path == find_view(large_cells)
