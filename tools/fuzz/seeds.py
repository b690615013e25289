"""Make good input for each reader: files and texts that it accepts."""

from __future__ import annotations

import json
import struct
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from firmware.engine.controls import HARD_DROP
from firmware.modes.catalogue import MARATHON, make_mode
from firmware.save.journal import NUMBERS, SETTINGS, SUSPENDED
from firmware.save.life import Life
from firmware.save.settings import Settings
from sim.daily import describe
from sim.desktop import archive
from sim.library import Library
from sim.store import BANK_BYTES, ENDING_MARK
from tools import ROOT
from tools.bots.arena import results
from tools.deploy import mark

DAILY = ROOT / "tests/recordings/modes/daily.sky"
_MOVES = [
    {"location": {"type": piece, "orientation": "north", "x": x, "y": 0}, "spin": "none"}
    for piece, x in (("O", 0), ("S", 8))
]
BOT = "".join(json.dumps({"type": "suggestion", "moves": [move]}) + "\n" for move in _MOVES)
_START = {"type": "start", "hold": None, "queue": [*"OSIJLZ"], "combo": 0, "board": [[None] * 10] * 40}
HOST = "".join(
    json.dumps(said) + "\n"
    for said in (
        {"type": "rules"},
        _START,
        {"type": "suggest"},
        {"type": "play", "move": _MOVES[0]},
        {"type": "new_piece", "piece": "T"},
        {"type": "stop"},
    )
)
SETTINGS_TOML = """SKYLINE_DISPLAY = "ssd1306"
SKYLINE_I2C_HZ = 1000000
SKYLINE_LEFT = "GP20" # a comment
SKYLINE_ROTATION = 90
OTHER = "a \\u0041 \\n"
[table]
"""
PLAN = """[conditions]
pace_ms = 4
[bots.one]
own = "dellacherie"
[bots.two]
command = "python bot.py"
"""
TRANSCRIPT = "PLACE[(6,3), (7,2), (7,3), (7,4)]\n"
FUMEN = "http://fumen.zui.jp/?v115@vhGRQYHAvItJEJmhCAUGJKJJvMJTNJGBJFKYPAUEzPEJG98AQmqhECDdCA"


def files(*patterns: str) -> Callable[[], Iterable[bytes]]:
    return lambda: [path.read_bytes() for pattern in patterns for path in sorted(ROOT.glob(pattern))]


def texts(*said: str) -> Callable[[], Iterable[bytes]]:
    return lambda: [each.encode() for each in said]


def make_databases() -> Iterable[bytes]:
    """Yield the bytes of a library's database with two games, and of an arena's with one match."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "library").mkdir()
        for second, path in enumerate(sorted((ROOT / "tests/recordings").glob("*.sky"))[:2]):
            (folder / "library" / f"20261122-12000{second}-marathon.sky").write_bytes(path.read_bytes())
        library = Library(folder / "library")
        library.entries()
        library.measure()
        yield (folder / "games.db").read_bytes()
        with results.Results(folder / "bots.db") as arena:
            arena.add(results.Row(1, "2026-11-26 12:00:00", "a", "b", 1, 0, 60_000, 100, 40, "died", 5, 1, ""), b"")
        yield (folder / "bots.db").read_bytes()


def make_records() -> Iterable[bytes]:
    """Yield records of a journal, as read_records() takes them."""
    from firmware.engine.game import Game
    from firmware.engine.options import Options
    from firmware.save.suspended import pack

    game = Game(5, Options(), make_mode(MARATHON))
    game.start(0)
    for step in range(20):
        game.advance(1000 * step + 500)
        game.input(HARD_DROP, 1, 1000 * step + 500)
        game.input(HARD_DROP, 0, 1000 * step + 500)
    record = bytearray(512)
    saved = record[: pack(game, MARATHON, record)]
    settings = record[: Settings().pack(record)]
    life = Life()
    life.add_game(game)
    numbers = record[: life.pack(record)]
    for kind, payload in ((SUSPENDED, saved), (SETTINGS, settings), (NUMBERS, numbers)):
        yield bytes([kind, len(payload) & 255, len(payload) >> 8]) + payload


def make_notes() -> Iterable[bytes]:
    head = {"variant": MARATHON, "ended": "2026-11-26T12:00:00", "table": 0, "numbers": 0}
    for blob in files("tests/recordings/lost.sky", "tests/recordings/marathon.sky")():
        yield ENDING_MARK + json.dumps(head).encode() + b"\n" + bytes(1024) + blob


def make_archives() -> Iterable[bytes]:
    (blob,) = files("tests/recordings/lost.sky")()
    game = archive.Game("20261122-051530-marathon-34500", 0, "marathon", True, blob)
    yield archive.pack(
        archive.Archive([b"\xff" * BANK_BYTES] * 2, keys={"alone": {"KeyA": 0}}, choices={}, games=[game])
    )


def make_uf2() -> Iterable[bytes]:
    content = b""
    for number in range(2):
        words = (0x0A324655, 0x9E5D5157, 0x2000, 0x10000000 + 256 * number, 256, number, 2, 0xE48BFF56)
        content += struct.pack("<8I476xI", *words, 0x0AB16F30)
    yield content


def make_mark() -> Iterable[bytes]:
    files_of = {"code.py": {mark.digest(b"1")}, "lib/a.py": {mark.UNKNOWN}}
    yield mark.Mark(files_of, {"lib"}, {f"{mark.ASIDE}/x": "x"}).render()


def make_line() -> Iterable[bytes]:
    yield describe(DAILY.read_bytes()).encode()
