"""Adopt settings that changed in the pause of a linked match; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING
from firmware.engine.options import NAMES
from firmware.option_table import list_handling
from firmware.save.recordings.match_changes import note_changes

if TYPE_CHECKING:
    from firmware.contracts import LinkPlay

_HANDLING = list_handling()


def adopt_settings(scene: "LinkPlay") -> None:
    """Save and apply the settings, use the handling in this match from now on, and record the change."""
    context = scene.context
    context.save_settings()
    context.apply_settings()
    match = scene.match
    options = match.choices[match.me]
    changes = []
    for place in range(len(NAMES)):
        name = NAMES[place]
        value = getattr(context.settings, name)
        if name in _HANDLING and getattr(options, name) != value:
            setattr(options, name, value)
            changes.append(place << 10 | value)
    if changes and scene.noted:
        note_changes(scene.noted, changes, match.time_ms)
