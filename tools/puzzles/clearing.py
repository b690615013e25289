"""Find the orders of Tetriminos that clear all of a Matrix.

A position is one integer with the cells column by column, each from its lowest row up. A line that is cleared comes
back as a full row at the top, so all positions of a search have the same number of rows. A position counts only if
its empty cells can be tiled by Tetriminos, which lines between their rows may part.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

from sim.bots.places import CELLS
from tools.puzzles.queues import ONE, Words, extend, merge
from tools.puzzles.solver import TooLongError, find_places
from tools.puzzles.text import WIDTH

PATIENCE = 300_000  # half a minute, 400 MB
_TILEABLE = 10  # of these positions take the memory of one whose Lock Downs are found

Tile: TypeAlias = tuple[int, int]
"""Cells of a Tetrimino, and which it is."""


class Landing(NamedTuple):
    """Cells of a Tetrimino at rest.

    below: cells of which one has a Block, or 0 on the floor.  above: its own cells and all above, empty for a drop.
    rows: numbers of its rows, the highest first.
    """

    cells: int
    below: int
    above: int
    rows: tuple[int, ...]


@cache
def list_tiles(lines: int, piece: int) -> tuple[list[int], list[Landing]]:
    """Return the cells of all places of a Tetrimino, parted by lines or not, and the landings: those not parted."""
    tiles: dict[int, None] = {}
    landings = []
    for facing in CELLS[piece - 1]:
        left, low = min(x for x, _y in facing), min(y for _x, y in facing)
        shape = [(x - left, y - low) for x, y in facing]
        width, height = (max(axis) + 1 for axis in zip(*shape, strict=True))
        for rows in combinations(range(lines), height):
            first = sum(1 << x * lines + rows[y] for x, y in shape)
            above = sum(
                (1 << lines) - (1 << min(rows[y] for at, y in shape if at == x)) << x * lines for x in range(width)
            )
            for cells, way in ((first << x * lines, above << x * lines) for x in range(WIDTH + 1 - width)):
                if cells not in tiles and rows[-1] - rows[0] == height - 1:
                    landings.append(Landing(cells, cells >> 1 & ~cells if rows[0] else 0, way, rows[::-1]))
                tiles[cells] = None
    return [*tiles], landings


class Tiling:
    """The positions with a number of rows and some kinds of Tetriminos."""

    def __init__(self, lines: int, pieces: frozenset[int]) -> None:
        self.lines = lines
        self.all = (1 << WIDTH * lines) - 1
        self.rows = [sum(1 << x * lines + y for x in range(WIDTH)) for y in range(lines)]
        self._under = [sum(self.rows[:y]) for y in range(lines)]
        self.tiles: list[list[tuple[int, int]]] = [[] for _ in range(WIDTH * lines)]
        self.landings: list[list[Landing]] = [[] for _ in range(8)]
        for piece in sorted(pieces):
            tiles, self.landings[piece] = list_tiles(lines, piece)
            for cells in tiles:
                self.tiles[(cells & -cells).bit_length() - 1].append((cells, piece))
        self._tileable: dict[int, bool] = {self.all: True}
        self._steps: dict[tuple[int, int], dict[int, int]] = {}
        self._reached: dict[tuple[int, int], set[int]] = {}

    def pack(self, masks: tuple[int, ...]) -> int:
        """Return the position of rows, the lowest first."""
        return sum(1 << x * self.lines + y for y, mask in enumerate(masks) for x in range(WIDTH) if mask >> x & 1)

    def is_tileable(self, position: int) -> bool:
        """Return whether Tetriminos can fill the empty cells, if lines may part them and they may float."""
        found = self._tileable.get(position)
        if found is None:
            found = False
            empty = position ^ self.all
            for cells, _piece in self.tiles[(empty & -empty).bit_length() - 1]:
                if not cells & position and self.is_tileable(position | cells):
                    found = True
                    break
            self._tileable[position] = found
        return found

    def clear(self, position: int, rows: tuple[int, ...]) -> int:
        """Return the position after a Line Clear, if any of these rows is full."""
        for y in rows:
            row = self.rows[y]
            if position & row == row:
                under = self._under[y]
                position = position & under | position >> 1 & ~under & ~self.rows[-1] | self.rows[-1]
        return position

    def find_steps(self, position: int, piece: int) -> dict[int, int]:
        """Return the position after each Lock Down of a Tetrimino that leaves cells to be tiled, by its cells."""
        steps = self._steps.get((position, piece))
        if steps is None:
            if max(len(self._steps), len(self._tileable) // _TILEABLE) >= PATIENCE:
                raise TooLongError(f"given up after {len(self._steps):,} positions")
            steps = self._steps[position, piece] = {}
            blocks = position
            for row in reversed(self.rows):
                if position & row != row:
                    break
                blocks ^= row
            for cells, below, above, rows in self.landings[piece]:
                if cells & position or below and not below & blocks:
                    continue
                after = self.clear(position | cells, rows)
                if self.is_tileable(after) and (not above & blocks or cells in self._find_reached(blocks, piece)):
                    steps[cells] = after
        return steps

    def _find_reached(self, blocks: int, piece: int) -> set[int]:
        """Return the cells of all places where a Tetrimino from above can come to rest inside the rows."""
        reached = self._reached.get((blocks, piece))
        if reached is None:
            reached = self._reached[blocks, piece] = set()
            rows = [(blocks & row) >> y for y, row in enumerate(self.rows)]
            masks = [sum(1 << x for x in range(WIDTH) if row >> x * self.lines & 1) for row in rows]
            for facing, left, low, _spin, _presses in find_places(masks, piece):
                cells = [(left + x, low + y) for x, y in CELLS[piece - 1][facing]]
                if cells[-1][1] < self.lines:
                    reached.add(sum(1 << x * self.lines + y for x, y in cells))
        return reached

    def find_orders(self, position: int, possible: Words) -> Words:
        """Return the orders, among the possible ones, that clear all."""
        level: dict[int, Words] = {position: {0: 1}}
        while level and self.all not in level:
            after: dict[int, Words] = {}
            for here, words in level.items():
                for piece in range(1, 8):
                    added = extend(words, piece, possible)
                    for there in self.find_steps(here, piece).values() if added else ():
                        target = after.setdefault(there, {})
                        for counts, bits in added.items():
                            target[counts] = target.get(counts, 0) | bits
            level = after
        return level.get(self.all, {})

    def settle(self, filled: int) -> tuple[int, list[int]]:
        """Return the position of filled cells whose full rows are still there, and the numbers of these rows."""
        rows = [y for y in reversed(range(self.lines)) if filled & self.rows[y] == self.rows[y]]
        return self.clear(filled, tuple(rows)), rows

    def sink(self, cells: int, cleared: list[int]) -> int:
        """Return where cells are after rows were cleared, the highest first."""
        for y in cleared:
            cells = cells & self._under[y] | (cells & ~self._under[y]) >> 1
        return cells

    def lift(self, cells: int, cleared: list[int]) -> int:
        """Return where cells were before rows were cleared."""
        for y in reversed(cleared):
            cells = cells & self._under[y] | (cells & ~self._under[y]) << 1
        return cells

    def find_tilings(self, position: int, counts: int, possible: set[int]) -> Iterator[tuple[Tile, ...]]:
        """Yield the tilings of the empty cells by Tetriminos that may come, whether they can get there or not.

        possible: counts of Tetriminos that may be among those of a tiling.
        """
        empty = position ^ self.all
        if not empty:
            yield ()
            return
        for cells, piece in self.tiles[(empty & -empty).bit_length() - 1]:
            total = counts + ONE[piece]
            if not cells & position and total in possible and self.is_tileable(position | cells):
                for rest in self.find_tilings(position | cells, total, possible):
                    yield ((cells, piece), *rest)

    def order(self, filled: int, tiles: tuple[Tile, ...], possible: Words) -> Words:
        """Return the orders, among the possible ones, in which Tetriminos reach their places of a tiling."""
        level: dict[int, Words] = {filled: {0: 1}}
        for _ in tiles:
            after: dict[int, Words] = {}
            for here, words in level.items():
                position, cleared = self.settle(here)
                for cells, piece in tiles:
                    if not cells & here and self.sink(cells, cleared) in self.find_steps(position, piece):
                        added = extend(words, piece, possible)
                        if added:
                            after[here | cells] = merge([after.get(here | cells, {}), added])
            level = after
        return level.get(self.all, {})
