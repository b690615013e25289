"""List the aims of modes: each is a line of the menu with its own table of scores."""

from firmware.compat import TYPE_CHECKING
from firmware.modes.catalogue import read

if TYPE_CHECKING:
    from collections.abc import Iterable

    from firmware.contracts import Record


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


def list_choices(records: "Iterable[Record]") -> list[Choice]:
    """Return the choices of these modes, sorted by kind."""
    choices = [Choice(record, word, record[word]) for record in records for word in record if word.startswith(b"aim ")]
    return sorted(choices, key=lambda choice: choice.kind)


def list_tables() -> list[Choice]:
    """Return all choices, then the tables of invisible games; the index of a choice is the number of its table."""
    # Imported late: menus list choices only.
    from firmware.modes.catalogue import find
    from firmware.modes.invisible_tables import list_invisible

    choices = list_choices(read())
    for variant, aim, kind, name in list_invisible():
        choices.append(Choice(find(variant), b"aim %d" % aim, b"%d|%s||" % (kind, name)))
    return sorted(choices, key=lambda choice: choice.kind)
