"""Find the games of the last whole save of a match, if power failed in a newer one, or it had no room."""

from struct import unpack_from

from firmware.compat import TYPE_CHECKING, const

if TYPE_CHECKING:
    from firmware.contracts import Journal

_MATCH = const(18)  # as in firmware/save/journal.py
_MATCH_GAMES = const(19)
_PLACES = const(4)
_BANK_SHIFT = const(16)


def forget(journal: "Journal") -> None:
    """Skip games that no shared part follows, which match_suspended.py writes last: those before it count."""
    last = journal.order[_MATCH]
    if max(journal.order[_MATCH_GAMES : _MATCH_GAMES + _PLACES]) <= last:
        return
    for kind in range(_MATCH_GAMES, _MATCH_GAMES + _PLACES):
        journal.where[kind] = -1
        journal.order[kind] = 0
    for bank in range(len(journal.stores)):
        store = journal.stores[bank]
        at = 0
        while at < store.size:
            count = journal.fetch(store, at)
            size = journal.check(count)
            kind, _, order = unpack_from("<BHI", journal.buffer)
            if not size:
                # Skip erased bytes in blocks: a loop over bytes would take long.
                size = max(count - len(bytes(journal.view[:count]).lstrip(b"\xff")), 1)
            elif _MATCH_GAMES <= kind < _MATCH_GAMES + _PLACES and journal.order[kind] < order < last:
                journal.where[kind] = bank << _BANK_SHIFT | at
                journal.order[kind] = order
            at += size
