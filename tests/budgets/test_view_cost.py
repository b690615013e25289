"""The cost of drawing on 32-bit MicroPython: no heap, and the time of a frame on the board."""

from itertools import islice

import pytest

from tests.support import needs
from tests.support.needs import needs_wasm
from tools.interpreters import NATIVE, WASM, marks_of, run
from tools.measure import board

SCRIPT = """
import sys
from micropython import heap_lock, heap_unlock
from time import ticks_us as mark
from firmware.engine import events, phases
from firmware.engine.matrix import Matrix
from firmware.engine.mode import Mode
from firmware.engine.options import Options
from firmware.view.canvas import Canvas
from firmware.view.{module} import {view}

class Stage:
    matrix, options, mode = Matrix(), Options(), Mode()
    piece, facing, phase = 1, 1, phases.FALLING
    x, y, ghost_y = 3, 10, 4
    next, hold, held = bytearray(b"\\1\\2\\3\\4\\5\\6"), 2, False
    score, level, lines, goal = 123450, 7, 12, 5
    time_ms, limit_ms = 59000, 0
    hits, hit_count = bytearray(4), 0
    animate_us, wait_us = 300000, 0

game = Stage
for y in range(20):
    for x in range(10):
        game.matrix.rows[y][x] = 1 + (x + y) % 8 if y < 4 or y > 15 else 0
canvas = Canvas()
view = {view}(canvas)

def draw():
    mark()
    view.draw(game)
    mark()

def play():
    for again in range(4):
        draw()
    game.y -= 1
    draw()
    game.x += 1
    draw()
    for time in range(60):
        view.draw(game)
    game.y -= 1
    game.x -= 1
    game.facing = 2
    game.ghost_y = 3
    game.score += 1
    game.time_ms += 100
    draw()
    game.piece = 0
    game.phase = phases.ANIMATE
    game.hit_count = 4
    for y in range(4):
        game.hits[y] = y
    game.matrix.version += 1
    for wait_us in range(300000, -1, -15000):
        game.wait_us = wait_us
        draw()
    game.matrix.collapse(game.hits, 4)
    game.lines += 4
    game.score += 5600
    game.goal = 1
    game.phase = phases.GENERATION
    draw()
    draw()
    game.held = True
    view.reset()
    draw()

def play_effects():
    game.phase = phases.FALLING
    game.piece = 6
    game.facing = 0
    game.x = 3
    game.y = 13
    game.ghost_y = 1
    for wait in range(10):
        view.draw(game)
    game.piece = 0
    game.y = 1
    game.phase = phases.GENERATION
    for x in range(3, 6):
        game.matrix.rows[2][x] = 6
    game.matrix.version += 1
    game.score += 40
    view.tell(events.HARD_DROPPED | events.LOCKED, game)
    for wait in range(10):
        draw()
    view.tell(events.T_SPIN | events.BACK_TO_BACK | events.TRIPLE, game)
    view.tell(events.LEVEL_UP, game)
    for wait in range(250):
        draw()

heap_lock()
try:
    play()
    play_effects()
finally:
    heap_unlock()
print("drawn", sum(canvas.buffer))
"""

# The frames of the script, in their order: how many, and the most milliseconds that one may take on the board.
LIMITS = {
    "repainted": (1, 36),
    "again": (3, 0.35),
    "down": (1, 1.2),
    "sideways": (1, 4),
    "turned": (1, 5),
    "flashes": (21, 3.5),
    "collapse": (2, 5.5),
    "reset": (1, 27),
    "effects": (260, 5),
}
QUIET = ("again", "down", "sideways", "turned")  # the Tetrimino only falls or moves

PLAIN = ("playfield", "PlayView")
EFFECTS = ("effects", "EffectsView")
LARGE = ("layouts.large", "LargeView")


def script(kind: tuple[str, str]) -> str:
    return SCRIPT.replace("{module}", kind[0]).replace("{view}", kind[1])


def costs_ms(kind: tuple[str, str]) -> dict[str, list[float]]:
    """Return the times of the script's frames on the board, by their names in LIMITS."""
    marks = marks_of(run(WASM, script(kind)))
    costs = (board.to_us(after - before) / 1000 for before, after in zip(marks[::2], marks[1::2], strict=True))
    found = {name: list(islice(costs, count)) for name, (count, _most_ms) in LIMITS.items()}
    assert [len(taken) for taken in found.values()] == [count for count, _most_ms in LIMITS.values()]
    assert not list(costs)
    return found


@pytest.mark.parametrize("kind", [PLAIN, EFFECTS, LARGE], ids=lambda kind: kind[0])
@pytest.mark.parametrize("interpreter", [WASM, NATIVE])
def test_drawing_allocates_nothing(interpreter: str, kind: tuple[str, str]) -> None:
    needs.demand_interpreter(interpreter)
    assert run(interpreter, script(kind)).last_line.startswith("drawn")


@pytest.mark.parametrize("kind", [PLAIN, EFFECTS, LARGE], ids=lambda kind: kind[0])
@needs_wasm
def test_drawing_keeps_its_time_limits(kind: tuple[str, str]) -> None:
    longest_ms = {name: max(taken) for name, taken in costs_ms(kind).items()}
    assert {name: most_ms for name, most_ms in longest_ms.items() if most_ms > LIMITS[name][1]} == {}


@needs_wasm
def test_hidden_effects_cost_at_most_a_quarter_millisecond() -> None:
    plain, effects = costs_ms(PLAIN), costs_ms(EFFECTS)
    assert all(max(effects[name]) <= max(plain[name]) + 0.25 for name in QUIET)
