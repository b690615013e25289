"""Keep the times of the best Sprint of each length; firmware/save/scores.py reads them.

The record: format (1 byte), then for each length and class its key, its best time, and its time at each tenth line
but the last. The key is the number of lines, plus 1024 times the class (firmware/modes/README.md, 17). Times are in ms,
numbers as firmware/save/varint.py writes them.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.save.journal import SPLITS
from firmware.save.scores import SPLITS_FORMAT, key_splits, read_splits
from firmware.save.varint import Numbers

if TYPE_CHECKING:
    from firmware.contracts import Any, Game, Journal

_LENGTHS = const(4)  # of Sprints that are kept; the oldest makes room
_MOST = const(16)  # times of one Sprint; a longer one is not kept


def keep_splits(journal: "Journal", game: "Game", game_class: int) -> None:
    """Save the times of a finished Sprint, the best of its length and class, if all are known."""
    mode: "Any" = game.mode
    if 0 in mode.splits or len(mode.splits) > _MOST:
        return
    row = [key_splits(mode.lines, game_class), mode.result(game)] + mode.splits
    rows = [other for other in read_splits(journal.read(SPLITS)) if other[0] != row[0]]
    numbers = Numbers(journal.payload, True)
    numbers.walk(SPLITS_FORMAT)
    for kept in rows[1 - _LENGTHS :] + [row]:
        for number in kept:
            numbers.walk(number)
    journal.save(SPLITS, numbers.at)
