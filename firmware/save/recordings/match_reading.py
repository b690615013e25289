"""Read the options at the beginning of recordings of matches and linked matches."""

from firmware.compat import TYPE_CHECKING
from firmware.engine.options import NAMES, Options
from firmware.match.options import MatchOptions
from firmware.save.recordings.recording_reading import read_choice, read_count, read_fields

if TYPE_CHECKING:
    from firmware.save.varint import Numbers


def read_options(reader: "Numbers") -> tuple[MatchOptions, list[Options]]:
    """Return the options of a match, and those of each player's games."""
    # Imported late: who watches a match does not need them any more.
    from firmware.match.fields import FIELDS, check

    options = MatchOptions()
    read_fields(reader, options, [row[0] for row in FIELDS], read_count(reader, FIELDS))
    check(options)
    count = read_count(reader, NAMES)
    choices = []
    for _ in range(options.players):
        choice = Options()
        read_choice(reader, choice, count)
        choices.append(choice)
    return options, choices
