"""Read what the flash of a handheld holds: the records of its journal, and the files of its drive."""

from collections.abc import Iterable

from firmware.save import match_revival
from firmware.save.journal import MATCH, MATCH_GAMES, SUSPENDED
from tools.board.firmware_image import DRIVE_START, NVM_BYTES, NVM_START
from tools.board.nvm import open_journal

GAMES = (SUSPENDED, MATCH, *range(MATCH_GAMES, MATCH_GAMES + 4))
_READ = 0x01

Records = dict[int, bytes]


def read_records(flash: bytes, copy: bytes = b"") -> Records:
    """Return the payload of each kind of record that is there; of a match that does not come back none.

    copy: of the memory on the drive, which counts as for the game.
    """
    journal = open_journal(flash[NVM_START : NVM_START + NVM_BYTES], copy)
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
