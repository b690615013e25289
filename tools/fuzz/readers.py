"""Read an input as each reader of what comes from outside does, and use what it gives."""

from __future__ import annotations

import io
from binascii import crc32
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from firmware.device import settings_file
from firmware.engine.controls import HARD_DROP
from firmware.modes.catalogue import make_mode
from firmware.modes.listing import list_tables
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
from firmware.save.scores import CLASSES, CLASSES_END, open_table, read_splits
from firmware.save.settings import Settings
from firmware.tetress.record import HEAD, is_whole
from sim import ending, game_files, game_record, settings_check
from sim.bots import attacks, host, process, protocol
from sim.library import Library
from sim.store import ENDING_MARK, CopiedStore, FileStore, open_stores
from tools import game_stats
from tools.bots import plain_bot
from tools.bots.arena import results
from tools.bots.bot_server import serve
from tools.clear_a_line import checker
from tools.puzzles import text as puzzles
from tools.puzzles.fumen import read_fumen
from tools.tetress import notation
from tools.tetress.notation import NotationError
from tools.web import sorting

# Kinds of a journal: of each table of scores, now and to come.
_TABLES = sorted({choice.kind for choice in list_tables()} | {*range(CLASSES, CLASSES_END)})
_BANK_BYTES = 4096
_SEED, _PIECES = 5, 40  # of the game with a bot
_PLAY_MS = 4000


def write(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def in_file(read: Callable[[Path], object]) -> Callable[[bytes, Path], object]:
    """Return the reader of an input that a function reads from a file."""
    return lambda content, folder: read(write(folder, "input", content))


def in_bytes(read: Callable[[bytes], object]) -> Callable[[bytes, Path], object]:
    return lambda content, _folder: read(content)


def in_text(read: Callable[[str], object]) -> Callable[[bytes, Path], object]:
    return lambda content, _folder: read(content.decode("latin-1"))


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


def read_rules(line: str) -> None:
    rules.check(rules_line.read(line))


def read_rule_numbers(content: bytes) -> None:
    """Read a line that is whole, but whose numbers are anything."""
    numbers = [content[at] | content[at + 1] << 8 for at in range(0, min(len(content), 30) - 1, 2)]
    rules.check(rules_line.read(rules_line.write(numbers)))


def read_settings(content: bytes) -> None:
    settings_file.parse(content, lenient=True)
    settings_check.check(settings_file.parse(content), None, "")


def read_puzzle_link(link: str) -> None:
    rows, queue, hold = read_fumen(link)
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


def read_bot(content: bytes) -> None:
    host.Host(Scripted(content), _SEED).play(_PIECES)


def read_host(content: bytes) -> None:
    serve(plain_bot.PlainBot(), io.BytesIO(content), io.BytesIO())


def read_attacks(path: Path) -> None:
    attacks.find_attacks.__wrapped__(str(path))  # without its cache


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


def read_strategy(content: bytes) -> None:
    with suppress(ValueError, IndexError):  # for these the command says: not a strategy
        checker.read_small(content) if b"\0" in content else checker.read(content.decode("ascii"))


def read_image(content: bytes) -> None:
    """Sort the bytes of an image with this file in it, and restore them."""
    image = b"head" + content + b"tail"
    if sorting.restore(sorting.sort(image, [content])) != image:
        raise AssertionError("the image is another one")
