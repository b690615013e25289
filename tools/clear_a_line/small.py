"""Find a strategy of few states for the handheld, and write it into firmware/winning.bin.

A piece that can fill a row always does; a state only says what to do with the others, so that many
boards share one. How the states are found: cover.py; how they become fewer: polish.py.
"""

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from tools.clear_a_line import cover, polish
from tools.clear_a_line.search import FIRST, Solver

TARGET = Path(__file__).resolve().parent.parent.parent / "firmware" / "winning.bin"
EVERY = 8  # states; the place of each eighth record is in the file
DROPS = 34
_MOST_STATES = 65536 // (2 * DROPS)

Plan = list[tuple[int, int, int] | None]  # for each piece orientation, column, 2 * state that follows + mirrored


class Cover:
    """Build strategies from one solver, one after the other."""

    def __init__(self, solver: Solver) -> None:
        self.solver = solver
        self.book = cover.make_book()

    def build(self, recipe: "Recipe", tell: Callable[[str], None] = lambda line: None) -> list[Plan]:
        """Return the states of a strategy, the root first; none when there is no room for so many.

        slack: moves may win so many pieces later than the best. width: so many moves are tried out at
        each choice. noise: what is left to chance in the order in which they are. rounds: of polish.py.
        """
        book, counters = self.book, self.book.counters
        made: list[int] = []

        def work(number: int) -> None:
            for array in (book.memo, book.seen, counters):
                array[:] = 0
            counters[cover.SERIAL] = 1
            counters[cover.RANDOM] = recipe.seed
            counters[cover.SLACK] = recipe.slack
            counters[cover.WIDTH] = recipe.width
            counters[cover.NOISE] = recipe.noise
            root, lane = self.solver.root, self.solver.lane(number)
            made.append(int(cover._build(root, recipe.pieces, 1, cover.MOST_PLANS, book, self.solver.size, lane)))

        self.solver.run(work)
        if made[-1] < 0:
            return []
        tell(f"seed {recipe.seed}: {counters[cover.COUNT]} states")
        found = polish.Polish(book, self.solver.size, self.solver.root, recipe.seed)
        found.run(recipe.rounds, tell)
        return trim(book.plans, found.root)


def trim(plans: np.ndarray, root: int) -> list[Plan]:
    """Number the plans anew, the root 0, and leave out those that nothing leads to."""
    numbers = {root: 0}
    order = [root]
    for plan in order:
        for piece in range(7):
            following = int(plans[plan, piece, 2])
            if following >= 0 and following >> 1 not in numbers:
                numbers[following >> 1] = len(order)
                order.append(following >> 1)
    found: list[Plan] = []
    for plan in order:
        moves: Plan = []
        for which, x, following in plans[plan, :7].tolist():
            moves.append(None if following < 0 else (which, x, 2 * numbers[following >> 1] + (following & 1)))
        found.append(moves)
    return found


def count_left(states: list[Plan], solver: Solver) -> list[int]:
    """Return how many pieces are left at most whenever a state comes up; raise ValueError where it does not win."""
    known: dict[tuple[int, int], int] = {}
    left = [0] * len(states)

    def play(state: int, board: int) -> int:
        if (state, board) in known:
            return known[state, board]
        ready = int(cover._ready(board, memo, solver.size))
        most = 1
        for piece in range(7):
            if ready >> piece & 1:
                continue
            move = states[state][piece]
            if move is None:
                raise ValueError(f"state {state} knows no move for piece {piece}")
            after = int(cover._drop(board, move[0], move[1], solver.size))
            if after <= 0:
                raise ValueError(f"state {state} loses with piece {piece}")
            if move[2] & 1:
                after = int(cover._flip(after, solver.size))
            most = max(most, 1 + play(move[2] >> 1, after))
        known[state, board] = most
        left[state] = max(left[state], most)
        return most

    memo = np.zeros(1 << 18, np.int64)
    play(0, solver.root)
    return left


def encode(states: list[Plan], left: list[int], solver: Solver, command: str) -> bytes:
    """Return the handheld's file; checker.read_small says what is in it."""
    if len(states) > _MOST_STATES:
        raise ValueError(f"{len(states)} states; the file has room for {_MOST_STATES}")
    places, records = [], bytearray()
    for number, moves in enumerate(states):
        if number % EVERY == 0:
            places.append(len(records))
        records.append(sum(1 << piece for piece in range(7) if moves[piece]))
        records.append(left[number])
        for piece, move in enumerate(moves):
            if move:
                which, x, following = move
                drop = x + sum(11 - int(solver.size.shapes[i, 1]) for i in range(FIRST[piece], which))
                word = ((following >> 1) * DROPS + drop) * 2 + (following & 1)
                records += word.to_bytes(2, "little")
    head = f"Generated by `{command}`; do not edit.\n".encode()
    return head + b"".join(number.to_bytes(2, "little") for number in (len(states), *places)) + bytes(records)


@dataclass(frozen=True)
class Recipe:
    """Say how to build a strategy; see Cover.build."""

    seed: int
    slack: int = 1
    width: int = 8
    noise: int = 8
    pieces: int = 12
    rounds: int = 5

    def command(self) -> str:
        """Return what to type."""
        return "python -m tools.clear_a_line small " + " ".join(f"--{k} {v}" for k, v in asdict(self).items())


def search(
    solver: Solver, seeds: range, seconds: float, notes: Path | None, tell: Callable[[str], None]
) -> tuple[Recipe, list[Plan]] | None:
    """Try seed after seed for so long and return the recipe with the fewest states; None when none was done.

    notes: a file that says how many states each seed gave, so that another search goes on where this one ended.
    """
    done = dict(json.loads(notes.read_text())) if notes and notes.exists() else {}
    known = {int(seed): int(states) for seed, states in done.items()}
    fewest = min(known.values(), default=cover.MOST_PLANS)
    best: tuple[Recipe, list[Plan]] | None = None
    maker = Cover(solver)
    until = time.monotonic() + seconds
    for seed in seeds:
        if seed in known:
            continue
        if time.monotonic() > until:
            break
        recipe = Recipe(seed)
        states = maker.build(recipe, tell)
        known[seed] = len(states) or cover.MOST_PLANS
        if known[seed] < fewest:
            fewest = known[seed]
            best = recipe, states
        tell(f"seed {seed}: {known[seed]} states, best {fewest}")
        if notes:
            notes.write_text(json.dumps(known))
    if best is None and known:
        # All that is left to do is to build the best one known again.
        recipe = Recipe(min(known, key=lambda seed: known[seed]))
        best = recipe, maker.build(recipe)
    return best
