"""A copy in a file replaces the only bank while it is erased, and at no other time."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from firmware.save.journal import REPORT, SETTINGS, TABLES, Journal
from firmware.save.journal_compaction import compact
from firmware.scenes import error_screen
from tests.support.flash import BrokenStore, RamBackupBank, RamStore
from tests.support.records import save

SIZE = 512
BEFORE = [b"settings", b"first", b"second"]
NEWER = [b"settings", b"newer", b"second"]


def contents(journal: Journal) -> list[bytes]:
    return [bytes(journal.read(kind)) for kind in (SETTINGS, TABLES, TABLES + 1)]


@pytest.fixture
def bank() -> RamStore:
    return RamStore(SIZE)


@pytest.fixture
def backup() -> RamBackupBank:
    return RamBackupBank(SIZE + 16)


def make_rewritten_journal(bank: RamStore, backup: RamBackupBank) -> Journal:
    """Return a journal with three records that has just been rewritten."""
    journal = Journal([bank], backup)
    assert save(journal, TABLES, b"older")
    for kind, payload in ((TABLES, b"first"), (TABLES + 1, b"second"), (SETTINGS, b"settings")):
        assert save(journal, kind, payload)
    assert compact(journal) and contents(journal) == BEFORE
    return journal


def power_on(bank: RamStore, backup: RamBackupBank) -> Journal:
    return Journal([RamStore(bank.image)], RamBackupBank(backup.image, backup.writable))


class TestCopy:
    @pytest.mark.parametrize("writable", [True, False])
    def test_copy_is_used_after_a_power_cut_during_an_erase(self, bank, backup, writable: bool) -> None:
        """A drive that belongs to the PC can still be read."""
        make_rewritten_journal(bank, backup)
        bank.erase()
        backup.writable = writable
        journal = power_on(bank, backup)
        assert contents(journal) == BEFORE and not journal.torn
        assert contents(Journal(journal.stores)) == BEFORE, "the bank has the records again"
        assert save(journal, TABLES, b"newer")
        assert contents(Journal(journal.stores, backup)) == NEWER, "the copy is old now"

    def test_old_copy_is_ignored(self, bank: RamStore, backup: RamBackupBank) -> None:
        journal = make_rewritten_journal(bank, backup)
        assert save(journal, SETTINGS, b"newer") and save(journal, TABLES, b"")
        erases = bank.erases
        restarted = power_on(bank, backup)
        assert contents(restarted) == [b"newer", b"", b"second"]
        assert (restarted.torn, restarted.stores[0].erases, erases) == (False, 0, 1)

    def test_unfinished_copy_is_ignored(self, bank: RamStore, backup: RamBackupBank) -> None:
        journal = make_rewritten_journal(bank, backup)
        image = bytes(backup.image)
        assert save(journal, TABLES, b"newer")
        bank_image = bytes(bank.image)
        assert compact(journal)
        copy = bytes(backup.image)
        for count in range(len(copy.rstrip(b"\xff"))):
            restarted = Journal([RamStore(bank_image)], RamBackupBank(copy[:count] + image[count:]))
            assert contents(restarted) == NEWER
            assert restarted.stores[0].erases == 0, "the bank is still whole"

    @pytest.mark.parametrize(("size", "writable"), [(SIZE + 16, False), (40, True)], ids=["drive of the PC", "no room"])
    def test_journal_works_without_a_copy_if_none_is_possible(self, bank: RamStore, size: int, writable: bool) -> None:
        backup = RamBackupBank(size, writable)
        make_rewritten_journal(bank, backup)
        assert backup.image == b"\xff" * size

    def test_record_with_a_flipped_bit_is_read_from_the_copy(self, bank: RamStore, backup: RamBackupBank) -> None:
        assert save(make_rewritten_journal(bank, backup), TABLES, b"newer")
        bank.image[bank.image.index(b"settings")] ^= 4
        restarted = power_on(bank, backup)
        assert contents(restarted) == NEWER
        assert restarted.stores[0].erases == 0, "the bank has newer records, so it is not torn"
        assert compact(restarted) and contents(Journal(restarted.stores)) == NEWER

    @pytest.mark.parametrize("reads", range(13))
    def test_a_copy_that_fails_at_any_read_does_no_harm(self, bank, backup, reads: int) -> None:
        class FailingBank(RamBackupBank):
            left = reads

            def read(self, offset: int, buffer: bytearray | memoryview) -> None:
                if not self.left:
                    raise OSError("no such file")
                self.left -= 1
                super().read(offset, buffer)

        make_rewritten_journal(bank, backup)
        failing = FailingBank(backup.image)
        journal = Journal([bank], failing)
        assert contents(journal) == BEFORE and not journal.failed and not failing.left

    def test_torn_bank_that_fails_is_left_alone(self, backup: RamBackupBank) -> None:
        make_rewritten_journal(RamStore(SIZE), backup)
        bank = BrokenStore(SIZE)
        bank.broken = "erase"
        journal = Journal([bank], backup)
        assert journal.failed
        assert contents(journal) == BEFORE, "for as long as the power is on"

    def test_of_a_save_that_was_not_whole_the_copy_counts(self) -> None:
        """The bank has one of two records that were saved together; both are newer in it than in the copy, or none."""
        bank, copied = Journal([RamStore()]), Journal([RamStore()])
        bank.last = 6
        assert save(bank, TABLES, b"newer")
        copied.last = 4
        assert save(copied, TABLES, b"copied") and save(copied, TABLES + 1, b"second")
        copied.last = 9
        assert copied.append(0, 0), "the mark, which is newer than all of the bank"
        journal = Journal(bank.stores, RamBackupBank(copied.stores[0].image))
        assert contents(journal) == [b"", b"copied", b"second"]

    def test_a_copy_with_records_after_its_mark_is_ignored(self) -> None:
        bank, copied = Journal([RamStore()]), Journal([RamStore()])
        assert save(bank, TABLES, b"ours")
        copied.last = 4
        assert save(copied, TABLES, b"copied") and copied.append(0, 0) and save(copied, TABLES + 1, b"after it")
        journal = Journal(bank.stores, RamBackupBank(copied.stores[0].image))
        assert contents(journal) == [b"", b"ours", b""]

    def test_crash_report_is_copied_too(self, bank: RamStore, backup: RamBackupBank) -> None:
        for _ in range(6):
            assert error_screen.note([bank], "x" * 160, backup)
        assert backup.image.startswith(bytes((REPORT,)))


class TestFile:
    """firmware/device/backup_bank.py, with a folder as its drive."""

    @pytest.fixture
    def file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.chdir(tmp_path)
        return tmp_path / "save" / "journal.bin"

    def make(self, size: int = 64) -> Any:
        from firmware.device.backup_bank import BackupBank

        return BackupBank(size)

    def test_file_is_created_once(self, file: Path) -> None:
        assert self.make().size == 64 and file.read_bytes() == b"\xff" * 64
        file.write_bytes(b"kept" + b"\xff" * 60)
        assert self.make().size == 64 and file.read_bytes()[:4] == b"kept"

    def test_short_file_is_extended_to_its_size(self, file: Path) -> None:
        self.make(20)
        assert self.make().size == 64 and file.read_bytes() == b"\xff" * 64

    def test_what_is_longer_than_a_copy_is_not_read(self, file: Path) -> None:
        """The places of records behind 21 KB do not fit into the journal's array."""
        size = self.make().size
        file.write_bytes(b"\0" * 100_000)
        assert self.make().size == size
        journal = Journal([RamStore(64)], self.make())
        assert save(journal, SETTINGS, b"here") and not journal.failed

    def test_keep_replaces_the_earlier_content(self, file: Path) -> None:
        backup = self.make()
        backup.keep([b"a long one before"])
        backup.keep([b"skyline"])
        buffer = bytearray(12)
        backup.read(3, buffer)
        assert buffer == b"line" + b"\xff" * 8 and file.stat().st_size == 64

    def test_no_file_on_a_drive_of_the_pc(self, file: Path) -> None:
        file.parent.write_bytes(b"")  # opening a file in it raises OSError, as on a read-only drive
        backup = self.make()
        assert backup.size == 0
        with pytest.raises(OSError, match="save"):
            backup.keep([b"skyline"])

    def test_the_pico_has_a_backup(self, device, workbench) -> None:
        assert device.backup.size > device.store[0].size == 4096 and Path("save/journal.bin").is_file()

    def test_board_without_nvm_has_neither_a_store_nor_a_backup(self, workbench) -> None:
        workbench.nvm = None
        device = import_module("firmware.device.boot.pico").build()
        assert (device.store, device.backup) == ((), None) and not Path("save").exists()
