"""Ask a scene what the buttons do in it; runs in the page, too (sim/web)."""

from firmware.compat import TYPE_CHECKING
from firmware.scenes.play_state import OVER

if TYPE_CHECKING:
    from typing import Any  # scenes differ


def name_scene(path: str) -> str:
    """Return the router's name for the scene of a module; `path` is dotted as in an import."""
    _rest, room, module = path.rsplit(".", 2)
    return room + "." + module


def is_steered(scene: "Any") -> bool:
    """Return whether the buttons steer a Tetrimino now, not a menu or a replay."""
    return scene.kind == "play" and scene.steered >> scene.state & 1 == 1


def can_restart(scene: "Any") -> bool:
    """Return whether START, if it is held, begins a game again: in play, and where a game has ended."""
    return scene.kind == "play" or hasattr(scene, "start_ms")


def runs(scene: "Any") -> bool:
    """Return whether a game goes on until PAUSE is pressed, also in a countdown to it; a puzzle waits by itself."""
    return is_steered(scene) and scene.state != OVER and hasattr(scene, "press_pause")
