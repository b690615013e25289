"""A board's drive as a FAT image, formatted like CircuitPython's and changed by FatFs, which CircuitPython uses."""

import errno
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from fatfs import wrapper as fat
from fatfs.diskio import RamDisk
from folder2uf2 import SECTOR, FatBuilder, Geometry, build_tree

from tools.deploy.volume import FILE, FOLDER, Entries, Entry, Volume, fold
from tools.files import write_files

_TIME = 1_767_225_600
_READ, _WRITE, _CREATE = 0x01, 0x02, 0x08
_NO_FILE = 4
_NUMBERS = {_NO_FILE: errno.ENOENT, 5: errno.ENOENT, 7: errno.ENOSPC, 8: errno.EEXIST}  # of FatFs's results


def cut(image: bytes, log: list[tuple[int, bytes]], places: Iterable[int]) -> Iterator[bytes]:
    """Yield the image after the first sectors of a log, for each number of them in `places`, which rise."""
    now, done = bytearray(image), 0
    for place in places:
        for sector, content in log[done:place]:
            now[sector * SECTOR : (sector + 1) * SECTOR] = content
        done = place
        yield bytes(now)


def make_image(size_kb: int, files: dict[str, bytes]) -> bytes:
    """Return a drive as CircuitPython formats it, with these files."""
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder), files)
        for path in Path(folder).rglob("*"):
            os.utime(path, (_TIME, _TIME))
        builder = FatBuilder(Geometry(size_kb * 1024 // SECTOR), volume_id=1, build_ts=_TIME)
        builder.layout(build_tree(folder, build_ts=_TIME))
    return bytes(builder.image)


class Disk(RamDisk):  # type: ignore[misc]  # fatfs has no types
    """Sectors in memory.  log: what was written, in order."""

    def __init__(self, image: bytes) -> None:
        super().__init__(bytearray(image))
        self.log: list[tuple[int, bytes]] = []

    def write(self, sector: int, count: int, buff: bytes) -> None:
        super().write(sector, count, buff)
        self.log += [(sector + at // SECTOR, bytes(buff[at : at + SECTOR])) for at in range(0, count, SECTOR)]


class FatVolume(Volume):
    """A FAT image in place of a mounted drive.

    operations: the sectors written before each operation.  fails_at: number of the operation that raises an OSError.
    """

    def __init__(self, disk: Disk) -> None:
        self.root = Path("CIRCUITPY")
        self.disk = disk
        self.partition = fat.Partition(disk)
        self.partition.mount()
        self.cluster_bytes = SECTOR * disk.storage[13]
        self.operations: list[int] = []
        self.fails_at = 0
        self.fails_with = errno.EIO

    def free_bytes(self) -> int:
        boot = self.disk.storage
        reserved, entries = int.from_bytes(boot[14:16], "little"), int.from_bytes(boot[17:19], "little")
        sectors = int.from_bytes(boot[19:21], "little") or int.from_bytes(boot[32:36], "little")
        fat_sectors = int.from_bytes(boot[22:24], "little")
        count = (sectors - reserved - fat_sectors - entries * 32 // SECTOR) // boot[13]
        table = boot[reserved * SECTOR : (reserved + fat_sectors) * SECTOR]
        if count < 0xFF5:
            number = int.from_bytes(table, "little")
            free = sum(1 for at in range(2, count + 2) if not number >> at * 12 & 0xFFF)
        else:
            free = sum(1 for at in range(2, count + 2) if table[2 * at : 2 * at + 2] == b"\0\0")
        return free * self.cluster_bytes

    def scan(self) -> Entries:
        found: Entries = {}
        folders = [""]
        for folder in folders:
            handle, info = fat.DIR_Handle(), fat.FILINFO_Handle()
            self._check(fat.pyf_opendir(handle, self._name(folder)), folder)
            while fat.pyf_readdir(handle, info) == 0 and info.get_name():
                path = f"{folder}/{info.get_name()}".lstrip("/")
                found[fold(path)] = Entry(path, FOLDER if info.is_directory() else FILE, info.get_size())
                if info.is_directory():
                    folders.append(path)
            fat.pyf_closedir(handle)
        return found

    def read(self, path: str) -> bytes:
        handle, info = fat.FIL_Handle(), fat.FILINFO_Handle()
        self._check(fat.pyf_stat(self._name(path), info), path)
        self._check(fat.pyf_open(handle, self._name(path), _READ), path)
        code, content = fat.pyf_read(handle, info.get_size())
        self._check(code, path)
        fat.pyf_close(handle)
        return bytes(content)

    def write(self, path: str, content: bytes) -> None:
        self._begin(path)
        handle = fat.FIL_Handle()
        self._check(fat.pyf_open(handle, self._name(path), _WRITE | _CREATE), path)
        if content:
            fat.pyf_write(handle, content)
        self._check(fat.pyf_close(handle), path)
        if len(self.read(path)) < len(content):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def make_folder(self, path: str) -> None:
        self._begin(path)
        self._check(fat.pyf_mkdir(self._name(path)), path)

    def rename(self, path: str, target: str) -> None:
        self._begin(path)
        code = fat.pyf_unlink(self._name(target))  # FatFs does not replace a file
        self._check(0 if code == _NO_FILE else code, target)
        self._check(fat.pyf_rename(self._name(path), self._name(target)), path)

    def remove(self, path: str) -> None:
        self._begin(path)
        self._check(fat.pyf_unlink(self._name(path)), path)

    remove_folder = remove

    def flush(self) -> None:
        pass

    def _begin(self, path: str) -> None:
        """Note that an operation begins; raise the OSError of a test."""
        self.operations.append(len(self.disk.log))
        if len(self.operations) == self.fails_at:
            raise OSError(self.fails_with, os.strerror(self.fails_with), path)

    def _name(self, path: str) -> bytes:
        return self.partition._adjust_path("/" + path)

    @staticmethod
    def _check(code: int, path: str) -> None:
        if code:
            raise OSError(_NUMBERS.get(code, errno.EIO), f"FatFs says {code} for {path}")


@contextmanager
def mounted(image: bytes) -> Iterator[FatVolume]:
    volume = FatVolume(Disk(image))
    try:
        yield volume
    finally:
        volume.partition.unmount()
