"""Invent puzzles: take Tetriminos out of a Matrix that meets the goal, and keep puzzles with one solution.

For `clear all` this Matrix has full rows only. For T-Spins it has a slot in full rows, with an overhang that the player
must build. The solver finds whether a puzzle can be solved, and in how many ways.
"""

import random
from collections.abc import Iterator

from firmware.engine.profiles import FACINGS
from sim.bots.places import CELLS
from tools.puzzles.solver import Answer, TooLongError, fits_together, solve
from tools.puzzles.text import ACTION, ACTIONS, CLEAR_ALL, COMBO, FULL, WIDTH, Puzzle, join

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


def _around(cells: set[Cell]) -> set[Cell]:
    return {(x + dx, y + dy) for x, y in cells for dx, dy in ((0, 1), (1, 0), (-1, 0), (0, -1))}


def _take_out(
    chance: random.Random, cells: set[Cell], pieces: list[int], touching: set[Cell], needed: set[Cell] | None = None
) -> bool:
    """Remove these Tetriminos from `cells`, each next to `touching`; return whether that was possible.

    touching: also takes up the removed cells; if empty the first one goes anywhere.  needed: each Tetrimino must
    take at least one of these cells.
    """
    for piece in pieces:
        options = []
        for shape in _SHAPES[piece]:
            for x0 in range(WIDTH):
                for y0 in range(20):
                    covered = {(x0 + x, y0 + y) for x, y in shape}
                    fits = covered <= cells and (needed is None or covered & needed)
                    if fits and (not touching or _around(covered) & touching):
                        options.append(covered)
        if not options:
            return False
        covered = chance.choice(options)
        cells -= covered
        touching |= covered
    return True


def invent_clear(chance: random.Random, count: int, lines: int) -> Puzzle | None:
    """Return a `clear all` puzzle of `count` Tetriminos, or None if the random choice failed."""
    cells = {(x, y) for x in range(WIDTH) for y in range(lines)}
    bag = list(range(1, 8))
    chance.shuffle(bag)
    pieces = bag[:count] if count <= 7 else bag + [chance.randint(1, 7)]
    start = chance.randrange(WIDTH)
    if not _take_out(chance, cells, pieces[:1], {(start, lines)}):
        return None
    removed = {(x, y) for x in range(WIDTH) for y in range(lines)} - cells
    if not _take_out(chance, cells, pieces[1:], removed):
        return None
    masks = join((), cells)
    if FULL in masks or len(masks) < lines - 1 or not fits_together(masks, count):
        return None
    if sum((x, lines - 1) not in cells for x in range(WIDTH)) < 2:
        return None
    chance.shuffle(pieces)
    return Puzzle("INVENTED", CLEAR_ALL, 0, 1, masks, tuple(pieces))


def shape_slot(lines: int, x: int, base: int, side: int) -> tuple[set[Cell], set[Cell], set[Cell]]:
    """Return the cells of the T's slot, of the overhang above it, and of the T's way into it from one side."""
    if lines == 2:
        slot = {(x, base), (x - 1, base + 1), (x, base + 1), (x + 1, base + 1)}
        return slot, {(x + side, base + 2)}, {(x, base + 2), (x - side, base + 2)}
    # Rotation point 5 moves the T down two rows, from above a row that is open to one side (Guideline A1.4).
    slot = {(x, base), (x, base + 1), (x, base + 2), (x + side, base + 1)}
    way = {
        (x, base + 3),
        (x + side, base + 3),
        (x + 2 * side, base + 3),
        (x + side, base + 4),
        (x + 2 * side, base + 4),
    }
    return slot, {(x, base + 4)}, way


# One function: each step draws from `chance`, so their order decides what a seed invents.
def invent_spin(chance: random.Random, lines: int, count: int) -> Puzzle | None:
    """Return a T-Spin Double or Triple puzzle of `count` Tetriminos, the T included, or None if the choice failed."""
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
    if lines == 3 and not 0 <= x + 2 * side < WIDTH:
        return None
    slot, overhang, way = shape_slot(lines, x, base, side)
    for column in range(WIDTH):
        if column in (x, x + side, x - side if lines == 2 else x + 2 * side):
            continue  # no Blocks above the slot and its way in; other columns may get some
        for y in range(base + lines, base + lines + chance.randrange(hole_rows + 2)):
            cells.add((column, y))
    cells |= overhang | ({(x - side, y) for y in range(base + lines, base + 5)} if lines == 3 else set())
    cells -= slot | way | gaps
    cells = {(c, y) for c, y in cells if 0 <= c < WIDTH}
    others = [piece for piece in range(1, 8) if piece != _T]
    chance.shuffle(others)
    pieces = others[: count - 1]
    if count > 1 and not _take_out(chance, cells, pieces[:1], set(way), overhang):
        return None
    rows = {(column, y) for column in range(WIDTH) for y in range(base, base + lines)}
    # The other pieces must fill lines that the T clears: else the solution would not need them.
    if count > 2 and not _take_out(chance, cells, pieces[1:], set(slot | way | overhang), rows):
        return None
    masks = join((), cells)
    if FULL in masks or not masks:
        return None
    queue = [*pieces, _T]
    chance.shuffle(queue)
    if queue[-1] == _T and chance.random() < 0.5:
        queue.insert(0, queue.pop())
    kind = ACTIONS["t-spin double" if lines == 2 else "t-spin triple"]
    return Puzzle("INVENTED", ACTION, kind, 1, masks, tuple(queue))


def invent_combo(chance: random.Random, count: int) -> Puzzle | None:
    """Return a puzzle with a well of four columns, in which every Tetrimino must clear a line."""
    left = chance.randrange(WIDTH - 3)
    well = range(left, left + 4)
    masks = [sum(1 << x for x in range(WIDTH) if x not in well)] * (count + chance.randrange(1, 4))
    for x, y in chance.sample([(x, y) for x in well for y in range(2)], 3):
        masks[y] |= 1 << x
    queue = [chance.choice(range(1, 8)) for _ in range(count)]
    return None if FULL in masks else Puzzle("INVENTED", COMBO, 0, count, tuple(masks), tuple(queue))


def invent(chance: random.Random, kind: str, count: int, lines: int) -> Iterator[tuple[Puzzle, Answer]]:
    """Yield puzzles forever, each with exactly one solution, which needs all Tetriminos."""
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
