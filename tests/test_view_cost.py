"""What drawing costs on 32-bit MicroPython: no byte of heap, and a frame's time on the board (15 us a turn)."""

from __future__ import annotations

import pytest

from tools.interpreters import NATIVE, WASM, marks_of, missing, run, turn_fuel

TURN_MS = 0.015

SCRIPT = """
import sys
from micropython import heap_lock, heap_unlock
from time import ticks_us as mark
from firmware.engine.matrix import Matrix
from firmware.view.canvas import Canvas
from firmware.view.playfield import PlayView

class Stage:
    matrix = Matrix()
    piece = 1
    facing = 1
    x = 3
    y = 10
    ghost_y = 4
    next = bytearray(b"\\1\\2\\3\\4\\5\\6")
    hold = 2
    held = False
    score = 123450
    level = 7
    lines = 12
    goal = 5
    time_ms = 59000
    phase = 1
    hits = bytearray(4)
    hit_count = 0
    animate_us = 300000
    wait_us = 0

game = Stage
for y in range(20):
    for x in range(10):
        game.matrix.rows[y][x] = 1 + (x + y) % 8 if y < 4 or y > 15 else 0
canvas = Canvas()
view = PlayView(canvas)

def draw():
    mark()
    view.draw(game)
    mark()

def play():
    draw()
    draw()
    game.y -= 1
    draw()
    game.x += 1
    draw()
    game.y -= 1
    game.x -= 1
    game.facing = 2
    game.ghost_y = 3
    game.score += 1
    game.time_ms += 100
    draw()
    game.piece = 0
    game.phase = 5
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
    game.phase = 0
    draw()
    draw()
    game.held = True
    view.reset()
    draw()

heap_lock()
try:
    play()
finally:
    heap_unlock()
print("drawn", sum(canvas.buffer))
"""


def costs_ms() -> list[float]:
    """Return what each frame of the script costs on the board."""
    marks = marks_of(run(WASM, SCRIPT))
    unit = turn_fuel() / TURN_MS
    return [(after - before) / unit for before, after in zip(marks[::2], marks[1::2], strict=True)]


@pytest.mark.parametrize("interpreter", [WASM, NATIVE])
def test_drawing_allocates_nothing(interpreter: str) -> None:
    if missing(interpreter):
        pytest.skip(missing(interpreter))
    assert run(interpreter, SCRIPT).last_line.startswith("drawn")


@pytest.mark.skipif(bool(missing(WASM)), reason=missing(WASM) or "installed")
def test_drawing_keeps_its_time() -> None:
    _first, idle, down, sideways, turned, *rest = costs_ms()
    flashes, collapse, idle_after = rest[:-3], rest[-3], rest[-2]
    assert max(idle, idle_after) <= 0.5
    assert down <= 4
    assert sideways <= 8
    assert turned <= 12
    assert max(flashes) <= 25
    assert collapse <= 25
