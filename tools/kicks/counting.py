"""Count the placements that each rotation system allows, as a perft (tools/bots/README.md, Perft) without Hold."""

from typing import Any

from firmware.engine.matrix import GARBAGE_CELL, HEIGHT, SKYLINE, WIDTH
from firmware.engine.tables import SHAPES
from tools.bots.perft.by_places import Rows, lock

_CELLS = [bytes(GARBAGE_CELL if mask >> x & 1 else 0 for x in range(WIDTH)) for mask in range(1 << WIDTH)]

Minos = tuple[tuple[int, int], ...]
"""Row and mask of each row of a Tetrimino, the lowest first."""


def find_minos(game: Any) -> Minos:
    start = (game.piece - 1) * 16 + game.facing * 4
    masks = [SHAPES[start + row] for row in range(4)]
    return tuple(
        (game.y + row, mask << game.x if game.x >= 0 else mask >> -game.x) for row, mask in enumerate(masks) if mask
    )


def find_placements(game: Any, rows: Rows, piece: int) -> set[Minos]:
    """Return where a Tetrimino can come to rest: it falls, steps and turns by the rules of the game, in any order."""
    for y in range(HEIGHT):
        game.matrix.set_row(y, _CELLS[rows[y] if y < len(rows) else 0])
    game.over = 0
    game.enter(piece)
    found: set[Minos] = set()
    if game.over:
        return found
    todo = [(game.facing, game.x, game.y)]
    seen = set(todo)
    while todo:
        facing, x, y = todo.pop()
        after = []
        for dx, dy in ((-1, 0), (1, 0), (0, -1)):
            if game.place(piece, x + dx, y + dy, facing):
                after.append((facing, x + dx, y + dy))
            elif dy and game.place(piece, x, y, facing):
                minos = find_minos(game)
                if minos[0][0] < SKYLINE:
                    found.add(minos)
        for clockwise in (0, 1):
            game.place(piece, x, y, facing)
            if game.turn(clockwise):
                after.append((game.facing, game.x, game.y))
        todo += [state for state in after if state not in seen]
        seen.update(after)
    return found


def count_nodes(game: Any, rows: Rows, queue: tuple[int, ...]) -> int:
    """Return how many sequences of placements the Tetriminos of a queue have."""
    placements = find_placements(game, rows, queue[0])
    if len(queue) == 1:
        return len(placements)
    return sum(count_nodes(game, lock(rows, minos), queue[1:]) for minos in placements)
