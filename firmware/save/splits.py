"""Keep the time at each tenth line of the best Sprint of each length.

The record: format (1 byte), then for each length its number of lines, its best time, and its time at each tenth line
but the last; numbers as firmware/save/varint.py writes them, times in ms.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.modes.sprint import STRETCH
from firmware.save.journal import SPLITS
from firmware.save.varint import Numbers

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Blob, Game, Journal

_FORMAT = const(1)
_LENGTHS = const(4)  # of Sprints that are kept; the oldest makes room
_MOST = const(16)  # times of one Sprint; a longer one is not kept


def read_splits(record: "Blob") -> list[list[int]]:
    """Return for each length [lines, best time, time at each tenth line], as far as the record is valid."""
    rows: list[list[int]] = []
    if len(record) and record[0] == _FORMAT:
        numbers = Numbers(record, False, 1)
        try:
            while numbers.at < len(record):
                lines = numbers.get()
                rows.append([lines] + [numbers.get() for _ in range(1 + (lines - 1) // STRETCH)])
        except ValueError:
            pass  # keep the rows read so far
    return rows


def find_splits(journal: "Journal", lines: int, best_ms: int) -> list[int]:
    """Return the times at each tenth line of the best Sprint of that many lines; [] if they are not known."""
    for row in read_splits(journal.read(SPLITS)):
        if row[0] == lines and row[1] == best_ms:
            return row[2:]
    return []


def keep_splits(journal: "Journal", game: "Game") -> None:
    """Save the times of a finished Sprint, the best of its length, if all are known."""
    mode: "Any" = game.mode
    if 0 in mode.splits or len(mode.splits) > _MOST:
        return
    row = [mode.lines, mode.result(game)] + mode.splits
    rows = [other for other in read_splits(journal.read(SPLITS)) if other[0] != row[0]]
    numbers = Numbers(journal.payload, True)
    numbers.walk(_FORMAT)
    for kept in rows[1 - _LENGTHS :] + [row]:
        for number in kept:
            numbers.walk(number)
    journal.save(SPLITS, numbers.at)
