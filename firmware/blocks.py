"""List the modules of the falling blocks: loaded before a game and kept for the next one."""

import sys

from firmware.compat import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


# Lists as text of paths below firmware: a tuple of strings would take a kilobyte in play. These modules take a board a
# second to load, and stay until Tetress needs the room.
_STAY = "engine. view.art view.blocks view.c view.m view.playfield"
# These stay where the next scene is probably a game.
_NEAR = "modes modes.marathon scenes.play scenes.play.play save.varint save.suspended"
# These scenes keep modes.catalogue and modes.rules for the game that follows, which has no room for them.
_LOOKS_UP = "over choose_ scores"
# These stay too if the pause is the way back.
_PAUSE = "scenes.menu scenes.pause scenes.play_st scenes.play.pause scenes.play.st save.settings_p"
FROM_PAUSE = "over_pieces"
_SCENES = "legal title main play over choose_v choose_l scores"
_LIGHT = "modes."  # beside fireworks there is no room for more
# A scene whose name begins with a room lies there: match_pause in scenes/match/pause.py, help in scenes/help/help.py.
# Of the others, those that begin like one of _PLAYED lie in scenes/play/, and the rest in scenes/menus/.
_ROOMS = "help link match options play setup"
_PLAYED = "against_ practise puzzle_ tetress_ watch"


def load(path: str) -> "Any":
    """Return a module; import it if needed."""
    __import__(path)
    return sys.modules[path]


def find_view(large_cells: int) -> str:
    """Return the view module of a game: there is no room for both."""
    return "firmware.view.layouts.large" if large_cells else "firmware.view.effects"


def find_scene(name: str, variant: int) -> str:
    """Return the module of a scene: some variants have their own play scene."""
    if name == "play":
        from firmware.modes.catalogue import find

        name = find(variant)[b"scene"].decode()
    room, _, rest = name.partition("_")
    if room in _ROOMS.split(" "):
        return "firmware.scenes." + room + "." + (rest or room)
    return "firmware.scenes." + ("play." if starts(name, _PLAYED.split(" ")) else "menus.") + name


def are_there(large_cells: int) -> bool:
    """Return whether a game can begin at once: engine and view are loaded, and little else is missing."""
    return "firmware.engine.game" in sys.modules and find_view(large_cells) in sys.modules


def starts(name: str, beginnings: "list[str]") -> bool:
    """Return whether a name begins with one of these."""
    for beginning in beginnings:
        if name.startswith(beginning):
            return True
    return False


def find_staying(
    large_cells: int, scene: str, entered: bool, kept: "tuple[str, str] | None"
) -> "tuple[list[str], list[str]]":
    """Return which modules stay in a scene, `entered` or not, for the next game, or the match of App's `kept`.

    First their names below firmware, then beginnings of names.
    """
    # The package too: importing it again with each scene takes a board 26 ms.
    names = ["scenes"]
    beginnings = _STAY.split(" ")
    if kept:
        beginnings += kept[0].split(" ")
    if starts(scene, _SCENES.split(" ")):
        names.append(find_view(large_cells)[9:])
        if not entered or starts(scene, _LOOKS_UP.split(" ")):
            names.append("modes.catalogue")
            if not entered or scene != "over":  # which has room for the catalogue alone
                names.append("modes.rules")
        if scene == FROM_PAUSE:
            beginnings += _PAUSE.split(" ")
        for name in _NEAR.split(" "):
            if scene != "over" or name.startswith(_LIGHT):
                names.append(name)
    return names, beginnings
