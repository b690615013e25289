"""Copy files to a drive so that the board always has the old game, the new one, or a word about it.

First everything that changed goes beside its place, as NAME.new, and is read back: until all of it
is there the board still has what it had. Only then a code.py that says what to do is put in place,
the new files are renamed into theirs, what is no more is removed, and code.py comes last.
"""

import contextlib
import errno
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tools.deploy import DeployError, tell_bytes

NEW = ".new"
LAST = "code.py"
OURS = ("firmware",)  # folders in which nothing else may lie
GUARD = b'print("Skyline was not copied whole: run  python -m tools.deploy  again.")\n'
_CLUSTER_BYTES = 4096  # where the system does not tell


@dataclass
class Plan:
    """The changes that a copy makes, by path on the drive."""

    changed: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)


def compare(drive: Path, image: dict[str, bytes]) -> Plan:
    """Return what is to copy and to remove for the drive to hold `image`; raise DeployError where that fails."""
    plan = Plan()
    try:
        for name, content in image.items():
            path = drive / name
            same = path.is_file() and path.read_bytes() == content
            (plan.unchanged if same else plan.changed).append(name)
        kept = set(image)
        for folder in OURS:
            for path in sorted((drive / folder).rglob("*")):
                name = path.relative_to(drive).as_posix()
                if path.is_file() and name not in kept:
                    plan.stale.append(name)
        left = [*drive.glob(f"*{NEW}"), *(drive / "lib").glob(f"*{NEW}")]
        plan.stale += sorted(path.relative_to(drive).as_posix() for path in left)
        for name in image:
            # Of NAME.py and NAME.mpy CircuitPython takes the first.
            other = name.removesuffix(".mpy") + ".py" if name.endswith(".mpy") else name.removesuffix(".py") + ".mpy"
            if other not in plan.stale and (drive / other).is_file():
                plan.stale.append(other)
    except OSError as problem:
        raise DeployError(f"cannot read {drive}: {problem.strerror or problem}") from None
    return plan


def free_bytes(drive: Path) -> int:
    """Return how much room is left on a drive."""
    return shutil.disk_usage(drive).free


def cluster_bytes(drive: Path) -> int:
    """Return in what steps files take room."""
    if not hasattr(os, "statvfs"):
        return _CLUSTER_BYTES
    size = os.statvfs(drive).f_frsize
    return size if 512 <= size <= 65_536 else _CLUSTER_BYTES


def room_for(contents: list[bytes], cluster: int) -> int:
    """Return the bytes that files of these contents take on a drive."""
    return sum(-(-len(content) // cluster) * cluster for content in contents)


def write(path: Path, content: bytes) -> None:
    """Write a file through to the flash."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def read_back(path: Path) -> bytes:
    """Read a file, from the flash and not from the system's memory where it can be told so."""
    with path.open("rb") as file:
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        return file.read()


def copy(
    drive: Path,
    image: dict[str, bytes],
    plan: Plan,
    *,
    free: Callable[[Path], int] = free_bytes,
    put: Callable[[Path, bytes], None] = write,
    read: Callable[[Path], bytes] = read_back,
) -> None:
    """Make the drive hold `image`; raise DeployError with the old game, the new one or the guard in place."""
    if not plan.changed and not plan.stale:
        return
    staged = {name: image[name] for name in [*plan.changed, *([] if LAST in plan.changed else [LAST])] if name in image}
    try:
        for name in plan.stale:
            if name.endswith(NEW):  # of a copy that did not end
                (drive / name).unlink()
        cluster = cluster_bytes(drive)
        needed, left = room_for([*staged.values(), GUARD], cluster), free(drive)
        if needed > left:
            raise DeployError(f"the drive is full: {tell_bytes(needed)} are needed, {tell_bytes(left)} are free")
        try:
            for name, content in [*staged.items(), (LAST + ".guard", GUARD)]:
                path = drive / (name + NEW)
                put(path, content)
                if read(path) != content:
                    raise DeployError(f"{name} reads back differently: try another cable or port")
        except BaseException:
            _clean(drive, [*staged, LAST + ".guard"])
            raise
    except OSError as problem:
        raise DeployError(_words(problem, drive)) from None
    try:
        os.replace(drive / (LAST + ".guard" + NEW), drive / LAST)
        _settle()
        for name in staged:
            if name != LAST:
                os.replace(drive / (name + NEW), drive / name)
        for name in plan.stale:
            if not name.endswith(NEW):
                (drive / name).unlink(missing_ok=True)
        _remove_empty(drive)
        _settle()
        os.replace(drive / (LAST + NEW), drive / LAST)
        _settle()
        for name in plan.changed:
            if read(drive / name) != image[name]:
                raise DeployError(f"{name} reads back differently: run this again")
    except OSError as problem:
        raise DeployError(f"{_words(problem, drive)}; code.py says so until this is run again") from None


def _words(problem: OSError, drive: Path) -> str:
    """Return what went wrong, in one line."""
    if problem.errno == errno.ENOSPC:
        return f"the drive is full: {drive}"
    if problem.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return f"the drive is read-only: {drive}; switch the board off and on, with no button held"
    return f"cannot write to {drive}: {problem.strerror or problem}"


def _clean(drive: Path, names: list[str]) -> None:
    """Remove what was put beside its place."""
    for name in names:
        with contextlib.suppress(OSError):
            (drive / (name + NEW)).unlink()
    with contextlib.suppress(OSError):
        _remove_empty(drive)


def _remove_empty(drive: Path) -> None:
    """Remove folders of ours that hold nothing."""
    for folder in OURS:
        for path in sorted((drive / folder).rglob("*"), reverse=True):
            if path.is_dir() and not any(path.iterdir()):
                path.rmdir()


def _settle() -> None:
    """Flush the system's buffers: the order of these steps is the point."""
    if hasattr(os, "sync"):
        os.sync()
