"""Find out what is on a drive, and which of it is Skyline's."""

import errno
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tools.deploy import DeployError, guard, mark
from tools.deploy.mark import Mark
from tools.deploy.volume import FILE, Entries, Volume, fold, parents

NEW = ".new"  # the end of a file's name while it is written
LAST = "code.py"
SETTINGS = "settings.toml"
FOLDER_NAME = "firmware"
_WRITE_PROTECTED = 19  # Windows's number, which Python takes for EACCES
TOOLS_NEW = (mark.NAME + NEW, guard.NAME + NEW, LAST + NEW)  # what a copy and a removal write beside the game
AT_ROOT = ("boot.py", "safemode.py", SETTINGS, LAST)  # written as NAME.new and renamed: they are never half there
Files = dict[str, bytes]
# Versions up to 0.5.0 left no mark: their root files are known by what they say.
_SAYINGS = {
    LAST: rb"\bfirmware\.device\b|^print\(.Skyline was not copied whole",
    "boot.py": rb"set_usb_identification\(.Skyline",
    "safemode.py": rb"from firmware\.device\.boot import .*safety",
}
_DATA = re.compile(r"firmware/(\w+\.bin|match/attacks\.txt|modes/modes\.txt|device/profiles\.txt)")


@dataclass
class Drive:
    """What is on a drive.

    mark_name: the file that has the mark, "" for none.  has_skyline: whether Skyline is there, with a mark or without.
    ours: its files as the drive spells them, by folded path.
    """

    volume: Volume
    entries: Entries
    mark: Mark = field(default_factory=Mark)
    mark_name: str = ""
    has_skyline: bool = False
    ours: dict[str, str] = field(default_factory=dict)
    contents: dict[str, bytes] = field(default_factory=dict)  # of the files that were read

    def read(self, name: str) -> bytes | None:
        """Return what a file contained at first, or None if there is no file of this name."""
        path = fold(name)
        if path not in self.entries or self.entries[path].kind != FILE:
            return None
        if path not in self.contents:
            self.contents[path] = self.volume.read(self.entries[path].path)
        return self.contents[path]


def look(volume: Volume, known: set[str]) -> Drive:
    """Return what is on a drive; raise DeployError. known: paths of our modules, for drives without a mark."""
    with describing(volume):
        drive = Drive(volume, volume.scan())
        for name in (mark.NAME + NEW, mark.NAME):
            if found := mark.read(drive.read(name) or b""):
                drive.mark, drive.mark_name = found, name
        said = {name for name in _SAYINGS if re.search(_SAYINGS[name], drive.read(name) or b"", re.M)}
        guarded = guard.is_guard(drive.read(guard.NAME) or b"")
        drive.has_skyline = bool(drive.mark_name or guarded or said)
        is_ours = Marked(drive) if drive.mark_name else Unmarked(drive, said, {fold(path) for path in known})
        for path, entry in drive.entries.items():
            if entry.kind == FILE and (_is_tool(drive, path) or is_ours(path)):
                drive.ours[path] = entry.path
    return drive


def _is_tool(drive: Drive, path: str) -> bool:
    """Return whether a file is the mark or the guard, or the beginning of one under its first name."""
    name = path.removesuffix(NEW)
    content = drive.read(path) if name in (mark.NAME, guard.NAME, LAST) else None
    if content is None:
        return False
    if name == mark.NAME:
        return mark.is_begun(content)
    return guard.is_guard(content) if path == name else guard.is_begun(content)


class Marked:
    """Say which files of a drive its mark names."""

    def __init__(self, drive: Drive) -> None:
        self.drive = drive
        self.files = {fold(name): digests for name, digests in drive.mark.files.items()}

    def __call__(self, path: str) -> bool:
        """Return whether the file at a folded path is ours, as it was copied or half copied."""
        name = path.removesuffix(NEW)
        digests = self.files.get(name, set())
        if mark.UNKNOWN in digests and (path != name or "/" in path):
            return not is_strangers(self.drive, path)
        return path == name and bool(digests) and mark.digest(self.drive.read(path) or b"") in digests


def is_strangers(drive: Drive, path: str) -> bool:
    """Return whether an interrupted copy was about to move the file at a folded path, or has moved it by half.

    FAT moves a file by a second entry, before the first one goes away.
    """
    for place, former in drive.mark.moves.items():
        if fold(former) in (path, *parents(path)):
            there = fold(place) + path[len(former) :]
            if fold(place) not in drive.entries or there in drive.entries and drive.read(there) == drive.read(path):
                return True
    return False


class Unmarked:
    """Say which files of a drive are those of a version without a mark."""

    def __init__(self, drive: Drive, said: set[str], known: set[str]) -> None:
        self.drive, self.said, self.known = drive, said, known

    def __call__(self, path: str) -> bool:
        """Return whether the file at a folded path is ours, as it was copied or half copied."""
        name = path.removesuffix(NEW)
        if not self.drive.has_skyline:
            return False
        if "/" not in path:
            return path in self.said or name != path and name.removesuffix(".guard") in _SAYINGS
        if not path.startswith(FOLDER_NAME + "/"):
            return False
        if name != path or path in self.known or _DATA.fullmatch(path):
            return True
        # A compiled file begins with the path that it was made for.
        return path.endswith(".mpy") and path.encode() in (self.drive.read(path) or b"")[: len(path) + 16]


@contextmanager
def describing(volume: Volume, more: str = "") -> Iterator[None]:
    """Turn an OSError in this context into a DeployError of one line that ends with `more`."""
    try:
        yield
    except OSError as problem:
        if problem.errno == errno.ENOSPC:
            words = f"the drive is full: {volume.root}"
        elif problem.errno == errno.EROFS or getattr(problem, "winerror", 0) == _WRITE_PROTECTED:
            words = f"the drive is read-only: {volume.root}; switch the board off and on, with no button held"
        elif problem.errno in (errno.EACCES, errno.EPERM):
            words = f"you have no permission for {problem.filename or volume.root}: change that, or mount it as yours"
        else:
            words = f"cannot use {volume.root}: {problem.strerror or problem}"
        raise DeployError(words + more) from None
