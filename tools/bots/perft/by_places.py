"""Count by sim/bots/places.py in pure Python: the reference."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from firmware.engine.matrix import HEIGHT, SKYLINE, WALLS, WIDTH, Matrix
from firmware.players.planner import PressPlanner
from sim.bots.places import CELLS, Places
from tools.bots.perft.positions import Position, Rules

_FULL = (1 << WIDTH) - 1
_EDGE = 3

Rows = tuple[int, ...]
"""A mask for each row, the lowest first."""
Tetrimino = tuple[tuple[int, int], ...]
"""Row and mask of each Mino."""
State = tuple[Rows, int, int]
"""Rows, pieces of the queue used, and the held piece, 0 for none."""
Follow = Callable[[Sequence[Any]], Iterable[Any]]
"""Yields the items of a sequence, and may show the progress."""


class PlaceCounter:
    """Count the nodes of one position. known: the nodes below states seen before, by state and depth."""

    def __init__(self, position: Position, rules: Rules) -> None:
        self.position = position
        self.rules = rules
        self.known: dict[tuple[State, int], int] = {}
        self._planner = PressPlanner(1)
        self._planner.shadow.matrix = self._matrix = Matrix()

    def count(self, depth: int, follow: Follow = iter) -> int:
        self.position.check(depth, self.rules)
        children = self._find_children((self.position.rows, 0, 0))
        return sum(number * self._count(child, depth - 1) for child, number in follow(children))

    def _count(self, state: State, depth: int) -> int:
        if not depth:
            return 1
        key = (state, depth)
        if key not in self.known:
            children = self._find_children(state)
            self.known[key] = sum(number * self._count(child, depth - 1) for child, number in children)
        return self.known[key]

    def _find_children(self, state: State) -> list[tuple[State, int]]:
        """Return the state after each placement, and the number of nodes that this counts as."""
        rows, used, held = state
        queue = self.position.queue
        piece = queue[used]
        choices = [(piece, used + 1, held)]
        if self.rules.hold and not held:
            choices.append((queue[used + 1], used + 2, piece))
        elif self.rules.hold and held != piece:
            choices.append((held, used + 1, piece))
        return [
            ((lock(rows, minos), used_after, held_after), number)
            for placed, used_after, held_after in choices
            for minos, number in self._find_tetriminos(rows, placed).items()
        ]

    def _find_tetriminos(self, rows: Rows, piece: int) -> Counter[Tetrimino]:
        """Return the cells of all places, each with the number of nodes that it counts as."""
        matrix = self._matrix
        matrix.masks[:HEIGHT] = [mask << _EDGE | WALLS for mask in rows] + [WALLS] * (HEIGHT - len(rows))
        matrix.top = len(rows)
        found: Counter[Tetrimino] = Counter()
        if self._planner.enter(piece):
            for facing, x, y, _spin, _presses in Places(self._planner.shadow, self.rules.half_turns):
                minos = tuple((y + row, 1 << x + column) for column, row in CELLS[piece - 1][facing])
                if minos[0][0] < SKYLINE:
                    found[minos] += 1
        return found if self.rules.spins else Counter(dict.fromkeys(found, 1))


def lock(rows: Rows, minos: Tetrimino) -> Rows:
    """Return the rows after a Lock Down and its Line Clear."""
    after = list(rows) + [0] * (minos[-1][0] + 1 - len(rows))
    for row, mask in minos:
        after[row] |= mask
    return tuple(mask for mask in after if mask != _FULL)
