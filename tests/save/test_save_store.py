"""Files that behave like flash, for the simulator, and the nvm of a board."""

from pathlib import Path

import platformdirs
import pytest

from firmware.device.nvm import NvmStore
from sim.store import BANK_BYTES, FileStore, open_stores
from tests.support.flash import RamStore


def content(bank: FileStore | NvmStore | RamStore) -> bytes:
    buffer = bytearray(bank.size)
    bank.read(0, buffer)
    return bytes(buffer)


@pytest.fixture
def bank(tmp_path: Path) -> FileStore:
    return FileStore(tmp_path / "made" / "later" / "bank.bin", 64)


class TestFileStore:
    def test_bank_without_a_file_is_erased(self, bank: FileStore) -> None:
        assert content(bank) == b"\xff" * 64 and not bank.path.exists()

    def test_written_bytes_are_read_again(self, bank: FileStore) -> None:
        bank.write(60, b"last")
        bank.write(3, memoryview(b"first"))
        assert content(FileStore(bank.path, 64)) == b"\xff" * 3 + b"first" + b"\xff" * 52 + b"last"

    def test_erase_wipes_all(self, bank: FileStore) -> None:
        bank.write(10, b"skyline")
        bank.erase()
        assert content(bank) == b"\xff" * 64
        bank.write(10, b"again")

    def test_bytes_are_written_once(self, bank: FileStore) -> None:
        bank.write(10, b"skyline")
        with pytest.raises(OSError, match="not erased"):
            bank.write(16, b"dawn")
        assert content(bank)[10:20] == b"skyline\xff\xff\xff"

    def test_bank_ends_at_its_size(self, bank: FileStore) -> None:
        with pytest.raises(OSError, match="64 bytes"):
            bank.write(60, b"beyond")
        with pytest.raises(OSError, match="64 bytes"):
            bank.read(60, bytearray(5))

    def test_short_file_is_erased_beyond_its_end(self, bank: FileStore) -> None:
        bank.path.parent.mkdir(parents=True)
        bank.path.write_bytes(b"abc")
        bank.write(5, b"f")
        assert content(bank) == b"abc\xff\xfff" + b"\xff" * 58

    def test_file_in_place_of_a_folder_is_an_os_error(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_bytes(b"")
        with pytest.raises(OSError, match="file"):
            FileStore(tmp_path / "file" / "bank.bin").write(0, b"x")

    def test_simulator_has_two_banks_in_the_users_data_folder(self, monkeypatch, tmp_path: Path) -> None:
        monkeypatch.setattr(platformdirs, "user_data_path", lambda name, appauthor: tmp_path / name)
        stores = open_stores()
        assert [bank.size for bank in stores] == [BANK_BYTES, BANK_BYTES]
        assert {bank.path.parent for bank in stores} == {tmp_path / "skyline"}
        stores[0].write(0, b"one")
        assert content(stores[1]) == b"\xff" * BANK_BYTES
        assert [bank.path.parent for bank in open_stores(tmp_path)] == [tmp_path, tmp_path], "or in a given folder"


class Nvm:
    """The firmware's nvm.ByteArray: assigning to bytes that are not all erased rewrites the sector."""

    def __init__(self) -> None:
        self.memory = bytearray(b"\xff" * 4096)
        self.rewritten = 0
        self.refuses = False

    def __len__(self) -> int:
        return len(self.memory)

    def __getitem__(self, span: slice) -> bytes:
        return bytes(self.memory[span])

    def __setitem__(self, span: slice, value: bytes | memoryview) -> None:
        if self.refuses:
            raise RuntimeError("Unable to write to nvm.")
        if len(range(*span.indices(4096))) != len(value):
            raise ValueError("Slice and value different lengths.")
        self.rewritten += self.memory[span] != b"\xff" * len(value)
        self.memory[span] = value


def test_nvm_is_erased_only_to_replace_bytes_and_then_once() -> None:
    nvm = Nvm()
    bank = NvmStore(nvm)
    bank.write(100, memoryview(b"skyline"))
    bank.write(107, b"again")
    assert (content(bank)[100:112], nvm.rewritten) == (b"skylineagain", 0)
    bank.replace(104, memoryview(b"at dusk"))
    assert (content(bank)[100:112], nvm.rewritten) == (b"skylat duskn", 1)


@pytest.mark.parametrize("verb", ["write", "replace"])
def test_nvm_that_refuses_is_an_os_error(verb: str) -> None:
    nvm = Nvm()
    bank = NvmStore(nvm)
    nvm.refuses = True
    with pytest.raises(OSError, match="Unable to write to nvm"):
        getattr(bank, verb)(0, b"x")
