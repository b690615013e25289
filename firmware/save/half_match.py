"""Find the games of the last whole save of a match, if power failed in a newer one, or it had no room."""

from struct import unpack_from

from firmware.compat import TYPE_CHECKING, const
from firmware.save.journal_layout import NOWHERE, PLACES
from firmware.save.journal_reading import find_order

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
    for bank in range(len(journal.stores)):
        at = 0
        while at < journal.stores[bank].size:
            where = at * PLACES + bank
            count = journal.fetch(where)
            size = journal.check(count)
            kind, _, order = unpack_from("<BHI", journal.buffer)
            if not size:
                # Skip erased bytes in blocks: a loop over bytes would take long.
                size = max(count - len(bytes(journal.view[:count]).lstrip(b"\xff")), 1)
            elif kind in kinds and order < last and find_order(journal, kind) < order:
                journal.where[kind] = where
            at += size
