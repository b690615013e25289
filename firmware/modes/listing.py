"""List modes, their aims and their tables of scores, for menus and for PCs."""

from firmware.compat import TYPE_CHECKING
from firmware.modes.catalogue import read

if TYPE_CHECKING:
    from firmware.contracts import Record


class Choice:
    """Hold an aim of a mode: a line of the menu, and a table of scores.

    aim: the option's value; 0 where any has this table. kind: of the table's record in the journal. name, word, note:
    of the line, as in Menu.
    """

    def __init__(self, record: "Record", word: bytes) -> None:
        self.record = record
        aim = word[4:]
        self.aim = 0 if aim == b"any" else int(aim)
        kind, self.name, self.word, self.note = record[word].split(b"|", 3)
        self.kind = int(kind)


def list_choices(record: "Record") -> list[Choice]:
    """Return the choices of a mode by their kinds."""
    choices = [Choice(record, word) for word in record if word.startswith(b"aim ")]
    return sorted(choices, key=lambda choice: choice.kind)


def list_tables() -> list[Choice]:
    """Return all choices by their kinds; the place of one here is the number of its table."""
    return sorted([choice for record in read() for choice in list_choices(record)], key=lambda choice: choice.kind)


def list_modes() -> "list[Record]":
    """Return the modes by their numbers."""
    modes = [record for record in read() if record[b"mode"] != b"none"]
    return sorted(modes, key=lambda record: int(record[b"mode"].split()[0]))
