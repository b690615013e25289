"""While the only bank is erased, a copy in a file counts; before and after, it does not."""

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


def used(bank: RamStore, backup: RamBackupBank) -> Journal:
    """Return a journal with three records that was rewritten just now."""
    journal = Journal([bank], backup)
    for kind, payload in ((TABLES, b"first"), (TABLES + 1, b"second"), (SETTINGS, b"settings")):
        assert save(journal, kind, payload)
    assert compact(journal) and contents(journal) == BEFORE
    return journal


def again(bank: RamStore, backup: RamBackupBank) -> Journal:
    """Return what is found after power-on."""
    return Journal([RamStore(bank.image)], RamBackupBank(backup.image, backup.writable))


class TestCopy:
    @pytest.mark.parametrize("writable", [True, False])
    def test_copy_counts_where_the_bank_was_being_erased(self, bank, backup, writable: bool) -> None:
        """On a drive that is the PC's again it can be read."""
        used(bank, backup)
        bank.erase()
        backup.writable = writable
        journal = again(bank, backup)
        assert contents(journal) == BEFORE and not journal.torn
        assert contents(Journal(journal.stores)) == BEFORE, "the bank has it again"
        assert save(journal, TABLES, b"newer")
        assert contents(Journal(journal.stores, backup)) == NEWER, "the copy is old now"

    def test_old_copy_brings_back_nothing(self, bank: RamStore, backup: RamBackupBank) -> None:
        journal = used(bank, backup)
        assert save(journal, SETTINGS, b"newer") and save(journal, TABLES, b"")
        erases = bank.erases
        found = again(bank, backup)
        assert contents(found) == [b"newer", b"", b"second"]
        assert (found.torn, found.stores[0].erases, erases) == (False, 0, 1)

    def test_copy_that_was_not_finished_counts_nothing(self, bank: RamStore, backup: RamBackupBank) -> None:
        journal = used(bank, backup)
        image = bytes(backup.image)
        assert save(journal, TABLES, b"newer")
        kept = bytes(bank.image)
        assert compact(journal)
        copy = bytes(backup.image)
        for count in range(len(copy.rstrip(b"\xff"))):
            found = Journal([RamStore(kept)], RamBackupBank(copy[:count] + image[count:]))
            assert contents(found) == NEWER
            assert found.stores[0].erases == 0, "nothing had happened to the bank"

    @pytest.mark.parametrize(("size", "writable"), [(SIZE + 16, False), (40, True)], ids=["drive of the PC", "no room"])
    def test_bank_does_without_a_copy_where_none_can_be_made(self, bank: RamStore, size: int, writable: bool) -> None:
        backup = RamBackupBank(size, writable)
        used(bank, backup)
        assert backup.image == b"\xff" * size

    def test_record_whose_bit_flipped_is_found_in_the_copy(self, bank: RamStore, backup: RamBackupBank) -> None:
        assert save(used(bank, backup), TABLES, b"newer")
        bank.image[bank.image.index(b"settings")] ^= 4
        found = again(bank, backup)
        assert contents(found) == NEWER
        assert found.stores[0].erases == 0, "the bank has what is newer: it is no torn one"
        assert compact(found) and contents(Journal(found.stores)) == NEWER

    def test_copy_that_cannot_be_read_harms_nothing(self, bank: RamStore, backup: RamBackupBank) -> None:
        class Gone(RamBackupBank):
            def read(self, offset: int, buffer: bytearray | memoryview) -> None:
                raise OSError("no such file")

        used(bank, backup)
        journal = Journal([bank], Gone(SIZE))
        assert contents(journal) == BEFORE and not journal.failed

    def test_torn_bank_that_fails_is_left_alone(self, backup: RamBackupBank) -> None:
        used(RamStore(SIZE), backup)
        bank = BrokenStore(SIZE)
        bank.broken = "erase"
        journal = Journal([bank], backup)
        assert journal.failed
        assert contents(journal) == BEFORE, "for as long as the power is on"

    def test_report_of_a_crash_has_its_copy_too(self, bank: RamStore, backup: RamBackupBank) -> None:
        for _ in range(6):
            assert error_screen.note([bank], "x" * 160, backup)
        assert backup.image.startswith(bytes((REPORT,)))


class TestFile:
    """firmware/device/backup_bank.py, on a drive that is a folder."""

    @pytest.fixture
    def file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.chdir(tmp_path)
        return tmp_path / "save" / "journal.bin"

    def make(self, size: int = 64) -> Any:
        from firmware.device.backup_bank import BackupBank

        return BackupBank(size)

    def test_it_is_made_once(self, file: Path) -> None:
        assert self.make().size == 64 and file.read_bytes() == b"\xff" * 64
        file.write_bytes(b"kept" + b"\xff" * 60)
        assert self.make().size == 64 and file.read_bytes()[:4] == b"kept"

    def test_one_that_was_not_finished_becomes_as_long_as_it_should(self, file: Path) -> None:
        self.make(20)
        assert self.make().size == 64 and file.read_bytes() == b"\xff" * 64

    def test_what_is_kept_is_read_again_and_nothing_of_before(self, file: Path) -> None:
        backup = self.make()
        backup.keep([b"a long one before"])
        backup.keep([b"skyline"])
        buffer = bytearray(12)
        backup.read(3, buffer)
        assert buffer == b"line" + b"\xff" * 8 and file.stat().st_size == 64

    def test_on_a_drive_of_the_pc_there_is_none(self, file: Path) -> None:
        file.parent.write_bytes(b"")  # what cannot be opened in it raises OSError, as a read-only drive does
        backup = self.make()
        assert backup.size == 0
        with pytest.raises(OSError, match="save"):
            backup.keep([b"skyline"])

    def test_the_pico_has_it(self, device, workbench) -> None:
        assert device.backup.size > device.store[0].size == 4096 and Path("save/journal.bin").is_file()

    def test_board_without_nvm_has_neither_a_store_nor_one(self, workbench) -> None:
        workbench.nvm = None
        device = import_module("firmware.device.boot.pico").build()
        assert (device.store, device.backup) == ((), None) and not Path("save").exists()
