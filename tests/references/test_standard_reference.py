"""Standard and Test Spec agree with tests/references/standard_reference.py, edge by edge, on random games.

Game number N is the same everywhere. `duel(N)` replays it.
"""

import random
from collections import Counter
from typing import Any

import pytest

from firmware.compat import TICKS_PERIOD
from firmware.engine.controls import HARD_DROP, HOLD, LEFT, RIGHT, ROTATE_CCW, ROTATE_CW, SOFT_DROP
from firmware.engine.options import Options
from firmware.modes.catalogue import STANDARD, make_mode
from tests.references.standard_reference import LETTERS, Reference
from tests.support.drill import CODES
from tests.support.variants import TEST_SPEC

CHUNK = 50
CHUNKS = 2
REQUESTS = {LEFT: "left", RIGHT: "right", ROTATE_CW: "rotate", ROTATE_CCW: "rotate", HARD_DROP: "drop"}


def begin(number: int, rng: random.Random) -> tuple[Any, Reference]:
    """Return the two games of a number, the same pile in both."""
    options = Options()
    options.level = rng.randint(1, 10)
    variant = STANDARD if number % 2 else TEST_SPEC
    mode = make_mode(variant)
    assert mode.rules
    seed = rng.choice((0, 1, 0xFFFF, 0x10000, rng.randrange(1 << 30)))
    game: Any = mode.rules(seed, options, mode)
    reference = Reference(seed, options.level - 1, variant == TEST_SPEC)
    # Earlier lines, so that level-ups occur, and a pile with one or two wells.
    game.lines = reference.lines = rng.choice((0, 0, 7, 18, 36, 57, 88, 95))
    game.grade()
    game.wait_us = game.interval_us
    reference.next_iteration_ms = reference.delay_ms()
    wells = [rng.randrange(10), rng.choice((0, 3, 9))]
    for y in range(rng.choice((0, 0, 4, 9, 15))):
        row = bytes(0 if x in wells or rng.random() < 0.02 else 1 + rng.randrange(7) for x in range(10))
        if all(row):
            continue
        game.matrix.set_row(y, row)
        reference.pile |= {(x + 1, y + 1): CODES[cell] for x, cell in enumerate(row) if cell}
    return game, reference


def observe(game: Any) -> dict[str, object]:
    """Return the public state of the engine, in the terms of the specifications."""
    masks = (game.a, game.b, game.c, game.d) if game.piece else ()
    rows = game.matrix.rows[: max(game.matrix.top, 20)]
    return {
        "piece": CODES[game.piece] if game.piece else "",
        "cells": {(bit - 2, game.y + i + 1) for i, mask in enumerate(masks) for bit in range(16) if mask >> bit & 1},
        "pile": {(x + 1, y + 1): CODES[cell] for y, row in enumerate(rows) for x, cell in enumerate(row) if cell},
        "tally": (game.score, game.lines, game.level, game.lock_downs, bool(game.over), game.time_ms),
        "counts": {letter: game.count(CODES.index(letter)) for letter in LETTERS},
    }


def observe_reference(reference: Reference) -> dict[str, object]:
    tally = (reference.score, reference.lines, reference.shown_level())
    return {
        "piece": reference.letter,
        "cells": reference.cells() if reference.letter else set(),
        "pile": reference.pile,
        "tally": (*tally, reference.landed, reference.over, reference.now_ms),
        "counts": reference.counts,
    }


def plan(reference: Reference) -> tuple[int, int]:
    """Return the orientation and the origin's column that complete the most rows, or else lie lowest."""
    best = (-1000.0, 1, 6)
    for orientation in range(1, 5):
        for x in range(1, 11):
            y = 18
            if not reference.possible(reference.cells((x, y), orientation)):
                continue
            while reference.possible(reference.cells((x, y - 1), orientation)):
                y -= 1
            cells = reference.cells((x, y), orientation)
            full = sum(
                all((column, row) in reference.pile or (column, row) in cells for column in range(1, 11))
                for row in {row for _, row in cells}
            )
            # Empty cells right below the piece become holes.
            holes = sum((cx, cy - 1) not in reference.pile | dict.fromkeys(cells) and cy > 1 for cx, cy in cells)
            best = max(best, (20 * full - 4 * holes - sum(row for _, row in cells) / 4, orientation, x))
    return best[1], best[2]


def choose_control(rng: random.Random, reference: Reference, orientation: int, target: int) -> int:
    """Return mostly a step towards an orientation and a column of the origin, else any control."""
    control = rng.choice((LEFT, RIGHT, ROTATE_CW, ROTATE_CCW, HOLD, SOFT_DROP))
    if not reference.letter or rng.random() >= 0.9:
        return control
    if reference.orientation != orientation and reference.free_falls + reference.queued < 4:
        return ROTATE_CCW
    x = reference.origin[0]
    return LEFT if x > target else RIGHT if x < target else HARD_DROP


def duel(number: int) -> Counter[str]:
    """Play a game on both; return the count of each kind of event."""
    rng = random.Random(f"standard {number}")
    game, reference = begin(number, rng)
    start_ms = rng.choice((0, TICKS_PERIOD - 5000))
    game.start(start_ms)
    seen: Counter[str] = Counter()
    now_ms = held = planned = 0
    orientation, target = 1, 6
    for _ in range(rng.choice((60, 300))):
        now_ms += rng.choice((0, 0, 1, 7, 16, 50, 120, reference.delay_ms(), 2 * reference.delay_ms() + 1))
        for slice_ms in sorted(rng.randint(reference.now_ms, now_ms) for _ in range(rng.choice((0, 0, 2)))):
            game.advance((start_ms + slice_ms) % TICKS_PERIOD)
        lines, level = reference.lines, reference.shown_level()
        reference.pass_time(now_ms)
        if reference.over:
            break
        appeared = sum(reference.counts.values())
        if reference.letter and appeared > planned:
            planned = appeared
            orientation, target = plan(reference) if rng.random() < 0.8 else (1, rng.randint(1, 10))
        control = choose_control(rng, reference, orientation, target)
        held ^= 1 << control
        pressed = held >> control & 1
        if not pressed and rng.random() < 0.7:  # release and press again at once
            game.input(control, 0, (start_ms + now_ms) % TICKS_PERIOD)
            held |= 1 << control
            pressed = 1
        game.input(control, pressed, (start_ms + now_ms) % TICKS_PERIOD)
        if pressed and control in REQUESTS:
            reference.request(REQUESTS[control])
        seen[f"{reference.lines - lines} lines"] += 1
        seen["level up"] += reference.shown_level() > level
        assert observe(game) == observe_reference(reference), f"game {number} at {now_ms} ms"
    game.advance((start_ms + now_ms) % TICKS_PERIOD)
    assert observe(game) == observe_reference(reference)
    seen["over"] += reference.over
    seen["landed"] += reference.landed
    return seen


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_games_agree(chunk: int) -> None:
    seen = sum((duel(number) for number in range(chunk * CHUNK, (chunk + 1) * CHUNK)), Counter[str]())
    # The games must cover all cases.
    assert seen["landed"] > 400
    assert seen["1 lines"] > 20 and seen["2 lines"] and seen["level up"] and seen["over"]


@pytest.mark.long
def test_ten_thousand_random_games_agree() -> None:
    seen = sum((duel(number) for number in range(1000, 11_000)), Counter[str]())
    assert seen["3 lines"] and seen["4 lines"]
