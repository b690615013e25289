"""Print what the proof costs beside what it may: one process on two cores, once everything is compiled."""

import resource
import sys
import time
from collections.abc import Callable
from typing import Any

from tools.clear_a_line import small, strategy
from tools.clear_a_line.checker import Replay, read_small
from tools.clear_a_line.search import NEVER, Solver

COLUMNS = (4, 6, 8, 10)


def timed(work: Callable[[], Any]) -> tuple[str, Any]:
    """Return the time some work took, by the clock and of both processors, and what it returned."""
    begun, spent = time.monotonic(), time.process_time()
    found = work()
    return f"{time.monotonic() - begun:.1f} s ({time.process_time() - spent:.1f} s)", found


def peak_mb() -> float:
    """Return the most memory this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def optimal() -> tuple[bool, bool, bool]:
    """Return whether 12 pieces are enough, whether 11 are, and whether five rows are."""
    solver = Solver()
    twelve, eleven = solver.wins(12), solver.wins(11)
    return twelve, eleven, Solver(5, tables=solver.tables).wins(NEVER)


def needed(columns: int) -> tuple[int, int, int]:
    """Return (columns, rows needed, pieces)."""
    tables = None
    for rows in range(1, 7):
        solver = Solver(rows, columns, tables=tables)
        tables = solver.tables
        pieces = solver.fewest()
        if pieces is not None:
            return columns, rows, pieces
    raise ValueError(f"{columns} columns need more than six rows")


def table() -> list[tuple[int, int, int]]:
    """Return what is needed for each number of columns."""
    return [needed(columns) for columns in COLUMNS]


def fastest() -> tuple[int, int]:
    """Return the states of the fastest strategy, before and after merging."""
    solver = Solver(bits=24)
    solver.wins(12)
    moves = strategy.explore(solver, 12)
    return len(moves), len(strategy.merge(moves, solver.root))


def show(what: str, figure: str, limit: str) -> None:
    """Print one line of the table."""
    print(f"| {what:<58} | {figure:>26} | {limit:>24} |", flush=True)


def measure() -> None:
    """Measure everything; takes about a minute."""
    Solver(2, 4).wins(2)  # loads what numba has compiled
    show("what", "measured", "at most")
    show("-" * 58, "-" * 26, "-" * 24)
    seconds, won = timed(lambda: Solver().wins(14))
    show(f"the player wins with 6 rows: {won}", seconds, "4 s")
    seconds, (twelve, eleven, five) = timed(optimal)
    memory = peak_mb()
    show(f"12 pieces enough: {twelve}, 11: {eleven}, 5 rows: {five}", f"{seconds}, {memory:.0f} MB", "6 s, 300 MB")
    seconds, (before, after) = timed(fastest)
    show(f"fastest strategy: {before} states, {after} merged", seconds, "15 s")
    blob = small.TARGET.read_bytes()
    states = read_small(blob)
    show("small strategy", f"{len(states)} states, {len(blob)} bytes", "900 states, 8,000 bytes")
    seconds, count = timed(Replay(states, eager=True, once=True).play)
    show(f"  {count.sequences:,} sequences, {count.longest} pieces at most", f"{seconds} to check", "")
    seconds, rows = timed(table)
    told = ", ".join(f"{columns}: {height}, {pieces}" for columns, height, pieces in rows)
    show(f"columns: rows, pieces: {told}", seconds, "10 s")
