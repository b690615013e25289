"""Whatever somebody writes into a database or a log: one line names what is wrong, and nothing is printed raw."""

import io
import json
import re
import shutil
import sqlite3
from datetime import datetime
from pathlib import Path
from unittest.mock import patch

import pytest

from firmware.modes.catalogue import MARATHON
from sim import database, terminal
from sim.library import Library
from sim.row_check import STRICT
from sim.terminal import Refusal
from tests.support.recorded import RECORDINGS
from tools.bots.arena.results import Results, Row
from tools.bots.strong.tune import Plan, Tuning
from tools.game_stats import read_played

ESCAPE = "\x1b]0;owned\x07"
EVIL = ["soon", "abc", 7.5, b"\xff", None, -1, 1 << 62, ESCAPE, "x" * 100_000, "2026-02-30 12:00:00", "\x00", "\x9b1m"]


def spoil(path: Path, *statements: str, values: tuple[object, ...] = ()) -> None:
    """Change a file as by hand: its tables have no types, and no checks."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        words = "replace(replace(sql, ' STRICT', ''), ' NOT NULL', '')"
        connection.execute(f"UPDATE sqlite_master SET sql = {words} WHERE type = 'table'")
        connection.execute("PRAGMA writable_schema = RESET")
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement, values)


def keep_two(folder: Path) -> Library:
    library = Library(folder / "library")
    for second in (1, 2):
        blob = (RECORDINGS / "marathon.sky").read_bytes()
        library.add(blob, MARATHON, 34_500, bytes(1024), datetime(2026, 11, 22, 12, 0, second))
    library.measure()
    return Library(library.folder)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a library of two games, to be copied."""
    return keep_two(tmp_path_factory.mktemp("kept")).folder.parent


@pytest.mark.slow
@pytest.mark.parametrize("column", [*database._FORM])
def test_hostile_values_in_games_are_named_and_the_library_is_read_again(
    column: str, kept: Path, tmp_path: Path
) -> None:
    for at, value in enumerate(EVIL):
        library = Library(shutil.copytree(kept, tmp_path / f"{at}") / "library")
        path = library.folder.with_name("games.db")
        try:
            spoil(path, f"UPDATE games SET {column} = ? WHERE rowid = 2", values=(value,))
        except sqlite3.Error:
            continue  # SQLite itself takes no such value
        library = Library(library.folder)
        found = [entry.name for entry in library.entries()]
        assert len(found) == 2 and read_played(library)
        assert library.problem.isprintable() and len(library.problem) < 1000
        if library.problem:
            assert re.search(rf"row -?\d+ of games: {column} is ", library.problem)
            assert [*path.parent.glob("games-damaged-*.db")]


@pytest.mark.parametrize(
    "statement",
    ["ALTER TABLE games DROP COLUMN line", "ALTER TABLE games ADD COLUMN more", "UPDATE folder SET stamp = 'now'"],
)
def test_hostile_columns_are_named_too(statement: str, tmp_path: Path) -> None:
    library = keep_two(tmp_path)
    spoil(library.folder.with_name("games.db"), "DROP INDEX lines", statement)
    library = Library(library.folder)
    assert library.count() == 2
    assert "table games has other columns" in library.problem or "row 1 of folder: stamp is 'now'" in library.problem


def make_arena(path: Path) -> None:
    with Results(path) as results:
        for number in (1, 2):
            row = Row(number, "2026-11-26 12:00:00", "a", "b", number, 0, 60_000, 100, 40, "died", 50, 10, "")
            results.add(row, b"")


@pytest.mark.parametrize("column", Row._fields)
def test_hostile_values_in_an_arena_are_refused_by_row(column: str, tmp_path: Path) -> None:
    make_arena(tmp_path / "first.db")
    refused = 0
    for at, value in enumerate([*EVIL, 7]):
        path = tmp_path / f"{at}.db"
        path.write_bytes((tmp_path / "first.db").read_bytes())
        try:
            spoil(path, f"UPDATE matches SET {column} = ? WHERE rowid = 2", values=(value,))
        except sqlite3.Error:
            continue
        try:
            with Results(path) as results:
                assert all(each.winner in (-1, 0, 1) for each in results.read())
        except Refusal as problem:
            refused += 1
            said = str(problem)
            assert re.search(rf"row -?\d+ of matches: {column} is ", said) and said.isprintable(), said
    assert refused >= (1 if column == "number" else 6)  # SQLite itself guards the key


@pytest.mark.parametrize("word", [b"TABL\x97", b'"AB\nE'])
def test_hostile_words_of_a_schema_are_damage(word: bytes, tmp_path: Path) -> None:
    """SQLite quotes them: some are no text, which Python cannot decode, and some are several lines."""
    make_arena(tmp_path / "bots.db")
    library = keep_two(tmp_path)
    games = library.folder.with_name("games.db")
    for path, table in ((tmp_path / "bots.db", b"matches"), (games, b"games")):
        content = path.read_bytes()
        assert b"CREATE TABLE " + table in content
        path.write_bytes(content.replace(b"CREATE TABLE " + table, b"CREATE " + word + b" " + table))
    with pytest.raises(Refusal, match=r"bots\.db: ") as caught:
        Results(tmp_path / "bots.db")
    library = Library(library.folder)
    assert library.count() == 2
    assert library.problem.isprintable() and str(caught.value).isprintable()
    assert [*games.parent.glob("games-damaged-*.db")]


def test_a_new_database_is_strict(tmp_path: Path) -> None:
    make_arena(tmp_path / "bots.db")
    library = keep_two(tmp_path)
    for path in (tmp_path / "bots.db", library.folder.with_name("games.db")):
        with sqlite3.connect(path) as connection:
            tables = connection.execute("SELECT sql FROM sqlite_master WHERE type = 'table'").fetchall()
        assert all(sql.endswith(STRICT) for (sql,) in tables) and len(tables) == 2


PLAN = Plan(1, 4, 2, 50, 100, 1, 5)._asdict()


@pytest.mark.parametrize(
    "lines",
    [
        ["[" * 100_000],
        [json.dumps({**PLAN, "seed": [1]})],
        [json.dumps({**PLAN, "start": [[1]] * len(PLAN["start"])})],
        [json.dumps(PLAN), "[[[1], [2], [3], [4]], [1]]"],
        [json.dumps(PLAN), json.dumps([[1.0] * 4, [{}] * len(PLAN["start"])])],
        [json.dumps(PLAN), "[" * 100_000],
        [json.dumps({**PLAN, "population": "4"})],
    ],
    ids=range(7),
)
def test_hostile_log_of_a_tuning_is_refused_in_one_line(lines: list[str], tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("\n".join(lines))
    with pytest.raises(ValueError, match="is not a log of this player's weights"):
        Tuning(log, Plan(**PLAN))


def test_hostile_control_characters_are_never_printed(capsys: pytest.CaptureFixture[str]) -> None:
    text = f"a{ESCAPE}b\u202ec\x9bd\te\n"
    spelled = "a\\x1b]0;owned\\x07b\\u202ec\\x9bd\te\n"
    with patch("sys.stdout", io.StringIO()) as printed:
        assert terminal.run(lambda: print(text, end="") or 0) == 0
    terminal.note("sim", text.strip())
    said = capsys.readouterr().err
    terminal.Parser("sim").refuse(text.strip() + "\nmore")
    assert printed.getvalue() == spelled
    assert said == f"sim: {spelled}" and capsys.readouterr().err == f"sim: {spelled.strip()}\\nmore\n"


def test_hostile_size_is_asked_before_a_file_is_read(tmp_path: Path) -> None:
    library = keep_two(tmp_path)
    entry = library.entries()[0]
    with entry.path.open("r+b") as file:
        file.truncate(900 << 20)
    library.ask("UPDATE games SET pieces = NULL RETURNING 1")
    library.measure()
    with pytest.raises(OSError, match="larger than 16 MB"):
        terminal.read(entry.path)
