"""Count the lines that a Lock Down sends by a table of attacks: the guideline's, TETR.IO's, Botris's or one of a file.

tools/bots/README.md describes the files, and cites the sources of those in tables/.
"""

import json
import math
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from firmware.engine import events, scoring
from firmware.engine.game import Game
from firmware.match.attack import count_lines
from sim import terminal

GUIDELINE = "guideline"

_TABLES = Path(__file__).with_name("tables")
_SPINS = ("none", "mini", "full")
_LINES = 5
_LONGEST = 31  # Back-to-Backs or combos in a row; longer ones send as much
_MOST = 100
_NUMBERS = ("back_to_back", "back_to_back_log", "combo_times", "combo_least", "all_clear")
_KEYS = ("lines", "combo", "all_clear_alone", *_NUMBERS)


Sent = tuple[tuple[tuple[tuple[int, ...], ...], ...], ...]


class Attacks(NamedTuple):
    """A table of attacks.

    name: of a known table, or the path of a file.  sent: by spin, lines, Back-to-Backs in a row before, and Line Clears
    in a row before; the last entry counts for more.  all_clear: for an empty Matrix.  alone: instead of the rest.
    """

    name: str
    sent: Sent
    all_clear: int = 0
    alone: bool = False

    def count_lines(self, spin: int, lines: int, chain: int, combo: int, empty: bool) -> int:
        """Return the lines sent.

        chain: Back-to-Backs in a row, this one included; 0 if it is none.  combo: Line Clears in a row before.
        """
        if not lines:
            return 0
        chains = self.sent[spin][lines]
        combos = chains[min(chain, len(chains) - 1)]
        sent = combos[min(combo, len(combos) - 1)]
        if empty and self.all_clear:
            return self.all_clear if self.alone else sent + self.all_clear
        return sent

    def count_lock_down(self, game: Game) -> int:
        """Return the lines that a game's last Lock Down sends; call it in the Completion Phase."""
        lines = game.cleared
        if not lines:
            return 0
        chain = game.chain - 1 if game.action & events.BACK_TO_BACK else 0
        return self.count_lines(game.spun, lines, chain, game.statistics.combo, not game.matrix.top)


def list_names() -> list[str]:
    return [GUIDELINE, *sorted(path.stem for path in _TABLES.glob("*.json"))]


@cache
def find_attacks(name: str) -> Attacks:
    """Return a known table, or that of a file; raise ValueError with one line."""
    if name == GUIDELINE:
        return _expand_guideline()
    path = _TABLES / f"{name}.json" if name in list_names() else Path(name)
    try:
        text = terminal.read_text(path)
    except (OSError, ValueError) as problem:
        if path.suffix != ".json" and not path.exists():
            raise ValueError(terminal.tell_unknown(name, [*list_names(), "a FILE"], "table")) from None
        raise ValueError(f"cannot read {name}: {getattr(problem, 'strerror', '') or 'it is not text'}") from None
    try:
        table = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(f"{name} is not JSON") from None
    try:
        return _read_table(name, table)
    except ValueError as problem:
        raise ValueError(f"{name}: {problem}") from None


def _tabulate(count: Callable[[int, int, int, int], int], chains: int, combos: int) -> Sent:
    """Return the lines sent by spin, lines, Back-to-Backs in a row and Line Clears in a row."""
    return tuple(
        tuple(
            tuple(tuple(count(spin, lines, chain, combo) for combo in range(combos)) for chain in range(chains))
            for lines in range(_LINES)
        )
        for spin in range(3)
    )


def _expand_guideline() -> Attacks:
    def count(spin: int, lines: int, chain: int, _combo: int) -> int:
        return count_lines(spin, lines, chain and scoring.qualifies(spin, lines))

    return Attacks(GUIDELINE, _tabulate(count, 2, 1))


def _read_table(name: str, table: Any) -> Attacks:
    """Return the table of a file's content; raise ValueError."""
    if not isinstance(table, dict) or not isinstance(table.get("lines"), dict):
        raise ValueError(f"it has no object `lines` with {', '.join(_SPINS)}")
    for key in table:
        if key not in _KEYS:
            raise ValueError(f"{ascii(key)[:60]} is unknown; known are {', '.join(_KEYS)}")
    lines = {}
    for spin in _SPINS:
        lines[spin] = _read_numbers(f"lines of {spin}", table["lines"].get(spin))
        if len(lines[spin]) != _LINES:
            raise ValueError(f"lines of {spin} needs {_LINES} numbers, for 0 to 4 lines")
    combo = _read_numbers("combo", table.get("combo", [0]))
    numbers = _read_numbers(", ".join(_NUMBERS), [table.get(key, 0) for key in _NUMBERS])
    number = dict(zip(_NUMBERS, numbers, strict=True))
    alone = table.get("all_clear_alone", False)
    if type(alone) is not bool:
        raise ValueError("all_clear_alone is true or false")
    chains = _LONGEST if number["back_to_back_log"] else 1
    combos = _LONGEST if number["combo_times"] or number["combo_least"] else len(combo) - 1

    def count(spin: int, cleared: int, chain: int, before: int) -> int:
        if not cleared:
            return 0
        sent = lines[_SPINS[spin]][cleared]
        if chain and scoring.qualifies(spin, cleared):
            sent += number["back_to_back"] * _grow(number["back_to_back_log"], chain)
        sent *= 1 + number["combo_times"] * before
        if before > 1:
            sent = max(sent, math.log1p(number["combo_least"] * before))
        return math.floor(sent + combo[min(before, len(combo) - 1)] + 1e-9)

    return Attacks(name, _tabulate(count, chains + 1, combos + 1), math.floor(number["all_clear"]), alone)


def _grow(log: float, chain: int) -> float:
    """Return the factor of the bonus for the `chain`-th Back-to-Back in a row."""
    if not log:
        return 1
    steps = math.log1p(log * chain)
    return math.floor(1 + steps) + (0 if chain == 1 else (1 + steps % 1) / 3)


def _read_numbers(what: str, values: Any) -> Sequence[float]:
    """Return a list of numbers; raise ValueError."""
    if not isinstance(values, list) or not 0 < len(values) <= _LONGEST + 1:
        raise ValueError(f"{what} needs a list of 1 to {_LONGEST + 1} numbers")
    if any(type(value) not in (int, float) or not 0 <= value <= _MOST for value in values):
        raise ValueError(f"{what} needs numbers from 0 to {_MOST}")
    return values
