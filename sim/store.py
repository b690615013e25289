"""Keep what the simulated handheld saves: two banks of flash, each a file in the user's data folder."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

from firmware.match.options import MOST_PLAYERS
from firmware.save.journal import MATCH, MATCH_GAMES, SUSPENDED, Journal
from sim import terminal
from sim.ownership import check_folder, replace
from sim.terminal import Refusal, writing

BANK_BYTES = 4096
UNFINISHED = "unfinished.bin"
LAST_UNFINISHED = "unfinished-1.bin"  # they take turns: one belongs to the save before
ENDING = "ending.bin"  # see sim/ending.py
ENDING_MARK = b"skyline ending 1\n"
PAGE = "page.json"  # see sim/desktop/transfer.py
PAGE_MARK = b'{"skyline":'
LOADING = "loading.zip"  # an archive while it is loaded
_LOCK = "saves.lock"
_CRC_AND_TIMES = 12  # bytes at the head of an unfinished recording, see sim/suspended_recording.py
_ERASED = b"\xff"


class FileStore:
    """Treat the file at `path` as one bank of flash; the first write creates it.

    Bytes that the file lacks count as erased, and only erased bytes can be written. All methods
    raise OSError if a disk fails. Like flash they refuse to write over other bytes.

    look: called with each record before it is written.  problem: "", or why the last write failed.
    refusal: "", or why nothing may be written.
    """

    def __init__(self, path: Path, size: int = BANK_BYTES) -> None:
        self.path = path
        self.size = size
        self.look: Callable[[bytes], None] | None = None
        self.problem = self.refusal = ""
        self.lock: IO[bytes] | None = None

    def release(self) -> None:
        """Let another simulator have the folder."""
        if self.lock:
            self.lock.close()
            self.lock = None

    def read(self, offset: int, buffer: bytearray | memoryview) -> None:
        self._check(offset, len(buffer))
        try:
            with self.path.open("rb") as file:
                file.seek(offset)
                found = file.read(len(buffer))
        except FileNotFoundError:
            found = b""
        buffer[:] = found + _ERASED * (len(buffer) - len(found))

    def write(self, offset: int, data: bytes | bytearray | memoryview) -> None:
        """Put `data` at `offset`, where bytes are erased; it is on the disk when this returns."""
        if self.look:
            self.look(bytes(data))
        there = bytearray(len(data))
        self.read(offset, there)
        if there.strip(_ERASED):
            raise OSError(errno.EIO, "would write over bytes that are not erased", str(self.path))
        self._put(offset, bytes(data))

    def erase(self) -> None:
        self._put(0, _ERASED * self.size)

    def _check(self, offset: int, count: int) -> None:
        if offset < 0 or offset + count > self.size:
            raise OSError(errno.ENOSPC, f"has {self.size} bytes, not {offset + count}", str(self.path))

    def _put(self, offset: int, data: bytes) -> None:
        self.problem = self.refusal
        if self.refusal:
            raise OSError(errno.EBUSY, self.refusal, str(self.path))
        try:
            self._write(offset, data)
        except OSError as error:
            self.problem = f"{self.path.parent}: {error.strerror or error}"
            raise

    def _write(self, offset: int, data: bytes) -> None:
        self._check(offset, len(data))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if not self.path.exists():
            with replace(self.path) as file:
                file.write(_ERASED * self.size)
        elif (length := self.path.stat().st_size) < self.size:  # an older simulator was killed while it made the bank
            with self.path.open("ab") as file:
                file.write(_ERASED * (self.size - length))
        with self.path.open("r+b") as file:
            file.seek(offset)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())


def claim(folder: Path) -> IO[bytes] | None:
    """Lock a folder of saves until the file that this returns is closed; None if another simulator has it.

    Raise OSError for a folder that cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = (folder / _LOCK).open("ab")
    try:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    except OSError:
        file.close()
        return None
    return file


class CopiedStore:
    """Start with the content of another bank, and keep writes in memory only."""

    def __init__(self, store: FileStore | CopiedStore) -> None:
        """Copy a bank; raise OSError if it cannot be read."""
        self.size: int = store.size
        self._bytes = bytearray(store.size)
        store.read(0, self._bytes)

    def read(self, offset: int, buffer: bytearray | memoryview) -> None:
        buffer[:] = self._bytes[offset : offset + len(buffer)]

    def write(self, offset: int, data: bytes | bytearray | memoryview) -> None:
        self._bytes[offset : offset + len(data)] = data

    def erase(self) -> None:
        self._bytes[:] = _ERASED * self.size


class JournalAside(Journal):
    """A journal for a match from the command line, while a suspended game or match waits in the banks.

    The suspended game stays. This match is kept in memory only; settings, scores and all else go to the banks too.
    """

    _waiting = (SUSPENDED, MATCH, *range(MATCH_GAMES, MATCH_GAMES + MOST_PLAYERS))

    def __init__(self, stores: Sequence[FileStore | CopiedStore]) -> None:
        """Copy the banks; raise OSError if one cannot be read."""
        self._kept: Journal | None = None
        super().__init__([CopiedStore(store) for store in stores])
        for kind in self._waiting:
            self.save(kind, 0)
        self._kept = Journal(list(stores))

    def save(self, kind: int, length: int) -> bool:
        """Keep a record in memory, and in the banks too unless it belongs to the match."""
        payload = bytes(self.payload[:length])
        done = super().save(kind, length)
        if self._kept and kind not in self._waiting:
            self._kept.payload[:length] = payload
            return self._kept.save(kind, length) and done
        return done


def check_saves(folder: Path) -> None:
    """Refuse a folder for saves that is a link, cannot be written, or has files of others by our names."""
    check_folder(folder)
    with writing(folder):
        banks = (store.path for store in open_stores(folder))
        for path in (*banks, *(folder / name for name in (UNFINISHED, LAST_UNFINISHED, ENDING, PAGE, LOADING, _LOCK))):
            if path.is_symlink() or path.exists() and not (path.is_file() and _is_ours(path)):
                raise Refusal(f"{path} is not a save of Skyline: name another folder")


def is_unfinished(content: bytes) -> bool:
    """Return whether this looks like the recording of a game in progress."""
    return content[_CRC_AND_TIMES:].startswith(b"SKY")


def _is_ours(path: Path) -> bool:
    """Return whether this is a bank, the beginning of one that was never written to, or an unfinished recording."""
    content = terminal.read(path)
    marks = {ENDING: ENDING_MARK, _LOCK: ENDING_MARK, PAGE: PAGE_MARK, LOADING: b"PK"}
    if path.name in marks:
        return not content or content.startswith(marks[path.name])
    if path.name in (UNFINISHED, LAST_UNFINISHED):
        return not content or is_unfinished(content)
    return len(content) == BANK_BYTES or not content.strip(_ERASED)


def open_stores(folder: Path | None = None) -> list[FileStore]:
    """Return the two banks in `folder`, by default the user's data folder."""
    folder = folder or find_data_folder()
    return [FileStore(folder / "bank0.bin"), FileStore(folder / "bank1.bin")]


def find_data_folder() -> Path:
    """Return the user's data folder for Skyline (see platformdirs)."""
    from platformdirs import user_data_path

    return user_data_path("skyline", appauthor=False)
