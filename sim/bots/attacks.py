"""Count the lines that a Lock Down sends by a table of attacks: the handheld's, TETR.IO's, Botris's or one of a file.

tools/bots/README.md describes the files, and cites the sources of those in tables/.
"""

import math
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from firmware.engine.game import Game
from firmware.match import tables
from firmware.match.combos import ALL_CLEAR, ALONE, LAST, LISTS, count_all
from firmware.match.options import BACK_TO_BACK, CUSTOM, CUSTOM_COUNTS, SPINS
from sim import terminal

if TYPE_CHECKING:
    from firmware.contracts import Blob

_HANDHELD = Path(tables.__file__).with_name("attacks.txt")
_TABLES = Path(__file__).with_name("tables")
_CUSTOM = "custom-"
_CHOICES = math.prod(CUSTOM_COUNTS)
_PLAIN = bytes(len(CUSTOM_COUNTS))
_SPINS = ("none", "mini", "full")
_SINGLE = ("table", "times", "all-clear", "alone")
_LINES = 5
_LONGEST = 32  # numbers of a list
_MOST = 100
_MOST_GROWN = 100_000
_WORDS = {
    **dict.fromkeys(_SPINS, r"\d+(\+\d+)?"),
    **dict.fromkeys(("combo", "least", "grow", "times", "all-clear", "alone"), r"\d+"),
    "table": r"\S+",
}


Sent = tuple[tuple[tuple[tuple[int, ...], ...], ...], ...]


class Attacks(NamedTuple):
    """A table of attacks.

    name: of a known table, or the path of a file.  numbers: as firmware/match/attack.py and combos.py describe them.
    kept: a bit for each spin * 4 + lines - 1 that can be Back-to-Back.  spins: the option that counts as a spin what
    a match of this name does.
    """

    name: str
    numbers: tuple[int, ...]
    kept: int
    spins: int

    @property
    def all_clear(self) -> int:
        return self.numbers[ALL_CLEAR]

    @property
    def alone(self) -> bool:
        """Return whether an all-clear sends nothing else."""
        return bool(self.all_clear and self.numbers[ALONE])

    def count_lines(self, spin: int, lines: int, chain: int, combo: int, empty: bool) -> int:
        """Return the lines sent.

        chain: Back-to-Backs in a row, this one included; 0 if it is none.  combo: Line Clears in a row before.
        """
        return count_all(self.numbers, spin, lines, chain, combo, empty) if lines else 0

    def follow_chain(self, spin: int, lines: int, chain: int) -> int:
        """Return the length of the Back-to-Back sequence after a Lock Down, by this table."""
        if not lines:
            return chain
        return chain + 1 if self.kept >> spin * 4 + lines - 1 & 1 else 0

    def count_lock_down(self, game: Game, chain: int) -> int:
        """Return the lines that a game's last Lock Down sends; call it in the Completion Phase.

        chain: as `follow_chain` returned it for the Lock Down before.
        """
        return self.count_lines(game.spun, game.cleared, chain, game.statistics.combo, not game.matrix.top)

    def expand(self) -> Sent:
        """Return the lines sent, without an all-clear's, by spin, lines, Back-to-Backs and Line Clears in a row.

        The last entry counts for more in a row.
        """
        numbers = self.numbers
        combos = numbers[LAST]
        chains = len(numbers) - LISTS - 2 * (combos + 1)
        return tuple(
            tuple(
                tuple(
                    tuple(self.count_lines(spin, lines, chain, combo, False) for combo in range(combos + 1))
                    for chain in range(chains + 1)
                )
                for lines in range(_LINES)
            )
            for spin in range(len(_SPINS))
        )


def _list_handheld() -> list[str]:
    names = re.findall(r"^table: (\S+)", _HANDHELD.read_text(encoding="utf-8"), re.MULTILINE)
    return names[:CUSTOM]  # the last is no table of its own


def name_rules(rules: int) -> str:
    """Return the name of the table of a match, by its option `rules`."""
    return _list_handheld()[rules] if rules < CUSTOM else f"{_CUSTOM}{rules - CUSTOM}"


def find_rules(name: str) -> int:
    """Return the option `rules` of a match whose table has a name; raise ValueError with one line."""
    names = [name_rules(rules) for rules in range(CUSTOM)]
    if name in names:
        return names.index(name)
    number = name.removeprefix(_CUSTOM)
    if number == name or not re.fullmatch(r"\d{1,4}", number, re.ASCII) or int(number) >= _CHOICES:
        raise ValueError(
            f"there are no rules {name!r}; known are {', '.join(names)} and {_CUSTOM}0 to {_CUSTOM}{_CHOICES - 1}"
        )
    return CUSTOM + int(number)


def list_names() -> list[str]:
    return [*_list_handheld(), *sorted(path.stem for path in _TABLES.glob("*.txt"))]


GUIDELINE = name_rules(tables.GUIDELINE)


@cache
def find_attacks(name: str) -> Attacks:
    """Return a known table, or that of a file; raise ValueError with one line."""
    if name in _list_handheld() or name.startswith(_CUSTOM) and not Path(name).exists():
        rules = find_rules(name)
        text = _HANDHELD.read_text(encoding="utf-8").split("\n\n")[min(rules, CUSTOM)]
        return _parse(name, text, tables.split(rules) if rules else _PLAIN)
    path = _TABLES / f"{name}.txt" if name in list_names() else Path(name)
    try:
        text = terminal.read_text(path)
    except (OSError, ValueError) as problem:
        if not path.suffix and not path.exists():
            raise ValueError(terminal.tell_unknown(name, [*list_names(), "a FILE"], "table")) from None
        raise ValueError(f"cannot read {name}: {getattr(problem, 'strerror', '') or 'it is not text'}") from None
    if text.lstrip().startswith("{"):
        raise ValueError(f"{name} is JSON, the form of older versions; tools/bots/README.md has today's")
    try:
        return _parse(name, _check(text))
    except ValueError as problem:
        raise ValueError(f"{name}: {problem}") from None


def _parse(name: str, text: str, chosen: "Blob" = _PLAIN) -> Attacks:
    """Return the table of a paragraph; chosen: the rules of the match, as of CUSTOM."""
    blob = ("\n" + text).encode()
    values = [value for spin in _SPINS for value in tables.find(blob, spin.encode(), chosen[BACK_TO_BACK])]
    kept = sum((b"+" in value) << at for at, value in enumerate(values))
    return Attacks(name, tuple(tables.parse(blob, chosen)), kept, chosen[SPINS])


def _check(text: str) -> str:
    """Return the lines of a file's table, without comments and blank lines; raise ValueError for another text."""
    lines = [line for line in map(str.strip, text.splitlines()) if line and not line.startswith("#")]
    found = set()
    for line in lines:
        word, colon, rest = line.partition(": ")
        if not colon or word not in _WORDS:
            raise ValueError(f"{ascii(word)[:60]} is unknown; known are {', '.join(_WORDS)}")
        if word in found:
            raise ValueError(f"{word} is there twice")
        found.add(word)
        values = rest.split()
        least, most, told = _count_values(word)
        if not least <= len(values) <= most or not all(re.fullmatch(_WORDS[word], each, re.ASCII) for each in values):
            raise ValueError(f"{word} needs {told}")
        largest = _MOST_GROWN if word == "grow" else _MOST
        if word != "table" and any(int(number) > largest for number in re.findall(r"\d{1,9}", rest)):
            raise ValueError(f"{word} needs numbers from 0 to {largest}")
    for spin in _SPINS:
        if spin not in found:
            raise ValueError(f"it has no line `{spin}: `")
    return "\n".join(lines)


def _count_values(word: str) -> tuple[int, int, str]:
    """Return the least and the most values of a word, and what it needs in words."""
    if word in _SPINS:
        return 4, 4, "four numbers, for 1 to 4 lines; 4+1 sends one more in a Back-to-Back"
    if word in _SINGLE:
        return 1, 1, "a name" if word == "table" else "one number"
    return 1, _LONGEST, f"1 to {_LONGEST} numbers"
