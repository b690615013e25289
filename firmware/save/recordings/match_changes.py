"""Change options within a match, record the changes, and apply recorded changes.

A change is a number: (player << 5 | place in the FIELDS of a game) << 10 | new value.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.controls import PAUSE
from firmware.engine.options import NAMES
from firmware.match.options import PERSON
from firmware.save.recorder import ENTRY_BYTES
from firmware.save.recordings.link_recorder import CHANGED, LINKED_WITH_CHANGES
from firmware.save.recordings.match_recorder import CHANGES, SHIFT, TAIL_BYTES, WITH_CHANGES

if TYPE_CHECKING:
    from firmware.contracts import MatchPlay, MatchRecorder
    from firmware.engine.options import Options
    from firmware.save.recordings.link_recorder import LinkRecorder

PLAYER = const(15)  # bits below the player


def change(choices: "list[Options]", number: int) -> None:
    """Set an option of a player's games to its new value; raise ValueError if player or option do not exist."""
    player = number >> PLAYER
    if player >= len(choices):
        raise ValueError("recording is damaged: it changes an option of player %d" % (player + 1))
    # Imported late: most matches continue with the handling that they had.
    from firmware.save.recordings.recording_reading import change_option

    change_option(choices[player], number & (1 << PLAYER) - 1)


def note_changes(noted: "MatchRecorder | LinkRecorder", changes: list[int], time_ms: int) -> None:
    """Add changes to the recording of a match; that of a linked one knows only the local player's."""
    recorder = noted.recorder
    more_bytes = ENTRY_BYTES * (1 + len(changes))
    kind = WITH_CHANGES
    if hasattr(noted, "me"):
        if TYPE_CHECKING:
            assert isinstance(noted, LinkRecorder)
        kind = LINKED_WITH_CHANGES
        changes = [number & (1 << PLAYER) - 1 for number in changes]
        begun = noted.put(noted.me << 4 | PAUSE, time_ms, more_bytes)
        if begun:
            noted.put_byte(CHANGED)
    else:
        begun = recorder.put_entry(SHIFT, CHANGES | PAUSE, time_ms, TAIL_BYTES + more_bytes)
    if begun:
        recorder.buffer[3] = kind
        for number in changes:
            recorder.put(1 + number)
        recorder.put(0)


def adopt_handling(scene: "MatchPlay") -> None:
    """Apply the settings of the handling to the games of all people from now on, and record the changes."""
    from firmware.save.presets import HANDLING

    match = scene.match
    settings = scene.context.settings
    changes = []
    for i in range(match.options.players):
        if match.options.level_of(i) == PERSON:
            for place in range(len(NAMES)):
                name = NAMES[place]
                if name in HANDLING and getattr(match.choices[i], name) != getattr(settings, name):
                    changes.append(i << PLAYER | place << 10 | getattr(settings, name))
    if changes and scene.noted:
        note_changes(scene.noted, changes, match.time_ms)
    for number in changes:  # not in the loop above: people may share one Options object
        change(match.choices, number)
