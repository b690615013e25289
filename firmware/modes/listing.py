"""List the aims of modes: each is a line of the menu with its own table of scores."""

from firmware.compat import TYPE_CHECKING
from firmware.modes.catalogue import read
from firmware.modes.classes import UNRANKED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from firmware.contracts import Record

_ENDINGS = (b"", b" INVIS", b" FADES", b" QUICK", b"", b"", b" OTHER")  # of the names of classes


class Choice:
    """Hold an aim of a mode: a line of the menu with its own table of scores.

    aim: the option's value; 0 if all values share this table. kind: the kind of the table's record in the journal.
    name, word, note: the texts of the line, as in Menu.
    """

    def __init__(self, record: "Record", word: bytes, text: bytes) -> None:
        self.record = record
        self.variant = int(record[b"mode"].split()[0])
        aim = word[4:]
        self.aim = 0 if aim == b"any" else int(aim)
        kind, self.name, self.word, self.note = text.split(b"|", 3)
        self.kind = int(kind)


def read_kind(choice: Choice) -> int:
    return choice.kind


def list_choices(records: "Iterable[Record]") -> list[Choice]:
    """Return the choices of these modes, sorted by kind."""
    choices = [Choice(record, word, record[word]) for record in records for word in record if word.startswith(b"aim ")]
    return sorted(choices, key=read_kind)


def name_class(record: "Record", number: int) -> bytes:
    """Return the name of the table of a class, or b"" without one."""
    if b"class %d" % number not in record:
        return b""
    aim = record[b"default"]
    name = record.get(b"aim " + aim, record.get(b"aim any", b"")).split(b"|")[1]
    return (name + b" " + aim if int(aim) else name) + _ENDINGS[number]


def name_table(choice: Choice) -> bytes:
    """Return the heading of a table: the name and value of its line in the menu."""
    return choice.name + b" " + choice.word.replace(b" ", b"") if choice.word else choice.name


def list_tables() -> list[Choice]:
    """Return all choices, then the tables of classes; the index of a choice is the number of its table."""
    tables = []
    for record in read():
        tables += list_choices([record])
        for number in range(UNRANKED):
            name = name_class(record, number)
            if name:
                text = b"%s|%s||" % (record[b"class %d" % number], name)
                tables.append(Choice(record, b"aim " + record[b"default"], text))
    return sorted(tables, key=read_kind)
