"""List the modules of the falling blocks: loaded before a game and kept for the next one."""

import sys

from firmware.compat import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


# Lists as text of paths below firmware: a tuple of strings would take a kilobyte in play. These modules take a board a
# second to load, and stay until Tetress needs the room.
_STAY = "engine. view.art view.blocks view.c view.m view.playfield"
# These stay where the next scene is probably a game.
_NEAR = "modes modes.marathon scenes.play save.numbers save.suspended"
# These scenes keep modes.catalogue and modes.rules for the game that follows, which has no room for them.
_LOOKS_UP = "over choose_ scores"
# These stay too if the pause is the way back.
_PAUSE = "scenes.menu scenes.pause scenes.play_p scenes.play_sta scenes.play_sto save.settings_p"
FROM_PAUSE = "over_pieces"
_SCENES = "legal title main play over choose_v choose_l scores"
_LIGHT = "modes."  # beside fireworks there is no room for more
# Each follows the modules that it needs, because a press waits for a whole module.
_AHEAD = (
    "engine.tables engine.matrix engine.scoring engine.manipulation engine.handling engine.finesse "
    "engine.statistics engine.game view.cells view.matrix view.playfield modes.rules modes.marathon "
    "scenes.play save.numbers save.suspended"
)


def load(path: str) -> "Any":
    """Return a module; import it if needed."""
    __import__(path)
    return sys.modules[path]


def find_view(large_cells: int) -> str:
    """Return the view module of a game: there is no room for both."""
    return "firmware.view.large" if large_cells else "firmware.view.effects"


def find_scene(name: str, variant: int) -> str:
    """Return the module of a scene: some variants have their own play scene."""
    if name == "play":
        from firmware.modes.catalogue import find

        name = find(variant)[b"scene"].decode()
    return "firmware.scenes." + name


def find_missing(large_cells: int) -> str:
    """Return the next module to load, or "" if all are loaded."""
    for name in _AHEAD.split(" "):
        if "firmware." + name not in sys.modules:
            return "firmware." + name
    path = find_view(large_cells)
    return "" if path in sys.modules else path


def are_there(large_cells: int) -> bool:
    """Return whether a game can begin at once: engine and view are loaded, and little else is missing."""
    return "firmware.engine.game" in sys.modules and find_view(large_cells) in sys.modules


def starts(name: str, beginnings: str) -> bool:
    """Return whether a name begins with one of these."""
    for beginning in beginnings.split(" "):
        if name.startswith(beginning):
            return True
    return False


def is_one(path: str, large_cells: int, scene: str, entered: bool, kept: "tuple[str, str] | None") -> bool:
    """Return whether a module stays in this scene, `entered` or not, for the next game or the match of App's `kept`."""
    name = path[9:]
    # The package too: importing it again with each scene takes a board 26 ms.
    if name == "scenes" or starts(name, _STAY):
        return True
    if kept and starts(name, kept[0]):
        return not starts(name, kept[1])
    if not starts(scene, _SCENES):
        return False
    if starts(name, "modes.c modes.r"):  # over has room for the catalogue alone
        return starts(scene, _LOOKS_UP) and (name == "modes.catalogue" or scene != "over") or not entered
    if scene == FROM_PAUSE and starts(name, _PAUSE):
        return True
    if name in _NEAR.split(" "):
        return scene != "over" or name.startswith(_LIGHT)
    return path == find_view(large_cells)
