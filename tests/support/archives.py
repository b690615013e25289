"""Archives of the simulator and the page: a whole one, and ones that somebody has damaged or forged."""

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any

from firmware.save.journal import SETTINGS, Journal
from sim.desktop import archive
from sim.desktop.archive import Archive, Game
from sim.desktop.keyboard import ALONE, Table
from tests.support.flash import RamStore
from tests.support.recorded import RECORDINGS

RECORDED = (RECORDINGS / "lost.sky").read_bytes()
CHOSEN: Table = {**{key: control for key, control in ALONE.items() if control}, "KeyJ": 0}
PICTURE = bytes(range(256)) * 4
Files = dict[str, bytes]


def make_archive() -> Archive:
    """Return an archive with saves, keys, choices and two games, of which one is pinned."""
    games = [
        Game("20261122-051530-marathon-34500", 1795410930123, "marathon 34,500", True, RECORDED, PICTURE),
        Game("20261122-061530-sprint-0-2", 1795414530000, "sprint no result", False, RECORDED + b"\0"),
    ]
    return Archive(
        make_banks(b"saves"), bytes(12) + RECORDED, {"alone": CHOSEN}, {"theme": "light", "thumb": 120}, games
    )


def make_banks(payload: bytes) -> list[bytes]:
    """Return the banks of a handheld that saved these settings."""
    stores = [RamStore(), RamStore()]
    journal = Journal(stores)
    journal.payload[: len(payload)] = payload
    assert journal.save(SETTINGS, len(payload))
    return [bytes(store.image) for store in stores]


def zip_up(files: Files, how: int = zipfile.ZIP_STORED) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", how) as packed:
        for name, each in files.items():
            packed.writestr(zipfile.ZipInfo(name), each, how)
    return content.getvalue()


def forge() -> Iterator[tuple[str, bytes, str]]:
    """Yield archives that must be refused: what was done, the file, and a part of the line that says so."""
    with zipfile.ZipFile(io.BytesIO(archive.pack(make_archive()))) as packed:
        whole = {name: packed.read(name) for name in packed.namelist()}
    damaged = "the archive is damaged"

    def change(what: str, value: Any) -> tuple[str, bytes, str]:
        head = json.loads(whole[archive.MANIFEST])
        *path, last = what.split()
        place = head
        for step in path:
            place = place[int(step) if step.isdigit() else step]
        if value is None:
            del place[last]
        else:
            place[last] = value
        return f"{what}: {value}", zip_up({**whole, archive.MANIFEST: json.dumps(head).encode()}), damaged

    yield "a newer version", change("skyline", archive.VERSION + 1)[1], "of a newer Skyline"
    wrong: dict[str, list[Any]] = {
        "skyline": ["1", 0, None, [], True],
        "keys": [None, [], 7, {"alone": 7}, *({"alone": {"KeyA": control}} for control in (99, "0", 0.5))],
        "choices": [[], 7, "dark"],
        "games": [None, {}, 7, [7], [{}]],
        "games 0 name": [
            "..",
            "../20261122-051530-marathon-1",
            "x",
            "",
            7,
            None,
            "20261122-061530-sprint-0-2",
            "/tmp/x",
        ],
        "games 0 at": [None, -1, "now", 1 << 60, 0.5, True],
        "games 0 told": [None, 7],
        "games 0 pinned": [None, 0, "yes"],
    }
    yield from (change(what, value) for what, values in wrong.items() for value in values)
    manifest = whole[archive.MANIFEST]
    lacking = {name: content for name, content in whole.items() if name != archive.MANIFEST}
    yield "no manifest", zip_up(lacking), "no archive"
    yield "an empty manifest", zip_up({**whole, archive.MANIFEST: b""}), "archive"
    yield "a foreign manifest", zip_up({**whole, archive.MANIFEST: b"x" + manifest[1:]}), damaged
    for name, content in lacking.items():
        if name == archive.GAME:
            yield f"{name} is foreign", zip_up({**whole, name: b"x" * 20}), damaged
        elif not name.endswith(".picture"):
            yield f"{name} is missing", zip_up({each: whole[each] for each in whole if each != name}), damaged
            yield f"{name} is empty", zip_up({**whole, name: b""}), damaged
            yield f"{name} is foreign", zip_up({**whole, name: b"x" + content[1:]}), damaged
    for name in ("../x", "/x", "library/../../x.sky", "library/y.sky", "saves/bank2.bin"):
        yield f"holds {name}", zip_up({**whole, name: b"x"}), damaged
    bomb = zip_up({**whole, "saves/bank0.bin": bytes(1 << 22)}, zipfile.ZIP_DEFLATED)
    yield "a bomb", bomb, damaged
    yield "a foreign zip", zip_up({"readme.txt": b"hello"}), "no archive of Skyline"
    yield "an empty zip", zip_up({}), "no archive of Skyline"
