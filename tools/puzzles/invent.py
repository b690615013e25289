"""Invent puzzles: take Tetriminos out of a Matrix in which the aim is reached, and keep what has one solution.

For `clear all` that is a block of full rows; for T-Spins a slot in full rows, with an overhang that a person is to
build. Whether what is left can be played at all, and by how many ways, the solver says.
"""

import random
from collections.abc import Iterator

from firmware.engine.profiles import FACINGS
from sim.bots.places import CELLS
from tools.puzzles.solver import Answer, TooLongError, fits_together, solve
from tools.puzzles.text import ACTION, ACTIONS, CLEAR_ALL, COMBO, Puzzle

WIDTH = 10
_FULL = 1023
_T = 6
_PATIENCE = 6000

Cell = tuple[int, int]


def _shapes(piece: int) -> list[list[Cell]]:
    """Return the cells of each different facing, from its own lower left corner."""
    found = []
    for cells in CELLS[piece - 1][: FACINGS[piece - 1]]:
        left, low = min(x for x, _ in cells), min(y for _, y in cells)
        found.append([(x - left, y - low) for x, y in cells])
    return found


_SHAPES = {piece: _shapes(piece) for piece in range(1, 8)}


def _masks(cells: set[Cell]) -> tuple[int, ...]:
    height = max((y + 1 for _, y in cells), default=0)
    return tuple(sum(1 << x for x in range(WIDTH) if (x, y) in cells) for y in range(height))


def _take_out(
    chance: random.Random, cells: set[Cell], pieces: list[int], touching: set[Cell], needed: set[Cell] | None = None
) -> bool:
    """Remove these Tetriminos from the cells, each beside empty cells; return whether that was possible.

    needed: cells of which each of them takes one, where that matters.
    """
    for piece in pieces:
        ways = []
        for shape in _SHAPES[piece]:
            for x0 in range(WIDTH):
                for y0 in range(20):
                    there = {(x0 + x, y0 + y) for x, y in shape}
                    if (
                        (needed is None or there & needed)
                        and there <= cells
                        and (
                            not touching
                            or any(
                                (x + dx, y + dy) in touching
                                for x, y in there
                                for dx, dy in ((0, 1), (1, 0), (-1, 0), (0, -1))
                            )
                        )
                    ):
                        ways.append(there)
        if not ways:
            return False
        there = chance.choice(ways)
        cells -= there
        touching |= there
    return True


def invent_clear(chance: random.Random, count: int, lines: int) -> Puzzle | None:
    """Return a puzzle `clear all` of `count` Tetriminos, or None if the random choice failed."""
    cells = {(x, y) for x in range(WIDTH) for y in range(lines)}
    bag = list(range(1, 8))
    chance.shuffle(bag)
    pieces = bag[:count] if count <= 7 else bag + [chance.randint(1, 7)]
    start = chance.randrange(WIDTH)
    if not _take_out(chance, cells, pieces[:1], {(start, lines)}):
        return None
    taken = {(x, y) for x in range(WIDTH) for y in range(lines)} - cells
    if not _take_out(chance, cells, pieces[1:], taken):
        return None
    masks = _masks(cells)
    if _FULL in masks or len(masks) < lines - 1 or not fits_together(masks, count):
        return None
    if sum((x, lines - 1) not in cells for x in range(WIDTH)) < 2:
        return None
    chance.shuffle(pieces)
    return Puzzle("INVENTED", CLEAR_ALL, 0, 1, masks, tuple(pieces))


def invent_spin(chance: random.Random, lines: int, count: int) -> Puzzle | None:
    """Return a puzzle of a T-Spin Double or Triple that takes `count` Tetriminos with the T."""
    hole_rows = chance.randrange(3)
    x = chance.randrange(1, WIDTH - 1)
    side = chance.choice((-1, 1))
    cells: set[Cell] = set()
    base = chance.randrange(2)
    for y in range(base + lines):
        cells |= {(column, y) for column in range(WIDTH)}
    gaps = set()
    for y in range(base):
        gaps.add((chance.choice([c for c in range(WIDTH) if c != x]), y))
    if lines == 2:
        slot = {(x, base), (x - 1, base + 1), (x, base + 1), (x + 1, base + 1)}
        over = {(x + side, base + 2)}
        way = {(x, base + 2), (x - side, base + 2)}
    else:
        # Rotation point 5 takes the T from above a row that is open to one side down by two (Guideline A1.4).
        slot = {(x, base), (x, base + 1), (x, base + 2), (x + side, base + 1)}
        over = {(x, base + 4)}
        way = {(x, base + 3), (x + side, base + 3), (x + 2 * side, base + 3)}
        way |= {(x + side, base + 4), (x + 2 * side, base + 4)}
        if not 0 <= x + 2 * side < WIDTH:
            return None
    for column in range(WIDTH):
        if column in (x, x + side, x - side if lines == 2 else x + 2 * side):
            continue  # what is above the slot stays open; beside it may lie what the roof is part of
        for y in range(base + lines, base + lines + chance.randrange(hole_rows + 2)):
            cells.add((column, y))
    cells |= over | ({(x - side, y) for y in range(base + lines, base + 5)} if lines == 3 else set())
    cells -= slot | way | gaps
    cells = {(c, y) for c, y in cells if 0 <= c < WIDTH}
    others = [piece for piece in range(1, 8) if piece != _T]
    chance.shuffle(others)
    pieces = others[: count - 1]
    if count > 1 and not _take_out(chance, cells, pieces[:1], set(way), over):
        return None
    rows = {(column, y) for column in range(WIDTH) for y in range(base, base + lines)}
    # What more there is to set up fills the very lines that the T is to clear, or it would not be wanted.
    if count > 2 and not _take_out(chance, cells, pieces[1:], set(slot | way | over), rows):
        return None
    masks = _masks(cells)
    if _FULL in masks or not masks:
        return None
    queue = [*pieces, _T]
    chance.shuffle(queue)
    if queue[-1] == _T and chance.random() < 0.5:
        queue.insert(0, queue.pop())
    kind = ACTIONS["t-spin double" if lines == 2 else "t-spin triple"]
    return Puzzle("INVENTED", ACTION, kind, 1, masks, tuple(queue))


def invent_combo(chance: random.Random, count: int) -> Puzzle | None:
    """Return a puzzle of a well of four columns in which every Tetrimino has to clear a line."""
    left = chance.randrange(WIDTH - 3)
    well = range(left, left + 4)
    masks = [sum(1 << x for x in range(WIDTH) if x not in well)] * (count + chance.randrange(1, 4))
    for x, y in chance.sample([(x, y) for x in well for y in range(2)], 3):
        masks[y] |= 1 << x
    queue = [chance.choice(range(1, 8)) for _ in range(count)]
    return None if _FULL in masks else Puzzle("INVENTED", COMBO, 0, count, tuple(masks), tuple(queue))


def invent(chance: random.Random, kind: str, count: int, lines: int) -> Iterator[tuple[Puzzle, Answer]]:
    """Yield puzzles with one solution that no fewer Tetriminos give, for ever."""
    while True:
        if kind == "combo":
            puzzle = invent_combo(chance, count)
        elif kind == "clear":
            puzzle = invent_clear(chance, count, lines)
        else:
            puzzle = invent_spin(chance, lines, count)
        if not puzzle:
            continue
        try:
            answer = solve(puzzle, 2, _PATIENCE)
        except TooLongError:
            continue
        if answer.unique and len(answer.first) == puzzle.count:
            yield puzzle, answer
