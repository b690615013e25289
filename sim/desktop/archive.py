"""Pack all that a player has into one file, which the page and the simulator read and write (sim/web/saves/archive.js).

It is a zip without compression, so that no file in it is larger than the zip:

    skyline.json            the first file, see below
    saves/bank0.bin         the two banks of flash, 4096 bytes each
    saves/bank1.bin
    saves/unfinished.bin    the recording of the game in progress, if there is one (sim/suspended_recording.py)
    library/NAME.sky        the recording of a game
    library/NAME.picture    its last picture, 1024 bytes, if there is one

skyline.json has the version, and by key:

    keys       the controls of keys by the section of keys.ini; an empty section is the usual keys
    choices    the page's choices, which the simulator only carries
    games      of each game its name, when it ended in ms since 1970, its mode and result, and whether it is pinned

A section of keys, or choices, that are missing stay as they are where the archive is loaded.
"""

import io
import json
import re
import struct
import zipfile
from binascii import crc32
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from firmware.save.journal_layout import FRAME_BYTES
from sim import terminal
from sim.desktop.key_file import USUAL
from sim.desktop.keyboard import LABELS, RESTART, Table
from sim.game_record import is_recording
from sim.store import BANK_BYTES, UNFINISHED, is_unfinished
from sim.terminal import Refusal

VERSION = 1
MOST_BYTES = 64 << 20
MOST_GAMES = 10_000
MANIFEST = "skyline.json"
NAME = r"(\d{8}-\d{6}-[a-z-]+-\d+)(-\d+)?"  # as those of sim/library.py; also a JavaScript pattern
BANKS = ("saves/bank0.bin", "saves/bank1.bin")
GAME = f"saves/{UNFINISHED}"
SECTION = "alone"  # of the keys, that of one player
_MOST_TIME_MS = 8_640_000_000_000_000  # of JavaScript's dates
_MOST_LETTERS = 200
_PICTURE_BYTES = 1024
_BEGINNING = b"PK\3\4"
_NAME_AT = 30  # in a zip, that of the first file
_INTACT = 0x2144DF1C  # the CRC-32 of anything followed by its own
_DAMAGED = "the archive is damaged"
# What zipfile raises for a zip that anybody may have written.
_FAULTS = (zipfile.BadZipFile, RuntimeError, ValueError, EOFError, KeyError, OSError, struct.error)


@dataclass
class Game:
    """A finished game. told: its mode and result. picture: b"" for none."""

    name: str
    at: int
    told: str
    pinned: bool
    recording: bytes
    picture: bytes = b""


@dataclass
class Archive:
    """What the module's docstring lists. unfinished: b"" for none."""

    banks: list[bytes]
    unfinished: bytes = b""
    keys: dict[str, Table] = field(default_factory=dict)
    choices: dict[str, Any] | None = None
    games: list[Game] = field(default_factory=list)


def is_archive(content: bytes) -> bool:
    """Return whether a file begins like an archive."""
    return content.startswith(_BEGINNING) and content[_NAME_AT:].startswith(MANIFEST.encode())


def is_bank(content: bytes | bytearray) -> bool:
    """Return whether these are the bytes of a bank that is erased or begins with a whole record."""
    record = content[: FRAME_BYTES + int.from_bytes(content[1:3], "little")]
    return len(content) == BANK_BYTES and (crc32(record) == _INTACT or not content.strip(b"\xff"))


def pack(archive: Archive) -> bytes:
    """Return the bytes of the file that holds this archive."""
    facts = ("name", "at", "told", "pinned")
    games = [{fact: getattr(game, fact) for fact in facts} for game in archive.games]
    head: dict[str, Any] = {"skyline": VERSION, "keys": archive.keys, "games": games}
    if archive.choices is not None:
        head["choices"] = archive.choices
    files = {
        MANIFEST: json.dumps(head).encode(),
        **dict(zip(BANKS, archive.banks, strict=True)),
        GAME: archive.unfinished,
    }
    for game in archive.games:
        files |= {_name_file(game.name): game.recording, _name_file(game.name, "picture"): game.picture}
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as packed:
        for name, each in files.items():
            if each:
                packed.writestr(zipfile.ZipInfo(name), each)
    return content.getvalue()


def _name_file(game: str, suffix: str = "sky") -> str:
    return f"library/{game}.{suffix}"


def read(path: Path) -> Archive:
    """Return the archive in a file; raise Refusal for any other file."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise Refusal(f"{path}: the archive is larger than {MOST_BYTES >> 20} MB")
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)  # a pipe has no size
    except OSError as problem:
        raise Refusal(f"cannot read {path}: {problem.strerror}") from problem
    try:
        return unpack(content)
    except ValueError as problem:
        raise Refusal(terminal.one_line(f"{path}: {problem}")) from problem


def unpack(content: bytes) -> Archive:
    """Return the archive in these bytes; raise ValueError with one line for any others."""
    try:
        files = _unzip(content)
    except _FAULTS as problem:
        raise ValueError(_DAMAGED if is_archive(content) else "this is no archive of Skyline") from problem
    if MANIFEST not in files:
        raise ValueError("this zip is no archive of Skyline")
    try:
        head = json.loads(files.pop(MANIFEST))
        json.dumps(head, allow_nan=False)
        if type(head["skyline"]) is int and head["skyline"] > VERSION:
            raise Refusal("this archive is of a newer Skyline; update this one")
        _check(head["skyline"] == VERSION and type(head["skyline"]) is int)
        archive = Archive(
            [files.pop(name) for name in BANKS],
            files.pop(GAME, b""),
            _read_keys(head["keys"]),
            head.get("choices"),
            [_read_game(facts, files) for facts in head["games"]],
        )
        _check(not archive.unfinished or is_unfinished(archive.unfinished))
        _check(all(map(is_bank, archive.banks)) and isinstance(archive.choices, dict | None))
        _check(len({game.name for game in archive.games}) == len(archive.games) <= MOST_GAMES)
    except Refusal as problem:
        raise ValueError(str(problem)) from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
        raise ValueError(_DAMAGED) from problem
    if files:
        raise ValueError(f"{_DAMAGED}: it holds {min(files)}")
    return archive


def _unzip(content: bytes) -> dict[str, bytes]:
    """Return the files of a zip without compression; raise one of _FAULTS. Their sizes are known before any is read."""
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        found = packed.infolist()
        for each in found:
            _check(each.compress_type == zipfile.ZIP_STORED and each.file_size == each.compress_size)
        _check(sum(each.file_size for each in found) <= len(content))
        _check(len({each.filename for each in found}) == len(found))
        return {each.filename: packed.read(each) for each in found}


def _check(holds: bool) -> None:
    if not holds:
        raise ValueError(_DAMAGED)


def _read_keys(sections: Any) -> dict[str, Table]:
    """Return tables of keys; raise ValueError for what keys.ini cannot have."""
    _check(set(sections) <= set(USUAL))
    together = [key for section, table in sections.items() if section != SECTION for key in table]
    _check(len(set(together)) == len(together))
    for table in sections.values():
        _check(all(type(control) is int and 0 <= control <= RESTART for control in table.values()))
        _check(set(table) <= set(LABELS))
    return sections


def _read_game(facts: Any, files: dict[str, bytes]) -> Game:
    """Return a game, and take its files out of `files`."""
    name, at, told, pinned = facts["name"], facts["at"], facts["told"], facts["pinned"]
    _check(re.fullmatch(NAME, name, re.ASCII) is not None and len(name) <= _MOST_LETTERS)
    _check(type(at) is int and 0 <= at <= _MOST_TIME_MS and type(told) is str and type(pinned) is bool)
    recording, picture = files.pop(_name_file(name)), files.pop(_name_file(name, "picture"), b"")
    _check(is_recording(recording) and len(picture) in (0, _PICTURE_BYTES))
    return Game(name, at, told, pinned, recording, picture)
