"""Count by sim/bots/places.py in pure Python: the reference."""

from collections import Counter

from firmware.engine.matrix import HEIGHT, SKYLINE, WALLS, WIDTH, Matrix
from firmware.players.planner import PressPlanner
from sim.bots.places import CELLS, Places
from tools.bots.perft.positions import Position, Rules

_FULL = (1 << WIDTH) - 1
_EDGE = 3

Rows = tuple[int, ...]
Tetrimino = tuple[tuple[int, int], ...]
"""Row and mask of each Mino."""


class PlaceCounter:
    """Count the nodes of one position.

    known: the nodes below positions seen before, by rows, pieces used, held piece and depth.
    """

    def __init__(self, position: Position, rules: Rules) -> None:
        self.position = position
        self.rules = rules
        self.known: dict[tuple[Rows, int, int, int], int] = {}
        self._planner = PressPlanner(1)
        self._planner.shadow.matrix = self._matrix = Matrix()

    def count(self, depth: int) -> int:
        """Return the number of nodes at a depth."""
        self.position.check(depth, self.rules)
        return self._count(self.position.rows, 0, 0, depth)

    def _count(self, rows: Rows, used: int, held: int, depth: int) -> int:
        """Return the number of nodes below a position: pieces of the queue used, the held piece, 0 for none."""
        if not depth:
            return 1
        key = (rows, used, held, depth)
        if key not in self.known:
            queue = self.position.queue
            piece = queue[used]
            total = self._count_piece(rows, piece, used + 1, held, depth)
            if self.rules.hold and not held:
                total += self._count_piece(rows, queue[used + 1], used + 2, piece, depth)
            elif self.rules.hold and held != piece:
                total += self._count_piece(rows, held, used + 1, piece, depth)
            self.known[key] = total
        return self.known[key]

    def _count_piece(self, rows: Rows, piece: int, used: int, held: int, depth: int) -> int:
        """Return the number of nodes below a position if this piece is placed."""
        return sum(
            number * self._count(lock(rows, minos), used, held, depth - 1)
            for minos, number in self._find_tetriminos(rows, piece).items()
        )

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
