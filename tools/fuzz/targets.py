"""List every reader of what comes from outside: what it reads, and the errors that it may raise.

An error counts as the reader's own if it has exactly such a type, a `raise` of ours raised it, and it is one line.
"""

from __future__ import annotations

import io
import json
import struct
import tempfile
import traceback
from binascii import crc32
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from firmware.device import settings_file
from firmware.device.wiring import WiringError
from firmware.engine.controls import HARD_DROP
from firmware.modes.catalogue import MARATHON, make_mode
from firmware.save import kept_rules, match_revival, rules, rules_line, suspended_revival
from firmware.save.all_clears import Runs
from firmware.save.journal import (
    ALL_CLEARS,
    BOARD_GAME,
    NUMBERS,
    OPENERS,
    PUZZLES,
    SETTINGS,
    SPLITS,
    SUSPENDED,
    VERSUS,
    Journal,
)
from firmware.save.life import Life
from firmware.save.match_scores import Versus
from firmware.save.puzzles import Progress
from firmware.save.scores import open_table, read_splits
from firmware.save.settings import Settings
from firmware.tetress.record import HEAD, is_whole
from sim import ending, game_files, game_record, settings_check
from sim.bots import attacks, host, process, protocol
from sim.daily import describe
from sim.desktop import archive, gamepad, key_file
from sim.desktop.control_file import MapError
from sim.library import Library
from sim.link import LinkError, split_address
from sim.store import BANK_BYTES, ENDING_MARK, CopiedStore, FileStore, open_stores
from sim.terminal import Refusal
from tools import ROOT, daily, game_stats
from tools.bots import plain_bot
from tools.bots.arena import competitors, results
from tools.bots.bot_server import serve
from tools.bots.perft import positions
from tools.bots.strong import tune
from tools.clear_a_line import checker
from tools.deploy import DeployError, mark, uf2
from tools.fuzz import frames
from tools.openers import text as openers
from tools.openers.text import OpenerError
from tools.puzzles import text as puzzles
from tools.puzzles.fumen import read_fumen
from tools.puzzles.text import PuzzleError
from tools.tetress import notation
from tools.tetress.notation import NotationError
from tools.web import sorting

_TABLES = (*range(2, 13), 16, *range(24, 31), 33, *range(38, 64))  # kinds of a journal (firmware/save/journal.py)
_BANK_BYTES = 4096
_SEED, _PIECES = 5, 40  # of the game with a bot
_PLAY_MS = 4000
_BOARD = "raspberry_pi_pico"
DAILY = ROOT / "tests/recordings/modes/daily.sky"


@dataclass(frozen=True)
class Target:
    """A reader. read: gets the input, and an empty folder for files. owns: its errors. seeds: return good input."""

    name: str
    read: Callable[[bytes, Path], object]
    owns: tuple[type[Exception], ...]
    seeds: Callable[[], Iterable[bytes]]

    @property
    def stem(self) -> str:
        """How the names of its inputs begin."""
        return f"{self.name.replace(' ', '-')}-"


def judge(target: Target, content: bytes, folder: Path) -> str:
    """Return what is wrong with a reader, in one line; "" if it accepts or refuses the input as it should."""
    try:
        target.read(content, folder)
    except Exception as problem:  # whatever comes out is what we want to see
        *_, last = traceback.extract_tb(problem.__traceback__)
        said = str(problem)
        is_own = type(problem) in target.owns and (last.line or "").startswith("raise ")
        if is_own and "\n" not in said:
            return ""
        place = Path(last.filename)
        place = place.relative_to(ROOT) if place.is_relative_to(ROOT) else place
        return f"{type(problem).__name__} at {place.as_posix()}:{last.lineno}: {said!a:.100}"
    return ""


# -- seeds ---------------------------------------------------------------------------------------------------------


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


# -- readers -------------------------------------------------------------------------------------------------------


def write(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def in_file(read: Callable[[Path], object]) -> Callable[[bytes, Path], object]:
    """Return the reader of an input that a function reads from a file."""
    return lambda content, folder: read(write(folder, "input", content))


def seal(blob: bytes) -> bytes:
    """Return a recording with the right check sum in place of its own."""
    return blob[:-4] + crc32(blob[:-4]).to_bytes(4, "little")


def read_recording(content: bytes, folder: Path) -> None:
    blob = seal(content)
    game_files.read_recording(write(folder, "game.sky", blob))
    game_record.measure_recording(blob)
    game_record.read_head(blob)


def read_bank(content: bytes, folder: Path) -> None:
    store = FileStore(write(folder, "bank0.bin", content[:_BANK_BYTES]))
    look_into(Journal([CopiedStore(store)]))


def read_records(content: bytes, folder: Path) -> None:
    """Read a journal of whole records: kind, length in two bytes, payload."""
    journal = Journal([CopiedStore(FileStore(folder / "none"))])
    at = 0
    while at + 3 <= len(content):
        kind = content[at] % 64 or SUSPENDED
        payload = content[at + 3 : at + 3 + min(content[at + 1] | content[at + 2] << 8, 430)]
        journal.payload[: len(payload)] = payload
        journal.save(kind, len(payload))
        at += 3 + len(payload)
    look_into(journal)


def look_into(journal: Journal) -> None:
    """Read all that a journal may have, and play on with what it has in progress."""
    Settings().restore(journal.read(SETTINGS))
    Life(bytes(journal.read(NUMBERS)))
    read_splits(bytes(journal.read(SPLITS)))
    for kind in _TABLES:
        table = open_table(journal, kind)
        for place in range(5):
            table.entry(place)
    for _name, numbers in kept_rules.read(journal):
        with suppress(ValueError):
            rules.check(numbers)
    Runs(bytes(journal.read(ALL_CLEARS)))
    Progress(60, journal.read(PUZZLES)).count()
    Progress(60, journal.read(OPENERS)).count()
    versus = Versus(bytes(journal.read(VERSUS)))
    versus.hundredths_a_piece(1)
    record = bytes(journal.read(BOARD_GAME))
    if is_whole(record):
        with suppress(NotationError):
            notation.write_transcript(record[at] | record[at + 1] << 8 for at in range(HEAD, len(record), 2))
    game = suspended_revival.restore(bytes(journal.read(SUSPENDED)), make_mode)
    if game:
        game.input(HARD_DROP, 1, game.now_ms)
        game.advance(game.now_ms + _PLAY_MS)
    match = match_revival.restore(journal)
    if match:
        match.advance(match.time_ms + _PLAY_MS)


def read_rules(content: bytes, _folder: Path) -> None:
    rules.check(rules_line.read(content.decode("latin-1")))


def read_rule_numbers(content: bytes, _folder: Path) -> None:
    """Read a line that is whole, but whose numbers are anything."""
    numbers = [content[at] | content[at + 1] << 8 for at in range(0, min(len(content), 30) - 1, 2)]
    rules.check(rules_line.read(rules_line.write(numbers)))


def read_settings(content: bytes, _folder: Path) -> None:
    settings_file.parse(content, lenient=True)
    settings_check.check(settings_file.parse(content), None, "")


def read_puzzle_link(content: bytes, _folder: Path) -> None:
    rows, queue, hold = read_fumen(content.decode("latin-1"))
    puzzles.make("FUZZ", {"goal": "clear all", "queue": queue, **({"hold": hold} if hold else {})}, rows)


class Scripted(process.Partner):
    """A bot that says what the input has, a line a message, whatever it is told."""

    def __init__(self, lines: bytes) -> None:
        super().__init__("fuzz", answer_s=0)
        self.lines = iter(lines.splitlines())

    def send(self, message: protocol.Message) -> None:
        protocol.write_message(message)

    def greet(self) -> None:
        self.greeted = True

    def receive(self, kind: str) -> protocol.Message:
        for line in self.lines:
            message = protocol.read_message(line)
            if message["type"] == kind:
                return message
        raise process.Fault("ends")


def read_bot(content: bytes, _folder: Path) -> None:
    host.Host(Scripted(content), _SEED).play(_PIECES)


def read_host(content: bytes, _folder: Path) -> None:
    serve(plain_bot.PlainBot(), io.BytesIO(content), io.BytesIO())


def read_attacks(path: Path) -> None:
    attacks.find_attacks.__wrapped__(str(path))  # without its cache


def read_transcript(content: bytes, _folder: Path) -> None:
    notation.read_transcript(content.decode("latin-1"))


def read_address(content: bytes, _folder: Path) -> None:
    split_address(content.decode("latin-1"))


def read_uf2(content: bytes, _folder: Path) -> None:
    uf2.check(content, "it", _BOARD)


def read_mark(content: bytes, _folder: Path) -> None:
    mark.read(content)


def read_library(content: bytes, folder: Path) -> None:
    """Open a library whose database is anything; a recording in its folder must stay listed."""
    for old in folder.glob("games*"):
        old.unlink()
    write(folder, "games.db", content)
    (folder / "library").mkdir(exist_ok=True)
    library = Library(folder / "library")
    library.entries()
    library.search(["a"])
    game_stats.read_played(library)


def read_arena(content: bytes, folder: Path) -> None:
    with results.Results(write(folder, "bots.db", content)) as arena:
        arena.read()


def read_note(content: bytes, folder: Path) -> None:
    at = content.find(b"\n", len(ENDING_MARK)) + 1025
    path = write(folder, "ending.bin", content[:at] + seal(content[at:]))
    (folder / "library").mkdir(exist_ok=True)
    ending.complete(path, open_stores(folder), Library(folder / "library"))


def read_strategy(content: bytes, _folder: Path) -> None:
    with suppress(ValueError, IndexError):  # for these the command says: not a strategy
        checker.read_small(content) if b"\0" in content else checker.read(content.decode("ascii"))


def read_image(content: bytes, _folder: Path) -> None:
    """Sort the bytes of an image with this file in it, and restore them."""
    image = b"head" + content + b"tail"
    if sorting.restore(sorting.sort(image, [content])) != image:
        raise AssertionError("the image is another one")


def read_daily(content: bytes, _folder: Path) -> None:
    daily.verify(content.decode("latin-1"), DAILY.read_bytes())


_MOVES = [
    {"location": {"type": piece, "orientation": "north", "x": x, "y": 0}, "spin": "none"}
    for piece, x in (("O", 0), ("S", 8))
]
_BOT = "".join(json.dumps({"type": "suggestion", "moves": [move]}) + "\n" for move in _MOVES)
_START = {"type": "start", "hold": None, "queue": [*"OSIJLZ"], "combo": 0, "board": [[None] * 10] * 40}
_HOST = "".join(
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
_SETTINGS = """SKYLINE_DISPLAY = "ssd1306"
SKYLINE_I2C_HZ = 1000000
SKYLINE_LEFT = "GP20" # a comment
SKYLINE_ROTATION = 90
OTHER = "a \\u0041 \\n"
[table]
"""
_PLAN = """[conditions]
pace_ms = 4
[bots.one]
own = "dellacherie"
[bots.two]
command = "python bot.py"
"""
_FUMEN = "http://fumen.zui.jp/?v115@vhGRQYHAvItJEJmhCAUGJKJJvMJTNJGBJFKYPAUEzPEJG98AQmqhECDdCA"

# name, reader, its own errors, good input
TARGETS = tuple(
    Target(*row)
    for row in (
        ("recordings", read_recording, (Refusal,), files("tests/recordings/**/*.sky", "tests/matches/*.sky")),
        ("journals", read_bank, (), files("tests/recordings/lost.sky")),
        ("records", read_records, (), make_records),
        ("ending notes", read_note, (), make_notes),
        ("rules lines", read_rules, (ValueError,), texts("SKY1-1AFZ0", "SKY1-0M9PH")),
        ("rules", read_rule_numbers, (ValueError,), texts("\1\0\5\0\0\0", "\0\0\1\0")),
        ("daily lines", read_daily, (ValueError,), make_line),
        ("settings", read_settings, (WiringError,), texts(_SETTINGS)),
        (
            "keys",
            in_file(key_file.read),
            (MapError,),
            texts("[alone]\nKeyA = left\n", "[alone]\nKeyA=left\n up"),
        ),
        (
            "gamepads",
            in_file(gamepad.read_map),
            (MapError,),
            texts("[gamepad]\na = hold\n", "[gamepad]\na=hold\n up"),
        ),
        ("archives", in_file(archive.read), (Refusal,), make_archives),
        ("puzzles", in_file(puzzles.read), (PuzzleError, Refusal), files("tools/puzzles/puzzles.txt")),
        ("openers", in_file(openers.read), (OpenerError, Refusal), files("tools/openers/openers.txt")),
        ("fumens", read_puzzle_link, (PuzzleError,), texts(_FUMEN)),
        ("bots", read_bot, (process.Fault, ValueError), texts(_BOT)),
        ("hosts of bots", read_host, (ValueError,), texts(_HOST)),
        ("attacks", in_file(read_attacks), (ValueError,), files("sim/bots/tables/*.txt", "firmware/match/attacks.txt")),
        ("arena plans", in_file(competitors.read_plan), (Refusal,), texts(_PLAN)),
        ("arenas", read_arena, (Refusal,), lambda: [*make_databases()][1:]),
        ("libraries", read_library, (), lambda: [*make_databases()][:1]),
        ("tuning logs", in_file(tune.read_log), (ValueError,), files("tools/bots/strong/tuned*.jsonl")),
        ("perft counts", in_file(positions.read_counts), (Refusal,), files("tools/bots/perft/counts.jsonl")),
        ("strategies", read_strategy, (checker.Refused,), files("firmware/winning.bin")),
        ("transcripts", read_transcript, (NotationError,), texts("PLACE[(6,3), (7,2), (7,3), (7,4)]\n")),
        ("lobbies", frames.read_lobby, (), frames.make_greetings),
        ("links", frames.read_link, (), frames.make_plays),
        ("hubs", frames.read_hub, (), frames.make_greetings),
        ("addresses", read_address, (LinkError,), texts("[::1]:80", "host:9")),
        ("romfs", read_image, (), files("firmware/puzzles.bin")),
        ("UF2 files", read_uf2, (DeployError,), make_uf2),
        ("marks of drives", read_mark, (), make_mark),
    )
)
