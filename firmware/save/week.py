"""Keep which daily games were played: the last four weeks, and how many days in a row.

The record: format (1 byte), then the last day as the number of days since 2000. A bit for each of the 28 days up to it
follows, the last one lowest, then the number of days in a row up to it. Numbers are as
firmware/save/varint.py writes them.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.modes.days import count_since
from firmware.save.varint import Numbers

if TYPE_CHECKING:
    from firmware.contracts import Journal

WEEK = const(126)  # the kind of the journal's record
_FORMAT = const(1)
_DAYS = const(28)


def read(journal: "Journal") -> "list[int]":
    """Return the last day, the bits of the days up to it, and the days in a row; zeros without a valid record."""
    record = journal.read(WEEK)
    if len(record) and record[0] == _FORMAT:
        numbers = Numbers(record, False, 1)
        try:
            return [numbers.get(), numbers.get(), numbers.get()]
        except ValueError:
            pass
    return [0, 0, 0]


def add(journal: "Journal", day: int) -> None:
    """Note that the game of a day was played; an older day may join those in a row."""
    last, bits, streak = read(journal)
    number = count_since(day)
    ahead = number - last
    if ahead >= _DAYS or bits < 2 and ahead <= -_DAYS:  # a day alone gives way, because it may be mistyped
        last, bits, streak = number, 1, 1
    elif ahead > 0:
        last = number
        bits = (bits & (1 << _DAYS - ahead) - 1) << ahead | 1  # never more than a small integer
        streak = streak + 1 if ahead == 1 else 1
    elif -ahead < _DAYS:
        bits |= 1 << -ahead
        run = 0
        while bits >> run & 1:
            run += 1
        streak = max(streak, run)
    numbers = Numbers(journal.payload, True)
    numbers.walk(_FORMAT)
    for each in (last, bits, streak):
        numbers.walk(each)
    journal.save(WEEK, numbers.at)


def is_played(week: "list[int]", number: int) -> bool:
    """Return whether the game of a day, as a number since 2000, was played, by what `read` returned."""
    back = week[0] - number
    return 0 <= back < _DAYS and week[1] >> back & 1 == 1


def count_row(week: "list[int]", number: int) -> int:
    """Return the days in a row up to a day, or up to the day before if that one is yet to be played."""
    return week[2] if week[0] <= number <= week[0] + 1 else 0
