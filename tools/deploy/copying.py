"""Copy Skyline to a drive so that the board always has the old game, the new game, or one line that says what to do.

The guard prints the line. It is `code.txt`, which CircuitPython starts when there is no code.py: our code.py goes away
first and comes last. In between the old files go and the new ones come. A drive with room for both gets the new files
first, as NAME.new, and keeps the old game until all of them were read back.
"""

import errno
from collections.abc import Callable
from contextlib import suppress

from tools.deploy import DeployError, guard, mark
from tools.deploy.looking import AT_ROOT, LAST, NEW, Drive, Files, describing
from tools.deploy.planning import Plan, list_folders
from tools.deploy.room import Room
from tools.deploy.steps import Steps
from tools.deploy.volume import fold

_AGAIN = "; the board says so until this is run again"
Progress = Callable[[int], object]


def count_room(drive: Drive, image: Files, plan: Plan) -> Room:
    """Return the room for a copy; raise DeployError if the drive has too little."""
    with describing(drive.volume):
        room = Room(drive, image, plan)
        # After a cut the folders are larger than their files tell, so the count says too much.
        is_cut = guard.NAME in drive.ours or drive.mark.is_copying()
        if not is_cut and not (is_marked(drive, plan) and is_done(drive, plan)):
            room.check()
    return room


# One function, because the order of all its steps decides what is on the drive after a cut at any of them.
def copy(drive: Drive, image: Files, plan: Plan, progress: Progress = lambda count: None) -> None:
    """Make the drive hold `image`; raise DeployError with the old game, the new one or the guard in place."""
    steps = Steps(drive)
    room = count_room(drive, image, plan)
    staged, meanwhile = room.staged, room.meanwhile
    with describing(drive.volume):
        steps.settle(mark.NAME)
        if is_done(drive, plan):
            if not is_marked(drive, plan):
                steps.write_mark(plan.mark)
            return
        for name, place in plan.moves.items():
            if fold(name) in (mark.NAME, mark.NAME + NEW):
                steps.move(name, place)
        if room.fits_mark:
            steps.write_mark(meanwhile)
        left = [name for name in plan.stale if name.endswith(NEW) and room.fits_both]
        for name in left:  # by an interrupted copy
            steps.remove(name)
        is_staged = room.fits_both and _stage(steps, staged, progress)
    with describing(drive.volume, _AGAIN):
        steps.raise_guard(plan.moves)
        for name in plan.stale if is_staged else [*plan.stale, *plan.changed]:
            if name not in left and steps.has(name) and fold(name) in drive.ours:
                steps.remove(name)
        steps.flush()
        if not room.fits_mark:
            steps.write_mark(meanwhile)
        for name, place in plan.moves.items():
            steps.move(name, place)
        for name, content in staged.items():
            if not is_staged:
                steps.put(name + NEW if name in AT_ROOT else name, content)
                progress(len(content))
            if name != LAST and (is_staged or name in AT_ROOT):
                steps.rename(name + NEW, name)
        steps.remove_empty(list_folders(drive) - plan.mark.folders)
        steps.flush()
        steps.check({name: content for name, content in staged.items() if name != LAST})
        steps.rename(LAST + NEW, LAST)
        steps.flush()
        steps.remove(guard.NAME)
        steps.write_mark(plan.mark)


def is_marked(drive: Drive, plan: Plan) -> bool:
    return bool(drive.mark_name) and plan.mark == drive.mark


def is_done(drive: Drive, plan: Plan) -> bool:
    guards = {guard.NAME, guard.NAME + NEW}
    return not plan.changed and not plan.stale and not plan.moves and not guards & drive.ours.keys()


def _stage(steps: Steps, staged: Files, progress: Progress) -> bool:
    """Write all new files beside the old ones; if that fails remove them, and return False if the drive is full."""
    try:
        for name, content in staged.items():
            steps.put(name + NEW, content)
            progress(len(content))
    except BaseException as problem:
        with suppress(OSError, DeployError):
            steps.unstage()
            if not (isinstance(problem, OSError) and problem.errno == errno.ENOSPC):
                steps.restore_mark()
        if isinstance(problem, OSError) and problem.errno == errno.ENOSPC:
            return False
        raise
    return True
