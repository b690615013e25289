"""Search a journal for the newest valid records, and read them."""

from struct import unpack_from

from firmware.compat import TYPE_CHECKING, const
from firmware.save.journal_layout import FRAME_BYTES, HEAD_BYTES, NOWHERE, PLACES

if TYPE_CHECKING:
    from firmware.contracts import Any, Journal

_MARK = const(0)
_ORDER_AT = const(3)


def look_through(journal: "Journal") -> None:
    """Search the banks for valid records, after power-on and whenever a failed store may work again."""
    journal.failed = not journal.stores
    journal.last = journal.bank = journal.end = 0
    for kind in range(len(journal.where)):
        journal.where[kind] = NOWHERE
    journal.torn = False
    try:
        for bank in range(len(journal.stores)):
            last, end = scan(journal, bank, journal.stores[bank].size)
            # Both banks end with the same number if power failed during a copy: then the bank with the mark counts.
            if not bank or last > journal.last or last == journal.last and journal.where[_MARK] % PLACES == bank:
                journal.bank = bank
                journal.end = end
            if last > journal.last:
                journal.last = last
    except OSError:
        journal.failed = True
    if journal.backup and not journal.failed:
        look_into_backup(journal)
    journal.measure()


def look_into_backup(journal: "Journal") -> None:
    """Use the backup's records, too, if the backup ends with a whole mark; ignore an unfinished copy.

    If the bank has nothing newer than this mark, and has other records, power failed while the bank was rewritten.
    """
    where = journal.where[:]
    newest = journal.last
    backup = len(journal.stores)
    last = 0
    is_whole = False
    older: "list[tuple[int, int]]" = []
    try:
        last = scan(journal, backup, journal.backup.size, older)[0]
        is_whole = journal.where[_MARK] % PLACES == backup and find_order(journal, _MARK) == last
    except OSError:
        pass  # without its mark the backup is ignored
    if last > newest:
        journal.last = last
    if not is_whole:
        journal.where = where
    elif newest < last:
        for kind, place in older:
            journal.where[kind] = place  # the bank has a newer one, of a save that was not whole
        for place in journal.where[1:]:
            if place % PLACES == backup:
                journal.torn = True


def scan(
    journal: "Journal", bank: int, bank_bytes: int, older: "list[tuple[int, int]] | None" = None
) -> tuple[int, int]:
    """Record the places of a bank's newest records; return the highest sequence number and the end of the records.

    older: takes the kind and place of each record that another bank has newer.
    """
    at = end = last = 0
    while at < bank_bytes:
        where = at * PLACES + bank
        count = journal.fetch(where)
        if journal.buffer[0] == 0xFF:
            # Skip erased bytes in blocks: a loop over bytes would take long.
            at += count - len(bytes(journal.view[:count]).lstrip(b"\xff"))
            continue
        size = journal.check(count)
        if size:
            kind, _, order = unpack_from(b"<BHI", journal.buffer)
            known = find_order(journal, kind)
            if order > known:
                journal.where[kind] = where
            elif older is not None and order < known:
                older.append((kind, where))
            if order > last:
                last = order
        at += size or 1
        end = at
    return last, end


def find_order(journal: "Journal", kind: int) -> int:
    """Fetch the head of the newest record of a kind, which a search has checked; return its sequence number, or 0.

    Only the head: what is read becomes garbage, and a board collects 10 KB of it for 20 ms.
    """
    where = journal.where[kind]
    if where == NOWHERE:
        return 0
    bank = where % PLACES
    store: "Any" = journal.stores[bank] if bank < len(journal.stores) else journal.backup
    store.read(where // PLACES, journal.view[:HEAD_BYTES])
    return int(unpack_from(b"<I", journal.buffer, _ORDER_AT)[0])


def find(journal: "Journal", kind: int) -> int:
    """Fetch the newest record of a kind; return its size, 0 if there is none."""
    where = journal.where[kind]
    return 0 if where == NOWHERE else journal.check(journal.fetch(where))


def read(journal: "Journal", kind: int) -> memoryview:
    """Return the newest valid payload of a kind, a part of `payload`; empty if there is none."""
    size = 0
    try:
        size = find(journal, kind)
        if not size and journal.where[kind] != NOWHERE:
            look_through(journal)  # a bit has flipped since: find the record before this one
            size = find(journal, kind)
    except OSError:
        journal.failed = True
        journal.measure()
    return journal.payload[: size - FRAME_BYTES] if size else journal.payload[:0]
