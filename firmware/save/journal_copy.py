"""Copy a journal's records into its other bank. No handheld has two, and this would take room in a match's pause."""

from firmware.compat import TYPE_CHECKING
from firmware.save.journal_layout import REFUSED
from firmware.save.journal_reading import find

if TYPE_CHECKING:
    from firmware.contracts import Callable, Journal


def copy(journal: "Journal", kind: int, fresh: bytes, choose: "Callable[[Journal, int, int, bytes], list[int]]") -> int:
    """Copy the records into the other bank, and then a mark: only that makes the copy count; return their end.

    The records keep their sequence numbers, so `fresh` is saved later, unless only its kind's old record gives it room.
    """
    bank = journal.bank ^ 1
    store = journal.stores[bank]
    mark = bytes(journal.view[: journal.frame(0, 0)])
    room = store.size - len(mark)
    kinds = choose(journal, room, 0, b"")
    if kind and sum([find(journal, each) for each in kinds]) + len(fresh) > room:
        kinds = choose(journal, room, kind, fresh)
        if kind not in kinds:
            return REFUSED
    else:
        kind = 0
    # All at once: the bank that is erased may have the only sound copy. Only PCs have two banks, so there is memory.
    records = [fresh if each == kind else bytes(journal.view[: find(journal, each)]) for each in kinds]
    store.erase()
    at = 0
    for record in records:
        store.write(at, record)
        at += len(record)
    store.write(at, mark)
    return at + len(mark)
