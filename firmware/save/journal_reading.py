"""Look through a journal: find the newest valid records, and read them."""

from struct import unpack_from

from firmware.compat import const

_MARK = const(0)
_BANK_SHIFT = const(16)
_NOWHERE = const(-1)
_FRAME_BYTES = const(11)


def look_through(journal) -> None:
    """Look through the banks for what counts; after power-on, and whenever a store may be back."""
    journal.failed = not journal.stores
    journal.used = journal.damaged = 0
    journal.last = 0
    journal.bank = 0
    journal.end = 0
    for kind in range(len(journal.where)):
        journal.where[kind] = _NOWHERE
        journal.order[kind] = 0
    try:
        for bank in range(len(journal.stores)):
            scan(journal, bank)
    except OSError:
        journal.failed = True
    journal.measure()


def scan(journal, bank: int) -> None:
    """Note the newest records of a bank; append to it from now on if it is the one in use."""
    store = journal.stores[bank]
    at = end = last = 0
    while at < store.size:
        count = journal.fetch(store, at)
        if journal.buffer[0] == 0xFF:
            # Erased bytes are passed by the hundred, which a loop would take long for.
            at += count - len(bytes(journal.view[:count]).lstrip(b"\xff"))
            continue
        size = journal.check(count)
        if size:
            kind, _, order = unpack_from("<BHI", journal.buffer)
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
    # Both banks end alike when power failed while one was being copied: the mark decides.
    if not bank or last > journal.last or last == journal.last and journal.where[_MARK] >> _BANK_SHIFT == bank:
        journal.bank = bank
        journal.end = end
    if last > journal.last:
        journal.last = last


def find(journal, kind: int) -> int:
    """Fetch the newest record of a kind; return its size, 0 where there is none."""
    where = journal.where[kind]
    if where == _NOWHERE:
        return 0
    return journal.check(journal.fetch(journal.stores[where >> _BANK_SHIFT], where & 0xFFFF))


def read(journal, kind: int) -> memoryview:
    """Return the newest valid payload of a kind, a part of `payload`; empty where there is none."""
    size = 0
    try:
        size = find(journal, kind)
        if not size and journal.where[kind] != _NOWHERE:
            look_through(journal)  # a bit flipped since: what was there before it?
            size = find(journal, kind)
    except OSError:
        journal.failed = True
        journal.measure()
    return journal.payload[: size - _FRAME_BYTES] if size else journal.payload[:0]
