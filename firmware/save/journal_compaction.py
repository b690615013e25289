"""Make room in a journal: keep the newest record of each kind only."""

from firmware.compat import const
from firmware.save.journal_reading import find

_MATCH = const(18)  # as of firmware/save/journal.py
_MATCH_KINDS = const(5)


def compact(journal, kind: int = 0, length: int = 0) -> bool:
    """Rewrite a journal, and save the first `length` bytes of its payload as the newest record of `kind` if given.

    For menus: it takes a tenth of a second and as much memory as all these records together.
    With two banks power may fail at any moment, and with one that has a spare. With one alone what is
    not yet rewritten is lost when it fails within the erase or the write that follows at once. What
    does not fit is left out, the least important first. Return False when that is the new record,
    then nothing is touched, or when a store failed.
    """
    if journal.failed or length > len(journal.payload):
        return False
    stores = journal.stores
    fresh = bytes(journal.view[: journal.frame(kind, length)]) if kind else b""
    payload = fresh[-length - 4 : -4]
    last = journal.last
    journal.open()  # bits may have flipped since
    bank = (journal.bank + 1) % len(stores)
    failed = journal.failed
    try:
        if bank == journal.bank:
            # The new record goes where the old one of its kind was: a small store has no room for both.
            image = gather(journal, stores[bank].size, kind, fresh)
            if fresh not in image:
                return False
            mark = b""
            # What is torn already is whole in the spare only.
            if journal.spare and not journal.torn:
                keep(journal, image, last)
        else:
            # No sequence number here may be new, for whatever has one counts as all there.
            image = gather(journal, stores[bank].size - journal.frame(0, 0), 0, b"")
            mark = bytes(journal.view[: journal.frame(0, 0)])
        if not failed:
            stores[bank].erase()
            stores[bank].write(0, image)
            if mark:
                stores[bank].write(len(image), mark)
    except OSError:
        failed = True
    journal.open()
    if failed or journal.bank != bank or journal.end != len(image) + len(mark):
        journal.failed = True
        journal.measure()
        return False
    if mark and kind:
        journal.payload[:length] = payload
        return journal.append(kind, length)
    return not kind or journal.order[kind] == last


def keep(journal, image: bytes, last: int) -> None:
    """Put a copy into the spare unless its drive is the PC's, and last of all a mark that comes after `last`."""
    if last > journal.last:
        journal.last = last
    copy = image + bytes(journal.view[: journal.frame(0, 0)])
    try:
        if len(copy) <= journal.spare.size:
            journal.spare.keep(copy)
    except OSError:
        pass


def weigh(journal) -> int:
    """Return how many bytes the newest records take."""
    total = 0
    for i in range(1, len(journal.order)):
        total += find(journal, i)
    return total


def gather(journal, most: int, kind: int, fresh: bytes) -> bytes:
    """Return the newest records, the most important first, as many as fit in `most` bytes; `fresh` for `kind`."""
    image = b""
    later = len(journal.order) - _MATCH
    for i in range(1, len(journal.order)):
        if i >= _MATCH:  # what a life has collected counts more than a match in progress
            i = _MATCH + (i - _MATCH + _MATCH_KINDS) % later
        record = fresh if i == kind else bytes(journal.view[: find(journal, i)])
        if len(image) + len(record) <= most:
            image += record
    return image
