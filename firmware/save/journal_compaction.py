"""Make room in a journal: keep the newest record of each kind only."""

from firmware.compat import TYPE_CHECKING, const
from firmware.save.journal_reading import find

if TYPE_CHECKING:
    from firmware.contracts import Store
    from firmware.save.journal import Journal

_MATCH = const(18)  # as in firmware/save/journal.py
_MATCH_KINDS = const(5)
_HEAD_BYTES = const(7)
_PIECE_BYTES = const(256)  # divides the size of nvm


def compact(journal: "Journal", kind: int = 0, length: int = 0) -> bool:
    """Rewrite a journal; if `kind` is given, save the first `length` bytes of its payload as the newest record.

    Call this in menus only: it takes a tenth of a second and as much memory as all these records, each in its own
    block. With two banks, or one with a backup, power may fail at any moment. With one bank alone, a power cut loses
    the records that are not yet rewritten. If room is short, the least important records are left out. Return False if
    the new record has no room (then the journal is unchanged) or a store failed.
    """
    if journal.failed or length > len(journal.payload):
        return False
    stores = journal.stores
    fresh = bytes(journal.view[: journal.frame(kind, length)]) if kind else b""
    last = journal.last
    journal.open()  # bits may have flipped since the last search
    bank = (journal.bank + 1) % len(stores)
    failed: bool = journal.failed
    try:
        if bank == journal.bank:
            # The new record replaces the old one of its kind at once: a small store lacks room for both.
            records = gather(journal, stores[bank].size, kind, fresh)
            if kind and fresh not in records:
                return False
            mark = b""
            # Only the backup has all records of a torn bank: do not overwrite it.
            if journal.backup and not journal.torn:
                keep(journal, records, last)
        else:
            # Copy with the old sequence numbers: only the mark at the end, which is new, makes the copy count.
            room = stores[bank].size - journal.frame(0, 0)
            records = gather(journal, room, 0, b"")
            if count_bytes(records) + len(fresh) > room:
                # Without room for both, the new record replaces the old one of its kind at once, too.
                records = gather(journal, room, kind, fresh)
                if fresh not in records:
                    return False
            mark = bytes(journal.view[: journal.frame(0, 0)])
        if not failed:
            erase(journal, stores[bank])
            offset = 0
            for record in records:
                stores[bank].write(offset, record)
                offset += len(record)
            if mark:
                stores[bank].write(offset, mark)
    except OSError:
        failed = True
    journal.open()
    if failed or journal.bank != bank or journal.end != count_bytes(records) + len(mark):
        journal.failed = True
        journal.measure()
        return False
    if mark and kind and fresh not in records:
        journal.payload[:length] = fresh[-length - 4 : -4]
        return journal.append(kind, length)
    return not kind or journal.order[kind] == last


def keep(journal: "Journal", records: list[bytes], last: int) -> None:
    """Copy records into the backup, then a mark numbered after `last`; do nothing if the PC owns the drive."""
    if last > journal.last:
        journal.last = last
    copy = records + [bytes(journal.view[: journal.frame(0, 0)])]
    try:
        if count_bytes(copy) <= journal.backup.size:
            journal.backup.keep(copy)
    except OSError:
        pass


def weigh(journal: "Journal") -> int:
    """Return how many bytes the newest records take."""
    total = 0
    for i in range(1, len(journal.order)):
        total += find(journal, i)
    return total


def erase(journal: "Journal", store: "Store") -> None:
    """Set every byte of a store to 0xFF; if nvm finds no memory for a large block, do it in small pieces."""
    try:
        store.erase()
    except MemoryError:
        buffer = journal.buffer  # no memory may be left for another buffer
        for i in range(_PIECE_BYTES):
            buffer[i] = 0xFF
        for offset in range(0, store.size, _PIECE_BYTES):
            store.write(offset, journal.view[:_PIECE_BYTES])  # nvm erases the sector by itself


def count_bytes(records: list[bytes]) -> int:
    """Return how many bytes the records take together."""
    return sum([len(record) for record in records])


def gather(journal: "Journal", most: int, kind: int, fresh: bytes) -> list[bytes]:
    """Return the newest records, the most important first, as many as fit in `most` bytes; for `kind` take `fresh`.

    The records stay separate: in a match the heap has no block for all of them. Records of another save of the match
    than a fresh one are worth nothing (match_suspended.py), so they are left out: a match has no memory to spare.
    """
    records: list[bytes] = []
    used = 0
    later = len(journal.order) - _MATCH
    for i in range(1, len(journal.order)):
        if i >= _MATCH:  # all other kinds are more important than a match in progress
            i = _MATCH + (i - _MATCH + _MATCH_KINDS) % later
        size = find(journal, i)
        if kind >= _MATCH and _MATCH <= i < _MATCH + _MATCH_KINDS and journal.buffer[_HEAD_BYTES] != fresh[_HEAD_BYTES]:
            size = 0  # its stamp is older
        record = fresh if i == kind else bytes(journal.view[:size])
        if record and used + len(record) <= most:
            records.append(record)
            used += len(record)
    return records
