"""Print what the proof costs beside what it may: one process, its own processor time, after a first run to compile."""

import resource
import sys
import time
from collections.abc import Callable
from typing import Any

from tools.clear_a_line import small, strategy
from tools.clear_a_line.checker import Replay, read_small
from tools.clear_a_line.search import NEVER, Solver

COLUMNS = (4, 6, 8, 10)


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the processor time of some work, and what it returned."""
    begun = time.process_time()
    found = work()
    return time.process_time() - begun, found


def peak_mb() -> float:
    """Return the most memory this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def optimal() -> tuple[bool, bool, bool]:
    """Return whether 12 pieces are enough, whether 11 are, and whether five rows are."""
    solver = Solver()
    solver.wins(10)  # what this finds out, 12 need not find out again
    twelve, eleven = solver.wins(12), solver.wins(11)
    return twelve, eleven, Solver(5, tables=solver.tables).wins(NEVER)


def table() -> list[tuple[int, int, int]]:
    """Return (columns, rows needed, pieces)."""
    found = []
    for columns in COLUMNS:
        tables = None
        for rows in range(1, 7):
            solver = Solver(rows, columns, tables=tables)
            tables = solver.tables
            pieces = solver.fewest()
            if pieces is not None:
                found.append((columns, rows, pieces))
                break
    return found


def fastest() -> tuple[int, int]:
    """Return the states of the fastest strategy, before and after merging."""
    solver = Solver()
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
    show(f"the player wins with 6 rows: {won}", f"{seconds:.1f} s", "4 s")
    seconds, (twelve, eleven, five) = timed(optimal)
    memory = peak_mb()
    show(
        f"12 pieces enough: {twelve}, 11: {eleven}, 5 rows: {five}", f"{seconds:.1f} s, {memory:.0f} MB", "6 s, 300 MB"
    )
    seconds, (before, after) = timed(fastest)
    show(f"fastest strategy: {before} states, {after} merged", f"{seconds:.1f} s", "15 s")
    blob = small.TARGET.read_bytes()
    states = read_small(blob)
    show("small strategy", f"{len(states)} states, {len(blob)} bytes", "900 states, 8,000 bytes")
    seconds, count = timed(Replay(states, eager=True, once=True).play)
    show(f"  {count.sequences:,} sequences, {count.longest} pieces at most", f"{seconds:.1f} s to check", "")
    seconds, rows = timed(table)
    needed = ", ".join(f"{columns}: {height}, {pieces}" for columns, height, pieces in rows)
    show(f"columns: rows, pieces: {needed}", f"{seconds:.1f} s", "10 s")
