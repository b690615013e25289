"""Keep every game and match that was played to its end in the simulator: its recording and its last picture.

The name of a file describes its game, so any file browser shows the library. Any file with such a name belongs to it:

    20261122-051530-marathon-34500.sky    when it ended (local time), the variant, the result
    20261122-051530-marathon-34500.png    the last picture
    20261122-062000-versus-1.sky          a match: 1 if the first person here won it, else 0
"""

import re
from dataclasses import dataclass
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path

from firmware.modes.catalogue import read
from firmware.modes.listing import list_choices
from firmware.scenes.menus.scores_result import write_result
from sim.pictures import replace, save_png
from sim.store import find_data_folder

FOLDER = "library"
_NAME = re.compile(r"(\d{8})-(\d{6})-([a-z-]+)-(\d+)(?:-\d+)?")
_MODES = [record for record in read() if record[b"mode"] != b"none"]
_MODES.sort(key=lambda record: int(record[b"mode"].split()[0]))
MODES = {record[b"mode"].split()[1].decode(): record for record in _MODES}
# The modes with a table of scores, and their numbers; any other mode begins only in its own scene.
VARIANTS = {name: int(record[b"mode"].split()[0]) for name, record in MODES.items() if list_choices([record])}
# The modes in the order of their numbers, then a match on this device, then a match with others.
KINDS = (*MODES, "versus", "linked")
VERSUS = KINDS.index("versus")
LINKED = KINDS.index("linked")
_STAMP = "%Y%m%d-%H%M%S"
_SCALE = 2


@dataclass(frozen=True)
class Entry:
    """One game or match.  result: of a game as in its table of scores, 0 for none; of a match 1 if it was won."""

    path: Path
    ended: datetime
    variant: str
    result: int

    @property
    def name(self) -> str:
        """The name of the game on a command line."""
        return self.path.stem

    @property
    def picture(self) -> Path:
        """The path of its picture, which need not exist."""
        return self.path.with_suffix(".png")

    def describe(self) -> str:
        """Return a line about the game."""
        if self.variant not in MODES:
            result = "won" if self.result else "lost"
        elif self.result:
            result = write_result(MODES[self.variant][b"result"], self.result).decode()
        else:
            result = "no result"
        return f"{self.name:45} {self.ended:%d %b %Y %H:%M}  {self.variant:10} {result:>9}"


class Library:
    """A folder of games; the first add() creates it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def entries(self) -> list[Entry]:
        """Return all games, the newest first; ignore files with other names."""
        found = []
        for path in self.folder.glob("*.sky") if self.folder.is_dir() else ():
            match = _NAME.fullmatch(path.stem)
            if match and match[3] in KINDS:
                try:
                    ended = datetime.strptime(f"{match[1]}-{match[2]}", _STAMP)
                except ValueError:
                    continue
                found.append(Entry(path, ended, match[3], int(match[4])))
        return sorted(found, key=lambda entry: (entry.ended, entry.name), reverse=True)

    def search(self, words: list[str]) -> list[Entry]:
        """Return the games whose line has all these words, in upper or lower case."""
        return [entry for entry in self.entries() if all(word.lower() in entry.describe().lower() for word in words)]

    def find(self, key: str) -> Entry | None:
        """Return the game with this name, or with this number in the list, from 1."""
        for number, entry in enumerate(self.entries(), 1):
            if key in (str(number), entry.name):
                return entry
        return None

    def lines(self, found: list[Entry]) -> list[str]:
        """Return a line for each of these games, with its number in the whole list."""
        everything = self.entries()
        return [f"{everything.index(entry) + 1:4}  {entry.describe()}" for entry in found] or ["no games"]

    def add(self, blob: bytes, kind: int, result: int, picture: bytes, ended: datetime) -> Entry:
        """Keep a game with its last picture (1024 bytes); raise OSError if that fails."""
        self.folder.mkdir(parents=True, exist_ok=True)
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
            save_png(entry.picture, picture, _SCALE, "white")
        return entry

    def delete(self, entry: Entry) -> None:
        """Remove a game and its picture; raise OSError if that fails."""
        entry.path.unlink()
        entry.picture.unlink(missing_ok=True)


def open_library(folder: Path | None = None) -> Library:
    """Return the library beside the saves in `folder`, by default in the user's data folder."""
    return Library((folder or find_data_folder()) / FOLDER)
