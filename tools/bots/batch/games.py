"""Play a game of the arrays from a Lock Down to the next Tetrimino, as firmware/engine/game.py does."""

from typing import Any

import numpy as np

from firmware.engine import scoring
from firmware.engine.game import _GARBAGE_SEED as GARBAGE_SEED
from firmware.engine.game import AIM_REACHED, BLOCK_OUT, LOCK_OUT, SPAWN_X, SPAWN_Y, TOP_OUT
from firmware.engine.randomizer import _FACTOR_A as FACTOR_A
from firmware.engine.randomizer import _FACTOR_B as FACTOR_B
from firmware.engine.randomizer import STATES_A, STATES_B
from tools.bots.batch.blocks import LOWS, clear_rows, find_top, fits, raise_row
from tools.bots.batch.compiling import compiled
from tools.bots.batch.state import (
    CHAIN,
    CLEARED,
    COMBO,
    DRAWN,
    ENTRY_Y,
    GARBAGE,
    GOAL,
    HELD,
    HOLD,
    LEFT,
    LEVEL,
    LINES,
    LOCK_DOWNS,
    MARATHON,
    NEXT,
    OPEN_ROWS,
    ORDER,
    OVER,
    PIECE,
    QUEUE,
    RANDOM,
    SCORE,
    SKYLINE,
    SPRINT,
    TIME_MS,
    Rules,
)
from tools.bots.strong.columns import (
    CELL_X,
    CELL_Y,
    EDGE,
    FULL_SPIN,
    MINI_SPIN,
    NO_SPIN,
    ROWS,
    I,
    widen,
)

_LAST_LEVEL = 15
_SPAN = 1 << 15
_SPREAD = 12
_SEED_B = 0x15A4E35
_TETRIS = 4
# spin, lines
_AWARDS = np.array([[scoring.award(spin, lines) for lines in range(5)] for spin in range(3)])
# facing: corners of the T's box at its nose: 1 lower left, 2 lower right, 4 upper left, 8 upper right
_NOSES = np.array([0x0C, 0x0A, 0x03, 0x05])


# -- random numbers and the bag ----------------------------------------------------------------------------


@compiled
def seed_random(words: Any, at: int, seed: int) -> None:
    """Start a generator of firmware/engine/randomizer.py, whose two words are at `at`."""
    a = 1 + seed % STATES_A
    b = 1 + (seed ^ _SEED_B) % STATES_B
    for _ in range(_SPREAD):
        a = FACTOR_A * (a & _SPAN - 1) + (a >> 15)
        b = FACTOR_B * (b & _SPAN - 1) + (b >> 15)
    words[at] = a
    words[at + 1] = b


@compiled
def draw_below(words: Any, at: int, count: int) -> int:
    """Return a number below `count` from the generator at `at`."""
    fair = _SPAN - _SPAN % count
    a = words[at]
    b = words[at + 1]
    drawn = _SPAN
    while drawn >= fair:
        a = FACTOR_A * (a & _SPAN - 1) + (a >> 15)
        b = FACTOR_B * (b & _SPAN - 1) + (b >> 15)
        drawn = (a ^ b) & _SPAN - 1
    words[at] = a
    words[at + 1] = b
    return drawn % count


@compiled
def refill(words: Any, at: int) -> None:
    """Deal from the bag to a place in the Next Queue."""
    left = words[LEFT]
    if not left:
        left = 7
    pick = ORDER + draw_below(words, RANDOM, left)
    left -= 1
    piece = words[pick]
    words[pick] = words[ORDER + left]
    words[ORDER + left] = piece
    words[LEFT] = left
    words[at] = piece


@compiled
def deal(words: Any) -> int:
    """Take the first of the Next Queue and refill its end."""
    piece = words[NEXT]
    for i in range(NEXT, NEXT + QUEUE - 1):
        words[i] = words[i + 1]
    refill(words, NEXT + QUEUE - 1)
    return piece


# -- phases ------------------------------------------------------------------------------------------------


@compiled
def enter(words: Any, columns: Any, wide: Any, piece: int) -> None:
    """Generate a Tetrimino and drop it one row if possible; or end the game."""
    y = SPAWN_Y - 1 if piece == I else SPAWN_Y
    words[PIECE] = piece
    words[ENTRY_Y] = y - 1
    if find_top(columns) <= OPEN_ROWS:
        return
    widen(columns, wide)
    if not fits(wide, piece, 0, SPAWN_X, y):
        end(words, BLOCK_OUT)
    elif not fits(wide, piece, 0, SPAWN_X, y - 1):
        words[ENTRY_Y] = y


@compiled
def end(words: Any, reason: int) -> None:
    """End the game."""
    words[OVER] = reason
    words[PIECE] = 0


@compiled
def begin(words: Any, columns: Any, cells: Any, wide: Any, rules: Rules, seed: int) -> None:
    """Begin a game."""
    drawn = words[DRAWN]
    words[:] = 0
    columns[:] = 0
    cells[:] = 0
    words[DRAWN] = drawn
    seed_random(words, RANDOM, seed)
    seed_random(words, GARBAGE, seed ^ GARBAGE_SEED)
    for piece in range(7):
        words[ORDER + piece] = piece + 1
    words[COMBO] = -1
    words[LEVEL] = rules.level
    for _ in range(rules.garbage_rows):
        raise_row(columns, cells, draw_below(words, GARBAGE, 10))
    if rules.variant == MARATHON:
        words[GOAL] = (5 if rules.goal_rule else 10) * rules.level
    elif rules.variant == SPRINT:
        words[GOAL] = rules.aim
    for at in range(NEXT, NEXT + QUEUE):
        refill(words, at)
    enter(words, columns, wide, deal(words))


@compiled
def hold(words: Any, columns: Any, wide: Any) -> None:
    """Hold the Tetrimino in play and play the held one or the next."""
    words[HELD] = 1
    held = words[HOLD]
    words[HOLD] = words[PIECE]
    enter(words, columns, wide, held or deal(words))


@compiled
def rate_spin(wide: Any, facing: int, x: int, y: int, fifth: bool) -> int:
    """Return the spin of a T whose last movement was a rotation; fifth: whether rotation point 5 was used."""
    low = ROWS - 1 - y
    corners = wide[x + EDGE] >> low & 1 | (wide[x + EDGE + 2] >> low & 1) << 1
    corners |= (wide[x + EDGE] >> low - 2 & 1) << 2 | (wide[x + EDGE + 2] >> low - 2 & 1) << 3
    nose = _NOSES[facing]
    if corners & nose == nose and corners != nose:
        return FULL_SPIN
    if corners | nose == 15 and corners & nose:
        return FULL_SPIN if fifth else MINI_SPIN
    return NO_SPIN


@compiled
def lock(words: Any, columns: Any, cells: Any, wide: Any, rules: Rules, facing: int, x: int, y: int, spin: int) -> None:
    """Lock down the Tetrimino in play, and go on to the next one or to the end of the game."""
    piece = words[PIECE]
    words[PIECE] = 0
    words[HELD] = 0
    words[LOCK_DOWNS] += 1
    for i in range(4):
        column = x + CELL_X[piece, facing, i]
        row = y + CELL_Y[piece, facing, i]
        columns[column] |= 1 << ROWS - 1 - row
        cells[row * 10 + column] = piece
    if y + LOWS[piece, facing] >= SKYLINE:
        end(words, LOCK_OUT)
        return
    lines = clear_rows(columns, cells)
    awarded = count(words, columns, rules, spin, lines) if lines or spin else 0
    words[COMBO] = words[COMBO] + 1 if lines else -1
    complete(words, rules, lines, awarded)
    if rules.every and not words[OVER] and words[LOCK_DOWNS] % rules.every == 0:
        gap = draw_below(words, GARBAGE, 10)
        for _ in range(rules.rows):
            if not raise_row(columns, cells, gap):
                end(words, TOP_OUT)
                break
    pass_time(words, columns, wide, rules, rules.animate_ms if lines else 0)


@compiled
def count(words: Any, columns: Any, rules: Rules, spin: int, lines: int) -> int:
    """Count a Lock Down with lines or a spin; return its lines under the Variable Goal System."""
    qualifies = lines == _TETRIS or (lines > 0 and spin > 0)
    awarded = _AWARDS[spin, lines]
    if qualifies and words[CHAIN]:
        awarded += awarded // 2
    words[SCORE] += awarded * 100 * words[LEVEL]
    words[LINES] += lines
    if lines:
        chain = min(words[CHAIN], rules.chains - 1) if qualifies else 0
        kind = (0 if find_top(columns) else 15) + spin * 5 + lines
        words[CLEARED] = (kind * rules.chains + chain) * rules.combos + min(words[COMBO] + 1, rules.combos - 1)
    if qualifies:
        words[CHAIN] += 1
    elif lines:
        words[CHAIN] = 0
    return awarded


@compiled
def complete(words: Any, rules: Rules, lines: int, awarded: int) -> None:
    """Level up, or end a variant whose aim is reached."""
    if rules.variant == MARATHON:
        words[GOAL] -= awarded if rules.goal_rule else lines
        while words[GOAL] <= 0:
            if words[LEVEL] >= _LAST_LEVEL and not rules.aim:
                words[GOAL] = 0
                end(words, AIM_REACHED)
                return
            words[LEVEL] += 1
            words[GOAL] += 5 * words[LEVEL] if rules.goal_rule else 10
    elif rules.variant == SPRINT:
        words[GOAL] -= lines
        if words[GOAL] <= 0:
            words[GOAL] = 0
            end(words, AIM_REACHED)


@compiled
def pass_time(words: Any, columns: Any, wide: Any, rules: Rules, animate_ms: int) -> None:
    """Let the Line Clear and the generation delay pass, then generate the next Tetrimino; or reach the time limit."""
    left_ms = rules.limit_ms - words[TIME_MS] if rules.limit_ms else 1 << 40
    if words[OVER]:
        words[TIME_MS] += min(animate_ms, left_ms)
        return
    passed_ms = animate_ms + rules.generation_ms
    words[TIME_MS] += min(passed_ms, left_ms)
    if passed_ms <= left_ms:
        enter(words, columns, wide, deal(words))
    if passed_ms >= left_ms and not words[OVER]:
        end(words, AIM_REACHED)
