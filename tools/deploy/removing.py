"""Give a drive back as it was before Skyline came.

The guard stands while our files go. Then the mark names no file any more, only where a stranger's files are, so that
they can come back and nothing of theirs looks like ours.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tools.deploy import DeployError, guard, mark
from tools.deploy.looking import FOLDER_NAME, LAST, NEW, TOOLS_NEW, Drive, describing
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
    for name in TOOLS_NEW:
        if name in drive.entries and name not in drive.ours:
            raise DeployError(f"{drive.entries[name].path} is not Skyline's, but has a name that this needs: rename it")
    removal = Removal([name for path, name in drive.ours.items() if path not in _LATER])
    # A drive without a mark is known by boot.py.
    removal.gone.sort(key=lambda name: (LAST, name, "boot.py").index(name))
    for place, path in sorted(drive.mark.moves.items(), key=lambda move: len(move[0])):  # NAME before NAME-2
        is_below_file = any(_is_file(drive, above, removal) for above in parents(path))
        if path not in removal.back.values() and not is_below_file:
            removal.back |= dict(_find_back(drive, place, path))
    names = {fold(name) for name in [*drive.mark.files, *drive.mark.moves, FOLDER_NAME]}
    back = set(map(fold, removal.back))
    for path, entry in drive.entries.items():
        around = {path, *parents(path)}
        if entry.kind != FOLDER and path not in drive.ours and around & names and not around & back:
            removal.kept.append(entry.path)
    return removal


def _is_file(drive: Drive, path: str, removal: Removal) -> bool:
    """Return whether a path will be a stranger's file, or a link, so that nothing can be below it."""
    here = [place for place, former in removal.back.items() if fold(former) == fold(path)]
    here = here or [path] * (fold(path) not in drive.ours)
    return any(fold(place) in drive.entries and drive.entries[fold(place)].kind != FOLDER for place in here)


def _find_back(drive: Drive, place: str, path: str) -> Iterator[tuple[str, str]]:
    """Yield what moves back to where it was: a file or a folder, or what is in a folder if another has its name."""
    entry = drive.entries.get(fold(place))
    if entry and not _stays(drive, fold(path)):
        yield place, path
    elif entry and entry.kind == FOLDER and drive.entries[fold(path)].kind == FOLDER:
        for other in drive.entries.values():
            folder, _slash, name = other.path.rpartition("/")
            if fold(folder) == fold(place):
                yield from _find_back(drive, other.path, f"{path}/{name}")


def _stays(drive: Drive, path: str) -> bool:
    """Return whether something at a path or below it is not ours, and stays."""
    made = {fold(folder) for folder in list_folders(drive)} - Steps(drive).others
    return any(other not in drive.ours.keys() | made for other in drive.entries if path in (other, *parents(other)))


# One function, because the order of all its steps decides what is on the drive after a cut at any of them.
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
        # A stranger's files that stand where the guard or the mark is, or is written, come back as these go.
        later = {path: place for place, path in removal.back.items() if fold(path) in (*_LATER, *TOOLS_NEW)}
        for place, path in removal.back.items():
            if path not in later:
                steps.move(place, path)
        starters = [path for path in later if fold(path) == guard.NAME]
        is_alone = bool(starters) and not steps.has(LAST)
        if is_alone:
            steps.replace(LAST, guard.TEXT)
        if guard.NAME in steps.ours:
            steps.remove(guard.NAME)
        for path in starters:
            steps.move(later[path], path)
        if is_alone:
            steps.remove(LAST)
        steps.flush()
        for path in sorted(later.keys() - {*starters}, key=lambda path: fold(path) == mark.NAME):
            if fold(path) == mark.NAME:
                steps.remove(mark.NAME)
            steps.move(later[path], path)
        steps.remove_empty({folder for place in [*drive.mark.moves, *removal.back] for folder in parents(place)})
        if drive.mark_name and mark.NAME not in map(fold, later):
            steps.remove(mark.NAME)
        steps.flush()
