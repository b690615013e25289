"""Keep a recording of each table's first place as a file beside others, where the drive is not the PC's."""

import os

from firmware.compat import const

_NEW = "new.sky"
_NAME = "best%02d_%d.sky"
_FULL = const(28)  # ENOSPC


class Shelf:
    """Treat a folder as the place of one recording a table: its file is named after the table and the result.

    So a file that is left from another first place is never taken for it.  Where the drive is the PC's or
    full all that writes raises OSError, and what was there stays; `is_full` tells which.
    """

    def __init__(self, folder: str = "save") -> None:
        self.folder = folder

    def path(self, table: int, result: int) -> str:
        """Return where the recording of a first place is, or would be."""
        return self.folder + "/" + _NAME % (table, result)

    def holds(self, table: int, result: int) -> bool:
        """Return whether there is one."""
        try:
            os.stat(self.path(table, result))
            return True
        except OSError:
            return False

    def fetch(self, table: int, result: int) -> bytes:
        """Return a recording; raise OSError where there is none."""
        with open(self.path(table, result), "rb") as file:
            return file.read()

    def keep(self, table: int, result: int, blob: bytes) -> None:
        """Put a recording in place of the table's other ones, which go when the new one is whole."""
        try:
            os.stat(self.folder)
        except OSError:
            os.mkdir(self.folder)
        new = self.folder + "/" + _NEW
        try:
            with open(new, "wb") as file:
                file.write(blob)
        except OSError:
            self.remove(new)  # what there was room for
            raise
        path = self.path(table, result)
        self.remove(path)
        os.rename(new, path)
        start = path[len(self.folder) + 1 : path.rfind("_") + 1]
        for name in os.listdir(self.folder):
            other = self.folder + "/" + name
            if name.startswith(start) and other != path:
                self.remove(other)

    def remove(self, path: str) -> None:
        """Remove a file, if it is there and can be removed."""
        try:
            os.remove(path)
        except OSError:
            pass

    def is_full(self, problem: OSError) -> bool:
        """Return whether an error says that there is no room."""
        return problem.errno == _FULL
