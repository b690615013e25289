"""Keep a recording of each table's first place as a file, if the game owns the drive."""

import os


class ReplayFiles:
    """Store one recording for each table in the folder `root`; the file name has the table and the result.

    So an old file is never mistaken for the recording of the current first place. If the PC owns the drive or it is
    full, `keep` raises OSError and changes nothing.
    """

    def __init__(self, root: str = "save") -> None:
        self.root = root

    def path(self, table: int, result: int) -> str:
        """Return the path of a first place's recording, existing or not."""
        return self.root + "/best%02d_%d.sky" % (table, result)

    def holds(self, table: int, result: int) -> bool:
        try:
            os.stat(self.path(table, result))
            return True
        except OSError:
            return False

    def fetch(self, table: int, result: int) -> bytes:
        """Return a recording; raise OSError if it is missing."""
        with open(self.path(table, result), "rb") as file:
            return file.read()

    def keep(self, table: int, result: int, blob: bytes) -> None:
        """Store a recording, then remove the table's other ones."""
        try:
            os.mkdir(self.root)
        except OSError:
            pass  # it is there, or nothing can be written
        new = self.root + "/new.sky"
        try:
            with open(new, "wb") as file:
                file.write(blob)
        except OSError:
            self.remove(new)  # remove the partial file
            raise
        path = self.path(table, result)
        self.remove(path)
        os.rename(new, path)
        start = path.rpartition("_")[0] + "_"
        for name in os.listdir(self.root):
            other = self.root + "/" + name
            if other.startswith(start) and other != path:
                self.remove(other)

    def remove(self, path: str) -> None:
        try:
            os.remove(path)
        except OSError:
            pass
