"""Keep every game and match that was played to its end in the simulator: its recording and its last picture.

The name of a file describes its game, so any file browser shows the library. Any file with such a name belongs to it:

    20261122-051530-marathon-34500.sky    when it ended (local time), the variant, the result
    20261122-051530-marathon-34500.png    the last picture
    20261122-062000-versus-1.sky          a match: 1 if the first person here won it, else 0

games.db beside the folder has a row for each game (sim/database.py). It is brought up to date when the folder changes.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import astuple, dataclass
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path

from firmware.modes.catalogue import read
from firmware.modes.listing import list_choices
from firmware.scenes.menus.scores_result import write_result
from sim import database, progress, terminal
from sim.database import Database, Row, Unusable
from sim.game_record import FIGURES, NO_FIGURES, Figures, measure_recording, read_head
from sim.ownership import replace
from sim.pictures import save_png
from sim.store import find_data_folder

FOLDER = "library"
DATABASE = "games.db"
_NAME = re.compile(r"(\d{8})-(\d{6})-([a-z-]+)-(\d+)(?:-\d+)?")
_MODES = [record for record in read() if record[b"mode"] != b"none"]
_MODES.sort(key=lambda record: int(record[b"mode"].split()[0]))
MODES = {record[b"mode"].split()[1].decode(): record for record in _MODES}
# The modes with a table of scores, and their numbers; any other mode begins only in its own scene.
VARIANTS = {name: int(record[b"mode"].split()[0]) for name, record in MODES.items() if list_choices([record])}
# By name: the least and the most level of a game.
SPANS = {name: tuple(map(int, MODES[name][b"levels"].split())) for name in VARIANTS}
# The modes in the order of their numbers, then a match on this device, then a match with others.
KINDS = (*MODES, "versus", "linked")
# The modes whose rules have no finesse (firmware/modes/README.md, F.4).
NO_FINESSE = {name for name, record in MODES.items() if record[b"rules"] == b"standard"}
VERSUS = KINDS.index("versus")
LINKED = KINDS.index("linked")
_STAMP = "%Y%m%d-%H%M%S"
PICTURE_SCALE = 2
_ENDED = "%Y-%m-%d %H:%M:%S"
_ALL = -1
SHOWN = 500


@dataclass(frozen=True)
class Entry:
    """One game or match.

    result: of a game as in its table of scores, 0 for none; of a match 1 if it was won.
    number: its place in the list of all games, from 1 for the newest, if that was asked for.
    """

    path: Path
    ended: datetime
    variant: str
    result: int
    number: int = 0

    @property
    def name(self) -> str:
        """The name of the game on a command line."""
        return self.path.stem

    @property
    def picture(self) -> Path:
        """The path of its picture, which need not exist."""
        return self.path.with_suffix(".png")

    @property
    def told(self) -> str:
        """Its result in words."""
        if self.variant not in MODES:
            return "won" if self.result else "lost"
        if self.result:
            return write_result(MODES[self.variant][b"result"], self.result).decode()
        return "no result"

    def describe(self) -> str:
        return f"{self.name:45} {self.ended:%d %b %Y %H:%M}  {self.variant:10} {self.told:>9}"


class Library:
    """A folder of games and its database; the first add() creates them.

    problem: a line about the database if it cannot be used, or "". The games are safe in their files all the same.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.problem = ""
        self._file = Database(folder.with_name(DATABASE))

    # -- reading -----------------------------------------------------------------------------------

    def ask(self, question: str, *values: object) -> list[Row]:
        return self._look(lambda rows: rows.ask(question, *values))

    def _look(self, look: Callable[[Database], list[Row]]) -> list[Row]:
        """Return the result of `look` at the current rows, made from the folder alone if the database fails."""
        if self.folder.is_dir() or self._file.path.exists():
            try:
                self._update(self._file)
                found = look(self._file)
                self.problem = self._file.lost
                return found
            except Unusable as error:
                self.problem = str(error)
        memory = Database(None)
        self._update(memory)
        return look(memory)

    def entries(self, most: int = _ALL) -> list[Entry]:
        """Return the newest games, the newest first; ignore files with other names."""
        rows = self.ask(database.LIST, most, 0)
        return [self._entry(row, number) for number, row in enumerate(rows, 1)]

    def count(self) -> int:
        """Return how many games there are."""
        return int(self.ask(database.COUNT)[0][0])

    def search(self, words: list[str], most: int = _ALL) -> list[Entry]:
        """Return the newest games whose line has all these words, in upper or lower case."""
        if not words:
            return self.entries(most)
        found = self._look(lambda rows: rows.search(words, most))
        return [self._entry(row[1:], row[0]) for row in found]

    def find(self, key: str) -> Entry | None:
        """Return the game with this name, or with this number in the list, from 1."""
        rows = self.ask(database.FIND, key)
        with suppress(ValueError):
            if not rows and terminal.read_whole(key) > 0:
                rows = self.ask(database.LIST, 1, int(key) - 1)
        return self._entry(rows[0]) if rows else None

    def figures(self, entry: Entry) -> Figures | None:
        """Return the figures of play of a game, measured from its recording if nobody has done so; None if damaged."""
        (row,) = self.ask(database.FIGURES_OF, entry.name)
        found = row[-len(FIGURES) :]
        if found[0] is None:
            found = measure_recording(terminal.read(entry.path))
        return Figures(*found) if any(found) else None

    def lines(self, found: list[Entry]) -> list[str]:
        """Return a line for each of these games, with its number in the whole list."""
        return [f"{entry.number:4}  {entry.describe()}" for entry in found]

    def tell_none(self, words: list[str]) -> str:
        """Return why no game was found: there is none yet, or none has all these words."""
        if not self.count():
            return f"no games in {self.folder}: a game is kept there when it ends"
        kinds = ", ".join(kind for kind in KINDS if self.search([kind], 1))
        words = [
            "no game has",
            "all of" * (len(words) > 1),
            " ".join(words),
            f"in its line; there are games of {kinds}",
        ]
        return " ".join(filter(None, words))

    def _entry(self, row: Row, number: int = 0) -> Entry:
        name, ended, variant, result = row
        return Entry(self.folder / f"{name}.sky", datetime.strptime(ended, _ENDED), variant, result, number)

    # -- writing -----------------------------------------------------------------------------------

    def add(
        self, blob: bytes, kind: int, result: int, picture: bytes, ended: datetime, figures: Figures | None = None
    ) -> Entry:
        """Keep a game with its last picture (1024 bytes); raise OSError if that fails.

        If only the database fails, `problem` says so; the next look at the library adds the game to it.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        was = self._read_folder()
        name = f"{ended:{_STAMP}}-{KINDS[kind]}-{result}"
        path = self.folder / f"{name}.sky"
        more = 1
        while path.exists():
            more += 1
            path = self.folder / f"{name}-{more}.sky"
        with replace(path) as file:
            file.write(blob)
        entry = Entry(path, ended, KINDS[kind], result)
        if find_spec("PIL") is not None:
            save_png(entry.picture, picture, PICTURE_SCALE, "white")
        try:
            self._file.add([_make_row(entry, blob, astuple(figures) if figures else None)])
            self._agree(was)
        except Unusable as error:
            self.problem = f"the game is kept, but not yet in the database: {error}"
        return entry

    def has(self, blob: bytes, ended: datetime) -> bool:
        """Return whether the folder has this recording of a game that ended then."""
        return any(terminal.read(path) == blob for path in self.folder.glob(f"{ended:{_STAMP}}-*.sky"))

    def delete(self, entry: Entry) -> None:
        """Remove a game and its picture; raise OSError if that fails."""
        was = self._read_folder()
        entry.path.unlink()
        entry.picture.unlink(missing_ok=True)
        with suppress(Unusable):
            self._file.delete(entry.name)
            self._agree(was)

    def measure(self, follow: Callable[[list[Row]], Iterable[Row]] = list) -> None:
        """Measure the games that were kept without figures; `follow` may show the progress."""
        for number, name in follow(self.ask(database.UNMEASURED)):
            try:
                found = measure_recording(terminal.read(self.folder / f"{name}.sky"))
            except OSError:
                found = NO_FIGURES
            with suppress(Unusable):
                self._file.note_figures(number, found)

    def _agree(self, was: int) -> None:
        """Note that the database knows this change of the folder, unless it lacks an earlier one; raise Unusable."""
        if self._file.read_stamp() == was:
            self._file.note_stamp(self._read_folder())
        self.problem = self._file.lost

    def _read_folder(self) -> int:
        """Return a number that changes with the folder's files; 0 without a folder."""
        try:
            return self.folder.stat().st_mtime_ns
        except OSError:
            return 0

    def _update(self, rows: Database) -> None:
        """Bring the rows up to date with the folder, if that has changed; raise Unusable."""
        stamp = self._read_folder()
        if rows.read_stamp() == stamp:
            return
        found = {entry.name: entry for entry in self._scan()}
        known = rows.read_names()
        fresh = [entry for name, entry in found.items() if name not in known]
        shown = progress.follow(fresh, "reading the library", len(fresh), "games")
        rows.add([_make_row(entry, _read(entry.path)) for entry in shown])
        rows.note_kept((name for name, kept in known.items() if kept and name not in found), False)
        rows.note_kept((name for name, kept in known.items() if not kept and name in found), True)
        rows.note_stamp(stamp)

    def _scan(self) -> Iterator[Entry]:
        """Yield the games in the folder; ignore files with other names."""
        for path in self.folder.glob("*.sky") if self.folder.is_dir() else ():
            match = _NAME.fullmatch(path.stem)
            if match and match[3] in KINDS:
                with suppress(ValueError):
                    yield Entry(path, datetime.strptime(f"{match[1]}-{match[2]}", _STAMP), match[3], int(match[4]))


def _read(path: Path) -> bytes:
    try:
        return terminal.read(path)
    except OSError:
        return b""


def _make_row(entry: Entry, blob: bytes, figures: tuple[int, ...] | None = None) -> Row:
    """Return the row of a game for Database.add(); a damaged recording has neither options nor figures."""
    try:
        seed, aim, options = read_head(blob)
    except (ValueError, IndexError):
        seed, aim, options, figures = 0, 0, "", NO_FIGURES
    ended = entry.ended.strftime(_ENDED)
    head = (entry.name, ended, ended[:10], entry.variant, aim, seed, options, entry.result, entry.describe())
    return (*head, *(figures or (None,) * len(FIGURES)))


def show_games(library: Library, command: str, words: list[str], most: int = SHOWN) -> list[Entry]:
    """Print the newest `most` games that have all words; return them. Print on stderr what is wrong or left out."""
    found = library.search(words, most)
    print("\n".join(library.lines(found) or [library.tell_none(words)]))
    if len(found) == most < library.count():
        terminal.note(command, f"these are the newest {most}; python -m tools.library list --most N lists more")
    if library.problem:
        terminal.note(command, library.problem)
    return found


def open_library(folder: Path | None = None) -> Library:
    """Return the library beside the saves in `folder`, by default in the user's data folder."""
    return Library((folder or find_data_folder()) / FOLDER)
