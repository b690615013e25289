"""Fakes of flash: one that works and checks its use, one whose power fails, one that is broken."""

from collections.abc import Iterable
from dataclasses import dataclass

Bytes = bytes | bytearray | memoryview


class PowerCut(Exception):
    """The power has failed, which stops the program."""


class RamStore:
    """One bank of flash in memory; writing over bytes that are not erased fails the test."""

    def __init__(self, size_or_image: int | Bytes = 4096) -> None:
        self.image = bytearray(b"\xff" * size_or_image if isinstance(size_or_image, int) else size_or_image)
        self.size = len(self.image)
        self.erases = 0

    def read(self, offset: int, buffer: bytearray | memoryview) -> None:
        assert 0 <= offset <= offset + len(buffer) <= self.size
        buffer[:] = self.image[offset : offset + len(buffer)]

    def write(self, offset: int, data: Bytes) -> None:
        end = offset + len(data)
        assert 0 <= offset <= end <= self.size
        assert self.image[offset:end] == b"\xff" * len(data), "written over bytes that are not erased"
        self.image[offset:end] = data

    def erase(self) -> None:
        self.erases += 1
        self.image[:] = b"\xff" * self.size

    def replace(self, offset: int, data: Bytes) -> None:
        """Erase the bank, then write all of it again with `data` at `offset`, as CircuitPython does with its nvm."""
        image = bytearray(self.image)
        image[offset : offset + len(data)] = data
        assert len(image) == self.size
        self.erase()
        self.write(0, image)


@dataclass
class Change:
    """One write or erase: the bytes of `data` went to `offset` of bank `bank`, one after the other."""

    bank: int
    offset: int
    data: bytes
    erasing: bool

    def apply(self, images: list[bytearray], count: int) -> None:
        images[self.bank][self.offset : self.offset + count] = self.data[:count]


class LoggingStore(RamStore):
    """Flash that appends every change to `log`, which banks share."""

    def __init__(self, size: int, bank: int, log: list[Change]) -> None:
        super().__init__(size)
        self.bank = bank
        self.log = log

    def write(self, offset: int, data: Bytes) -> None:
        super().write(offset, data)
        self.log.append(Change(self.bank, offset, bytes(data), False))

    def erase(self) -> None:
        super().erase()
        self.log.append(Change(self.bank, 0, bytes(self.image), True))


class RamBackupBank:
    """A file on a drive: it can be overwritten, unless the drive belongs to the PC."""

    def __init__(self, size_or_image: int | Bytes = 4096, writable: bool = True) -> None:
        self.image = bytearray(b"\xff" * size_or_image if isinstance(size_or_image, int) else size_or_image)
        self.size = len(self.image)
        self.writable = writable

    def read(self, offset: int, buffer: bytearray | memoryview) -> None:
        buffer[:] = self.image[offset : offset + len(buffer)]

    def keep(self, pieces: Iterable[Bytes]) -> None:
        if not self.writable:
            raise OSError("read-only file system")
        image = b"".join(map(bytes, pieces))  # each piece is valid until the next
        self.image[:] = image + b"\xff" * (self.size - len(image))


class LoggingBackupBank(RamBackupBank):
    """A file that appends every change to `log`, as the last of all banks."""

    def __init__(self, size: int, bank: int, log: list[Change]) -> None:
        super().__init__(size)
        self.bank = bank
        self.log = log

    def keep(self, pieces: Iterable[Bytes]) -> None:
        super().keep(pieces)
        self.log.append(Change(self.bank, 0, bytes(self.image), True))


@dataclass
class Supply:
    """The power of all banks of a handheld: it fails after `left` bytes written or erased.

    The bits of `torn` do not arrive in the byte written at that moment.
    """

    left: int
    torn: int = 0xFF

    def spend(self, wanted: int) -> int:
        """Return how many of `wanted` bytes the power suffices for."""
        spent = min(wanted, self.left)
        self.left -= spent
        return spent


class WeakStore(RamStore):
    """Flash whose power fails in the middle of a write or an erase."""

    def __init__(self, image: Bytes, supply: Supply) -> None:
        super().__init__(image)
        self.supply = supply

    def write(self, offset: int, data: Bytes) -> None:
        count = self.supply.spend(len(data))
        super().write(offset, bytes(data[:count]))
        if count < len(data):
            super().write(offset + count, bytes([data[count] | self.supply.torn]))
            raise PowerCut

    def erase(self) -> None:
        count = self.supply.spend(self.size)
        self.image[:count] = b"\xff" * count
        if count < self.size:
            raise PowerCut


class WeakBackupBank(RamBackupBank):
    """A file on a drive whose power fails in the middle of a write."""

    def __init__(self, image: Bytes, supply: Supply) -> None:
        super().__init__(image)
        self.supply = supply

    def keep(self, pieces: Iterable[Bytes]) -> None:
        image = b"".join(map(bytes, pieces))  # each piece is valid until the next
        count = self.supply.spend(self.size)
        self.image[:count] = (image + b"\xff" * (self.size - len(image)))[:count]
        if count < self.size:
            raise PowerCut


class BrokenStore(RamStore):
    """Flash whose methods in `broken` raise OSError, and which loses writes if `forgets`."""

    broken = ""
    forgets = False

    def read(self, offset: int, buffer: bytearray | memoryview) -> None:
        if "read" in self.broken:
            raise OSError("no such device")
        super().read(offset, buffer)

    def write(self, offset: int, data: Bytes) -> None:
        if "write" in self.broken:
            raise OSError("no such device")
        if not self.forgets:
            super().write(offset, data)

    def erase(self) -> None:
        if "erase" in self.broken:
            raise OSError("no such device")
        super().erase()
