"""Time our engine against PyPI's tetris-tui, the fastest one in pure Python with SRS, 7-bag, Hold and T-Spins.

Other programs use the same machine, so CPU time counts and both run in turn in short rounds, each first in every other
round. The median of the rounds' ratios counts, not the ratio of two best times from different moments.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tools import interpreters
from tools.markdown import lay_out
from tools.measure.board import thousands
from tools.measure.environment import call, python_with

PEER = "tetris-tui==1.0.0"
ROUNDS = 31
PIECES = 1_000
MOVES = 10_000
IMPORTS = 21

_RACE = "from tools.measure.race import main; main()"
_OURS = "firmware.engine.game, firmware.modes.marathon"
_THEIRS = "terminal_tetris.engine"
_IMPORT = "import time; begun = time.perf_counter(); import {modules}; print(time.perf_counter() - begun)"


@dataclass(frozen=True)
class Contest:
    """One line of the table: our and the peer's time in each round, and the ratio that we must reach."""

    name: str
    rounds: list[tuple[float, float]]
    aim: float

    @property
    def ratio(self) -> float:
        """Return the median over all rounds of the peer's time divided by ours."""
        return median(theirs / ours for ours, theirs in self.rounds)


def compare(rounds: int = ROUNDS) -> list[Contest]:
    """Run both alternately in one process; raise EnvironmentMissing if the peer cannot be installed or a race fails."""
    python = python_with(PEER)
    times: dict[str, list[tuple[float, float]]] = json.loads(_run(python, _RACE, rounds, PIECES, MOVES))
    pieces, moves = thousands(PIECES), thousands(MOVES)
    return [
        Contest(f"{pieces} pieces, the Ghost shown after each action", times["pieces shown"], 2.1),
        Contest(f"{moves} moves, the Ghost shown after each", times["moves shown"], 1.75),
        Contest(f"{pieces} pieces, nobody asked for a Ghost", times["pieces bare"], 1.4),
        Contest(f"{moves} moves, nobody asked for a Ghost", times["moves bare"], 1.4),
        Contest("import, each in a new Python", _time_imports(python), 1.5),
    ]


def _time_imports(python: Path) -> list[tuple[float, float]]:
    """Return the times to import our engine and the peer's, without the first pair, which compiles the bytecode."""
    texts = [_IMPORT.format(modules=modules) for modules in (_OURS, _THEIRS)]
    return [(float(_run(python, texts[0])), float(_run(python, texts[1]))) for _ in range(IMPORTS)][1:]


def _run(python: Path, text: str, *arguments: object) -> str:
    """Run `text` in the peer's environment, with the project last on its path.

    Bytecode is kept in that environment, even if the user forbids it elsewhere: else the compiler would be timed.
    """
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    variables["PYTHONPYCACHEPREFIX"] = str(python.parent.parent / "bytecode")
    command = [str(python), "-c", f"import sys; sys.path.append(sys.argv.pop(1)); {text}", str(interpreters.ROOT)]
    command += map(str, arguments)
    return call(command, "the race failed", cwd=python.parent.parent, env=variables)


def print_contests(contests: list[Contest]) -> bool:
    """Print the table; return whether every aim is reached."""
    rows = []
    for one in contests:
        ours_ms, theirs_ms = (f"{1000 * median(times_s):.1f} ms" for times_s in zip(*one.rounds, strict=True))
        rows.append((one.name, ours_ms, theirs_ms, f"{one.ratio:.2f}", f">= {one.aim:g}"))
    print(lay_out(("CPU time, median of rounds", "ours", PEER, "ratio", "aim"), rows), end="")
    return all(one.ratio >= one.aim for one in contests)
