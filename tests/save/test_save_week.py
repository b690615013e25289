"""The days of DAILY that were played (firmware/modes/README.md 4.8): four weeks of bits, and the days in a row."""

import datetime

import pytest

from firmware.modes.days import count_since
from firmware.save import week
from firmware.save.journal import Journal
from tests.support.flash import RamStore
from tests.support.records import save


def play(*days: int) -> list[int]:
    """Return what is kept after games of these days."""
    journal = Journal([RamStore(4096)])
    for day in days:
        week.add(journal, day)
    return week.read(journal)


@pytest.mark.parametrize(
    ("days", "bits", "row"),
    [
        ((20261120, 20261121, 20261122), 0b111, 3),
        ((20261120, 20261122), 0b101, 1),
        ((20261120, 20261122, 20261121), 0b111, 3),
        ((20261122, 20261122), 1, 1),
        ((20261022, 20261122), 1, 1),
        ((20261121, 20261122, 20261022), 0b11, 2),
        ((20240228, 20240229, 20240301), 0b111, 3),
        ((21000228, 21000301), 0b11, 2),
        ((20000101,), 1, 1),
    ],
)
def test_4_8_played_days_and_those_in_a_row_are_kept(days: tuple[int, ...], bits: int, row: int) -> None:
    assert play(*days) == [count_since(max(days)), bits, row]


def test_4_8_a_day_that_stands_alone_may_be_mistyped() -> None:
    assert play(20621122, 20261121, 20261122) == [count_since(20261122), 0b11, 2]


def test_4_8_a_row_may_be_longer_than_the_days_that_are_kept() -> None:
    first = datetime.date(2026, 1, 1)
    last = play(*[int((first + datetime.timedelta(i)).strftime("%Y%m%d")) for i in range(40)])
    assert last[1:] == [(1 << 28) - 1, 40]
    assert [week.count_row(last, last[0] + i) for i in (-1, 0, 1, 2)] == [0, 40, 40, 0]


def test_4_8_a_square_is_full_if_its_day_was_played() -> None:
    last = play(20261120, 20261122)
    assert [week.is_played(last, last[0] + i) for i in (-28, -2, -1, 0, 1)] == [False, True, False, True, False]


@pytest.mark.parametrize("record", [b"", b"\2\1\1\1", b"\1\x80"])
def test_4_8_a_damaged_record_counts_as_none(record: bytes) -> None:
    journal = Journal([RamStore(4096)])
    save(journal, week.WEEK, record)
    assert week.read(journal) == [0, 0, 0]
