"""The check that a reported Lock Down is reachable from the row of generation (firmware/link)."""

import random
from itertools import product

import pytest

from firmware.engine.game import SPAWN_X, Game
from firmware.engine.matrix import HEIGHT, SKYLINE, WIDTH, Matrix
from firmware.engine.options import HALF_TURNS, INFINITE, Options
from firmware.engine.tables import POINTS
from firmware.link.reachability import is_reachable
from sim.bots.places import cells_of
from tests.support.drill import choose
from tests.support.kept import chance_edges

Cells = set[tuple[int, int]]
_I, _O = 1, 4


def find_joined(matrix: Matrix, start: tuple[int, int]) -> Cells:
    """Return the empty cells connected to `start` through shared edges."""
    joined: Cells = set()
    waiting = [start]
    while waiting:
        x, y = cell = waiting.pop()
        if cell not in joined and 0 <= x < WIDTH and 0 <= y < HEIGHT and not matrix.rows[y][x]:
            joined.add(cell)
            waiting += [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
    return joined


def scatter(matrix: Matrix, chance: random.Random, rows: int, share: float) -> None:
    """Put random Blocks into the lowest rows, except where Tetriminos are generated."""
    for y in range(rows):
        row = bytes(chance.random() < share for _ in range(WIDTH))
        matrix.set_row(y, row[:SPAWN_X] + bytes(4) + row[7:] if y in (SKYLINE, SKYLINE + 1) else row)


def test_a_turn_moves_to_cells_that_share_a_cell_or_an_edge_with_the_old() -> None:
    for piece, facing, clockwise in product({*range(1, 8)} - {_O}, range(4), range(2)):
        first = (piece == _I) * 80 + facing * 20 + clockwise * 10
        for at in range(first, first + 10, 2):
            turned = cells_of(piece, facing - 1 + 2 * clockwise & 3, POINTS[at] - 2, POINTS[at + 1] - 2)
            minos = cells_of(piece, facing, 0, 0)
            assert min(abs(x - u) + abs(y - v) for x, y in minos for u, v in turned) <= 1


@pytest.mark.parametrize("modern", [0, HALF_TURNS])
def test_only_a_half_turn_leaps_to_a_corner(modern: int) -> None:
    """A cave of a lying I, which meets the way down only at a corner."""
    game = Game(1, choose(Options(), modern=modern))
    for y in range(SKYLINE):
        empty = {SKYLINE - 1: [SPAWN_X + 1], SKYLINE - 2: range(SPAWN_X + 1)}.get(y, [0])
        game.matrix.set_row(y, bytes(column not in empty for column in range(WIDTH)))
    cave = {(column, SKYLINE - 2) for column in range(SPAWN_X + 1)}
    x, y = next(place for place in product(range(-2, WIDTH), range(SKYLINE)) if cells_of(_I, 0, *place) == cave)
    assert game.place(_I, x, y, 0)
    assert is_reachable(game, [0] * (HEIGHT + 2)) == (modern > 0)


@pytest.mark.no_cover
@pytest.mark.parametrize("rows", [0, 6, 19, 24, 40])
def test_a_place_is_reachable_if_connected_to_the_generation_cells(rows: int) -> None:
    chance = random.Random(rows)
    room = [-1] * (HEIGHT + 2)
    seen = set()
    for share in sorted((0.3, 0.5, 0.6, 0.7) * 8):
        game = Game(1)
        scatter(game.matrix, chance, rows, share)
        joined = find_joined(game.matrix, (SPAWN_X + 1, SKYLINE))
        for piece, facing, x, y in product(range(1, 8), range(4), range(-2, WIDTH), range(-2, SKYLINE)):
            if game.place(piece, x, y, facing):
                expected = not joined.isdisjoint(cells_of(piece, facing, x, y))
                assert is_reachable(game, room) == expected
                seen.add(expected)
    assert seen == ({True} if rows == 0 else {True, False})


def test_every_lock_down_of_a_game_is_reachable(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(1)
    options = Options()
    options.lock_rule = INFINITE
    room = [-1] * (HEIGHT + 2)
    places: list[tuple[bool, bool]] = []
    lock = Matrix.lock

    def check(matrix: Matrix, piece: int, x: int, y: int, shape: int) -> None:
        minos = cells_of(game.piece, game.facing, x, y)
        covered = all(any(matrix.rows[row][column] for row in range(y + 1, HEIGHT)) for column, y in minos)
        places.append((covered, is_reachable(game, room)))
        lock(matrix, piece, x, y, shape)

    monkeypatch.setattr(Matrix, "lock", check)
    for _ in range(60):
        game = Game(chance.randrange(1 << 30), options)
        scatter(game.matrix, chance, chance.choice((8, 14, 19, 24)), 0.4)
        for control, pressed, t_ms in chance_edges(chance, 400):
            game.advance(t_ms)
            game.input(control, pressed, t_ms)
    assert {reachable for _, reachable in places} == {True} and sum(covered for covered, _ in places) > 5
