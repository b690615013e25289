"""Keep lines of rules by name in the journal (README.md, "The lines kept")."""

from firmware.compat import TYPE_CHECKING, const
from firmware.save.varint import Numbers

if TYPE_CHECKING:
    from firmware.contracts import Journal

RULES = const(35)  # the kind of the journal's record
MOST_LINES = const(8)
NAME_LETTERS = const(6)
FIRST_KEPT = const(3)  # the line of the scene rules.menu with the first of them

_FORMAT = const(1)


def read(journal: "Journal") -> "list[tuple[bytes, list[int]]]":
    """Return the names and numbers of the lines kept, to the first damaged one; `rules.check` may refuse numbers."""
    record = bytes(journal.read(RULES))
    kept: "list[tuple[bytes, list[int]]]" = []
    if not len(record) or record[0] != _FORMAT:
        return kept
    reader = Numbers(record, False, 1)
    name = bytearray(NAME_LETTERS)
    try:
        while reader.at < reader.end and len(kept) < MOST_LINES:
            reader.items(name, NAME_LETTERS)
            kept.append((bytes(name), [reader.get() for _ in range(reader.get())]))
    except (IndexError, ValueError):
        pass
    return kept


def save(journal: "Journal", kept: "list[tuple[bytes, list[int]]]") -> bool:
    """Keep these lines instead of the former ones; return whether they are saved."""
    if journal.failed:
        return False
    writer = Numbers(journal.payload, True, 1)
    writer.blob[0] = _FORMAT
    try:
        for name, numbers in kept:
            writer.items(bytearray(name), NAME_LETTERS)
            writer.walk(len(numbers))
            for number in numbers:
                writer.walk(number)
    except IndexError:
        return False  # eight of the longest lines have no room
    return journal.save(RULES, writer.at)


def keep(journal: "Journal", name: bytes, numbers: "list[int]") -> bool:
    """Keep a line, instead of one of the same name; return whether it is saved."""
    kept = read(journal)
    names = [each[0] for each in kept]
    if name in names:
        kept[names.index(name)] = (name, numbers)
    elif len(kept) < MOST_LINES:
        kept.append((name, numbers))
    else:
        return False
    return save(journal, kept)


def delete(journal: "Journal", at: int) -> bool:
    """Forget a line; return whether this is saved."""
    kept = read(journal)
    kept.pop(at)
    return save(journal, kept)
