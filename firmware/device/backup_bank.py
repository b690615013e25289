"""Keep a copy of the only bank in a file while the bank is erased, if the game owns the drive."""

import os

from firmware.compat import TYPE_CHECKING, const

if TYPE_CHECKING:
    from collections.abc import Iterable

    from firmware.contracts import Blob

MARK_BYTES = const(16)  # bytes after the copy that mark it as complete

_FOLDER = "save"
_FILE = "save/journal.bin"
_PIECE_BYTES = const(64)
_SIZE_AT = const(6)  # index of the size in the result of os.stat
_ERASED = b"\xff"


class BackupBank:
    """Read a file on the drive like a bank, and write it as a whole.

    size: of the file, 0 if there is none. The file is made once at its final size, in its own folder. So later writes
    change neither the drive's file allocation table nor its root folder. If the PC owns the drive, the file can be read
    and `keep` raises OSError.
    """

    def __init__(self, size: int) -> None:
        """Find the file, or make it for a bank of `size` bytes if possible."""
        self.size = 0
        try:
            self.size = min(size, int(os.stat(_FILE)[_SIZE_AT]))  # what lies behind has no place in a journal
        except OSError:
            pass
        if self.size < size:
            try:
                self._make(size)
            except OSError:
                pass  # the PC owns the drive or it is full: an existing file can be read

    def _make(self, size: int) -> None:
        try:
            os.stat(_FOLDER)
        except OSError:
            os.mkdir(_FOLDER)
        with open(_FILE, "ab") as file:
            file.write(_ERASED * (size - self.size))
        self.size = size

    def read(self, offset: int, buffer: "bytearray | memoryview") -> None:
        """Fill `buffer` with the bytes from `offset` on."""
        with open(_FILE, "rb") as file:
            file.seek(offset)
            file.readinto(buffer)

    def keep(self, pieces: "Iterable[Blob]") -> None:
        """Replace the whole file by these pieces in order; they are on the drive when this returns."""
        left = self.size
        with open(_FILE, "r+b") as file:
            for piece in pieces:
                file.write(piece)
                left -= len(piece)
            erased = _ERASED * _PIECE_BYTES
            while left > 0:
                file.write(erased if left >= _PIECE_BYTES else _ERASED * left)
                left -= _PIECE_BYTES
