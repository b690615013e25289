"""Keep the last results of the tables of scores played last; the result of a game shows the difference to their mean.

The record: format (1 byte), then the tables, the one played last at the end. Each has the kind of its record, the
number of results, and the results, the oldest first. Times are in hundredths. Numbers are as
firmware/save/varint.py writes them.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.save.varint import Numbers

if TYPE_CHECKING:
    from firmware.contracts import Blob, Journal, Record

MEANS = const(127)  # the kind of the journal's record
GAMES = const(10)  # of which a mean is
UNIT_MS = const(10)  # of a time
_FORMAT = const(1)
_TABLES = const(4)


def read(record: "Blob") -> list[list[int]]:
    """Return for each table [kind, results], as far as the record is valid."""
    rows: list[list[int]] = []
    if len(record) and record[0] == _FORMAT:
        numbers = Numbers(record, False, 1)
        try:
            while numbers.at < len(record):
                kind = numbers.get()
                rows.append([kind] + [numbers.get() for _ in range(numbers.get())])
        except ValueError:
            pass  # keep the tables read so far
    return rows


def add(journal: "Journal", kind: int, record: "Record", result: int) -> None:
    """Add a result to those of a table; an eleventh before it and the table played longest ago make room."""
    rows = read(journal.read(MEANS))
    mine = [row for row in rows if row[0] == kind]
    others = [row for row in rows if row[0] != kind]
    results = mine[0][1:] if mine else []
    results.append(result // UNIT_MS if b"time" in record[b"result"] else result)
    numbers = Numbers(journal.payload, True)
    numbers.walk(_FORMAT)
    for row in others[1 - _TABLES :] + [[kind] + results[-1 - GAMES :]]:
        numbers.walk(row[0])
        numbers.walk(len(row) - 1)
        for number in row[1:]:
            numbers.walk(number)
    journal.save(MEANS, numbers.at)


def find_mean(journal: "Journal", kind: int, record: "Record", before_last: bool) -> int:
    """Return the mean of a table's last ten results, without the very last one if `before_last`; 0 without a result."""
    for row in read(journal.read(MEANS)):
        if row[0] == kind:
            results = (row[1:-1] if before_last else row[1:])[-GAMES:]
            mean = sum(results) // len(results) if results else 0
            return mean * UNIT_MS if b"time" in record[b"result"] else mean
    return 0
