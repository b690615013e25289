"""Measure the lines that the strong player sends: by the tables of attacks, and by the time that it has."""

import time
from collections.abc import Iterable
from textwrap import fill

from sim.bots.host import Host
from tools.bots.bot_server import InProcessBot
from tools.bots.strong import self_play
from tools.bots.strong.bot import StrongBot
from tools.bots.strong.weights import DEFENCE, find_learned
from tools.bots.tally import average
from tools.markdown import lay_out
from tools.numba_cache import name_machine
from tools.workers import Workers

_FIRST_SEED = 1 << 20  # no tuning has seen these games


def compare_sent(names: list[str], games: int, pieces: int, nodes: int, workers: Workers) -> str:
    """Return a table with the lines sent a piece, for each table of attacks.

    All rows have the same games. The last column is the standard error of the mean.
    """
    learned = [find_learned(name) for name in names]
    tasks = [
        self_play.Setup(each.weights, _FIRST_SEED + game, pieces, nodes, 0, 0, DEFENCE, name, each.patterns)
        for name, each in zip(names, learned, strict=True)
        for game in range(games)
    ]
    sent = [result.sent / pieces for result in workers.map(self_play.play, tasks)]
    rows = [(name, *_average(sent[at * games : (at + 1) * games])) for at, name in enumerate(names)]
    return lay_out(["table of attacks", "lines sent a piece", "error"], rows)


def measure_curve(times_ms: list[int], seeds: list[int], pieces: int) -> Iterable[tuple[str, ...]]:
    """Yield a row for each time to think about a piece: its CPU time, games, pieces, lines sent a piece, error."""
    Host(InProcessBot(StrongBot(0.02)), seeds[0]).play(3)  # loading what was compiled takes time
    for time_ms in times_ms:
        each = []
        start_s = time.process_time()
        for seed in seeds:
            host = Host(InProcessBot(StrongBot(time_ms / 1000)), seed)
            host.play(pieces)
            each.append(host.mode.sent / pieces)
        spent_ms = (time.process_time() - start_s) * 1000 / len(seeds) / pieces
        yield f"{time_ms} ms", f"{spent_ms:.1f}", str(len(seeds)), str(pieces), *_average(each)


def _average(sent: list[float]) -> tuple[str, str]:
    """Return the mean of several games and its standard error, as a table has them."""
    mean, error = average(sent)
    return f"{mean:.3f}", f"{error:.3f}"


def name_conditions(seeds: list[int]) -> str:
    """Return the seeds, the machine and its load."""
    return fill(f"Seeds: {', '.join(map(str, seeds))}. {name_machine()}", 120) + "\n"
