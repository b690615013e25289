"""A table of scores for each variant keeps its best five (Guideline 11.2)."""

from struct import pack

import pytest

from firmware.engine.game import AIM_REACHED, Game
from firmware.modes.catalogue import MARATHON, SPRINT, STANDARD, ULTRA, ULTRA_LINES, WORST, find, make_mode
from firmware.modes.days import pack_day
from firmware.modes.listing import list_tables
from firmware.save.journal import Journal
from firmware.save.scores import LETTERS, PLACES, Table, find_table, make_way, write_initials
from tests.support.flash import RamStore
from tests.support.records import RECORDS, packed, save, tell_free
from tests.support.variants import TEST_SPEC

TABLE_COUNT = len(list_tables())
# The records of 0.6.0 by kind, from 1 on; older versions have some of them. 17 is unused.
RELEASED = (
    "SETTINGS|MARATHON|ENDLESS|SPRINT 20|SPRINT 40|SPRINT 100|ULTRA 2MIN|ULTRA 3MIN|LINES 2MIN|LINES 3MIN|OLD RULES"
    "|OLD LINES|SUSPENDED|REPORT|BOARD_GAME|WORST||MATCH|MATCH_GAMES|MATCH_GAMES|MATCH_GAMES|MATCH_GAMES|VERSUS"
    "|DIG 10|DIG 18|DIG 100|SURVIVE|MASTER|DAILY|FINESSE|PUZZLES|NUMBERS|ZEN|SPLITS|RULES|OPENERS|ALL_CLEARS"
    "|MARATHON INVIS|MARATHON FADES|SPRINT 40 INVIS|SPRINT 40 FADES"
)


def make_table(variant: int, *results: int) -> Table:
    table = Table(find(variant)[b"result"].endswith(b"fewest"))
    for result in results:
        enter(table, result)
    return table


def enter(table: Table, result: int, initials: bytes = b"ABC") -> int:
    place = table.rank(result)
    if place >= 0:
        table.insert(place, initials, result, result % 100, result % 15)
    return place


def entries(table: Table) -> list[tuple[bytes, int, int, int]]:
    return [table.entry(place) for place in range(table.count)]


def results(table: Table) -> list[int]:
    return [result for _, result, *_ in entries(table)]


def restored(payload: bytes, table: Table) -> Table:
    table.restore(payload)
    return table


class TestFindTable:
    @pytest.mark.parametrize(
        ("variant", "aims"), [(MARATHON, (0, 1)), (SPRINT, (20, 40, 100)), (ULTRA, (2, 3)), (ULTRA_LINES, (2, 3))]
    )
    def test_each_aim_of_a_variant_has_its_own_table(self, variant: int, aims: tuple[int, ...]) -> None:
        tables = [find_table(variant, aim) for aim in aims]
        assert len(set(tables)) == len(aims) and all(0 <= table < TABLE_COUNT for table in tables)

    def test_aim_0_has_the_table_of_the_default_aim(self) -> None:
        assert Game(1, None, make_mode(SPRINT)).goal == 40 and find_table(SPRINT, 0) == find_table(SPRINT, 40)
        for variant in (ULTRA, ULTRA_LINES):
            assert Game(1, None, make_mode(variant)).limit_ms == 2 * 60_000
            assert find_table(variant, 0) == find_table(variant, 2)

    def test_custom_aim_has_no_table(self) -> None:
        assert find_table(SPRINT, 33) == -1 and find_table(SPRINT, 296) == -1 and find_table(MARATHON, 2) == -1

    @pytest.mark.parametrize("variant", [STANDARD, TEST_SPEC, WORST])
    def test_modes_that_use_the_aim_as_a_setting_have_one_table(self, variant: int) -> None:
        """In Standard and Test Spec the aim chooses how buttons are read, in WORST the strength."""
        table = find_table(variant, 0)
        assert find_table(variant, 1) == find_table(variant, 2) == table >= 0
        assert list_tables()[table].record == find(variant)

    def test_records_of_released_versions_keep_their_kinds(self) -> None:
        owners = {kind: name.removeprefix("the table ").rpartition(".")[2] for name, kind in RECORDS}
        assert "|".join(owners.get(kind, "") for kind in range(1, 42)) == RELEASED

    def test_every_table_has_a_kind_of_its_own_that_the_journal_reads(self) -> None:
        for name, kind in RECORDS:
            owners = [other for other, same in RECORDS if same == kind]
            assert kind in range(1, len(Journal([]).where)) and len(owners) == 1, (
                f"kind {kind} of {name} is out of range or has several owners ({', '.join(owners)}): {tell_free()}"
            )


class TestDays:
    """The table of daily games keeps one result a day."""

    DAY = 20261122

    def make_table(self) -> Table:
        table = Table()
        for day, result in ((20261121, 500), (self.DAY, 300)):
            table.insert(table.rank(result), b"ABC", result, 10, pack_day(day))
        return table

    def test_a_better_result_takes_the_place_of_its_day(self) -> None:
        table = self.make_table()
        assert make_way(table, self.DAY, 301) == pack_day(self.DAY) and results(table) == [500]

    @pytest.mark.parametrize("result", [299, 300])
    def test_an_equal_or_lower_result_changes_nothing(self, result: int) -> None:
        table = self.make_table()
        assert make_way(table, self.DAY, result) == -1 and results(table) == [500, 300]

    def test_a_new_day_needs_no_way(self) -> None:
        table = self.make_table()
        assert make_way(table, 20261123, 1) == pack_day(20261123) and results(table) == [500, 300]

    def test_another_seed_is_no_day(self) -> None:
        assert make_way(self.make_table(), 77, 900) == -1


class TestRanks:
    @pytest.mark.parametrize("variant", [MARATHON, ULTRA, ULTRA_LINES, SPRINT])
    def test_more_points_or_lines_and_less_time_rank_higher(self, variant: int) -> None:
        table = make_table(variant, 90_000, 300, 61_250, 120_000)
        assert results(table) == sorted((90_000, 300, 61_250, 120_000), reverse=variant != SPRINT)

    @pytest.mark.parametrize("variant", [MARATHON, SPRINT])
    def test_result_of_0_has_no_rank(self, variant: int) -> None:
        """A Sprint that was not finished has the result 0."""
        assert make_table(variant).rank(0) == -1

    def test_unfinished_sprint_has_no_rank(self) -> None:
        game = Game(1, None, make_mode(SPRINT))
        game.time_ms = 30_000
        assert make_table(SPRINT).rank(game.mode.result(game)) == -1
        game.end(AIM_REACHED)
        assert make_table(SPRINT).rank(game.mode.result(game)) == 0

    @pytest.mark.parametrize("variant", [MARATHON, SPRINT])
    def test_equal_result_stands_below_the_earlier_one(self, variant: int) -> None:
        table = make_table(variant)
        for initials in (b"ONE", b"TWO"):
            enter(table, 500, initials)
        assert [initials for initials, *_ in entries(table)] == [b"ONE", b"TWO"]

    def test_full_table_drops_its_last_result(self) -> None:
        table = make_table(MARATHON, 50, 40, 30, 20, 10)
        assert (table.rank(10), table.rank(9), table.rank(11)) == (-1, -1, 4), "a result that is not better has no rank"
        assert enter(table, 35) == 2 and results(table) == [50, 40, 35, 30, 20]
        table = make_table(SPRINT, 50, 40, 30, 20, 10)
        assert (table.rank(50), table.rank(51), table.rank(49)) == (-1, -1, 4)

    def test_table_with_one_place_keeps_the_best(self) -> None:
        table = Table(False, 1)
        assert [enter(table, result) for result in (10, 5, 20, 15)] == [0, -1, 0, -1] and results(table) == [20]

    def test_entry_holds_initials_result_lines_and_level(self) -> None:
        table = Table(False)
        table.insert(0, b"SKY", 4_000_000_000, 150, 15)
        table.insert(1, b"A  ", 1 << 40, 100_000, 256)
        table.insert(2, b"B  ", 1, 655_360, 100_000)
        assert table.entry(0) == (b"SKY", 4_000_000_000, 150, 15)
        assert table.entry(1) == (b"A  ", 0xFFFFFFFF, 65535, 256)
        assert table.entry(2) == (b"B  ", 1, 65535, 65535), "two bytes limit lines and level"

    def test_a_removed_place_moves_the_lower_ones_up(self) -> None:
        table = Table()
        for result, initials in ((50, b"ABC"), (40, b"DEF"), (30, b"GHI"), (20, b"JKL"), (10, b"MNO")):
            enter(table, result, initials)
        first, _, *others = entries(table)
        table.remove(1)
        assert entries(table) == [first, *others]
        table.remove(3)
        table.remove(0)
        assert results(table) == [30, 20] and len(packed(table)) == 1 + 2 * 11

    @pytest.mark.parametrize(("number", "initials"), [(0, b"---"), (13 * 39 + 13 * 39**2, b"ANN"), (39**3, b"AAA")])
    def test_a_number_of_the_settings_has_initials_or_none(self, number: int, initials: bytes) -> None:
        assert write_initials(number) == initials

    def test_initials_are_signed_later(self) -> None:
        table = make_table(MARATHON, 300, 200)
        table.sign(1, b"SKY")
        assert [table.entry(place)[:2] for place in (0, 1)] == [(b"ABC", 300), (b"SKY", 200)]


class TestRecord:
    @pytest.mark.parametrize("count", range(PLACES + 1))
    def test_packed_table_is_restored(self, count: int) -> None:
        table = make_table(MARATHON, *range(1000, 1000 + count))
        assert entries(restored(packed(table), Table(False))) == entries(table) and len(entries(table)) == count
        assert len(packed(table)) == 1 + 11 * count

    @pytest.mark.parametrize(
        "payload", [b"", b"\x03xxxxxxxxxxx", b"\x01", b"\x01xxxxxxxxx", b"\x02", b"\x02xxxxxxxxxx"]
    )
    def test_invalid_record_is_an_empty_table(self, payload: bytes) -> None:
        assert restored(payload, make_table(MARATHON, 1, 2, 3)).count == 0

    def test_table_of_an_older_version_is_read(self) -> None:
        """Format 1 had one byte for the level."""
        written = [(b"ONE", 70_000, 150, 15), (b"TWO", 60_000, 99, 255), (b"SIX", 1, 2, 1)]
        record = b"\x01" + b"".join(pack("<3sIHB", *entry) for entry in written)
        table = Table(False)
        table.insert(0, b"ABC", 1, 0xFFFF, 0xFFFF)  # must not show through a record of fewer bytes
        assert entries(restored(record, table)) == written
        assert entries(restored(packed(table), Table(False))) == written
        assert entries(restored(record, Table(False, 1))) == written[:1]

    def test_invalid_character_becomes_a_valid_one(self) -> None:
        record = packed(make_table(MARATHON, 7)).replace(b"ABC", b"A\x1bC")
        (initials, result, *_rest) = restored(record, Table(False)).entry(0)
        assert (initials[:1], initials[2:], result) == (b"A", b"C", 7) and initials[1] in LETTERS

    def test_longer_record_gives_its_best_results(self) -> None:
        assert results(restored(packed(make_table(MARATHON, 10, 20, 30)), Table(False, 1))) == [30]
        longer = packed(make_table(MARATHON, 1, 2, 3, 4, 5)) + b"z" * 40
        assert results(restored(longer, Table(False))) == [5, 4, 3, 2, 1]

    def test_best_scores_of_the_first_eleven_tables_fit_256_bytes(self) -> None:
        journal = Journal([RamStore(256)])
        for choice in list_tables()[:11]:
            table = Table(places=1)
            table.insert(0, b"ABC", choice.kind, 1, 1)
            assert save(journal, choice.kind, packed(table))
            assert len(Journal(journal.stores).read(choice.kind)) == 12
