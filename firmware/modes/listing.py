"""List the aims of modes: each is a line of the menu with its own table of scores."""

from firmware.compat import TYPE_CHECKING
from firmware.modes.catalogue import read

if TYPE_CHECKING:
    from collections.abc import Iterable

    from firmware.contracts import Record

_ENDINGS = (b" INVIS.", b" FADING")  # of the names of tables for the values of the option `invisible`


class Choice:
    """Hold an aim of a mode: a line of the menu with its own table of scores.

    aim: the option's value; 0 if all values share this table. kind: the kind of the table's record in the journal.
    name, word, note: the texts of the line, as in Menu.
    """

    def __init__(self, record: "Record", word: bytes, text: bytes) -> None:
        self.record = record
        self.variant = int(record[b"mode"].split()[0])
        aim = word.split()[1]
        self.aim = 0 if aim == b"any" else int(aim)
        kind, self.name, self.word, self.note = text.split(b"|", 3)
        self.kind = int(kind)


def list_choices(records: "Iterable[Record]") -> list[Choice]:
    """Return the choices of these modes, sorted by kind."""
    choices = [Choice(record, word, record[word]) for record in records for word in record if word.startswith(b"aim ")]
    return sorted(choices, key=lambda choice: choice.kind)


def list_tables() -> list[Choice]:
    """Return all choices, then the tables of invisible games; the index of a choice is the number of its table."""
    records = list(read())
    choices = list_choices(records)
    for record in records:
        for word in record:
            if word.startswith(b"invisible "):
                aim = b"aim" + word[9:]
                _kind, name, value, _note = record[aim].split(b"|", 3)
                kinds = record[word].split(b"|")
                for i in range(len(kinds)):
                    text = b"|".join((kinds[i], (name + b" " + value).strip() + _ENDINGS[i], b"", b""))
                    choices.append(Choice(record, aim, text))
    return sorted(choices, key=lambda choice: choice.kind)
