"""Plan a copy: which files of a drive change, go away, move to before-skyline/ or stay.

Only our files (looking.py) are replaced or removed. A stranger's file moves if we would replace it, or if CircuitPython
would start or import it instead of ours.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tools.deploy import DeployError, guard, mark
from tools.deploy.looking import (
    AT_ROOT,
    FOLDER_NAME,
    LAST,
    NEW,
    SETTINGS,
    TOOLS_NEW,
    Drive,
    Files,
    describing,
    is_strangers,
)
from tools.deploy.mark import ASIDE, UNKNOWN, Mark
from tools.deploy.volume import FOLDER, LINK, fold, parents

# CircuitPython starts these by itself: one of the first four, boot.py at power-on, safemode.py in safe mode.
STARTERS = ("code.txt", LAST, "main.py", "main.txt", "boot.py", "boot.txt", "safemode.py", "safemode.txt")
# CircuitPython writes these to a new drive; nobody misses them.
_SAMPLES = {LAST: (b"", b'print("Hello World!")\n'), SETTINGS: (b"",)}


@dataclass
class Plan:
    """What a copy changes on a drive, by path.

    twins: changed files with two entries, because FAT renamed them by half; neither can go without the content of the
    other.  stale: our files that the image lacks.  moves: where a stranger's files are and go.  missed: those that are
    more than a sample of CircuitPython.  kept: a stranger's files among ours.  mark: of the drive afterwards.
    """

    changed: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    twins: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    moves: dict[str, str] = field(default_factory=dict)
    missed: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    mark: Mark = field(default_factory=Mark)


def compare(drive: Drive, image: Files) -> Plan:
    """Return the changes that make the drive hold `image`; raise DeployError if that cannot be."""
    plan = Plan()
    with describing(drive.volume):
        _sort_image(drive, plan, image)
        wanted = {*map(fold, image), SETTINGS, *(name + end for name in (mark.NAME, guard.NAME) for end in ("", NEW))}
        plan.stale = [name for path, name in drive.ours.items() if path not in wanted]
        in_way = set(_list_in_way(drive, plan, image)) & drive.entries.keys() - drive.ours.keys()
        in_way = {path for path in in_way if not in_way & set(parents(path))}
        _move_aside(drive, plan, in_way)
        moved = [name for name in plan.unchanged if in_way & set(parents(fold(name)))]
        plan.unchanged = [name for name in plan.unchanged if name not in moved]
        plan.changed = [name for name in image if name in {*plan.changed, *moved}]
    for path, entry in drive.entries.items():
        ours = path in drive.ours or path in wanted or entry.kind == FOLDER
        if path.startswith(FOLDER_NAME + "/") and not ours and not in_way & {path, *parents(path)}:
            plan.kept.append(entry.path)
    plan.mark = _make_mark(drive, plan, image)
    return plan


def _sort_image(drive: Drive, plan: Plan, image: Files) -> None:
    """Sort the image's files into changed and unchanged ones, and find twins."""
    for name, content in image.items():
        if fold(name + NEW) in drive.ours and drive.read(name + NEW) == drive.read(name):
            plan.twins.append(name)
        is_same = drive.read(name) == content and name not in plan.twins
        (plan.unchanged if is_same else plan.changed).append(name)


def _move_aside(drive: Drive, plan: Plan, in_way: set[str]) -> None:
    """Plan a place in before-skyline/ for everything at the paths `in_way`."""
    for path in sorted(in_way):
        name = drive.entries[path].path
        plan.moves[name] = _find_place(drive, name)
        if path not in _SAMPLES or drive.read(path) not in _SAMPLES[path]:
            plan.missed.append(name)
    if plan.moves and ASIDE in drive.entries and drive.entries[ASIDE].kind != FOLDER:
        kind = "a symbolic link" if drive.entries[ASIDE].kind == LINK else "a file"
        words = "deploy needs a folder of this name for files that are not its own: rename or delete it"
        raise DeployError(f"{drive.volume.root / ASIDE} is {kind}; {words}")


def _list_in_way(drive: Drive, plan: Plan, image: Files) -> Iterator[str]:
    """Yield the folded paths at which nothing of a stranger may be."""
    unchanged = {fold(name) for name in plan.unchanged}
    yield from (name for name in (*STARTERS, mark.NAME, *TOOLS_NEW) if name not in unchanged)
    if drive.mark.is_copying():
        yield from _list_moving(drive)
    if not drive.has_skyline:
        yield FOLDER_NAME
    folders = {folder for name in image for folder in parents(fold(name))}
    yield from (folder for folder in folders if folder in drive.entries and drive.entries[folder].kind != FOLDER)
    for name in image:
        path = fold(name)
        if path not in unchanged:
            yield from (path, path + NEW)
        stem, _dot, kind = path.rpartition(".")
        if kind in ("py", "mpy"):
            # CircuitPython prefers the folder NAME to NAME.py, and that to NAME.mpy.
            yield from (other for other in (stem + ".py", stem + ".mpy") if other not in unchanged)
            if stem in drive.entries and stem not in folders:
                yield from _list_below(drive, stem)


def _list_moving(drive: Drive) -> Iterator[str]:
    """Yield the folded paths that an interrupted copy was about to move."""
    for path in map(fold, drive.mark.moves.values()):
        below = [other for other in drive.entries if path in (other, *parents(other))]
        if any(drive.entries[other].kind != FOLDER and is_strangers(drive, other) for other in below):
            yield path


def _list_below(drive: Drive, folder: str) -> list[str]:
    """Return a folder, or what is in it if some of that is ours, which goes away by itself."""
    inside = [path for path, entry in drive.entries.items() if folder in parents(path) and entry.kind != FOLDER]
    return inside if any(path in drive.ours for path in inside) else [folder]


def _find_place(drive: Drive, name: str) -> str:
    """Return a free path in before-skyline/ for a stranger's file; an interrupted move keeps its place."""
    known = [place for place, path in drive.mark.moves.items() if path == name and fold(place) not in drive.entries]
    top = f"{ASIDE}/{name}"
    number = 1
    while any(drive.entries[path].kind != FOLDER for path in parents(fold(top))[1:] if path in drive.entries):
        number += 1
        top = f"{ASIDE}/{number}/{name}"  # a file there has the name of a folder
    place = known[0] if known else top
    head, dot, tail = place.rpartition(".")
    number = 1
    while fold(place) in drive.entries or place in drive.mark.moves and place not in known:
        number += 1
        place = f"{head}-{number}{dot}{tail}" if dot else f"{top}-{number}"
    return place


def _make_mark(drive: Drive, plan: Plan, image: Files) -> Mark:
    known = {fold(name) for name in drive.ours}
    ours = [name for name in image if name in plan.changed or fold(name) in known]
    files = {name: {mark.digest(image[name])} for name in ours}
    if SETTINGS in drive.ours and SETTINGS not in files:
        files[SETTINGS] = drive.mark.files[SETTINGS]
    moved = {fold(name) for name in plan.moves}
    before = {path for path in drive.entries if not moved & {path, *parents(path)}}
    folders = {folder for name in files for folder in parents(name)}
    made = {folder for folder in folders if fold(folder) not in before or folder in list_folders(drive)}
    moves = {place: path for place, path in drive.mark.moves.items() if fold(place) in drive.entries}
    return Mark(files, made, moves | {place: path for path, place in plan.moves.items()})


def list_folders(drive: Drive) -> set[str]:
    if drive.mark_name:
        return drive.mark.folders
    return {folder for name in drive.ours.values() for folder in parents(name) if name.startswith(FOLDER_NAME)}


def mark_meanwhile(drive: Drive, plan: Plan) -> Mark:
    """Return the mark while files are copied: it names the old and the new ones."""
    files = {name: set(digests) for name, digests in plan.mark.files.items()}
    for path, name in drive.ours.items():
        if path in AT_ROOT:
            files.setdefault(name, set()).add(mark.digest(drive.read(name) or b""))
        elif "/" in path and name not in plan.unchanged and not name.endswith(NEW):
            files.setdefault(name, set()).add(UNKNOWN)
    for name in [*plan.changed, LAST]:
        files.setdefault(name, set()).add(UNKNOWN)
    # In a folder such a file is ours whatever it holds (looking.Marked): other digests would only take room.
    files = {name: {UNKNOWN} if "/" in name and UNKNOWN in digests else digests for name, digests in files.items()}
    return Mark(files, plan.mark.folders | list_folders(drive), plan.mark.moves)
