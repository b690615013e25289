"""Make room in a journal: keep the newest record of each kind only."""

from firmware.compat import TYPE_CHECKING, const
from firmware.save.journal_layout import FRAME_BYTES, NOWHERE, PLACES, REFUSED
from firmware.save.journal_reading import find, find_order

if TYPE_CHECKING:
    from collections.abc import Iterator

    from firmware.contracts import Any, Blob
    from firmware.save.journal import Journal

_MATCH = const(18)  # as in firmware/save/journal.py
_MATCH_KINDS = const(5)
_PIECE_BYTES = const(64)
_LEAST_BYTES = const(512)  # a whole record fits


def compact(journal: "Journal", kind: int = 0, length: int = 0) -> bool:
    """Rewrite a journal; if `kind` is given, save the first `length` bytes of its payload as the newest record.

    Call this in menus only: it takes a tenth of a second. With two banks, or one with a backup, power may fail at any
    moment; with one alone, a cut while the store replaces bytes loses them all. If room is short, the least important
    records are left out. Return False if the new record has no room or no memory, or if a store failed; no other record
    is lost then.
    """
    if journal.failed or length > len(journal.payload):
        return False
    end = REFUSED
    bank = 0
    try:
        fresh = bytes(journal.view[: journal.frame(kind, length)]) if kind else b""
        last = journal.last
        # Before the search, which leaves garbage: what is allocated in it would split the block for this buffer.
        buffer = take_block(find_most(journal, fresh)) if len(journal.stores) == 1 else None
        journal.open()  # bits may have flipped since the last search
        if journal.failed:
            return False
        games = [find_order(journal, each) for each in range(_MATCH + 1, _MATCH + _MATCH_KINDS)]
        if max(games) > find_order(journal, _MATCH):
            # Imported late: power rarely fails in a save.
            from firmware.save.half_match import forget

            forget(journal)
        bank = (journal.bank + 1) % len(journal.stores)
        if buffer is None:
            from firmware.save.journal_copy import copy

            end = copy(journal, kind, fresh, choose)
        else:
            end = squeeze(journal, kind, fresh, buffer)
        if end == REFUSED:
            return False
        journal.open()
    except MemoryError:
        return False
    except OSError:
        end = REFUSED
    if journal.failed or journal.bank != bank or journal.end != end:
        journal.failed = True
        journal.measure()
        return False
    if kind and find_order(journal, kind) != last:
        journal.payload[:length] = fresh[-length - 4 : -4]
        return journal.append(kind, length)
    return True


def find_most(journal: "Journal", fresh: bytes) -> int:
    """Return the most bytes of the only bank that a rewriting can change."""
    size = int(journal.stores[0].size)
    return size if journal.torn else min(size, journal.end + len(fresh))


def squeeze(journal: "Journal", kind: int, fresh: bytes, buffer: bytearray) -> int:
    """Move the records of the only bank to its front, in their order; return their end, or REFUSED for no room.

    Each `replace` erases the bank. One is enough if the buffer holds all that changes. If not, each takes as many whole
    records as it can; between two of them no other record is missing.
    """
    store = journal.stores[0]
    kinds = choose(journal, store.size, kind, fresh)
    if kind and kind not in kinds:
        return REFUSED
    # Only the backup has all records of a torn bank: do not overwrite it.
    if journal.backup and not journal.torn:
        keep(journal, kinds, kind, fresh)
    order = sorted(kinds, key=lambda each: NOWHERE if each == kind else journal.where[each])
    at = 0
    while order and order[0] != kind and journal.where[order[0]] == at * PLACES:
        at += find_size(journal, order.pop(0))  # it stays: in a match most records do
    old_end = journal.end
    rewriting = Rewriting(store, at, buffer)
    for each in order:
        rewriting.add(fresh if each == kind else journal.view[: find(journal, each)])
    end = rewriting.at
    blank = memoryview(b"\xff" * _PIECE_BYTES)
    while rewriting.at < old_end:
        rewriting.add(blank[: old_end - rewriting.at])
    rewriting.flush()
    return end


class Rewriting:
    """Collect bytes for `store` from `at` on, and replace as many at once as the buffer holds."""

    def __init__(self, store: "Any", at: int, buffer: bytearray) -> None:
        self.store = store
        self.start = self.at = at
        self.buffer = memoryview(buffer)

    def add(self, record: "Blob") -> None:
        if self.at + len(record) - self.start > len(self.buffer):
            self.flush()
        self.buffer[self.at - self.start : self.at - self.start + len(record)] = record
        self.at += len(record)

    def flush(self) -> None:
        if self.at > self.start:
            self.store.replace(self.start, self.buffer[: self.at - self.start])
        self.start = self.at


def keep(journal: "Journal", kinds: list[int], kind: int, fresh: bytes) -> None:
    """Copy records into the backup, then a mark with a new number; do nothing if the PC owns the drive."""
    journal.last += 1 if kind else 0  # the number of `fresh`
    mark = bytes(journal.view[: journal.frame(0, 0)])
    try:
        if sum([find_size(journal, each) for each in kinds]) + len(fresh) + len(mark) <= journal.backup.size:
            journal.backup.keep(pieces(journal, kinds, kind, fresh, mark))
    except OSError:
        pass


def pieces(journal: "Journal", kinds: list[int], kind: int, fresh: bytes, mark: bytes) -> "Iterator[Blob]":
    """Yield the records and a mark; each is valid until the next."""
    for each in kinds:
        yield fresh if each == kind else journal.view[: find(journal, each)]
    yield mark


def take_block(size: int) -> bytearray:
    """Return a buffer of `size` bytes, or the half of that, and so on, that the heap still has."""
    while True:
        try:
            return bytearray(size)
        except MemoryError:
            if size <= _LEAST_BYTES:
                raise
            size = max(size >> 1, _LEAST_BYTES)


def choose(journal: "Journal", most: int, kind: int, fresh: bytes) -> list[int]:
    """Return the kinds with a record, the most important first, as many as fit in `most` bytes; `kind` has `fresh`.

    The games of a match that is over are left out.
    """
    kinds: list[int] = []
    is_over = (len(fresh) if kind == _MATCH else find_size(journal, _MATCH)) <= FRAME_BYTES
    last = len(journal.where) - 1
    for i in range(1, last + 1):
        if _MATCH <= i < last:  # only means.py's record, of the last kind, is less important than a match in progress
            i = _MATCH + (i - _MATCH + _MATCH_KINDS) % (last - _MATCH)
        if is_over and _MATCH < i < _MATCH + _MATCH_KINDS:
            continue
        size = len(fresh) if i == kind else find_size(journal, i)
        if 0 < size <= most:
            kinds.append(i)
            most -= size
    return kinds


def find_size(journal: "Journal", kind: int) -> int:
    """Return the size of the newest record of a kind, which a search has checked, or 0."""
    return FRAME_BYTES + (journal.buffer[1] | journal.buffer[2] << 8) if find_order(journal, kind) else 0


def leaves_room(journal: "Journal", quarters: int = 4) -> bool:
    """Return whether so many quarters of the saved match fit beside all records that stay."""
    match = sum([find_size(journal, i) for i in range(_MATCH, _MATCH + _MATCH_KINDS)])
    return weigh(journal) + (match * quarters >> 2) <= journal.stores[journal.bank].size


def weigh(journal: "Journal") -> int:
    """Return how many bytes the records take that stay."""
    return sum([find_size(journal, i) for i in choose(journal, journal.stores[journal.bank].size, 0, b"")])
