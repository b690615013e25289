"""Walk through all bytes of a journal's banks, not only to the newest records."""

from firmware.compat import TYPE_CHECKING
from firmware.save.journal_layout import PLACES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from firmware.contracts import Journal


def walk(journal: "Journal") -> "Iterator[tuple[int, int]]":
    """Yield the place and the size of each valid record, which the buffer holds then; a damaged byte has size 0."""
    for bank in range(len(journal.stores)):
        at = 0
        while at < journal.stores[bank].size:
            where = at * PLACES + bank
            count = journal.fetch(where)
            size = journal.check(count)
            # Skip erased bytes in blocks: a loop over bytes would take long.
            erased = 0 if size else count - len(bytes(journal.view[:count]).lstrip(b"\xff"))
            if not erased:
                yield where, size
            at += size or max(erased, 1)


def count_bytes(journal: "Journal") -> tuple[int, int]:
    """Return how many bytes valid records take, and how many others are not erased."""
    used = damaged = 0
    try:
        for _, size in walk(journal):
            used += size
            damaged += not size
    except OSError:
        pass  # the rest cannot be read
    return used, damaged
