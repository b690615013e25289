"""Search a journal for the newest valid records, and read them."""

from struct import unpack_from

from firmware.compat import TYPE_CHECKING, const

if TYPE_CHECKING:
    from firmware.contracts import BackupBank, Journal, Store

_MARK = const(0)
_BANK_SHIFT = const(16)
_NOWHERE = const(-1)
_FRAME_BYTES = const(11)


def look_through(journal: "Journal") -> None:
    """Search the banks for valid records, after power-on and whenever a failed store may work again."""
    journal.failed = not journal.stores
    journal.used = journal.damaged = 0
    journal.last = 0
    journal.bank = 0
    journal.end = 0
    for kind in range(len(journal.where)):
        journal.where[kind] = _NOWHERE
        journal.order[kind] = 0
    journal.torn = False
    try:
        for bank in range(len(journal.stores)):
            last, end = scan(journal, journal.stores[bank], bank)
            # Both banks end with the same number if power failed during a copy: then the bank with the mark counts.
            if not bank or last > journal.last or last == journal.last and journal.where[_MARK] >> _BANK_SHIFT == bank:
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

    If the bank has nothing newer than this mark, power failed while the bank was rewritten.
    """
    where = journal.where[:]
    order = journal.order[:]
    newest = journal.last
    used = journal.used
    damaged = journal.damaged
    backup = len(journal.stores)
    last = 0
    try:
        last = scan(journal, journal.backup, backup)[0]
    except OSError:
        pass  # without its mark the backup is ignored
    journal.used = used
    journal.damaged = damaged
    if last > newest:
        journal.last = last
    if not last or journal.where[_MARK] >> _BANK_SHIFT != backup or journal.order[_MARK] != last:
        journal.where = where
        journal.order = order
        return
    for kind in range(1, len(order)):
        if journal.where[kind] >> _BANK_SHIFT == backup and newest < last:
            journal.torn = True


def scan(journal: "Journal", store: "Store | BackupBank", bank: int) -> tuple[int, int]:
    """Record the places of a bank's newest records; return the highest sequence number and the end of the records."""
    at = end = last = 0
    while at < store.size:
        count = journal.fetch(store, at)
        if journal.buffer[0] == 0xFF:
            # Skip erased bytes in blocks: a loop over bytes would take long.
            at += count - len(bytes(journal.view[:count]).lstrip(b"\xff"))
            continue
        size = journal.check(count)
        if size:
            kind, _, order = unpack_from(b"<BHI", journal.buffer)
            if order > journal.order[kind]:
                journal.order[kind] = order
                journal.where[kind] = bank << _BANK_SHIFT | at
            if order > last:
                last = order
            journal.used += size
        else:
            size = 1
            journal.damaged += 1
        at += size
        end = at
    return last, end


def find(journal: "Journal", kind: int) -> int:
    """Fetch the newest record of a kind; return its size, 0 if there is none."""
    where = journal.where[kind]
    if where == _NOWHERE:
        return 0
    bank = where >> _BANK_SHIFT
    store = journal.stores[bank] if bank < len(journal.stores) else journal.backup
    return journal.check(journal.fetch(store, where & 0xFFFF))


def read(journal: "Journal", kind: int) -> memoryview:
    """Return the newest valid payload of a kind, a part of `payload`; empty if there is none."""
    size = 0
    try:
        size = find(journal, kind)
        if not size and journal.where[kind] != _NOWHERE:
            look_through(journal)  # a bit has flipped since: find the record before this one
            size = find(journal, kind)
    except OSError:
        journal.failed = True
        journal.measure()
    return journal.payload[: size - _FRAME_BYTES] if size else journal.payload[:0]
