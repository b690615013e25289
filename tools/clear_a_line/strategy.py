"""Write the fastest strategy, trimmed and merged, in the format of the text (README.md).

Each line is a state of 21 numbers: for each piece its rotation, the column of its 4x4 box and the
next state, -1 if a row is full.
"""

from tools.clear_a_line.pieces import orientations
from tools.clear_a_line.search import Solver

Line = tuple[int, ...]


def explore(solver: Solver, pieces: int) -> dict[int, list[tuple[int, int, int]]]:
    """Return the moves of every state that the fastest play reaches from the empty board within `pieces`."""
    moves: dict[int, list[tuple[int, int, int]]] = {}
    waiting = {solver.root}
    for left in range(pieces, 0, -1):
        # A repeated state already has its moves: they depend only on the state.
        states = sorted(waiting - moves.keys())
        moves |= zip(states, solver.choose([(state, left) for state in states]), strict=True)
        waiting = {after for state in states for _, _, after in moves[state] if after}
    return moves


def merge(moves: dict[int, list[tuple[int, int, int]]], root: int) -> list[Line]:
    """Return the lines of the file; states with the same moves are merged. The root is state 0."""
    shapes = orientations()
    numbers: dict[Line, int] = {}
    of_state: dict[int, int] = {0: -1}
    # Every piece adds to the heights, so higher states come later in a game; number those first.
    for state in sorted(moves, key=lambda state: -sum(state >> 3 * i & 7 for i in range(10))):
        line = tuple(
            number
            for orientation, x, after in moves[state]
            for number in (shapes[orientation].rotation, x - shapes[orientation].left, of_state[after])
        )
        of_state[state] = numbers.setdefault(line, len(numbers))
    last = len(numbers) - 1
    assert of_state[root] == last
    return [
        tuple(last - number if i % 3 == 2 and number >= 0 else number for i, number in enumerate(line))
        for line in reversed(list(numbers))
    ]


def write(lines: list[Line]) -> str:
    """Return a strategy in the text's format."""
    return "".join(" ".join(map(str, line)) + "\n" for line in lines)
