"""Find the games of the last whole save of a match, if power failed in a newer one, or it had no room."""

from struct import unpack_from

from firmware.compat import TYPE_CHECKING, const
from firmware.save.journal_layout import NOWHERE
from firmware.save.journal_reading import find_order
from firmware.save.journal_walk import walk

if TYPE_CHECKING:
    from firmware.contracts import Journal

_MATCH = const(18)  # as in firmware/save/journal.py
_MATCH_GAMES = const(19)
_SEATS = const(4)


def forget(journal: "Journal") -> None:
    """Skip games that no shared part follows, which match_suspended.py writes last: those before it count."""
    last = find_order(journal, _MATCH)
    kinds = range(_MATCH_GAMES, _MATCH_GAMES + _SEATS)
    if max([find_order(journal, kind) for kind in kinds]) <= last:
        return
    for kind in kinds:
        journal.where[kind] = NOWHERE
    for where, size in walk(journal):
        kind, _, order = unpack_from("<BHI", journal.buffer)
        if size and kind in kinds and order < last and find_order(journal, kind) < order:
            journal.where[kind] = where
