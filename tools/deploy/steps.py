"""Change a drive step by step, and know what is there after each."""

from collections.abc import Iterable, Mapping
from contextlib import suppress

from tools.deploy import DeployError, guard, mark
from tools.deploy.looking import LAST, NEW, TOOLS_NEW, Drive, Files
from tools.deploy.mark import Mark
from tools.deploy.volume import FOLDER, clusters, fold, parents

_SPARE = "safemode.py"  # the game does not need it, so a full drive gets the guard in its place


class Steps:
    def __init__(self, drive: Drive) -> None:
        self.volume = drive.volume
        self.ours = set(drive.ours)
        self.there = set(drive.entries)
        self.others = {path for path, entry in drive.entries.items() if entry.kind != FOLDER}
        self.mark = drive.mark if drive.mark_name else None
        self.made: list[str] = []  # what put() made, in this order

    def has(self, name: str) -> bool:
        return fold(name) in self.there

    def put(self, name: str, content: bytes) -> None:
        """Write a file and read it back; raise DeployError if it differs."""
        self.make_folders(name)
        self.made.append(name)
        self.there.add(fold(name))
        self.volume.write(name, content)
        self.check({name: content})

    def check(self, files: Files) -> None:
        """Raise DeployError if a file differs from its content here."""
        for name, content in files.items():
            if self.volume.read(name) != content:
                name = name.removesuffix(NEW)
                raise DeployError(f"{name} reads back differently: try another cable or port, and run this again")

    def make_folders(self, name: str) -> None:
        for folder in parents(name):
            if not self.has(folder):
                self.volume.make_folder(folder)
                self.made.append(folder + "/")
                self.there.add(fold(folder))

    def replace(self, name: str, content: bytes) -> None:
        """Write a file such that a cut leaves the old or the new one, or its new one as NAME.new."""
        self.put(name + NEW, content)
        self.rename(name + NEW, name)

    def rename(self, name: str, target: str) -> None:
        self.make_folders(target)
        self.volume.rename(name, target)
        old, new = fold(name), fold(target)
        inside = {path for path in self.there if path.startswith(old + "/")}
        self.there -= {old, *inside}
        self.there |= {new, *(new + path[len(old) :] for path in inside)}

    def move(self, name: str, place: str) -> None:
        """Move a stranger's file or folder to a free place, unless that is done."""
        if self.has(name) and not self.has(place):
            self.rename(name, place)

    def remove(self, name: str) -> None:
        self.there.discard(fold(name))
        self.volume.remove(name)

    def remove_empty(self, folders: Iterable[str]) -> None:
        """Remove those of these folders that are empty, and are folders still."""
        for folder in sorted(folders, reverse=True):
            if (
                self.has(folder)
                and fold(folder) not in self.others
                and not any(path.startswith(fold(folder) + "/") for path in self.there)
            ):
                self.volume.remove_folder(folder)
                self.there.discard(fold(folder))

    def unstage(self) -> None:
        """Remove all that put() made, but for the mark."""
        for name in reversed(self.made):
            with suppress(OSError):  # such as that of a file that was not even begun
                if name.endswith("/"):
                    self.remove_empty([name[:-1]])
                elif self.has(name) and name != mark.NAME:
                    self.remove(name)

    def restore_mark(self) -> None:
        if self.mark:
            self.write_mark(self.mark)
        elif self.has(mark.NAME):
            self.remove(mark.NAME)

    def settle(self, name: str) -> None:
        """Finish what an interrupted replace() left; call it before anything else is removed.

        FAT renames by a second entry, before the first one goes away. The one cannot be removed without the content of
        the other, so both make room for a third.
        """
        new = name + NEW
        if not self.has(new) or fold(new) not in self.ours:
            return
        content = self.volume.read(new)
        if self.has(name) and self.volume.read(name) == content:
            self.remove(new)
            self.remove(name)
            self.replace(name, content)
        elif self.has(name) or not mark.read(content):
            self.remove(new)
        else:
            self.rename(new, name)

    def write_mark(self, content: Mark) -> None:
        self.replace(mark.NAME, content.render())
        self.flush()

    def raise_guard(self, moves: Mapping[str, str]) -> None:
        """Put the guard in the place of code.py and of a stranger's code.txt."""
        moves = {fold(name): place for name, place in moves.items()}
        for name in moves.keys() & {*TOOLS_NEW}:
            self.move(name, moves[name])
        if guard.NAME in moves:  # it would win over code.py
            self._clear(LAST, moves)
            self.replace(LAST, guard.TEXT)
            self.ours.add(LAST)
            self._clear(guard.NAME, moves)
        self.settle(guard.NAME)
        if not self.has(guard.NAME):
            unit = self.volume.cluster_bytes
            for spare in (_SPARE, LAST):
                if self.volume.free_bytes() < clusters(len(guard.TEXT), unit) * unit and spare in self.ours:
                    self._clear(spare, {})
            self.replace(guard.NAME, guard.TEXT)
            self.ours.add(guard.NAME)
        self.flush()
        self._clear(LAST, {name: place for name, place in moves.items() if LAST not in self.ours})
        self.flush()

    def _clear(self, name: str, moves: Mapping[str, str]) -> None:
        """Move a stranger's file aside, or remove ours."""
        if self.has(name):
            if name in moves:
                self.move(name, moves[name])
            elif name in self.ours:
                self.remove(name)

    def flush(self) -> None:
        """Wait until all is in the flash, so that the drive gets the steps in their order."""
        self.volume.flush()
