"""Begin the next game by holding START after the end of one; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine.controls import PAUSE

if TYPE_CHECKING:
    from firmware.contracts import Any, Context, EdgeQueue

HELD_MS = const(250)  # in a pause it is longer, because a game is lost


def is_held(scene: "Any", now_ms: int) -> bool:
    """Return whether START has been down long enough since `scene.start_ms`."""
    return scene.start_ms >= 0 and ticks_diff(now_ms, scene.start_ms) >= HELD_MS


def take_start(scene: "Any", edges: "EdgeQueue", now_ms: int) -> bool:
    """Return whether START is held; turn its release after a shorter press into a press, which acts in a menu."""
    for i in range(edges.count):
        if edges.button[i] == PAUSE:
            was_down = scene.start_ms >= 0
            scene.start_ms = edges.t_ms[i] if edges.pressed[i] else -1
            edges.pressed[i] = was_down and scene.start_ms < 0
    return is_held(scene, now_ms)


def begin_again(context: "Context") -> None:
    """Ask for a game of the same mode, which begins at once: without a countdown."""
    context.go("play", b"")
