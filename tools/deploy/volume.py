"""Read and write the files of a drive by path, and never through a symbolic link.

FAT does not tell capitals from small letters, and neither does a board. So everything finds a file by `fold(path)`.
"""

import os
import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.deploy import DeployError

_OF_SYSTEMS = (".", "System Volume Information")  # folders that a PC makes and may not let others read
FILE, FOLDER, LINK = "file", "folder", "link"
_CLUSTER_BYTES = 512  # if the system does not report it: what CircuitPython gives to drives of up to 2 MB
_SLOT_BYTES = 32  # of a directory: one for a file, and one for each 13 letters of a long name
_SLOT_LETTERS = 13


@dataclass(frozen=True)
class Entry:
    """A file, a folder or a link on a drive; `path` is spelled as on the drive."""

    path: str
    kind: str
    size: int


Entries = dict[str, Entry]


def fold(path: str) -> str:
    """Return the form of a path that is equal for all spellings of one file."""
    return path.lower()


def parents(path: str) -> list[str]:
    """Return the folders above a path, the uppermost first."""
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts))]


class Volume:
    """The drive of a board, mounted as a folder."""

    def __init__(self, root: Path) -> None:
        if root.is_symlink():
            raise DeployError(f"{root} is a symbolic link: name the drive itself, {root.resolve()}")
        self.root = root
        self.cluster_bytes = _find_cluster_bytes(root)

    def free_bytes(self) -> int:
        return shutil.disk_usage(self.root).free

    def scan(self) -> Entries:
        """Return everything on the drive by its folded path."""
        found: Entries = {}
        folders = [""]
        for folder in folders:
            try:
                entries = sorted(os.scandir(self.root / folder), key=lambda entry: entry.name)
            except PermissionError:
                if not folder.startswith(_OF_SYSTEMS):
                    raise
                entries = []
            for entry in entries:
                path = f"{folder}/{entry.name}".lstrip("/")
                if fold(path) in found:
                    raise DeployError(f"{path} and {found[fold(path)].path} are one file to a board: rename one")
                kind = LINK if _is_link(entry) else FOLDER if entry.is_dir() else FILE
                found[fold(path)] = Entry(path, kind, entry.stat(follow_symlinks=False).st_size)
                if kind == FOLDER:
                    folders.append(path)
        return found

    def read(self, path: str) -> bytes:
        """Read a file, where possible from the flash and not from the system's cache."""
        with self._find(path).open("rb") as file:
            if hasattr(os, "posix_fadvise"):
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            return file.read()

    def write(self, path: str, content: bytes) -> None:
        place = self._find(path)
        _refuse_link(place)
        with place.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())

    def make_folder(self, path: str) -> None:
        self._find(path).mkdir()

    def rename(self, path: str, target: str) -> None:
        os.replace(self._find(path), self._find(target))

    def remove(self, path: str) -> None:
        self._find(path).unlink()

    def remove_folder(self, path: str) -> None:
        self._find(path).rmdir()

    def flush(self) -> None:
        """Flush the system's buffers, so that the drive gets the steps in their order."""
        if hasattr(os, "sync"):
            os.sync()

    def _find(self, path: str) -> Path:
        """Return the place of a file, spelled as on the drive; raise DeployError if a link leads there."""
        found = self.root
        for name in path.split("/"):
            _refuse_link(found)
            if not os.path.lexists(found / name) and found.is_dir():  # not FAT, which finds each spelling
                name = next((other for other in os.listdir(found) if fold(other) == fold(name)), name)
            found /= name
        return found


def _refuse_link(path: Path) -> None:
    if path.is_symlink():
        raise DeployError(f"{path} is a symbolic link, and deploy writes through none: delete the link")


def _is_link(entry: "os.DirEntry[str]") -> bool:
    """Return whether an entry leads elsewhere: a symbolic link, or a junction of Windows."""
    return entry.is_symlink() or bool(getattr(entry, "is_junction", lambda: False)())


def _find_cluster_bytes(root: Path) -> int:
    """Return the bytes of the drive's clusters, the unit in which files take room."""
    size = 0
    if sys.platform == "win32":
        import ctypes

        numbers = [ctypes.c_ulong() for _ in range(4)]
        if getattr(ctypes, "windll").kernel32.GetDiskFreeSpaceW(str(root), *map(ctypes.byref, numbers)):  # noqa: B009
            size = numbers[0].value * numbers[1].value
    elif hasattr(os, "statvfs") and root.exists():
        size = os.statvfs(root).f_frsize
    return size if 512 <= size <= 65_536 else _CLUSTER_BYTES


def clusters(size: int, cluster_bytes: int) -> int:
    return -(-size // cluster_bytes)


def count_folders(paths: Iterable[str], cluster_bytes: int) -> dict[str, int]:
    """Return the clusters of each folder above `paths`; the root is none of them, it has its own place on a drive."""
    paths = set(paths)
    slots = dict.fromkeys((folder for path in paths for folder in parents(path)), 2)
    for path in paths | slots.keys():
        folder, _, name = path.rpartition("/")
        if folder:
            slots[folder] += 2 + len(name) // _SLOT_LETTERS  # small letters make a name long, with a zero
    return {folder: clusters(count * _SLOT_BYTES, cluster_bytes) for folder, count in slots.items()}


def room_for(sizes: Mapping[str, int], cluster_bytes: int) -> int:
    """Return the bytes that files by path and their folders take on an empty drive."""
    count = sum(clusters(size, cluster_bytes) for size in sizes.values())
    return (count + sum(count_folders(sizes, cluster_bytes).values())) * cluster_bytes
