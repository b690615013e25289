"""Keep the matches of an arena in an SQLite file, and their recordings in a folder beside it.

Each match is one row, added in one transaction after it has ended. All else is computed from the rows: ratings, the
schedule, the page. So a killed arena loses only matches in play, and plays those again.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple

from sim.game_record import is_recording
from sim.ownership import check_folder, output, refuse_link, remove_below
from sim.row_check import DAMAGED, NAME, STRICT, TEXT, TIME, WHOLE, between, find_damage
from sim.terminal import Refusal, one_line, writing
from tools.bots.arena.competitors import Competitor, Conditions, Plan, define

_APPLICATION = 0x534B5941  # "SKYA" in the file's head
_VERSION = 1
_KEPT = 10_000  # recordings
_CONDITIONS = ""  # the name of no competitor
# What each column may hold; the conditions have the empty name.
_SIDE = {"pieces": WHOLE, "sent": WHOLE, "fault": TEXT}
_FORMS = {
    "bots": {"name": TEXT, "definition": TEXT},
    "matches": {
        "number": WHOLE,
        "ended": TIME,
        "one": NAME,
        "two": NAME,
        "seed": WHOLE,
        "winner": between(-1, 1),
        "time_ms": WHOLE,
        **{f"{name}_{side}": rule for side in ("one", "two") for name, rule in _SIDE.items()},
    },
}
_SCHEMA = f"""
CREATE TABLE bots (name TEXT PRIMARY KEY, definition TEXT NOT NULL) {STRICT};
CREATE TABLE matches (
    number INTEGER PRIMARY KEY,
    ended TEXT NOT NULL,
    one TEXT NOT NULL REFERENCES bots,
    two TEXT NOT NULL REFERENCES bots,
    seed INTEGER NOT NULL,
    winner INTEGER NOT NULL,
    time_ms INTEGER NOT NULL,
    pieces_one INTEGER NOT NULL, sent_one INTEGER NOT NULL, fault_one TEXT NOT NULL,
    pieces_two INTEGER NOT NULL, sent_two INTEGER NOT NULL, fault_two TEXT NOT NULL,
    UNIQUE (one, two, seed)
) {STRICT};
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {_VERSION};
"""


class Row(NamedTuple):
    """One match.

    ended: local time.  one, two: who had the first and the second seat.  winner: 0 for the first, 1 for the second, -1
    for nobody.  fault_one, fault_two: "", or in what a bot failed.
    """

    number: int
    ended: str
    one: str
    two: str
    seed: int
    winner: int
    time_ms: int
    pieces_one: int
    sent_one: int
    fault_one: str
    pieces_two: int
    sent_two: int
    fault_two: str

    def list_faults(self) -> list[tuple[str, str]]:
        return [(name, fault) for name, fault in ((self.one, self.fault_one), (self.two, self.fault_two)) if fault]


class Results(AbstractContextManager["Results"]):
    """The results in the file `path`, opened for as long as the context lasts."""

    def __init__(self, path: Path) -> None:
        """Open the file or make it; raise Refusal for one that is damaged or no arena's."""
        self.path = path
        self.folder = path.with_name(f"{path.stem}-matches")
        refuse_link(path)
        check_folder(self.folder)
        with self._asking():
            self._connection = sqlite3.connect(path, isolation_level=None)
            self._check()

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Turn what SQLite says into a Refusal."""
        try:
            yield
        except sqlite3.IntegrityError:
            raise Refusal(f"another arena plays with {self.path}") from None
        except DAMAGED as problem:
            raise Refusal(one_line(f"{self.path}: {problem}")) from None

    def _check(self) -> None:
        ask = self._connection.execute
        application, version, tables = (
            ask(question).fetchone()[0]
            for question in ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master")
        )
        if not tables and not application:
            self._connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
        elif application != _APPLICATION:
            raise Refusal(f"{self.path} is not the database of an arena")
        elif version != _VERSION:
            raise Refusal(f"{self.path} has version {version}, this Skyline knows {_VERSION}")
        elif (found := ask("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise Refusal(f"{self.path} is damaged: {found.splitlines()[0]}")
        for table, form in _FORMS.items():
            if damage := find_damage(self._connection, table, form):
                raise Refusal(f"{self.path} is damaged: {damage}; mend this row, or rename the file to begin anew")

    def enrol(self, plan: Plan) -> None:
        """Add new competitors; raise Refusal for one whose definition, or for conditions that have changed."""
        entries: dict[str, Conditions | Competitor] = {_CONDITIONS: plan.conditions, **plan.bots}
        with self._asking(), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            known = dict(self._connection.execute("SELECT name, definition FROM bots"))
            for name, entry in entries.items():
                if known.setdefault(name, define(entry)) != define(entry):
                    what = f"{name} has changed: give it a new name"
                    what = what if name else "the conditions have changed: rename FILE"
                    raise Refusal(f"{what}, or change it back; {self.path} has its results")
            self._connection.executemany("INSERT OR IGNORE INTO bots VALUES (?, ?)", known.items())

    def read(self) -> list[Row]:
        with self._asking():
            return [Row(*row) for row in self._connection.execute("SELECT * FROM matches ORDER BY number")]

    def add(self, row: Row, recording: bytes) -> None:
        """Add a match, and its recording unless that is empty; raise Refusal if that fails."""
        with self._asking(), self._connection, writing(self.folder):
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute(f"INSERT INTO matches VALUES ({', '.join('?' * len(row))})", row)
            if recording:
                self.folder.mkdir(exist_ok=True)
                with output(self.find_recording(row.number), is_recording) as file:
                    file.write(recording)
            remove_below(self.folder, self.find_recording(row.number - _KEPT).name)

    def find_recording(self, number: int) -> Path:
        """Return the path of a match's recording, which may be missing."""
        return self.folder / f"{number:06}.sky"
