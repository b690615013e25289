"""Read what the flash of a handheld holds: the records of its journal, and the files of its drive."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from firmware.save import match_revival
from firmware.save.journal import MATCH, MATCH_GAMES, SUSPENDED, Journal
from tools.board.firmware_image import DRIVE_START, NVM_BYTES, NVM_START

if TYPE_CHECKING:
    from firmware.contracts import Blob

GAMES = (SUSPENDED, MATCH, *range(MATCH_GAMES, MATCH_GAMES + 4))
_READ = 0x01

Records = dict[int, bytes]


class Image:
    """Read and write the bytes of a non-volatile memory like a bank of the game."""

    def __init__(self, image: bytearray) -> None:
        self.image = image
        self.size = len(image)

    def read(self, offset: int, buffer: bytearray | memoryview) -> None:
        buffer[:] = self.image[offset : offset + len(buffer)]

    def write(self, offset: int, content: bytes | memoryview) -> None:
        self.image[offset : offset + len(content)] = content

    replace = write  # over any bytes

    def keep(self, pieces: Iterable[Blob]) -> None:
        """Refuse to write a copy, as if a PC had the drive."""
        raise OSError("the drive is the PC's")


def read_records(flash: bytes, copy: bytes = b"") -> Records:
    """Return the payload of each kind of record that is there; of a match that does not come back none.

    copy: of the memory on the drive, which counts as for the game.
    """
    memory = bytearray(flash[NVM_START : NVM_START + NVM_BYTES])
    journal = Journal([Image(memory)], Image(bytearray(copy)) if copy else None)
    found = {kind: bytes(journal.read(kind)) for kind in range(1, len(journal.where))}
    if not found[MATCH] or match_revival.restore(journal) is None:
        found = {kind: payload for kind, payload in found.items() if kind not in GAMES or kind == SUSPENDED}
    return {kind: payload for kind, payload in found.items() if payload}


def read_files(flash: bytes, paths: Iterable[str]) -> dict[str, bytes]:
    """Return those of these files that FatFs, which CircuitPython uses, finds on the drive."""
    from fatfs import wrapper as fat
    from fatfs.diskio import RamDisk

    files: dict[str, bytes] = {}
    try:
        partition = fat.Partition(RamDisk(bytearray(flash[DRIVE_START:])))
        partition.mount()
        for path in paths:
            handle, info = fat.FIL_Handle(), fat.FILINFO_Handle()
            name = partition._adjust_path(f"/{path}")  # noqa: SLF001 - fatfs has no public function for this
            if fat.pyf_stat(name, info) or fat.pyf_open(handle, name, _READ):
                continue
            code, content = fat.pyf_read(handle, info.get_size())
            files[path] = b"" if code else bytes(content)
            fat.pyf_close(handle)
        partition.unmount()
    except Exception as problem:  # each of the package's calls has its own kind: no file system is left
        if isinstance(problem, ImportError):
            raise
    return files
