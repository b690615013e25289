"""Measure the strong player: what it sends, what it lives through, whom it beats.

That takes hours. A log has a line for what is measured, then one for each game, so that measuring goes on from there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from sim.bots.host import Host
from tools import versus
from tools.bots.answers import Inside
from tools.bots.strong.bot import StrongBot
from tools.bots.strong.preparing import prepare
from tools.spread import Workers

CLEAN_PIECES = 300
GARBAGE_PIECES = 500
GARBAGE = (4, 7)  # rows, after every so many pieces

_KB = 1024
_HERE = Path(__file__).resolve().parent
_SOURCES = ("beam", "bot", "columns", "search", "weights", "worth")


class Budget(NamedTuple):
    """What it has for a piece: CPU time, or so many places to judge instead."""

    think_ms: int = 0
    nodes: int = 0

    def __str__(self) -> str:
        return f"{self.nodes} nodes" if self.nodes else f"{self.think_ms} ms"


class Feat(NamedTuple):
    """What one game came to.

    nodes_a_second: by CPU time, while it thought.  memory_mb: the peak of its process, 0 where nobody tells.
    """

    sent: int
    pieces: int
    t_spins: int
    over: bool
    nodes: int
    nodes_a_second: int
    memory_mb: float


def play(task: tuple[Budget, int, int, tuple[int, int]]) -> Feat:
    """Play one game by the engine's rules: budget, seed, pieces, garbage."""
    budget, seed, pieces, garbage = task
    bot = StrongBot(budget.think_ms / 1000, budget.nodes)
    host = Host(Inside(bot), seed, garbage=garbage)
    host.play(pieces)
    tally = versus.count_game(host.game)
    speed = int(bot.judged / bot.thought_s) if bot.thought_s else 0
    return Feat(host.mode.sent, tally.pieces, tally.t_spins, bool(host.game.over), host.nodes, speed, peak_mb())


def peak_mb() -> float:
    """Return the peak of this process's memory, or 0 where the system does not tell."""
    try:
        import resource
    except ImportError:
        return 0.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _KB


def play_match(task: tuple[Any, ...]) -> float:
    """Play one match; return 1 where it was won, a half for a draw. See `versus.play_match`."""
    return versus.play_match(task)[0].wins


class Games:
    """Play games, but for those that a log has."""

    def __init__(self, workers: Workers, log: Path | None = None) -> None:
        """Go on with a log, or begin one; raise ValueError with one line for one that cannot be used."""
        self.workers = workers
        self.log = log
        self.results: dict[str, Any] = {}
        version = sha256(b"".join((_HERE / f"{name}.py").read_bytes() for name in _SOURCES)).hexdigest()[:16]
        if log and log.exists():
            try:
                first, *rest = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
                known, self.results = first["version"], {json.dumps(task): result for task, result in rest}
            except (ValueError, TypeError, KeyError):
                raise ValueError(f"{log} is not a log of this measuring") from None
            if known != version:
                raise ValueError(f"{log} is of another version of this player: begin a new one")
        elif log:
            log.write_text(json.dumps({"version": version}) + "\n", encoding="utf-8")

    def play(self, work: Callable[[Any], Any], tasks: list[Any]) -> list[Any]:
        """Return what each task gave, in their order."""
        left = [task for task in tasks if json.dumps(task) not in self.results]
        for task, result in zip(left, self.workers.each(work, left), strict=True):
            self.results[json.dumps(task)] = result
            if self.log:
                with self.log.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([task, result]) + "\n")
        return [self.results[json.dumps(task)] for task in tasks]


class Plan(NamedTuple):
    """What is measured: so many games alone, with garbage, and against each other one."""

    seeds: int
    garbage_seeds: int
    games: int
    against: list[int | str]


def rows(budgets: list[Budget], plan: Plan, games: Games) -> Iterator[list[str]]:
    """Yield the rows of the table, the names of the columns first, each when it is done."""
    prepare()
    yield ["a piece", f"lines sent, {plan.seeds} seeds", "T-Spins a 100", f"lived through {GARBAGE_PIECES}", "nodes",
           "nodes a CPU second", "memory", *(f"beat {name_of(other)}" for other in plan.against)]  # fmt: skip
    for budget in budgets:
        clean = play_alone(budget, CLEAN_PIECES, plan.seeds, (0, 0), games)
        hard = play_alone(budget, GARBAGE_PIECES, plan.garbage_seeds, GARBAGE, games)
        pieces = sum(feat.pieces for feat in clean)
        lived = sum(feat.pieces == GARBAGE_PIECES and not feat.over for feat in hard)
        memory_mb = max(feat.memory_mb for feat in clean)
        wins = [count_wins(budget, other, plan.games, games) for other in plan.against]
        yield [
            str(budget),
            f"{sum(feat.sent for feat in clean) / pieces:.3f}",
            f"{100 * sum(feat.t_spins for feat in clean) / pieces:.1f}",
            f"{lived} of {plan.garbage_seeds}",
            f"{sum(feat.nodes for feat in clean) / pieces:.0f}",
            f"{sum(feat.nodes_a_second for feat in clean) / len(clean):.0f}",
            f"{memory_mb:.0f} MB" if memory_mb else "-",
            *(f"{won:g} of {plan.games}" for won in wins),
        ]


def name_of(other: int | str) -> str:
    """Return how the table names another player."""
    return other if isinstance(other, str) else f"level {other}"


def play_alone(budget: Budget, pieces: int, seeds: int, garbage: tuple[int, int], games: Games) -> list[Feat]:
    """Play games alone from so many seeds."""
    tasks = [(budget, seed, pieces, garbage) for seed in range(1, seeds + 1)]
    return [Feat(*feat) for feat in games.play(play, tasks)]


def count_wins(budget: Budget, other: int | str, count: int, games: Games) -> float:
    """Return how many matches it wins, a draw counts half."""
    times = 0, versus.BOT_PACE_MS, budget.think_ms, budget.nodes
    return sum(games.play(play_match, [(versus.STRONG, other, seed, *times) for seed in range(1, count + 1)]))
