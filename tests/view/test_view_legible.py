"""At the size of the display, Blocks look bright and holes dark: pictures are compared after a blur of one pixel.

A cell's brightness is the mean of its pixels after a Gaussian blur of sigma 1 px. The eye blurs pixels of a sixth of a
millimetre alike.
"""

import functools
import random
from typing import Any

import numpy as np
import pytest

from firmware.save.settings import Settings
from firmware.view.blocks import OUTLINES, PATTERNS, SOLID
from firmware.view.canvas import HEIGHT, WIDTH, Canvas
from firmware.view.layouts.large import LargeView
from firmware.view.playfield import PlayView
from sim.bots.places import cells_of
from tests.support.stage import CODES, Stage, settle

ROWS = 12
STACKS = 12
FACTOR = 2.5

LOOKS = pytest.mark.parametrize("blocks", [PATTERNS, SOLID, OUTLINES], ids=["patterns", "solid", "outlines"])
VIEWS = pytest.mark.parametrize("kind", [PlayView, LargeView])


def blurred(canvas: Canvas) -> Any:
    """Return the picture, dark 0 to lit 1, after a Gaussian blur of one pixel, with dark around it."""
    lit = np.unpackbits(np.frombuffer(canvas.buffer, np.uint8, offset=1), bitorder="little")
    return spread(HEIGHT) @ lit.reshape(HEIGHT, WIDTH).astype(float) @ spread(WIDTH)


@functools.cache
def spread(length: int) -> Any:
    """Return the blur as a matrix for a line of pixels: a Gaussian with sigma 1 px, cut off after 5 px."""
    away = np.abs(np.subtract.outer(np.arange(length), np.arange(length)))
    reach = np.exp(-(np.arange(-5, 6) ** 2) / 2.0)
    return np.where(away <= 5, np.exp(-away * away / 2.0), 0.0) / reach.sum()


def stack(seed: int) -> tuple[str, set[tuple[int, int]]]:
    """Return a stack as text, and its holes (column, row) with Blocks, walls or the floor on all sides."""
    chance = random.Random(seed)
    cells = [[chance.choice(CODES[1:]) for _ in range(10)] for _ in range(ROWS)]
    holes: set[tuple[int, int]] = set()
    for y in range(ROWS - 1):
        for x in range(10):
            if chance.random() < 0.2 and not any((x + i, y + j) in holes for i in (-1, 0, 1) for j in (-1, 0, 1)):
                holes.add((x, y))
                cells[y][x] = "."
    for x in range(10):  # an uneven surface: single Blocks, open on three sides
        if chance.random() < 0.5:
            cells[ROWS - 1][x] = "."
    holes = {(x, y) for x, y in holes if y < ROWS - 2}
    return "\n".join("".join(row) for row in reversed(cells)), holes


def brightness(view: PlayView, picture: Any, x: int, y: int) -> float:
    return float(find_cell(view, picture, x, y).mean())


def find_cell(view: PlayView, picture: Any, x: int, y: int) -> Any:
    matrix = view.matrix
    left = matrix.left + x * matrix.pitch
    bottom = HEIGHT - 1 - y * matrix.pitch
    return picture[bottom - matrix.pitch : bottom, left : left + matrix.pitch]


def minos_of(stage: Stage) -> frozenset[tuple[int, int]]:
    return cells_of(stage.piece, stage.facing, stage.x, stage.y)


def show(kind: type[PlayView], blocks: int, stage: Stage) -> tuple[PlayView, Any]:
    canvas = Canvas()
    canvas.blocks = blocks
    view = kind(canvas)
    settle(view, stage)
    return view, blurred(canvas)


@functools.cache
def stacks(kind: type[PlayView], blocks: int) -> tuple[list[float], list[float]]:
    filled: list[float] = []
    dark: list[float] = []
    for seed in range(STACKS):
        text, holes = stack(seed)
        stage = Stage(text)
        view, picture = show(kind, blocks, stage)
        cells = [(x, y) for y in range(ROWS) for x in range(10) if stage.matrix.rows[y][x]]
        filled += [brightness(view, picture, x, y) for x, y in cells]
        dark += [brightness(view, picture, x, y) for x, y in holes]
    return filled, dark


def contrast(kind: Any, blocks: int) -> float:
    """Return how much brighter the darkest Block is than the brightest hole; lit minus dark is 1."""
    filled, holes = stacks(kind, blocks)
    return min(filled) - max(holes)


class TestLegible:
    @VIEWS
    @LOOKS
    def test_every_block_is_brighter_than_any_enclosed_hole(self, kind: Any, blocks: int) -> None:
        filled, holes = stacks(kind, blocks)
        assert len(holes) > 50 and min(filled) >= FACTOR * max(holes)

    @pytest.mark.parametrize(("kind", "factor"), [(PlayView, 1.8), (LargeView, 1.75)])
    def test_solid_blocks_have_far_more_contrast_than_patterns(self, kind: Any, factor: float) -> None:
        """Patterns of large cells have more contrast already: even wholly lit Blocks would reach only 1.78."""
        assert contrast(kind, SOLID) >= factor * contrast(kind, PATTERNS)
        assert Settings().blocks == SOLID == Canvas().blocks

    @VIEWS
    @pytest.mark.parametrize("piece", "IJLOSTZ")
    def test_the_tetrimino_in_play_has_a_mark_in_a_solid_stack(self, kind: Any, piece: str) -> None:
        """A solid stack is as bright as the Tetrimino, so each Mino has a spot darker than any in the stack."""
        stage = Stage("\n".join(["J" * 10] * ROWS), piece, 3, 5)
        minos = minos_of(stage)
        for x, y in minos:
            stage.matrix.rows[y][x] = 0
        view, picture = show(kind, SOLID, stage)
        darkest = [find_cell(view, picture, x, y).min() for x, y in minos]
        assert max(darkest) <= 0.85 * find_cell(view, picture, 8, 3).min()

    @VIEWS
    @pytest.mark.parametrize("blocks", [PATTERNS, OUTLINES], ids=["patterns", "outlines"])
    def test_the_tetrimino_in_play_is_brighter_than_the_stack(self, kind: Any, blocks: int) -> None:
        brightest = max(stacks(kind, blocks)[0])
        for piece in "IJLOSTZ":
            for facing in range(4):
                stage = Stage(stack(1)[0], piece, 3, 15, facing)
                view, picture = show(kind, blocks, stage)
                assert min(brightness(view, picture, x, y) for x, y in minos_of(stage)) > brightest, (piece, facing)
