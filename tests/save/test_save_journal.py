"""The journal keeps the newest valid record of each kind, even if banks fail or are damaged."""

import random

import pytest

from firmware.save import journal_compaction
from firmware.save.journal import MATCH, NUMBERS, SETTINGS, SUSPENDED, TABLES, Journal
from firmware.save.journal_compaction import compact, weigh
from firmware.save.journal_walk import count_bytes
from tests.support.flash import BrokenStore, PowerCut, RamStore, Supply, WeakStore
from tests.support.records import save

FRAME_BYTES = 11


def append(journal: Journal, kind: int, payload: bytes) -> bool:
    journal.payload[: len(payload)] = payload
    return journal.append(kind, len(payload))


def read(journal: Journal, *kinds: int) -> list[bytes]:
    return [bytes(journal.read(kind)) for kind in kinds]


def reopen(journal: Journal) -> Journal:
    return Journal(journal.stores)


def fill(journal: Journal, kind: int) -> bytes:
    """Append records of a kind until there is no room for another; return the last one's payload."""
    number = 0
    while append(journal, kind, b"number %03d" % (number + 1)):
        number += 1
    return b"number %03d" % number


@pytest.fixture(params=[1, 2], ids=["one bank", "two banks"])
def journal(request: pytest.FixtureRequest) -> Journal:
    return Journal([RamStore(512) for _ in range(request.param)])


@pytest.fixture
def banks(journal: Journal) -> list[RamStore]:
    return journal.stores


@pytest.fixture
def small() -> Journal:
    return Journal([RamStore(256)])


class TestReading:
    def test_erased_banks_hold_nothing(self, journal: Journal) -> None:
        assert read(journal, *range(1, 15)) == [b""] * 14
        assert (count_bytes(journal), journal.failed) == ((0, 0), False)

    def test_newest_record_of_a_kind_counts_and_kinds_do_not_mix(self, journal: Journal) -> None:
        for payload in (b"one", b"two", b"three"):
            append(journal, SETTINGS, payload)
            assert read(reopen(journal), SETTINGS) == [payload]
            append(journal, TABLES, payload + b" games")
        for opened in (journal, reopen(journal)):
            assert read(opened, SETTINGS, TABLES, SUSPENDED) == [b"three", b"three games", b""]

    def test_empty_record_removes_the_one_before(self, journal: Journal) -> None:
        append(journal, SUSPENDED, b"game")
        append(journal, SUSPENDED, b"")
        assert read(reopen(journal), SUSPENDED) == [b""]
        compact(journal)
        assert read(reopen(journal), SUSPENDED) == [b""]

    def test_room_is_the_longest_payload_that_fits(self, journal: Journal) -> None:
        append(journal, SETTINGS, b"x" * 300)
        assert journal.room == 512 - 300 - 2 * FRAME_BYTES and not journal.append(TABLES, journal.room + 1)
        assert journal.append(TABLES, journal.room) and journal.room == -FRAME_BYTES
        assert not journal.append(TABLES, 0) and not journal.failed

    def test_a_bank_is_short_when_less_than_a_quarter_is_left(self, journal: Journal) -> None:
        short = []
        while journal.room > 40:
            short.append((512 - journal.end < 128, journal.is_short()))
            assert append(journal, SETTINGS, bytes(10))
        assert set(short) == {(False, False), (True, True)} and not Journal([]).is_short()

    def test_payload_is_at_most_as_long_as_the_buffer(self) -> None:
        journal = Journal([RamStore(4096)])
        most = len(journal.payload)
        assert journal.room == most and not journal.append(SETTINGS, most + 1)
        assert not journal.save(SETTINGS, most + 1) and append(journal, SETTINGS, b"y" * most)
        assert read(reopen(journal), SETTINGS) == [b"y" * most]

    @pytest.mark.parametrize("payload", [b"\xff" * 40, b"\x00" * 40, b"\xff", b"a\xff\xff"])
    def test_payload_may_look_erased(self, payload: bytes, journal: Journal) -> None:
        append(journal, SETTINGS, payload)
        append(journal, TABLES, b"after")
        opened = reopen(journal)
        assert read(opened, SETTINGS, TABLES) == [payload, b"after"] and count_bytes(opened)[1] == 0


class TestDamage:
    def test_truncated_record_leaves_the_one_before(self, journal: Journal, banks: list[RamStore]) -> None:
        append(journal, SETTINGS, b"before")
        append(journal, SETTINGS, b"after")
        banks[0].image[27:] = b"\xff" * (512 - 27)
        opened = reopen(journal)
        assert read(opened, SETTINGS) == [b"before"] and count_bytes(opened) == (17, 10)

    def test_journal_continues_after_damaged_bytes(self, banks: list[RamStore]) -> None:
        banks[0].write(0, bytes(range(1, 100)))
        journal = Journal(banks)
        assert count_bytes(journal) == (0, 99)
        append(journal, SETTINGS, b"whole")
        assert read(reopen(journal), SETTINGS) == [b"whole"]

    def test_damage_between_two_records_hides_neither(self, journal: Journal, banks: list[RamStore]) -> None:
        for kind, payload in ((SETTINGS, b"first"), (TABLES, b"damaged"), (SUSPENDED, b"last")):
            append(journal, kind, payload)
        banks[0].image[17] = 0x31  # the length of the second
        assert read(reopen(journal), SETTINGS, TABLES, SUSPENDED) == [b"first", b"", b"last"]

    def test_bit_flip_in_an_open_journal_restores_the_previous(self, journal: Journal, banks: list[RamStore]) -> None:
        append(journal, SETTINGS, b"before")
        append(journal, SETTINGS, b"after")
        banks[0].image[25] ^= 4
        assert read(journal, SETTINGS) == [b"before"] and count_bytes(journal) == (17, 16)

    def test_a_record_whose_order_has_no_successors_is_damage(self, journal: Journal) -> None:
        append(journal, SETTINGS, b"before")
        journal.last = 2**32 - 2
        append(journal, SETTINGS, b"last of all")
        opened = reopen(journal)
        assert read(opened, SETTINGS) == [b"before"]
        assert save(opened, SETTINGS, b"after") and read(reopen(opened), SETTINGS) == [b"after"]

    @pytest.mark.no_cover
    def test_random_content_is_not_read_as_records(self) -> None:
        rng = random.Random(4)
        for _ in range(20):
            journal = Journal([RamStore(rng.randbytes(600)), RamStore(rng.randbytes(600))])
            assert read(journal, *range(1, 15)) == [b""] * 14 and not append(journal, SETTINGS, b"no room")
            assert save(journal, SETTINGS, b"room again") and read(reopen(journal), SETTINGS) == [b"room again"]


class NarrowHeap(bytearray):
    """Stands for `bytearray` where the heap has no larger block."""

    block_bytes = 600

    def __init__(self, size: int = 0) -> None:
        if size > self.block_bytes:
            raise MemoryError
        super().__init__(size)


class TestCompaction:
    def test_compaction_keeps_the_newest_of_each_kind(self, journal: Journal) -> None:
        append(journal, SETTINGS, b"settings")
        newest = fill(journal, SUSPENDED)
        assert compact(journal)
        for opened in (journal, reopen(journal)):
            assert read(opened, SETTINGS, SUSPENDED) == [b"settings", newest] and opened.room > 400
        assert append(journal, SUSPENDED, b"later") and read(reopen(journal), SUSPENDED) == [b"later"]

    def test_two_banks_are_copied_record_by_record(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """In a match on a board, the largest free block has one or two kilobytes."""
        journal = Journal([RamStore(512), RamStore(512)])
        for kind in (1, 2, 4):
            assert save(journal, kind, bytes(90))
        written = []
        write = RamStore.write

        def note(store: RamStore, offset: int, data: bytes) -> None:
            written.append(len(data))
            write(store, offset, data)

        monkeypatch.setattr(RamStore, "write", note)
        assert compact(journal) and len(written) >= 3 and max(written) < 120

    def test_the_only_bank_is_erased_once(self) -> None:
        bank = RamStore(1024)
        newest = fill(journal := Journal([bank]), SUSPENDED)
        assert compact(journal) and read(reopen(journal), SUSPENDED) == [newest]
        assert bank.erases == 1 and bank.image[journal.end :] == b"\xff" * (1024 - journal.end)

    def test_a_bank_without_old_records_is_not_erased(self) -> None:
        bank = RamStore(1024)
        journal = Journal([bank])
        assert save(journal, SETTINGS, b"settings") and compact(journal)
        assert bank.erases == 0 and read(reopen(journal), SETTINGS) == [b"settings"]

    def test_without_a_large_block_the_only_bank_is_rewritten_in_pieces(self, monkeypatch) -> None:
        bank = RamStore(4096)
        journal = Journal([bank])
        kinds = range(SETTINGS, SETTINGS + 12)
        for turn in range(2):
            for kind in kinds:
                assert append(journal, kind, bytes([turn, kind]) * 60)
        monkeypatch.setattr(journal_compaction, "bytearray", NarrowHeap, raising=False)
        assert compact(journal) and 3 < bank.erases < 9
        assert read(reopen(journal), *kinds) == [bytes([1, kind]) * 60 for kind in kinds]

    def test_without_memory_nothing_changes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        bank = RamStore(1024)
        newest = fill(journal := Journal([bank]), SUSPENDED)
        monkeypatch.setattr(NarrowHeap, "block_bytes", 400)
        monkeypatch.setattr(journal_compaction, "bytearray", NarrowHeap, raising=False)
        assert not save(journal, SETTINGS, b"later" * 20) and not journal.failed and bank.erases == 0
        assert read(journal, SUSPENDED, SETTINGS) == [newest, b""]

    def test_records_in_their_place_are_not_written_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """So a pause in a match needs a small block."""
        journal = Journal([RamStore(1024)])
        for kind in (SETTINGS, TABLES, TABLES + 1):
            assert save(journal, kind, b"kept" * 40)
        fill(journal, SUSPENDED)
        starts = []
        replace = RamStore.replace

        def note(store: RamStore, offset: int, data: bytes) -> None:
            starts.append(offset)
            replace(store, offset, data)

        monkeypatch.setattr(RamStore, "replace", note)
        assert compact(journal) and starts == [3 * (160 + FRAME_BYTES)]

    def test_save_compacts_only_when_there_is_no_room(self, journal: Journal, banks: list[RamStore]) -> None:
        for number in range(100):
            assert save(journal, SETTINGS, b"%060d" % number)
            assert read(reopen(journal), SETTINGS) == [b"%060d" % number]
        records = 512 // 71
        assert sum(bank.erases for bank in banks) <= 100 // (records - 2)

    def test_two_banks_take_turns(self) -> None:
        journal = Journal([RamStore(512), RamStore(512)])
        banks_used = []
        for number in range(6):
            append(journal, SETTINGS, b"%d" % number)
            banks_used.append(journal.bank)
            assert reopen(journal).bank == journal.bank
            compact(journal)
        assert banks_used == [0, 1, 0, 1, 0, 1]

    @pytest.mark.parametrize("first", [0, 1])
    def test_half_copied_bank_without_its_mark_is_not_in_use(self, first: int) -> None:
        """After the cut both banks have the settings, but only the old one has the game."""
        banks = [RamStore(512), RamStore(512)]
        journal = Journal(banks)
        append(journal, SUSPENDED, b"game")
        for _ in range(first):
            compact(journal)
        append(journal, SETTINGS, b"settings")
        supply = Supply(512 + 20)
        weak = [WeakStore(bank.image, supply) for bank in banks]
        with pytest.raises(PowerCut):
            compact(Journal(weak))
        opened = Journal([RamStore(bank.image) for bank in weak])
        assert bytes(opened.stores[1 - first].image[7:15]) == b"settings" and opened.bank == first

    def test_record_replaces_its_predecessor_if_both_do_not_fit(self, small: Journal) -> None:
        for payload in (b"a" * 200, b"b" * (256 - FRAME_BYTES)):
            assert save(small, SETTINGS, payload) and read(reopen(small), SETTINGS) == [payload]

    def test_in_two_banks_a_record_replaces_its_predecessor_if_both_do_not_fit(self) -> None:
        journal = Journal([RamStore(256), RamStore(256)])
        assert save(journal, SETTINGS, b"s" * 60)
        for payload in (b"a" * 120, b"b" * 120, b"c" * 120):
            assert save(journal, TABLES, payload) and read(reopen(journal), SETTINGS, TABLES) == [b"s" * 60, payload]
        assert not save(journal, TABLES, b"d" * 230)
        assert read(reopen(journal), SETTINGS, TABLES) == [b"s" * 60, payload]

    def test_a_bank_without_records_is_compacted_too(self, banks: list[RamStore]) -> None:
        banks[0].write(0, b"something else")
        journal = Journal(banks)
        assert compact(journal) and append(journal, SETTINGS, b"x")

    def test_weight_counts_only_the_newest_records(self, journal: Journal) -> None:
        for payload in (b"old", b"settings"):
            append(journal, SETTINGS, payload)
        append(journal, TABLES, b"table")
        assert weigh(journal) == len(b"settings" + b"table") + 2 * FRAME_BYTES


class TestSmallStore:
    def test_small_store_keeps_the_most_important_records(self, small: Journal) -> None:
        assert save(small, TABLES + 3, b"t" * 80) and save(small, TABLES, b"best" * 20)
        assert save(small, SETTINGS, b"s" * 70)
        assert read(reopen(small), SETTINGS, TABLES, TABLES + 3) == [b"s" * 70, b"best" * 20, b""]

    def test_statistics_are_more_important_than_a_match_in_progress(self, small: Journal) -> None:
        assert save(small, MATCH, b"m" * 120) and save(small, NUMBERS, b"n" * 120)
        assert read(reopen(small), MATCH, NUMBERS) == [b"", b"n" * 120] and not save(small, MATCH, b"m" * 120)

    def test_record_without_room_beside_more_important_ones_is_refused(self, small: Journal) -> None:
        (store,) = small.stores
        save(small, SETTINGS, b"s" * 60)
        before = bytes(store.image)
        assert not save(small, SUSPENDED, b"g" * 200)
        assert (bytes(store.image), store.erases, small.failed) == (before, 0, False)
        assert save(small, SETTINGS, b"still possible")


def broken_banks(count: int = 2) -> tuple[Journal, list[BrokenStore]]:
    banks = [BrokenStore(512) for _ in range(count)]
    journal = Journal(banks)
    assert append(journal, SETTINGS, b"old") and append(journal, SETTINGS, b"kept")
    return journal, banks


class TestStoresThatFail:
    def test_journal_without_a_store_has_failed(self) -> None:
        journal = Journal([])
        assert journal.failed
        assert not append(journal, SETTINGS, b"x") and not save(journal, SETTINGS, b"x") and not compact(journal)
        assert read(journal, SETTINGS) == [b""]

    @pytest.mark.parametrize("broken", [(0,), (0, 1)])
    def test_a_refused_write_fails_the_journal_until_it_is_opened_again(self, broken: tuple[int, ...]) -> None:
        journal, banks = broken_banks()
        for bank in broken:
            banks[bank].broken = "write"
        assert not save(journal, SETTINGS, b"lost") and journal.failed and read(journal, SETTINGS) == [b"kept"]
        for bank in broken:
            banks[bank].broken = ""
        assert not save(journal, SETTINGS, b"not before it is opened again")
        journal.open()
        assert save(journal, SETTINGS, b"back") and read(reopen(journal), SETTINGS) == [b"back"]

    def test_a_bank_that_forgets_a_write_fails_the_journal(self) -> None:
        journal, banks = broken_banks()
        banks[0].forgets = True
        assert not append(journal, SETTINGS, b"forgotten")
        assert journal.failed and read(journal, SETTINGS) == [b"kept"]

    def test_missing_banks_read_as_empty(self) -> None:
        journal, banks = broken_banks()
        for bank in banks:
            bank.broken = "read write erase"
        assert read(journal, SETTINGS) == [b""] and journal.failed and not append(journal, SETTINGS, b"x")
        journal.open()
        assert journal.failed
        for bank in banks:
            bank.broken = ""
        journal.open()
        assert (journal.failed, read(journal, SETTINGS)) == (False, [b"kept"])

    @pytest.mark.parametrize(("count", "broken"), [(2, "erase"), (2, "write"), (2, "forgets"), (1, "erase")])
    def test_compaction_that_fails_loses_nothing(self, count: int, broken: str) -> None:
        journal, banks = broken_banks(count)
        banks[-1].broken, banks[-1].forgets = broken, broken == "forgets"
        assert not compact(journal)
        assert journal.failed and read(journal, SETTINGS) == read(reopen(journal), SETTINGS) == [b"kept"]

    def test_compaction_restores_the_record_before_a_damaged_one(self) -> None:
        journal, banks = broken_banks()
        append(journal, SETTINGS, b"damaged")
        banks[0].image[banks[0].image.index(b"damaged")] ^= 1
        assert compact(journal) and read(Journal([banks[1]]), SETTINGS) == [b"kept"]

    def test_bytes_of_a_bank_that_cannot_be_read_are_not_counted(self) -> None:
        journal, banks = broken_banks()
        banks[1].broken = "read"
        assert count_bytes(journal) == (29, 0)

    def test_compaction_does_not_write_to_an_unreadable_bank(self) -> None:
        journal, banks = broken_banks()
        banks[1].broken = "read"
        assert not compact(journal) and banks[1].erases == 0 and journal.failed
