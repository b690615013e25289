"""The handheld keeps the last results of the tables that were played last, and their mean."""

import pytest

from firmware.modes.catalogue import MARATHON, SPRINT, find
from firmware.save.journal import TABLES, Journal
from firmware.save.means import GAMES, MEANS, add, find_mean, read
from tests.support.flash import RamStore
from tests.support.records import save

POINTS, TIME = find(MARATHON), find(SPRINT)


@pytest.fixture
def journal() -> Journal:
    return Journal([RamStore()])


def test_the_mean_is_of_the_last_ten_results(journal: Journal) -> None:
    for result in range(100, 100 * (GAMES + 3), 100):
        add(journal, TABLES, POINTS, result)
    assert find_mean(journal, TABLES, POINTS, False) == sum(range(300, 1300, 100)) // GAMES
    assert find_mean(journal, TABLES, POINTS, True) == sum(range(200, 1200, 100)) // GAMES


def test_times_are_kept_in_hundredths_of_a_second(journal: Journal) -> None:
    add(journal, TABLES, TIME, 12_345)
    assert find_mean(journal, TABLES, TIME, False) == 12_340


def test_a_table_without_results_has_no_mean(journal: Journal) -> None:
    assert find_mean(journal, TABLES, POINTS, False) == 0
    add(journal, TABLES, POINTS, 500)
    assert find_mean(journal, TABLES, POINTS, True) == 0, "the first result has none before it"
    assert find_mean(journal, TABLES + 1, POINTS, False) == 0


def test_the_table_played_longest_ago_makes_room(journal: Journal) -> None:
    for table in range(5):
        add(journal, TABLES + table, POINTS, 100 + table)
    assert [row[0] for row in read(journal.read(MEANS))] == [TABLES + table for table in range(1, 5)]


def test_of_a_damaged_record_the_tables_before_the_damage_count(journal: Journal) -> None:
    add(journal, TABLES, POINTS, 100)
    add(journal, TABLES + 1, POINTS, 200)
    whole = bytes(journal.read(MEANS))
    assert save(journal, MEANS, whole[:-1])
    assert [row[0] for row in read(journal.read(MEANS))] == [TABLES]
    assert save(journal, MEANS, b"\x09" + whole[1:]) and read(journal.read(MEANS)) == []
