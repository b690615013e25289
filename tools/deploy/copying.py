"""Copy files to a drive so that the board always has the old game, the new game, or a message.

All changed files are first written as NAME.new and read back; until then the board keeps the old game. Then code.py is
replaced by the guard, which prints that the copy is not complete. The new files are renamed into place, old files are
removed, and the real code.py comes last.
"""

import contextlib
import errno
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from sim.terminal import name_commands
from tools.deploy import DeployError, tell_bytes

NEW = ".new"
LAST = "code.py"
OURS = ("firmware",)  # folders from which all other files are removed
GUARD = name_commands('print("Skyline was not copied whole: run  python -m tools.deploy  again.")\n').encode()
_CLUSTER_BYTES = 4096  # if the system does not report it


@dataclass
class Plan:
    """The files that a copy changes, keeps and removes, by path on the drive."""

    changed: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)


def compare(drive: Path, image: dict[str, bytes]) -> Plan:
    """Return the changes that make the drive hold `image`; raise DeployError if the drive cannot be read."""
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
        leftover = [*drive.glob(f"*{NEW}"), *(drive / "lib").glob(f"*{NEW}")]
        plan.stale += sorted(path.relative_to(drive).as_posix() for path in leftover)
        for name in image:
            # CircuitPython prefers NAME.py to NAME.mpy, so remove the other one.
            other = name.removesuffix(".mpy") + ".py" if name.endswith(".mpy") else name.removesuffix(".py") + ".mpy"
            if other not in plan.stale and (drive / other).is_file():
                plan.stale.append(other)
    except OSError as problem:
        raise DeployError(f"cannot read {drive}: {problem.strerror or problem}") from None
    return plan


def free_bytes(drive: Path) -> int:
    """Return the free bytes on a drive."""
    return shutil.disk_usage(drive).free


def cluster_bytes(drive: Path) -> int:
    """Return the bytes of the drive's clusters, the unit in which files take room."""
    if not hasattr(os, "statvfs"):
        return _CLUSTER_BYTES
    size = os.statvfs(drive).f_frsize
    return size if 512 <= size <= 65_536 else _CLUSTER_BYTES


def room_for(contents: list[bytes], cluster: int) -> int:
    """Return the bytes on a drive for files with these contents."""
    return sum(-(-len(content) // cluster) * cluster for content in contents)


def write(path: Path, content: bytes) -> None:
    """Write a file and wait until it is in the flash."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def read_back(path: Path) -> bytes:
    """Read a file, where possible from the flash and not from the system's cache."""
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
            if name.endswith(NEW):  # left by an interrupted copy
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
            _remove_staged(drive, [*staged, LAST + ".guard"])
            raise
    except OSError as problem:
        raise DeployError(_describe(problem, drive)) from None
    try:
        os.replace(drive / (LAST + ".guard" + NEW), drive / LAST)
        _flush()
        for name in staged:
            if name != LAST:
                os.replace(drive / (name + NEW), drive / name)
        for name in plan.stale:
            if not name.endswith(NEW):
                (drive / name).unlink(missing_ok=True)
        _remove_empty(drive)
        _flush()
        os.replace(drive / (LAST + NEW), drive / LAST)
        _flush()
        for name in plan.changed:
            if read(drive / name) != image[name]:
                raise DeployError(f"{name} reads back differently: run this again")
    except OSError as problem:
        raise DeployError(f"{_describe(problem, drive)}; code.py says so until this is run again") from None


def _describe(problem: OSError, drive: Path) -> str:
    """Return the problem in one line."""
    if problem.errno == errno.ENOSPC:
        return f"the drive is full: {drive}"
    if problem.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return f"the drive is read-only: {drive}; switch the board off and on, with no button held"
    return f"cannot write to {drive}: {problem.strerror or problem}"


def _remove_staged(drive: Path, names: list[str]) -> None:
    """Remove the NAME.new files."""
    for name in names:
        with contextlib.suppress(OSError):
            (drive / (name + NEW)).unlink()
    with contextlib.suppress(OSError):
        _remove_empty(drive)


def _remove_empty(drive: Path) -> None:
    """Remove our empty folders."""
    for folder in OURS:
        for path in sorted((drive / folder).rglob("*"), reverse=True):
            if path.is_dir() and not any(path.iterdir()):
                path.rmdir()


def _flush() -> None:
    """Flush the system's buffers, so that the drive gets the steps in this order."""
    if hasattr(os, "sync"):
        os.sync()
