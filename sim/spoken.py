"""Say in words what By ear tells by tones (firmware/sound/README.md); runs in the page, too (sim/web)."""

from firmware.compat import TYPE_CHECKING
from firmware.engine import events
from firmware.engine.matrix import WIDTH
from firmware.sound.by_ear import COLUMN, QUEUES, SURFACE, find_column, find_height

if TYPE_CHECKING:
    from typing import Any  # scenes differ

NAMES = "-IJLOSTZ"
FACINGS = ("north", "east", "south", "west")
# Events whose words are always the same, in the order of speaking; the page itself says lines, levels and the end.
SAYINGS = (
    (events.HOLD_FAILED, "Hold is used"),
    (events.ROTATE_FAILED, "Cannot turn"),
    (events.MOVE_FAILED, "Wall"),
    (events.LANDED, "Landed"),
    (events.LOCKED, "Locked"),
    (events.GARBAGE, "Garbage"),
)


def describe(scene: "Any") -> str:
    """Return what a scene's Ear told since the last call, as sentences; empty if nothing."""
    voice = scene.voice
    told = voice.told
    voice.told = 0
    game = scene.game
    said = []
    if told & events.HELD:
        said.append("Hold " + NAMES[game.hold])
    if told & events.ROTATED and game.piece:
        said.append("Facing " + FACINGS[game.facing])
    if told & COLUMN and game.piece:
        said.append("Column " + str(1 + find_column(game)))
    for event, word in SAYINGS:
        if told & event:
            said.append(word)
    if told & events.GENERATED and game.piece:
        said.append(NAMES[game.piece] + ", next " + NAMES[game.next[0]])
    if told & SURFACE:
        said.append("Surface " + " ".join([str(find_height(game.matrix, x)) for x in range(WIDTH)]))
    if told & QUEUES:
        said.append("Hold " + (NAMES[game.hold] if game.hold else "empty"))
        said.append("Next " + " ".join([NAMES[piece] for piece in game.next[: game.options.next_count]]))
    return "".join([sentence + ". " for sentence in said]).strip()
