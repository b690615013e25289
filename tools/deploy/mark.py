"""The mark of Skyline on a drive: a list of our files, so that deploy replaces and removes nothing else.

The first line says what it is, the last is a full stop. A line that begins with > has the place of a stranger's file
and, after a tab, its former path. A line that begins with + or = and ends with / is a folder, made by us or there
before. The other lines are files in it: six digits of a SHA-256 and the name, with * for .mpy.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from tools.deploy.volume import parents

NAME = "skyline.txt"
ASIDE = "before-skyline"  # the folder to which a stranger's files move
UNKNOWN = "------"  # the digest of a file that is being copied: of NAME.new, and of all that is not at the root
_HEAD = "Skyline's files on this drive: tools.deploy needs this list to update or remove them."
_END = "."
_COMPILED = re.compile(r"\.mpy$")
_UNSAFE = re.compile(r"[\\:\x00-\x1f]")


@dataclass
class Mark:
    """Our files on a drive, by path.

    files: the digests that each may have.  folders: those that we made.  moves: the former path of a stranger's file by
    its place now.
    """

    files: dict[str, set[str]] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)
    moves: dict[str, str] = field(default_factory=dict)

    def is_copying(self) -> bool:
        return any(UNKNOWN in digests for digests in self.files.values())

    def render(self) -> bytes:
        by_folder: dict[str, list[str]] = {folder: [] for folder in self.folders}
        for path, digests in sorted(self.files.items()):
            folder, _, name = path.rpartition("/")
            by_folder.setdefault(folder, []).extend(
                f"{digest} {_COMPILED.sub('*', name)}" for digest in sorted(digests)
            )
        lines = [_HEAD, *(f">{place}\t{path}" for place, path in sorted(self.moves.items()))]
        for folder, names in sorted(by_folder.items()):
            lines += [f"{'+' if folder in self.folders else '='}{folder}/", *names]
        return "\n".join([*lines, _END, ""]).encode()


def digest(content: bytes) -> str:
    """Return six hexadecimal digits that tell a file from other ones."""
    return hashlib.sha256(content).hexdigest()[:6]


def read(content: bytes) -> Mark | None:
    """Return the mark in a file, or None if it is none, or not whole."""
    try:
        head, *lines, end, empty = content.decode().split("\n")
    except ValueError:
        return None
    if (head, end, empty) != (_HEAD, _END, ""):
        return None
    mark, folder = Mark(), ""
    for line in lines:
        if line.startswith(">"):
            place, _, path = line[1:].partition("\t")
            mark.moves[place] = path
        elif line[:1] in ("+", "="):
            folder = line[1:-1]
            if line[0] == "+":
                mark.folders.add(folder)
        else:
            name = line[7:].replace("*", ".mpy")
            mark.files.setdefault(f"{folder}/{name}".lstrip("/"), set()).add(line[:6])
    inside = all(place.startswith(ASIDE + "/") for place in mark.moves)
    safe = all(map(_is_safe, [*mark.files, *mark.folders, *mark.moves, *mark.moves.values()]))
    return mark if inside and safe else None


def is_begun(content: bytes) -> bool:
    """Return whether these may be the first bytes of a mark."""
    head = _HEAD.encode()
    return content[: len(head)] == head[: len(content)]


def _is_safe(path: str) -> bool:
    return not _UNSAFE.search(path) and not {"", ".", ".."} & set(path.split("/"))


def of_empty_drive(files: Mapping[str, bytes]) -> Mark:
    folders = {folder for path in files for folder in parents(path)}
    return Mark({path: {digest(content)} for path, content in files.items()}, folders)
