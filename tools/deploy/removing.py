"""Give a drive back as it was before Skyline came.

The guard stands while our files go. Then the mark names no file any more, only where a stranger's files are, so that
they can come back and nothing of theirs looks like ours.
"""

from dataclasses import dataclass, field

from tools.deploy import DeployError, guard, mark
from tools.deploy.looking import FOLDER_NAME, LAST, NEW, Drive, describing
from tools.deploy.mark import Mark
from tools.deploy.planning import list_folders
from tools.deploy.steps import Steps
from tools.deploy.volume import FOLDER, fold, parents

_LATER = (guard.NAME, mark.NAME, mark.NAME + NEW)


@dataclass
class Removal:
    """What a removal changes, by path: our files go, a stranger's come back by their place now; `kept` stays."""

    gone: list[str] = field(default_factory=list)
    back: dict[str, str] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)


def plan(drive: Drive) -> Removal:
    """Return what makes the drive as it was; raise DeployError if there is no Skyline."""
    if not drive.has_skyline:
        raise DeployError(f"there is no Skyline on {drive.volume.root}")
    removal = Removal([name for path, name in drive.ours.items() if path not in _LATER])
    # A drive without a mark is known by boot.py.
    removal.gone.sort(key=lambda name: (LAST, name, "boot.py").index(name))
    for place, path in sorted(drive.mark.moves.items(), key=lambda move: len(move[0])):  # NAME before NAME-2
        if fold(place) in drive.entries and path not in removal.back.values() and not _stays(drive, fold(path)):
            removal.back[place] = path
    names = {fold(name) for name in [*drive.mark.files, *drive.mark.moves]}
    for path, entry in drive.entries.items():
        is_among = path in names or FOLDER_NAME in parents(path) and entry.kind != FOLDER
        if is_among and path not in drive.ours and entry.path not in removal.back:
            removal.kept.append(entry.path)
    return removal


def _stays(drive: Drive, path: str) -> bool:
    """Return whether something at a path stays: a file that is not ours, or a folder that holds one."""
    below = [other for other, entry in drive.entries.items() if path in parents(other) and entry.kind != FOLDER]
    if path in drive.entries and drive.entries[path].kind == FOLDER:
        return path not in map(fold, list_folders(drive)) or any(other not in drive.ours for other in below)
    return path in drive.entries and path not in drive.ours


def remove(drive: Drive, removal: Removal) -> None:
    """Carry out a removal; raise DeployError with the guard in place."""
    steps = Steps(drive)
    with describing(drive.volume, "; run this again"):
        steps.settle(mark.NAME)
        steps.raise_guard({})
        for name in removal.gone:
            if steps.has(name):
                steps.remove(name)
        steps.remove_empty(list_folders(drive))
        steps.flush()
        if drive.mark_name:
            steps.write_mark(Mark(moves=drive.mark.moves))
        last = [place for place, path in removal.back.items() if fold(path) == guard.NAME]
        for place, path in removal.back.items():
            if place not in last:
                steps.move(place, path)  # not over the mark
        if last:  # a stranger's code.txt: the guard moves to code.py, unless they have one
            if is_alone := not steps.has(LAST):
                steps.replace(LAST, guard.TEXT)
            steps.rename(last[0], removal.back[last[0]])
            if is_alone:
                steps.remove(LAST)
        elif guard.NAME in steps.ours:
            steps.remove(guard.NAME)
        steps.flush()
        for place in [place for place, path in removal.back.items() if fold(path) == mark.NAME]:
            steps.rename(place, removal.back[place])
        steps.remove_empty({folder for place in drive.mark.moves for folder in parents(place)})
        if drive.mark_name and mark.NAME not in map(fold, removal.back.values()):
            steps.remove(mark.NAME)
        steps.flush()
