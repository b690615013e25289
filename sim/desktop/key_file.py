"""Keep the player's keys in a file that can be edited."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from firmware.device.wiring import NONE
from sim import terminal
from sim.desktop import control_file
from sim.desktop.control_file import MapError
from sim.desktop.keyboard import ALONE, CONTROLS, LABELS, TOGETHER, Keys, Table
from sim.ownership import check_file, output

_ALONE = "alone"
_PLAYERS = [f"player {number}" for number in range(1, 1 + len(TOGETHER))]
USUAL: Mapping[str, Table] = {_ALONE: ALONE, **dict(zip(_PLAYERS, TOGETHER, strict=True))}
_HEAD = """\
# Which key of a PC is which control of the handheld, as `python -m sim` reads it from
# {path}
# OPTIONS > BUTTONS writes it. What is not named here is as it was. [alone] is for one player, [player 1] to [player 4]
# for several at one keyboard. Controls: {controls}.
# target is the 180-degree turn, the Target Mark in a match, and REWIND in Zen.
# A key is a place, named by what a US keyboard has there: {names}.
"""


def find_path() -> Path:
    """Return the path of the player's own file, which need not exist."""
    return control_file.config_path("keys.ini")


def read(path: Path) -> dict[str, Table]:
    """Return the tables of all sections; raise OSError, or MapError for an invalid file."""
    tables = {section: dict(table) for section, table in USUAL.items()}
    owners: dict[str, int] = {}
    for number, section, key, control in control_file.read(path, list(USUAL), LABELS, CONTROLS, "key"):
        if control is not None and section != _ALONE:
            if key in owners:
                words = f"{key} is another player's in line {owners[key]}; one of them needs {key} = {NONE}"
                raise MapError(terminal.tell_line(path, number, words))
            owners[key] = number
            for other in _PLAYERS:
                tables[other].pop(key, None)
        tables[section].pop(key, None)  # so that it comes last, as the player's keys do in the window
        if control is not None:
            tables[section][key] = control
    return tables


def check(path: Path) -> None:
    """Refuse a path that the keys cannot be written to; of a file without keys its first wrong line is told."""
    check_file(path, ours=lambda _content: True)
    if path.is_file():
        with contextlib.suppress(OSError):  # told when it is read
            read(path)


def write(tables: Mapping[str, Table], path: Path) -> str:
    """Return the text of a keys.ini with these tables; its head names `path`."""
    sections: dict[str, dict[str, int | None]] = {}
    for section, table in tables.items():
        sections[section] = dict.fromkeys(key for key in USUAL[section] if key not in table) | dict(table)
    words = " ".join((*CONTROLS, NONE))
    head = terminal.name_commands(_HEAD).format(path=path, controls=words, names=" ".join(LABELS))
    return control_file.write(sections, CONTROLS, head)


def is_ours(content: bytes) -> bool:
    """Return whether a file has keys: OPTIONS > BUTTONS may replace it."""
    try:
        lines = terminal.decode(content).lower().splitlines()
    except UnicodeDecodeError:
        return False
    return any(line.partition("#")[0].strip() in (f"[{section}]" for section in USUAL) for line in lines)


class KeptKeys:
    """Give the window its Keys, and write them to a file after each change.

    problem: why they could not be written, in one line, or "".  tell: called with each problem.
    """

    def __init__(
        self,
        tables: Mapping[str, Table],
        players: int,
        path: Path,
        tell: Callable[[str], None] = lambda problem: None,
    ) -> None:
        self._tables = dict(tables)
        self._sections: Sequence[str] = [_ALONE] if players == 1 else _PLAYERS[:players]
        self._path = path
        self.problem = ""
        self._tell = tell
        self.keys = Keys(self._tables[section] for section in self._sections)
        self.keys.changed.append(self.keep)

    def keep(self) -> None:
        """Write the file; remember a problem, and tell it."""
        self.problem = ""
        self._tables |= dict(zip(self._sections, self.keys.tables, strict=True))
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with output(self._path, is_ours) as file:
                file.write(write(self._tables, self._path).encode())
        except OSError as error:
            self.problem = f"cannot keep the keys in {self._path}: {error.strerror or error}"
        except terminal.Refusal as refusal:
            self.problem = f"cannot keep the keys: {refusal}"
        if self.problem:
            self._tell(self.problem)
