"""Keep one row for each finished game in an SQLite file, so that years of games are listed and summed up at once.

The file holds what can be computed again from the recordings. Each operation opens and closes it, and writes in one
short transaction, so several simulators can share it. A damaged file is set aside, never deleted.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any, Final, TypeVar

from sim.game_record import FIGURES
from sim.row_check import DAMAGED, DAY, NAME, NULL_OR_WHOLE, STRICT, TEXT, TIME, WHOLE, between, find_damage
from sim.terminal import one_line

Result = TypeVar("Result")
Row = tuple[Any, ...]

_VERSION = 1
_WAIT_S = 5.0  # for another simulator
_ISOLATION: Final = "IMMEDIATE"
_HEAD = ("name", "ended", "day", "variant", "aim", "seed", "options", "result", "line")
_COLUMNS = (*_HEAD, *FIGURES)
_LISTED = "name, ended, variant, result"
_NEWEST = "ended DESC, name DESC"
_LAST = "9999"  # after every year
# What each column may hold.
_FORM = {
    "id": WHOLE,
    "name": NAME,
    "ended": TIME,
    "day": DAY,
    "variant": NAME,
    "aim": WHOLE,
    "seed": WHOLE,
    "options": TEXT,
    "result": WHOLE,
    "line": TEXT,
    "kept": between(0, 1),
    **dict.fromkeys(FIGURES, NULL_OR_WHOLE),
}

# kept: whether the recording is in the library's folder.  line: the text that a search looks at.  pieces and the other
# figures are NULL until the recording was measured.  stamp: the time at which the folder last changed, as known here.
_SCHEMA = f"""
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    ended TEXT NOT NULL,
    day TEXT NOT NULL,
    variant TEXT NOT NULL,
    aim INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    options TEXT NOT NULL,
    result INTEGER NOT NULL,
    line TEXT NOT NULL,
    kept INTEGER NOT NULL DEFAULT 1,
    {", ".join(f"{name} INTEGER" for name in FIGURES)}
) {STRICT};
CREATE INDEX newest ON games (kept, ended, name);
CREATE INDEX lines ON games (kept, ended, name, line, variant, result);
CREATE INDEX progress ON games (variant, aim, day, result, pps, apm, app, kpp, finesse);
CREATE INDEX unmeasured ON games (id) WHERE pieces IS NULL AND kept;
CREATE TABLE folder (stamp INTEGER NOT NULL) {STRICT};
INSERT INTO folder VALUES (0);
PRAGMA user_version = {_VERSION};
"""

# All questions; tests/sim/test_database.py has SQLite explain each.
LIST = f"SELECT {_LISTED} FROM games WHERE kept = 1 ORDER BY {_NEWEST} LIMIT ? OFFSET ?"
SEARCH = f"SELECT {_LISTED} FROM games INDEXED BY lines WHERE kept = 1 AND {{words}} ORDER BY {_NEWEST} LIMIT ?"
WORD = "line LIKE ? ESCAPE '!'"
COUNT = "SELECT count(*) FROM games INDEXED BY newest WHERE kept = 1"
BETWEEN = f"{COUNT} AND (ended, name) < (?, ?) AND (ended, name) >= (?, ?)"
FIND = f"SELECT {_LISTED} FROM games WHERE name = ? AND kept = 1"
FIGURES_OF = f"SELECT seed, aim, options, {', '.join(FIGURES)} FROM games WHERE name = ?"
MODES_PLAYED = "SELECT variant, aim, count(*) FROM games GROUP BY variant, aim"
DAYS = (
    "SELECT day, count(*), min(nullif(result, 0)), max(result), sum(result), count(pps), "
    "sum(pps), sum(apm), sum(app), sum(kpp), sum(finesse) FROM games WHERE variant = ? AND aim = ? "
    "GROUP BY day"
)
UNMEASURED = "SELECT id, name FROM games INDEXED BY unmeasured WHERE pieces IS NULL AND kept"
TABLE = ("name", "ended", "variant", "aim", "seed", "options", "result", *FIGURES, "kept")
EVERYTHING = f"SELECT {', '.join(TABLE)} FROM games ORDER BY id"


class Unusable(OSError):
    """Say in one line why the database cannot be used now; the games themselves are safe in their files."""


class Database:
    """The rows of all finished games, in a file, or without a path in memory.

    lost: a line about a damaged file that was set aside since the last look, or "".
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path or Path(":memory:")
        self.lost = ""
        self._is_sound = not path
        self._memory = None if path else sqlite3.connect(self.path, isolation_level=_ISOLATION)

    def run(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """Return what `work` returns for a connection, in one transaction; raise Unusable if that fails.

        Set a damaged file aside and try again with an empty one.
        """
        try:
            return self._run(work)
        except sqlite3.OperationalError as error:
            raise Unusable(one_line(f"{self.path}: {error}")) from error
        except DAMAGED as error:
            self._set_aside(error)
        try:
            return self._run(work)
        except DAMAGED as error:
            raise Unusable(one_line(f"{self.path}: {error}")) from error

    def _run(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        if self._memory:
            return self._work(self._memory, work)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(self.path, timeout=_WAIT_S, isolation_level=_ISOLATION)) as connection:
            return self._work(connection, work)

    def _work(self, connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], Result]) -> Result:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if not version:
            self._create(connection)
        elif version != _VERSION:
            raise Unusable(f"{self.path} has version {version}, this Skyline knows {_VERSION}; its games stay")
        if not self._is_sound:  # once: anybody may have edited the file, and 100,000 games take a moment
            damage = find_damage(connection, "games", _FORM) or find_damage(connection, "folder", {"stamp": WHOLE})
            if damage:
                raise sqlite3.DatabaseError(damage)
            self._is_sound = True
        with connection:
            return work(connection)

    def _create(self, connection: sqlite3.Connection) -> None:
        """Make the tables, unless another simulator was faster."""
        connection.execute("BEGIN IMMEDIATE")
        if connection.execute("PRAGMA user_version").fetchone()[0]:
            connection.rollback()
            return
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            connection.rollback()
            raise Unusable(f"{self.path} is a database of another program; the games themselves stay")
        for statement in _SCHEMA.split(";"):
            connection.execute(statement)
        connection.commit()

    def _set_aside(self, error: Exception) -> None:
        """Rename a damaged file; raise Unusable if that is impossible."""
        aside = self.path.with_name(f"{self.path.stem}-damaged-{datetime.now():%Y%m%d-%H%M%S-%f}{self.path.suffix}")
        try:
            self.path.rename(aside)
        except FileNotFoundError:  # another simulator has done it
            return
        except OSError as problem:
            raise Unusable(f"{self.path}: {error}; {problem.strerror}") from error
        self.lost = (
            f"{self.path} was damaged ({one_line(str(error))}) and is now {aside.name}; the library was read again"
        )

    # -- writing -----------------------------------------------------------------------------------

    def add(self, rows: Iterable[tuple[object, ...]]) -> None:
        """Add games, or replace those with the same name; a row has the values of _COLUMNS."""
        marks = ", ".join("?" * len(_COLUMNS))
        changes = ", ".join(f"{name} = excluded.{name}" for name in _COLUMNS[1:])
        command = (
            f"INSERT INTO games ({', '.join(_COLUMNS)}) VALUES ({marks}) ON CONFLICT (name) DO UPDATE SET {changes}"
        )
        self.run(lambda connection: connection.executemany(command, rows))

    def delete(self, name: str) -> None:
        self.run(lambda connection: connection.execute("DELETE FROM games WHERE name = ?", (name,)))

    def note_kept(self, names: Iterable[str], kept: bool) -> None:
        """Note whether the recordings of these games are in the folder."""
        command = "UPDATE games SET kept = ? WHERE name = ?"
        self.run(lambda connection: connection.executemany(command, [(int(kept), name) for name in names]))

    def note_figures(self, number: int, figures: tuple[int, ...]) -> None:
        changes = ", ".join(f"{name} = ?" for name in FIGURES)
        self.run(lambda connection: connection.execute(f"UPDATE games SET {changes} WHERE id = ?", (*figures, number)))

    def note_stamp(self, stamp: int) -> None:
        """Note the state of the folder that the rows agree with."""
        self.run(lambda connection: connection.execute("UPDATE folder SET stamp = ?", (stamp,)))

    # -- reading -----------------------------------------------------------------------------------

    def ask(self, question: str, *values: object) -> list[Row]:
        return self.run(lambda connection: connection.execute(question, values).fetchall())

    def search(self, words: list[str], most: int) -> list[Row]:
        """Return number, name, end, variant and result of the newest games whose line has all words."""
        patterns = ["%" + re.sub("[!%_]", r"!\g<0>", word) + "%" for word in words]

        def work(connection: sqlite3.Connection) -> list[Row]:
            found: list[Row] = []
            number, before = 0, (_LAST, "")
            for row in connection.execute(SEARCH.format(words=" AND ".join([WORD] * len(words))), (*patterns, most)):
                here = row[1], row[0]
                number += connection.execute(BETWEEN, (*before, *here)).fetchone()[0]
                before = here
                found.append((number, *row))
            return found

        return self.run(work)

    def read_stamp(self) -> int:
        """Return what note_stamp() noted last."""
        return self.ask("SELECT stamp FROM folder")[0][0]

    def read_names(self) -> dict[str, bool]:
        """Return the names of all games, and whether each one's recording is kept."""
        return {name: bool(kept) for name, kept in self.ask("SELECT name, kept FROM games")}
