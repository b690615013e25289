"""Finish a game as a whole, even if the simulator is killed: its result and goals count, and the library has it.

A note beside the saves holds the recording from before the first write until after the last. The next start carries out
what is missing. The note is our mark, a line of JSON, the last picture and the recording.
"""

from __future__ import annotations

import json
from binascii import crc32
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from firmware.engine.game import Game
from firmware.finishing import count, finish
from firmware.modes.catalogue import FINESSE, find, make_mode
from firmware.modes.classes import find_class
from firmware.save.goals import count_saves, judge
from firmware.save.journal import NUMBERS, SETTINGS, SUSPENDED, Journal
from firmware.save.recordings.recording import Player, Recording
from firmware.save.scores import find_best, find_kind
from firmware.save.settings import Settings
from sim import terminal
from sim.game_record import measure_game
from sim.library import Library
from sim.moment import END_MS
from sim.ownership import replace
from sim.store import ENDING_MARK

_PICTURE_BYTES = 1024
_FORM = {"variant": int, "ended": str, "table": int, "numbers": int}
# What reading a note raises that anybody may have written.
_FAULTS = (ValueError, KeyError, TypeError, IndexError, RecursionError)


def _look(journal: Any, variant: int, game: Game) -> dict[str, int]:
    """Return what tells whether the game was ranked and counted: check sums of these records."""
    record = find(variant)
    kind = find_kind(record, game.options.aim, find_class(game.options, record))
    return {"table": crc32(journal.read(kind)) if kind else 0, "numbers": crc32(journal.read(NUMBERS))}


class EndingNote:
    """The note at `path` about the game that has ended last.

    ended: when.  numbers: the check sum of the statistics before it, None once it is counted.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.numbers: int | None = None
        self.ended = datetime.now()

    def write(self, journal: Any, variant: int, game: Game, picture: bytes, recording: bytes) -> None:
        """Write the note before anything else is written; raise OSError."""
        self.ended = datetime.now()
        before = _look(journal, variant, game)
        head = {"variant": variant, "ended": self.ended.isoformat(), **before}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with replace(self.path) as file:
            file.write(ENDING_MARK + json.dumps(head).encode() + b"\n" + picture + recording)
        self.numbers = before["numbers"]

    def remove_when_counted(self, journal: Any) -> None:
        """Remove the note once the statistics have changed."""
        if self.numbers is not None and crc32(journal.read(NUMBERS)) != self.numbers:
            self.numbers = None
            with suppress(OSError):
                self.path.unlink()


class Note(NamedTuple):
    """What a note says of a game, played again to its end.

    table, numbers: the check sums before it was ranked and counted.  class_: see find_class().
    """

    variant: int
    ended: datetime
    table: int
    numbers: int
    picture: bytes
    recording: bytes
    game: Game
    result: int
    class_: int


def _read_note(content: bytes) -> Note:
    """Return what a note says; raise one of _FAULTS."""
    line, _, rest = content.removeprefix(ENDING_MARK).partition(b"\n")
    head = json.loads(line)
    if not content.startswith(ENDING_MARK) or {name: type(head[name]) for name in _FORM} != _FORM:
        raise ValueError
    recording = Recording(rest[_PICTURE_BYTES:])
    game = recording.game(make_mode(recording.variant))
    Player(recording, game).advance(END_MS)
    return Note(
        head["variant"],
        datetime.fromisoformat(head["ended"]),
        head["table"],
        head["numbers"],
        rest[:_PICTURE_BYTES],
        recording.blob,
        game,
        game.mode.result(game),
        find_class(game.options, find(head["variant"])),
    )


def complete(path: Path, stores: Sequence[Any], library: Library) -> str:
    """Do what the note says and was not done; return a line about a note that cannot be read, or ""."""
    try:
        content = terminal.read(path)
    except FileNotFoundError:
        return ""
    try:
        note = _read_note(content)
    except _FAULTS:
        return f"{path} is damaged, so the game that ended last may be missing; delete this file"
    journal, game = Journal(list(stores)), note.game
    now = _look(journal, note.variant, game)
    is_best = _rank(journal, note, is_ranked=now["table"] != note.table)
    if now["numbers"] == note.numbers:
        count(journal, note.variant, game, is_best)
    if note.variant != FINESSE:  # its games have no result, and reach no goal
        context: Any = SimpleNamespace(journal=journal, session=SimpleNamespace(variant=note.variant))
        judge(context, count_saves(journal), game)
    if not library.has(note.recording, note.ended):
        library.add(note.recording, note.variant, note.result, note.picture, note.ended, measure_game(game))
    if not journal.failed:
        path.unlink()
    return ""


def _rank(journal: Journal, note: Note, is_ranked: bool) -> bool:
    """Rank the game unless that was done; return whether it is the best of its mode."""
    if is_ranked:
        journal.save(SUSPENDED, 0)
        return 0 < note.result == find_best(journal, note.variant, note.game.options.aim, note.class_)
    settings = Settings()
    settings.restore(journal.read(SETTINGS))
    placed = finish(journal, note.variant, note.game, settings.initials)[0]
    return placed is not None and not placed[0]
