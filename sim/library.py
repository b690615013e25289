"""Keep every game and match that was played to its end in the simulator: its recording, and a picture of how it ended.

An entry is a file named after what it holds, so that any file browser shows the library and any file put there that is
named alike belongs to it:

    20261122-051530-marathon-34500.sky    when it ended (local time), the variant, the result
    20261122-051530-marathon-34500.png    the last picture
    20261122-062000-versus-1.sky          a match: 1 where the first person here won it, else 0
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

FOLDER = "library"
_NAME = re.compile(r"(\d{8})-(\d{6})-([a-z-]+)-(\d+)(?:-\d+)?")
_MODES = sorted(
    (record for record in read() if record[b"mode"] != b"none"), key=lambda record: int(record[b"mode"].split()[0])
)
MODES = {record[b"mode"].split()[1].decode(): record for record in _MODES}
# Those with a table of scores, by their numbers; the rest only its own scene begins.
VARIANTS = {name: int(record[b"mode"].split()[0]) for name, record in MODES.items() if list_choices([record])}
# The modes by their numbers, and behind them a match on this device, and one with others.
KINDS = (*MODES, "versus", "linked")
VERSUS = KINDS.index("versus")
LINKED = KINDS.index("linked")
_STAMP = "%Y%m%d-%H%M%S"
_SCALE = 2


@dataclass(frozen=True)
class Entry:
    """One game or match.  result: as its table of scores ranks it, 0 for none; of a match whether it was won."""

    path: Path
    ended: datetime
    variant: str
    result: int

    @property
    def name(self) -> str:
        """Its name on a command line."""
        return self.path.stem

    @property
    def picture(self) -> Path:
        """Where its picture is, if it has one."""
        return self.path.with_suffix(".png")

    def told(self) -> str:
        """Return a line about it."""
        if self.variant not in MODES:
            result = "won" if self.result else "lost"
        elif self.result:
            result = write_result(MODES[self.variant][b"result"], self.result).decode()
        else:
            result = "no result"
        return f"{self.name:45} {self.ended:%d %b %Y %H:%M}  {self.variant:10} {result:>9}"


class Library:
    """A folder of games; it is made by the first one that is added."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def entries(self) -> list[Entry]:
        """Return all games, the newest first; what is named otherwise is left out."""
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
        """Return the games whose line has all these words, in whatever case."""
        return [entry for entry in self.entries() if all(word.lower() in entry.told().lower() for word in words)]

    def find(self, key: str) -> Entry | None:
        """Return the game that has a number in the list, from 1, or a name."""
        for number, entry in enumerate(self.entries(), 1):
            if key in (str(number), entry.name):
                return entry
        return None

    def lines(self, found: list[Entry]) -> list[str]:
        """Return a line for each of these games, with its number among all."""
        everything = self.entries()
        return [f"{everything.index(entry) + 1:4}  {entry.told()}" for entry in found] or ["no games"]

    def add(self, blob: bytes, kind: int, result: int, picture: bytes, ended: datetime) -> Entry:
        """Keep a game with its last picture (1024 bytes); raise OSError where that cannot be done."""
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
        """Remove a game and its picture; raise OSError where that cannot be done."""
        entry.path.unlink()
        entry.picture.unlink(missing_ok=True)


def open_library(folder: Path | None = None) -> Library:
    """Return the library beside the saves in `folder`, by default in the user's data folder (see platformdirs)."""
    if folder is None:
        from platformdirs import user_data_path

        folder = user_data_path("skyline", appauthor=False)
    return Library(folder / FOLDER)
