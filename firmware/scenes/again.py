"""Begin the same game again by holding START after its end; play does not keep this module in memory.

A scene in which START held does this has `start_ms`: when START was pressed, or -1 while it is up.
"""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine.controls import PAUSE, ROTATE_CW
from firmware.modes.catalogue import FINESSE
from firmware.scenes.play_state import REST_MS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from firmware.contracts import Any, Context, EdgeQueue
    from firmware.engine.options import Options

HELD_MS = const(250)  # in a pause it is longer, because a game is lost

# What players ask for over the Matrix of a game that has ended
GO_ON = const(1)
AGAIN = const(2)


def is_held(scene: "Any", edges: "EdgeQueue", now_ms: int) -> bool:
    """Return whether START has been down long enough since `scene.start_ms`; its release may wait for a later frame.

    A result that still has something to save or to judge comes first.
    """
    if edges.waiting or scene.start_ms < 0 or getattr(scene, "unsettled", 0):
        return False
    return ticks_diff(now_ms, scene.start_ms) >= HELD_MS


def judge(scene: "Any", queues: "Sequence[EdgeQueue]", since_ms: int, now_ms: int) -> int:
    """Return what edges of this frame ask for over the Matrix of a game that ended at `since_ms`, or 0.

    START held is AGAIN, once. A, or the release of START, is GO_ON, but not in the first second or while START is down.
    """
    wish = 0
    for queue in queues:
        for i in range(queue.count):
            pressed = queue.pressed[i]
            if queue.button[i] == PAUSE:
                scene.start_ms = queue.t_ms[i] if pressed else -1
            if queue.button[i] == (ROTATE_CW if pressed else PAUSE):
                wish = GO_ON
    if is_held(scene, queues[0], now_ms):
        scene.start_ms = -1
        return AGAIN
    return 0 if scene.start_ms >= 0 or ticks_diff(now_ms, since_ms) < REST_MS else wish


def take_start(scene: "Any", edges: "EdgeQueue", now_ms: int) -> bool:
    """Begin again if START is held in a menu after a game, by the scene's `restart` if it has one; return whether.

    Its release after a shorter press becomes a press. While START is down no press counts, so no scene opens under it.
    """
    for i in range(edges.count):
        pressed = edges.pressed[i]
        was_down = scene.start_ms >= 0
        if edges.button[i] == PAUSE:
            scene.start_ms = edges.t_ms[i] if pressed else -1
            edges.pressed[i] = was_down and not pressed
        elif was_down:
            edges.pressed[i] = 0
    if not is_held(scene, edges, now_ms):
        return False
    if hasattr(scene, "restart"):
        scene.restart()
    else:
        begin_again(scene.context)
    return True


def pack(options: "Options") -> int:
    """Return the level, Starting Blocks and aim of a game in one number over 0."""
    return (options.level << 4 | options.garbage_rows) << 10 | options.aim


def begin_again(context: "Context", subject: "bytes | None" = b"", played: int = 0) -> None:
    """Ask for a packed game, else for the last one: the settings may be newer. b"" begins at once, None with READY."""
    settings = context.settings
    variant = context.session.variant
    played = played or context.session.played
    if played:
        if variant != FINESSE:  # no line of the main menu
            settings.variant = variant
        settings.aim = played & 1023
        settings.garbage_rows = played >> 10 & 15
        settings.level = played >> 14
    context.go("play", subject)


def sign(context: "Context", placed: "tuple[int, int]") -> None:
    """Write the initials of the settings into a (place, table)."""
    # Imported late: most games have no place.
    from firmware.modes.listing import list_tables
    from firmware.save.scores import open_table, write_initials

    journal = context.journal
    kind = list_tables()[placed[1]].kind
    table = open_table(journal, kind)
    table.sign(placed[0], write_initials(context.settings.initials))
    journal.save(kind, table.pack(journal.payload))
