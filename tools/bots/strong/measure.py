"""Measure the strong player: what it sends, what it lives through, whom it beats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tools import versus
from tools.bots.answers import Inside
from tools.bots.host import Host
from tools.bots.strong.bot import StrongBot
from tools.bots.strong.preparing import prepare
from tools.spread import Workers

CLEAN_PIECES = 300
GARBAGE_PIECES = 500
GARBAGE = (4, 7)  # rows, after every so many pieces

_KB = 1024


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


def rows(
    budgets: list[Budget], seeds: int, garbage_seeds: int, games: int, against: list[int | str], workers: Workers
) -> Iterator[list[str]]:
    """Yield the rows of the table, the names of the columns first, each when it is done."""
    prepare()
    beaten = [f"beat {name if isinstance(name, str) else f'level {name}'}" for name in against if games]
    yield ["a piece", "lines sent", "T-Spins a 100", f"lived through {GARBAGE_PIECES}", "nodes", "nodes a CPU second",
           "memory", *beaten]  # fmt: skip
    for budget in budgets:
        clean = workers.map(play, [(budget, seed, CLEAN_PIECES, (0, 0)) for seed in range(1, seeds + 1)])
        hard = workers.map(play, [(budget, seed, GARBAGE_PIECES, GARBAGE) for seed in range(1, garbage_seeds + 1)])
        pieces = sum(feat.pieces for feat in clean)
        lived = sum(feat.pieces == GARBAGE_PIECES and not feat.over for feat in hard)
        memory_mb = max(feat.memory_mb for feat in clean)
        wins = [count_wins(budget, other, games, workers) for other in against if games]
        yield [
            str(budget),
            f"{sum(feat.sent for feat in clean) / pieces:.3f}",
            f"{100 * sum(feat.t_spins for feat in clean) / pieces:.1f}",
            f"{lived} of {garbage_seeds}",
            f"{sum(feat.nodes for feat in clean) / pieces:.0f}",
            f"{sum(feat.nodes_a_second for feat in clean) / seeds:.0f}",
            f"{memory_mb:.0f} MB" if memory_mb else "-",
            *(f"{won:g} of {games}" for won in wins),
        ]


def count_wins(budget: Budget, other: int | str, games: int, workers: Workers) -> float:
    """Return how many matches it wins, a draw counts half."""
    times = 0, versus.BOT_PACE_MS, budget.think_ms, budget.nodes
    tasks = [(versus.STRONG, other, seed, *times) for seed in range(1, games + 1)]
    return versus.total(workers.map(versus.play_match, tasks))[0].wins
