"""Keep a recording of each table's first place as a file beside others, where the drive is not the PC's."""

import os


class Shelf:
    """Treat a root as the place of one recording a table: its file is named after the table and the result.

    So a file that is left from another first place is never taken for it.  Where the drive is the PC's or
    full all that writes raises OSError, and what was there stays.
    """

    def __init__(self, root: str = "save") -> None:
        self.root = root

    def path(self, table: int, result: int) -> str:
        """Return where the recording of a first place is, or would be."""
        return self.root + "/best%02d_%d.sky" % (table, result)

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
            os.stat(self.root)
        except OSError:
            os.mkdir(self.root)
        new = self.root + "/new.sky"
        try:
            with open(new, "wb") as file:
                file.write(blob)
        except OSError:
            self.remove(new)  # what there was room for
            raise
        path = self.path(table, result)
        self.remove(path)
        os.rename(new, path)
        start = path.split("/")[-1].split("_")[0] + "_"
        for name in os.listdir(self.root):
            other = self.root + "/" + name
            if name.startswith(start) and other != path:
                self.remove(other)

    def remove(self, path: str) -> None:
        """Remove a file, if it is there and can be removed."""
        try:
            os.remove(path)
        except OSError:
            pass
