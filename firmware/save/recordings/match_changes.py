"""Change options within a match, record the changes, and apply recorded changes.

A change is a number: (player << 5 | place in the FIELDS of a game) << 10 | new value.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.controls import PAUSE
from firmware.engine.options import FIELDS
from firmware.match.options import PERSON
from firmware.save.recorder import ENTRY_BYTES
from firmware.save.recordings.match_recorder import CHANGES, SHIFT, TAIL_BYTES, WITH_CHANGES

if TYPE_CHECKING:
    from firmware.contracts import MatchPlay, Recorder
    from firmware.engine.options import Options

_FIELD = const(31)
_VALUE = const(1023)


def change(choices: "list[Options]", number: int) -> None:
    """Give an option its new value; raise ValueError for an unknown player or option, or a wrong value."""
    player = number >> 15
    place = number >> 10 & _FIELD
    if player >= len(choices) or place >= len(FIELDS):
        raise ValueError("recording is damaged: it changes an option that there is not")
    setattr(choices[player], FIELDS[place][0], number & _VALUE)
    choices[player].check()


def note_changes(recorder: "Recorder", changes: list[int], time_ms: int) -> None:
    """Add changes to the recording of a match."""
    if recorder.put_entry(SHIFT, CHANGES | PAUSE, time_ms, TAIL_BYTES + ENTRY_BYTES * (1 + len(changes))):
        recorder.buffer[3] = WITH_CHANGES
        for number in changes:
            recorder.put(1 + number)
        recorder.put(0)


def adopt_handling(scene: "MatchPlay") -> None:
    """Apply the settings of the handling to the games of all people from now on, and record the changes."""
    from firmware.save.settings_presets import HANDLING

    match = scene.match
    settings = scene.context.settings
    changes = []
    for i in range(match.options.players):
        if match.options.level_of(i) == PERSON:
            for place in range(len(FIELDS)):
                name = FIELDS[place][0]
                if name in HANDLING and getattr(match.choices[i], name) != getattr(settings, name):
                    changes.append((i << 5 | place) << 10 | getattr(settings, name))
    if changes and scene.noted:
        note_changes(scene.noted.recorder, changes, match.time_ms)
    for number in changes:  # not in the loop above: people may share one Options object
        change(match.choices, number)
