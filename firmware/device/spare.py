"""Keep a copy of the one bank in a file while that is erased, where the drive is not the PC's."""

import os

from firmware.compat import const

MARK_BYTES = const(16)  # and more of what ends a copy

_FOLDER = "save"
_FILE = "save/journal.bin"
_PIECE_BYTES = const(64)
_SIZE_AT = const(6)  # in what os.stat returns
_ERASED = b"\xff"


class Spare:
    """Treat a file on the drive as a bank that is read as others are and written whole.

    size: of the file, 0 where there is none.  It is made once, as large as it will ever be and in a
    folder of its own: what is written later changes neither the drive's table of files nor its root.
    Where the drive is the PC's the file can be read and `keep` raises OSError.
    """

    def __init__(self, size: int) -> None:
        """Find the file, or make it for a bank of `size` bytes where that can be."""
        self.size = 0
        try:
            self.size = int(os.stat(_FILE)[_SIZE_AT])
        except OSError:
            pass
        if self.size < size:
            try:
                self._make(size)
            except OSError:
                pass  # the drive is the PC's, or full: whatever is there can be read

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

    def keep(self, pieces: list) -> None:
        """Put pieces, one after the other, in place of all that is there; they are on the drive when this returns."""
        left = self.size
        with open(_FILE, "r+b") as file:
            for piece in pieces:
                file.write(piece)
                left -= len(piece)
            erased = _ERASED * _PIECE_BYTES
            while left > 0:
                file.write(erased if left >= _PIECE_BYTES else _ERASED * left)
                left -= _PIECE_BYTES
