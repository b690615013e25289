"""Find the games of the last whole save of a match, if power failed in a newer one, or it had no room."""

from struct import unpack_from

from firmware.compat import TYPE_CHECKING
from firmware.match.options import MOST_PLAYERS
from firmware.save.journal import MATCH, MATCH_GAMES
from firmware.save.journal_layout import NOWHERE
from firmware.save.journal_reading import find_order
from firmware.save.journal_walk import walk

if TYPE_CHECKING:
    from firmware.contracts import Journal


def forget(journal: "Journal") -> None:
    """Skip games that no shared part follows, which match_suspended.py writes last: those before it count."""
    last = find_order(journal, MATCH)
    kinds = range(MATCH_GAMES, MATCH_GAMES + MOST_PLAYERS)
    if max([find_order(journal, kind) for kind in kinds]) <= last:
        return
    for kind in kinds:
        journal.where[kind] = NOWHERE
    for where, size in walk(journal):
        kind, _, order = unpack_from("<BHI", journal.buffer)
        if size and kind in kinds and order < last and find_order(journal, kind) < order:
            journal.where[kind] = where
