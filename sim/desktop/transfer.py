"""Save all that a player has on this computer to one archive, and load one (sim/desktop/archive.py)."""

import json
import re
from binascii import crc32
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from firmware.save.journal import SUSPENDED, Journal
from sim import terminal
from sim.desktop import archive, key_file
from sim.desktop.archive import Archive, Game, is_archive, is_bank
from sim.desktop.control_file import MapError
from sim.desktop.keyboard import Table
from sim.ending import complete
from sim.library import PICTURE_SCALE, Entry, Library, open_library
from sim.ownership import output, replace
from sim.pictures import encode_png, read_png
from sim.store import ENDING, LAST_UNFINISHED, LOADING, PAGE, UNFINISHED, FileStore, check_saves, claim, open_stores
from sim.terminal import Refusal, writing

_CRC_BYTES = 4
_ERASED = b"\xff"
_ROOM_FOR_SAVES = 2 << 20
_OVERHEAD_BYTES = 600  # of a game: its line, and the heads of its two files


class Facts(NamedTuple):
    """What the page knows of a game and the simulator does not."""

    at: int
    told: str
    pinned: bool


class Page(NamedTuple):
    """What the page has and the simulator only carries. choices: None if no page has told them."""

    choices: dict[str, Any] | None
    games: dict[str, Facts]


def save_all(path: Path, folder: Path, keys: Path) -> str:
    """Write an archive of the saves and games in `folder` and of the file of keys; return a line about it."""
    with _lock(folder, keys) as stores:
        found = _collect(stores, folder, keys)
        left_out = _add_games(found, open_library(folder), _read_page(folder).games)
    with writing(path), output(path, is_archive) as file:
        file.write(archive.pack(found))
    more = f"; {left_out} older games found no room" if left_out else ""
    return f"{path} has the saves, the keys and {len(found.games)} games{more}"


def load_all(path: Path, folder: Path, keys: Path, replaces: bool) -> str:
    """Load an archive; return a line about it. What it replaces is kept as an archive in `folder`.

    replaces: whether it may replace saves and keys. Games are only added. A failure changes nothing.
    """
    found = archive.read(path)
    with _lock(folder, keys) as stores:
        before = _collect(stores, folder, keys)
        is_empty = not (b"".join(before.banks).strip(_ERASED) or before.keys or before.choices)
        if not (is_empty or replaces):
            words = f"{path} would replace the saves in {folder} and the keys; with --replace it does"
            raise Refusal(f"{words}, and a copy of them is kept")
        before.keys = dict.fromkeys(key_file.USUAL, Table()) | before.keys
        copy = folder / f"before-{datetime.now():%Y%m%d-%H%M%S-%f}.zip"
        added = _load(found, folder, keys, [] if is_empty else [(copy, archive.pack(before))])
    lost = "; without Pillow their pictures are lost" if added and find_spec("PIL") is None else ""
    kept = "" if is_empty else f"; {copy} has what it replaced"
    return f"{path} is loaded, with {len(added)} new games{lost}{kept}"


def finish(folder: Path, keys: Path) -> None:
    """Load the archive whose load was killed; the caller has locked `folder`. Raise Refusal or OSError."""
    if (folder / LOADING).exists():
        _load(archive.read(folder / LOADING), folder, keys)


def _load(found: Archive, folder: Path, keys: Path, copies: Sequence[tuple[Path, bytes]] = ()) -> list[Game]:
    """Write copies and load an archive as a whole, or change nothing and raise OSError; return the new games.

    The archive lies in `folder` meanwhile: a kill leaves it to the next start.
    """
    library = open_library(folder)
    content = archive.pack(found)
    added = _find_new(library, found.games)
    files = _plan(found, library, _read_page(folder), _read_keys(keys), keys, added)
    _write([*copies, (folder / LOADING, content), *files.items(), (folder / LOADING, b"")])
    return added


@contextmanager
def _lock(folder: Path, keys: Path) -> Iterator[list[FileStore]]:
    """Keep all simulators from the saves, and finish what a killed one has begun; refuse if one plays."""
    check_saves(folder)
    with writing(folder):
        lock = claim(folder)
        if not lock:
            raise Refusal(f"another simulator saves in {folder}: close it first")
        with lock:
            finish(folder, keys)
            stores = open_stores(folder)
            problem = complete(folder / ENDING, stores, open_library(folder))
            if problem:
                raise Refusal(problem)
            yield stores


def _read_keys(path: Path) -> dict[str, Table]:
    """Return the tables in a file of keys, the usual ones if it is missing; refuse a damaged one."""
    try:
        return key_file.read(path)
    except (FileNotFoundError, NotADirectoryError):
        return {section: dict(table) for section, table in key_file.USUAL.items()}
    except MapError as error:
        raise Refusal(f"{path}: {error}") from error


def _read_page(folder: Path) -> Page:
    """Return what an archive told of the page; nothing if there was none, or its file is damaged."""
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        found = json.loads(terminal.read(folder / PAGE))
        if isinstance(found["choices"], dict | None):
            games = {name: Facts(*each) for name, each in found["games"].items()}
            if all([*map(type, each)] == [int, str, bool] for each in games.values()):
                return Page(found["choices"], games)
    return Page(None, {})


# -- saving ------------------------------------------------------------------------------------


def _collect(stores: list[FileStore], folder: Path, keys: Path) -> Archive:
    """Return all but the games; raise OSError."""
    banks = [bytearray(store.size) for store in stores]
    for store, bank in zip(stores, banks, strict=True):
        store.read(0, bank)
        if not is_bank(bank):
            terminal.note("sim", f"{store.path} is damaged, so the archive has it empty")
            bank[:] = _ERASED * store.size
    tables = {section: table for section, table in _read_keys(keys).items() if table != key_file.USUAL[section]}
    unfinished = _find_unfinished(Journal(list(stores)), folder)
    return Archive([bytes(bank) for bank in banks], unfinished, tables, _read_page(folder).choices)


def _find_unfinished(journal: Journal, folder: Path) -> bytes:
    """Return the recording that belongs to the save of the game in progress, b"" for none."""
    save = crc32(journal.read(SUSPENDED))
    for name in (UNFINISHED, LAST_UNFINISHED):
        with suppress(OSError):
            kept = terminal.read(folder / name)
            if crc32(kept[_CRC_BYTES:], save) == int.from_bytes(kept[:_CRC_BYTES], "little"):
                return kept
    return b""


def _add_games(found: Archive, library: Library, facts: dict[str, Facts]) -> int:
    """Add the games of the library, the oldest first; return how many find no room. Pinned ones come before others."""
    games = [_read_game(entry, facts.get(entry.name)) for entry in library.entries()]
    games.sort(key=lambda game: not game.pinned)
    room = archive.MOST_BYTES - _ROOM_FOR_SAVES
    for game in games[: archive.MOST_GAMES]:
        room -= len(game.recording) + len(game.picture) + _OVERHEAD_BYTES
        if room < 0:
            break
        found.games.append(game)
    found.games.sort(key=lambda game: game.at)
    return len(games) - len(found.games)


def _read_game(entry: Entry, facts: Facts | None) -> Game:
    known = facts or Facts(int(entry.ended.timestamp() * 1000), f"{entry.variant} {entry.told}", False)
    picture = read_png(entry.picture, PICTURE_SCALE) if find_spec("PIL") is not None else b""
    return Game(entry.name, *known, terminal.read(entry.path), picture)


# -- loading -----------------------------------------------------------------------------------


def _find_new(library: Library, games: list[Game]) -> list[Game]:
    """Return the games that the library lacks; if it has another game of the name, give this one a new name."""
    added: dict[str, Game] = {}
    for game in games:
        found = re.match(archive.NAME, game.name)
        assert found
        number = 1
        while (blob := _read_blob(library, game.name, added)) not in (None, game.recording):
            number += 1
            game.name = f"{found[1]}-{number}"
        if blob is None:
            added[game.name] = game
    return [*added.values()]


def _read_blob(library: Library, name: str, added: dict[str, Game]) -> bytes | None:
    """Return the recording of the game with this name, None if there is none."""
    if name in added:
        return added[name].recording
    try:
        return terminal.read(library.folder / f"{name}.sky")
    except FileNotFoundError:
        return None


def _plan(
    found: Archive, library: Library, page: Page, tables: dict[str, Table], keys: Path, added: list[Game]
) -> dict[Path, bytes]:
    """Return the content of each file that an archive changes, b"" for a file that goes.

    page, tables: what is there now.
    """
    folder = library.folder.parent
    files = {library.folder / f"{game.name}.sky": game.recording for game in added}
    for game in found.games:
        picture = library.folder / f"{game.name}.png"
        if game.picture and find_spec("PIL") is not None and not picture.exists():
            files[picture] = encode_png(game.picture, PICTURE_SCALE, "white")
    pinned = {name for name, facts in page.games.items() if facts.pinned}
    facts = {game.name: Facts(game.at, game.told, game.pinned or game.name in pinned) for game in found.games}
    choices = page.choices if found.choices is None else found.choices
    files[folder / PAGE] = json.dumps({"skyline": 1, "choices": choices, "games": page.games | facts}).encode()
    wanted = tables | {section: table or key_file.USUAL[section] for section, table in found.keys.items()}
    if wanted != tables:
        files[keys] = key_file.write(wanted, keys).encode()
    files |= {folder / LAST_UNFINISHED: b"", folder / UNFINISHED: found.unfinished}
    return files | {store.path: bank for store, bank in zip(open_stores(folder), found.banks, strict=True)}


def _write(files: list[tuple[Path, bytes]]) -> None:
    """Write all files in this order, or leave all as they were; b"" removes a file. Raise OSError."""
    before: dict[Path, bytes] = {}
    try:
        for path, content in files:
            path.parent.mkdir(parents=True, exist_ok=True)
            before.setdefault(path, terminal.read(path) if path.exists() else b"")
            _put(path, content)
    except BaseException:
        for path in reversed(before):
            with suppress(OSError):
                _put(path, before[path])
        raise


def _put(path: Path, content: bytes) -> None:
    if not content:
        path.unlink(missing_ok=True)
        return
    with replace(path) as file:
        file.write(content)
