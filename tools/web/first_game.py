"""Find the files of the firmware that a first game needs; a page loads the rest after its first picture.

A module needs what it imports, also in its functions, and a module that is the whole of a text:
`load("firmware.listening")`. A scene needs its residents, which the router loads ahead. It does not need the scenes
that it opens: handheld.py waits for those.
"""

import ast
from collections.abc import Container, Iterator

from firmware.modes import catalogue

# From power-on to the initials.
SCENES = (
    *("menus.title", "menus.legal", "setup.handling", "menus.main", "menus.more_modes", "menus.continue_or_new"),
    *("menus.choose_level", "play.play", "play.pause", "menus.over", "menus.over_facts", "menus.over_pieces"),
    *("menus.scores_initials", "menus.scores"),
)
MENU = b"menus.main"  # its modes belong to a first game
_SCENES = "firmware.scenes."
_ROOTS = ("sim.web.handheld", *(_SCENES + name for name in SCENES))
_SOUNDS = "firmware/sound/"  # tunes are imported by number
_NAMED = ("modes", "scenes", "view.layouts")  # the rooms of what a record names
MODES = "firmware/modes/modes.txt"
ATTACKS = "firmware/match/attacks.txt"  # results count lines by it
GOALS = "firmware/goals.txt"  # results judge by it


def find_files(sources: dict[str, str]) -> set[str]:
    """Return the paths of these sources that a first game needs, and of its data."""
    paths = {path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): path for path in sources}
    modes = [(_name_modes(record), record) for record in catalogue.read() if record[b"mode"] != b"none"]
    wanted = [*_ROOTS, *(name for name, path in paths.items() if path.startswith(_SOUNDS))]
    wanted += [names[0] for names, record in modes if record[b"menu"] == MENU]
    found: set[str] = set()
    while wanted:
        name = wanted.pop()
        if name in found or name not in paths:
            continue
        found.add(name)
        wanted += [name.rpartition(".")[0], *_find_named(sources[paths[name]], name.startswith(_SCENES), paths)]
        # A game of a mode whose module is there begins: all that its record names must be there, too.
        wanted += [other for names, _ in modes if names[0] == name for other in names]
    return {paths[name] for name in found} | {MODES, ATTACKS, GOALS}


def _name_modes(record: dict[bytes, bytes]) -> list[str]:
    """Return the modules that the record of a mode names, first its own."""
    mode, scene, layout = record[b"mode"].split()[2], record[b"scene"], record.get(b"layout", b"large")
    return [f"firmware.{room}.{name.decode()}" for room, name in zip(_NAMED, (mode, scene, layout), strict=True)]


def _find_named(source: str, is_scene: bool, paths: Container[str]) -> Iterator[str]:
    """Yield the modules that a source imports or names; some names are no modules.

    A scene names those it opens without their rooms: "link.lobby" there is not the module of the room `link`.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
            if is_scene:
                names = node.value.partition("|")[0].split()
                yield from (f"firmware.{name}" for name in names if _SCENES + name not in paths)
