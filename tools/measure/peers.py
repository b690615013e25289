"""Time our engine against PyPI's tetris-tui, the fastest one in pure Python with SRS, 7-bag, Hold and T-Spins."""

import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tools import interpreters
from tools.measure.environment import EnvironmentMissing, python_with

PEER = "tetris-tui==1.0.0"
ROUNDS = 5
PIECES = 10_000
MOVES = 100_000
IMPORTS = 20

_RACE = "from tools.measure.race import main; main()"
_OURS = "firmware.engine.game, firmware.modes.marathon"
_THEIRS = "terminal_tetris.engine"
_IMPORT = "import time; begun = time.perf_counter(); import {modules}; print(time.perf_counter() - begun)"


@dataclass(frozen=True)
class Contest:
    """One line of the table: the best time of each, and how many times as fast we have to be (0: no aim)."""

    name: str
    ours_s: float
    theirs_s: float
    aim: float = 0.0

    @property
    def ratio(self) -> float:
        """Return how many times as fast as the peer we are."""
        return self.theirs_s / self.ours_s


def compare(rounds: int = ROUNDS) -> list[Contest]:
    """Run both, turn and turn about, in one process; raise EnvironmentMissing where the peer cannot be had."""
    python = python_with(PEER)
    times: dict[str, list[tuple[float, float]]] = json.loads(_run(python, _RACE, rounds, PIECES, MOVES))
    best = {name: (min(ours for ours, _ in pairs), min(theirs for _, theirs in pairs)) for name, pairs in times.items()}
    import_times = _time_imports(python)
    pieces, moves = (f"{count:,}".replace(",", " ") for count in (PIECES, MOVES))
    return [
        Contest(f"{pieces} pieces, the Ghost shown after each action", *best["pieces shown"], 2.0),
        Contest(f"{moves} moves, the Ghost shown after each", *best["moves shown"], 1.5),
        Contest("import, each in a new Python", *import_times, 1.0),
        Contest(f"{pieces} pieces, the peer never asked for its Ghost", *best["pieces bare"]),
        Contest(f"{moves} moves, the peer never asked for its Ghost", *best["moves bare"]),
    ]


def _time_imports(python: Path) -> tuple[float, float]:
    """Return the best time to import our engine and the peer's, with bytecode at hand."""
    times: dict[str, list[float]] = {_OURS: [], _THEIRS: []}
    for _ in range(IMPORTS):
        for modules, spans in times.items():
            spans.append(float(_run(python, _IMPORT.format(modules=modules))))
    return min(times[_OURS]), min(times[_THEIRS])


def _run(python: Path, text: str, *arguments: object) -> str:
    """Run `text` in the peer's environment, with the project behind everything else on its path."""
    command = [str(python), "-c", f"import sys; sys.path.append(sys.argv.pop(1)); {text}", str(interpreters.ROOT)]
    command += map(str, arguments)
    done = subprocess.run(command, cwd=tempfile.gettempdir(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise EnvironmentMissing(f"the race failed: {done.stderr.strip().splitlines()[-1]}")
    return done.stdout


def print_contests(contests: list[Contest]) -> bool:
    """Print the table; return whether every aim is reached."""
    width = max(len(contest.name) for contest in contests)
    print(f"| {'best of rounds':<{width}} |       ours | {PEER:>17} | ratio | aim    |")
    print(f"| {'-' * width} | ---------: | ----------------: | ----: | :----- |")
    for one in contests:
        ours, theirs = (f"{1000 * span:.1f} ms" for span in (one.ours_s, one.theirs_s))
        aim = f">= {one.aim:g}" if one.aim else ""
        print(f"| {one.name:<{width}} | {ours:>10} | {theirs:>17} | {one.ratio:>5.2f} | {aim:<6} |")
    return all(one.ratio >= one.aim for one in contests)
