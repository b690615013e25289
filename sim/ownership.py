"""Decide what a command may write, replace or delete: what is new or empty, and what carries our mark.

Anything else stays, and one line says what is there and what to do. Nothing is written or deleted through a symbolic
link. The syntax is that of Python 3.6, because tools/setup.py uses this module.
"""

import contextlib
import io
import itertools
import os
import shutil
import stat
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO

from sim import terminal
from sim.terminal import Refusal, writing

MARK = b"made by skyline_game"
_MOST_BYTES = 1 << 28  # of a file to look for the mark; ours are smaller
_numbers = itertools.count()
_tidied: "set[Path]" = set()
_PNG_HEAD_BYTES = 33  # the signature and the chunk IHDR
# Texts that may end with a comment: how they begin, and how a comment begins and ends.
_COMMENTS = {
    b"<": (b"<!-- ", b" -->"),
    b"[Desktop Entry]": (b"# ", b""),
    b'.\\"': (b'.\\" ', b""),
    b".TH ": (b'.\\" ', b""),
}


def carries_mark(content: bytes) -> bool:
    """Return whether these are the bytes of a picture, a sound or a page with our mark."""
    return MARK in content


def add_mark(content: bytes) -> bytes:
    """Return a PNG, GIF, WAV, page, desktop entry or manual page with our mark; any other content as it is."""
    if MARK in content:
        return content
    if content.startswith(b"\x89PNG"):
        text = b"tEXtSoftware\0" + MARK
        chunk = struct.pack(">I", len(text) - 4) + text + struct.pack(">I", zlib.crc32(text))
        return content[:_PNG_HEAD_BYTES] + chunk + content[_PNG_HEAD_BYTES:]
    if content.startswith(b"GIF8"):
        return b"GIF89a" + content[6:-1] + b"!\xfe" + bytes([len(MARK)]) + MARK + b"\0;"
    if content.startswith(b"RIFF"):
        software = MARK + b"\0" * (2 - len(MARK) % 2)
        chunk = b"INFOISFT" + struct.pack("<I", len(software)) + software
        body = content[8:] + b"LIST" + struct.pack("<I", len(chunk)) + chunk
        return b"RIFF" + struct.pack("<I", len(body)) + body
    for begin, (opening, closing) in _COMMENTS.items():
        if content.startswith(begin):
            return content + opening + MARK + closing + b"\n"
    return content


def refuse_link(path: Path) -> None:
    """Refuse a symbolic link, except to a device or a pipe, which keeps nothing."""
    if path.is_symlink() and not _is_stream(path):
        raise Refusal(f"{path} is a symbolic link: name what it leads to, or something else")


def _is_stream(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)


def check_file(path: Path, suffix: str = "", ours: "Callable[[bytes], bool]" = carries_mark) -> None:
    """Refuse, before any work is done, a file that cannot be written, has another suffix or is not `ours`."""
    with writing(path):
        refuse_link(path)
        if path.is_dir():
            raise Refusal(f"cannot write {path}: it is a directory")
        if not path.parent.is_dir():
            raise Refusal(f"cannot write {path}: there is no directory {path.parent}")
        if suffix and path.suffix.lower() != suffix:
            words = "cannot write {}: its name ends in {}; it must end in {}"
            raise Refusal(words.format(path, path.suffix or "nothing", suffix))
        needed = [path] if _is_stream(path) else [path.parent, *([path] if path.exists() else [])]
        if not all(os.access(str(each), os.W_OK) for each in needed):
            raise Refusal(f"cannot write {path}: permission denied")
        if path.is_file() and not _is_ours(path, ours):
            raise Refusal(f"cannot write {path}: another file has this name; choose another, or delete it")


def _is_ours(path: Path, ours: "Callable[[bytes], bool]") -> bool:
    """Return whether a file is empty or has content of ours; raise OSError."""
    size = path.stat().st_size
    return size == 0 or size <= _MOST_BYTES and ours(path.read_bytes())


@contextlib.contextmanager
def replace(path: Path) -> "Iterator[IO[bytes]]":
    """Open a file that replaces `path` once all of it is on the disk; if that fails, the old file stays.

    This is for files that are ours by their place: saves, caches, files of a clone. A link is replaced, not followed.
    """
    if _is_stream(path):
        with path.open("wb") as file:
            yield file
        return
    remove_left_overs(path.parent)
    part = path.with_name(f".skyline-{os.getpid()}-{next(_numbers)}.part")
    try:
        with part.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())  # else a power cut may leave the new name with nothing in it
        part.replace(path)
        sync_folder(path.parent)
    finally:
        if part.exists():
            part.unlink()


def sync_folder(folder: Path) -> None:
    """Wait until new names in a folder are on the disk; Windows does so by itself."""
    if os.name == "posix":
        number = os.open(str(folder), os.O_RDONLY)
        try:
            with contextlib.suppress(OSError):  # some network disks cannot
                os.fsync(number)
        finally:
            os.close(number)


def remove_left_overs(folder: Path) -> None:
    """Remove, once a process, the parts of files that were being written in this folder when a process died."""
    if folder in _tidied:
        return
    _tidied.add(folder)
    for part in folder.glob(".skyline-*.part"):
        number = part.name.split("-")[1].split(".")[0]
        with contextlib.suppress(OSError):
            if number.isdigit() and part.is_file() and not _is_alive(int(number)):
                part.unlink()


def _is_alive(number: int) -> bool:
    """Return whether a process runs; on Windows nobody can remove the part of one that does."""
    if os.name != "posix":
        return False
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        pass
    return True


@contextlib.contextmanager
def output(path: Path, ours: "Callable[[bytes], bool]" = carries_mark) -> "Iterator[io.BytesIO]":
    """Yield a buffer whose content, with our mark, then replaces `path`; raise Refusal for a file that is not `ours`.

    Raise OSError if writing fails; the old file then stays.
    """
    check_file(path, ours=ours)
    content = io.BytesIO()
    yield content
    with replace(path) as file:
        file.write(add_mark(content.getvalue()))


def check_folder(folder: Path, marker: str = "") -> None:
    """Refuse a folder that cannot be written, or that is neither new nor empty nor has our marker.

    marker: "" for a folder that others may use too, where each file is checked.
    """
    with writing(folder):
        refuse_link(folder)
        if folder.exists() and not folder.is_dir():
            raise Refusal(f"cannot write {folder}: it is no folder")
        there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
        if not there.is_dir():
            raise Refusal(f"cannot write {folder}: {there} is no folder")
        if not os.access(str(there), os.W_OK | os.X_OK):
            raise Refusal(f"cannot write {folder}: permission denied")
        if marker and there == folder and not has_marker(folder, marker) and any(folder.iterdir()):
            words = "{} holds something else: name a new or an empty folder, or empty this one"
            raise Refusal(words.format(folder))


def has_marker(folder: Path, marker: str) -> bool:
    """Return whether a folder has one of our files that match `marker`, a pattern of names."""
    return not folder.is_symlink() and any(_is_plain(each) for each in folder.glob(marker))


def _is_plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def write_folder(folder: Path, files: "Mapping[str, bytes]", marker: str, keeps_old: bool = False) -> None:
    """Write files by their paths below a folder, and remove those of the last time unless `keeps_old`.

    The file `marker` lists the files that we wrote: only those are ever replaced or removed. Raise Refusal, before
    anything is changed, for a folder without it or with another file in the way.
    """
    check_folder(folder, marker)
    list_path = folder / marker
    with writing(folder):
        old = read_marker(folder, marker)
        for name in files:
            check_below(folder, name, name in old)
        folder.mkdir(parents=True, exist_ok=True)
        # Written first, so that the next time can replace what an interrupted one left.
        _write_list(list_path, old | set(files))
        for name in () if keeps_old else sorted(old - set(files)):
            remove_below(folder, name)
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with replace(path) as file:
                file.write(content)
        _write_list(list_path, old | set(files) if keeps_old else set(files))


def read_marker(folder: Path, marker: str) -> "set[str]":
    """Return the names of the files that we wrote into a folder; raise Refusal for a damaged marker."""
    if not has_marker(folder, marker):
        return set()
    try:
        return set(terminal.read_text(folder / marker).splitlines())
    except UnicodeDecodeError:
        words = "{} is damaged: name a new or an empty folder, or empty this one"
        raise Refusal(words.format(folder / marker)) from None


def _write_list(path: Path, names: "set[str]") -> None:
    with replace(path) as file:
        file.write(("\n".join(sorted(names)) + "\n").encode())


def _find_inside(folder: Path, name: str) -> "Path | None":
    """Return the path of a name below a folder; None if it leads out of it, also by a link."""
    parts = Path(name).parts
    if not parts or Path(name).is_absolute() or ".." in parts:
        return None
    path = folder
    for part in parts[:-1]:
        path = path / part
        if path.is_symlink() or path.exists() and not path.is_dir():
            return None
    return path / parts[-1]


def check_below(folder: Path, name: str, is_ours: bool) -> None:
    """Refuse a file below a folder whose place is taken by another's file, a folder or a link."""
    path = _find_inside(folder, name)
    taken = path is None or path.is_symlink() or path.exists() and not (is_ours and path.is_file())
    if taken:
        raise Refusal(f"{folder / name} is in the way, and is not ours: name a new folder, or delete it")


def remove_below(folder: Path, name: str) -> bool:
    """Remove a file of ours below a folder, and the folders that are empty then; return whether there was one.

    A name that leads out of the folder stays: we never wrote it.
    """
    path = _find_inside(folder, name)
    if path is None or not _is_plain(path):
        return False
    path.unlink()
    remove_empty(path.parent, folder)
    return True


def remove_empty(path: Path, top: Path) -> None:
    """Remove a folder and those above it, below `top`, as far as they are empty."""
    while path != top and top in path.parents and not any(path.iterdir()):
        path.rmdir()
        path = path.parent


def empty_folder(folder: Path, marker: str) -> None:
    """Delete what is in a folder of ours except files that match `marker`; raise Refusal if it is not ours, or OSError.

    Links in it are deleted, not followed.
    """
    if not has_marker(folder, marker):
        raise Refusal(f"{folder} is not ours: nothing in it is deleted")
    kept = set(folder.glob(marker))
    for each in folder.iterdir():
        if each in kept:
            continue
        if each.is_dir() and not each.is_symlink():
            shutil.rmtree(str(each))
        else:
            each.unlink()


def remove_folder(folder: Path, marker: str) -> None:
    """Delete a folder of ours; raise Refusal if it is not ours, or OSError."""
    empty_folder(folder, marker)
    for each in folder.glob(marker):
        each.unlink()
    folder.rmdir()


class Output:
    """Read an output path of the command line, as argparse's `type`; the parser calls `check` before any work."""

    def __init__(self, check: "Callable[[Path], None]") -> None:
        self.check = check

    def __call__(self, text: str) -> Path:
        """Return the path; raise ArgumentTypeError for an impossible one."""
        return terminal.path(text)


def to_file(suffix: str = "", ours: "Callable[[bytes], bool]" = carries_mark) -> Output:
    """Return the `type` of an option that names a file to write."""
    return Output(lambda path: check_file(path, suffix, ours))


def to_folder(marker: str = "") -> Output:
    """Return the `type` of an option that names a folder to write; see check_folder()."""
    return Output(lambda path: check_folder(path, marker))


def write_clone(path: Path, content: bytes) -> None:
    """Write a file of the sources; raise Refusal outside a clone and for a link, or OSError."""
    terminal.check_clone(path.name)
    refuse_link(path)
    with replace(path) as file:
        file.write(content)
