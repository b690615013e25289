"""Count the room that a copy needs on a drive."""

from collections.abc import Iterable

from firmware.device import profiles
from tools.deploy import DeployError, guard, mark, tell_bytes
from tools.deploy.looking import LAST, NEW, Drive, Files
from tools.deploy.planning import Plan, mark_meanwhile
from tools.deploy.volume import FILE, clusters, count_folders, fold

_OF_BOARD = "boot_out.txt"  # CircuitPython writes it at each start


class Room:
    """The room for a copy, in bytes of whole clusters.

    staged: the files to write.  meanwhile: the mark until they are there.
    """

    def __init__(self, drive: Drive, image: Files, plan: Plan) -> None:
        self.image = image
        self.staged = {name: image[name] for name in image if name in plan.changed or name == LAST}
        self.meanwhile = mark_meanwhile(drive, plan)
        self.unit = drive.volume.cluster_bytes
        self.before = count_folders(drive.entries, self.unit)
        self.free = drive.volume.free_bytes()
        # Of an interrupted copy: it goes before all else, unless it is the only mark.
        left = {mark.NAME + NEW} & drive.ours.keys() if drive.mark_name != mark.NAME + NEW else set()
        self.left = self._count(drive.entries[path].size for path in left)
        tools = {name + end for name in (mark.NAME, guard.NAME) for end in ("", NEW)}
        gone = {*map(fold, [*plan.stale, *plan.changed]), LAST, *tools} & drive.ours.keys()
        self.freed = self._count(drive.entries[path].size for path in gone)
        # Before anything is freed: the mark, the guard, and folders for a stranger's files.
        places = set(map(fold, plan.moves.values()))
        texts = (plan.mark.render(), self.meanwhile.render(), guard.TEXT)
        self.first = self._count(map(len, texts)) + self._grow(drive, places)
        new = self.first + self._count(map(len, self.staged.values()))
        self.needed = new + self._grow(drive, set(map(fold, self.staged)) | places, gone) - self._grow(drive, places)
        names = {fold(name + NEW) for name in self.staged}
        beside = new + self._grow(drive, names | places) - self._grow(drive, places)
        # A stranger's folder moves with what is in it, and his program is not a game to keep.
        self.fits_both = beside <= self.free + self.left and not plan.moves and not plan.twins
        self.fits_mark = self.first <= self.free + self.left
        self.moves = bool(plan.moves)
        self.kept = self._count(drive.entries[path].size for path in drive.ours.keys() - gone - left)
        others = [entry for path, entry in drive.entries.items() if path not in drive.ours and path != _OF_BOARD]
        self.others = self._count(entry.size for entry in others if entry.kind == FILE)

    def _count(self, sizes: Iterable[int]) -> int:
        return sum(clusters(size, self.unit) for size in sizes) * self.unit

    def _grow(self, drive: Drive, more: set[str], gone: Iterable[str] = ()) -> int:
        """Return the bytes by which folders grow if they get `more`; a folder never shrinks."""
        after = count_folders((drive.entries.keys() - set(gone)) | more, self.unit)
        return sum(max(0, count - self.before.get(folder, 0)) for folder, count in after.items()) * self.unit

    def check(self) -> None:
        """Raise DeployError if the copy does not fit in what is free or ours."""
        lacking = self.needed - self.free - self.freed
        needed, own = tell_bytes(self.kept + self.needed), self.kept + self.freed
        if lacking > self.others:
            there = tell_bytes(own + self.free + self.others)
            cure = tell_cure(self.image)
            raise DeployError(f"the drive is too small: Skyline needs {needed}, and it has {there}; {cure}")
        if self.moves:
            lacking = min(max(lacking, self.first - self.free - self.left), self.others)  # without others none moves
        if lacking > 0:
            raise DeployError(
                f"the drive is full: Skyline needs {needed}, {tell_bytes(self.free)} are free and "
                f"{tell_bytes(own)} its own; remove {tell_bytes(lacking)} of other files"
            )


def tell_cure(image: Files) -> str:
    """Return what helps if these files are too large for a drive."""
    if any(name.startswith("firmware/") and name.endswith(".py") for name in image):
        return "compiled files take less: leave out --source and --plain, with a released CircuitPython"
    least_kb = min(int(record["drive"]) for record in profiles.read())
    return f"use a board with a drive of {least_kb} KB or more, such as a Raspberry Pi Pico"
