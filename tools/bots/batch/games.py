"""Play a game of the arrays from a Lock Down to the next Tetrimino, as firmware/engine/game.py does."""

from typing import Any

import numpy as np
from numba.extending import register_jitable

from firmware.engine import game as engine
from firmware.engine import scoring
from firmware.engine.randomizer import Random
from firmware.modes.marathon import LAST_LEVEL
from tools.bots.batch import state
from tools.bots.batch.blocks import LOWS, clear_rows, find_top, fits, raise_row
from tools.bots.batch.compiling import compiled
from tools.bots.batch.state import Game, Rules
from tools.bots.strong import columns as bits

NOWHERE = -1

# spin, lines
_AWARDS = np.array([[scoring.award(spin, lines) for lines in range(5)] for spin in range(3)])


# The engine's own functions: a record of Games.randoms has the attributes of a Random.
seed_random = compiled(Random.seed)
draw_below = compiled(Random.below)
register_jitable(scoring.qualifies)
follow_chain = compiled(scoring.follow_chain)


@compiled
def refill(game: Game, at: int) -> None:
    """Deal from the bag to a place in the Next Queue, as `Bag` of firmware/engine/randomizer.py does."""
    words = game.words
    left = words[state.LEFT]
    if not left:
        left = 7
    pick = state.ORDER + draw_below(game.randoms[state.BAG], left)
    left -= 1
    piece = words[pick]
    words[pick] = words[state.ORDER + left]
    words[state.ORDER + left] = piece
    words[state.LEFT] = left
    words[at] = piece


@compiled
def deal(game: Game) -> int:
    """Take the first of the Next Queue and refill its end."""
    words = game.words
    piece = words[state.NEXT]
    for i in range(state.NEXT, state.NEXT + state.QUEUE - 1):
        words[i] = words[i + 1]
    refill(game, state.NEXT + state.QUEUE - 1)
    return int(piece)


@compiled
def find_entry_y(columns: Any, wide: Any, piece: int) -> int:
    """Return the y at which a piece enters, one row down if there is room; NOWHERE if it cannot enter."""
    y = engine.SPAWN_Y - 1 if piece == bits.I else engine.SPAWN_Y
    if find_top(columns) <= state.OPEN_ROWS:
        return y - 1
    bits.widen(columns, wide)
    if not fits(wide, piece, 0, engine.SPAWN_X, y):
        return NOWHERE
    return y - 1 if fits(wide, piece, 0, engine.SPAWN_X, y - 1) else y


@compiled
def enter(game: Game, piece: int) -> None:
    """Generate a Tetrimino, or end the game."""
    y = find_entry_y(game.columns, game.scratch.wide, piece)
    game.words[state.PIECE] = piece
    game.words[state.ENTRY_Y] = y
    if y == NOWHERE:
        end(game.words, engine.BLOCK_OUT)


@compiled
def end(words: Any, reason: int) -> None:
    """End the game."""
    words[state.OVER] = reason
    words[state.PIECE] = 0


@compiled
def begin(game: Game, rules: Rules, seeds: Any) -> None:
    """Begin a game with the next of its seeds."""
    words = game.words
    drawn = words[state.DRAWN]
    seed = seeds[drawn]
    words[:] = 0
    game.columns[:] = 0
    game.cells[:] = 0
    words[state.DRAWN] = drawn + 1
    seed_random(game.randoms[state.BAG], seed)
    seed_random(game.randoms[state.GARBAGE], seed ^ engine.GARBAGE_SEED)
    for piece in range(7):
        words[state.ORDER + piece] = piece + 1
    words[state.COMBO] = -1
    words[state.LEVEL] = rules.level
    for _ in range(rules.garbage_rows):
        raise_row(game.columns, game.cells, draw_below(game.randoms[state.GARBAGE], 10))
    if rules.variant == state.MARATHON:
        words[state.GOAL] = (5 if rules.goal_rule else 10) * rules.level
    elif rules.variant == state.SPRINT:
        words[state.GOAL] = rules.aim
    for at in range(state.NEXT, state.NEXT + state.QUEUE):
        refill(game, at)
    enter(game, deal(game))


@compiled
def hold(game: Game) -> None:
    """Hold the Tetrimino in play and play the held one or the next."""
    words = game.words
    words[state.HELD] = 1
    held = words[state.HOLD]
    words[state.HOLD] = words[state.PIECE]
    enter(game, held or deal(game))


@compiled
def rate_spin(wide: Any, facing: int, x: int, y: int, fifth: bool) -> int:
    """Return the spin of a T whose last movement was a rotation; fifth: whether rotation point 5 was used."""
    full, mini = bits.find_corners(wide, facing, x + bits.EDGE, 1 << bits.ROWS - 1 - y)
    if full or mini and fifth:
        return bits.FULL_SPIN
    return bits.MINI_SPIN if mini else bits.NO_SPIN


@compiled
def lock(game: Game, rules: Rules, facing: int, x: int, y: int, spin: int) -> None:
    """Lock down the Tetrimino in play, and go on to the next one or to the end of the game."""
    words = game.words
    columns = game.columns
    cells = game.cells
    piece = words[state.PIECE]
    words[state.PIECE] = 0
    words[state.HELD] = 0
    words[state.LOCK_DOWNS] += 1
    for i in range(4):
        column = x + bits.CELL_X[piece, facing, i]
        row = y + bits.CELL_Y[piece, facing, i]
        columns[column] |= 1 << bits.ROWS - 1 - row
        cells[row * 10 + column] = piece
    if y + LOWS[piece, facing] >= state.SKYLINE:
        end(words, engine.LOCK_OUT)
        return
    lines = clear_rows(columns, cells)
    awarded = count(words, columns, rules, spin, lines) if lines or spin else 0
    words[state.COMBO] = words[state.COMBO] + 1 if lines else -1
    complete(words, rules, lines, awarded)
    if rules.every and not words[state.OVER] and words[state.LOCK_DOWNS] % rules.every == 0:
        gap = draw_below(game.randoms[state.GARBAGE], 10)
        for _ in range(rules.rows):
            if not raise_row(columns, cells, gap):
                end(words, engine.TOP_OUT)
                break
    pass_time(game, rules, rules.animate_ms if lines else 0)


@compiled
def count(words: Any, columns: Any, rules: Rules, spin: int, lines: int) -> int:
    """Count a Lock Down with lines or a spin; return its lines under the Variable Goal System."""
    chain = words[state.CHAIN] if scoring.qualifies(spin, lines) else 0
    awarded = _AWARDS[spin, lines]
    if chain:
        awarded += awarded // 2
    words[state.SCORE] += awarded * 100 * words[state.LEVEL]
    words[state.LINES] += lines
    if lines:
        kind = (0 if find_top(columns) else 15) + spin * 5 + lines
        combo = min(words[state.COMBO] + 1, rules.combos - 1)
        words[state.CLEARED] = (kind * rules.chains + min(chain, rules.chains - 1)) * rules.combos + combo
    words[state.CHAIN] = follow_chain(spin, lines, words[state.CHAIN])
    return awarded


@compiled
def complete(words: Any, rules: Rules, lines: int, awarded: int) -> None:
    """Level up, or end a variant whose aim is reached."""
    if rules.variant == state.MARATHON:
        words[state.GOAL] -= awarded if rules.goal_rule else lines
        while words[state.GOAL] <= 0:
            if words[state.LEVEL] >= LAST_LEVEL and not rules.aim:
                words[state.GOAL] = 0
                end(words, engine.AIM_REACHED)
                return
            words[state.LEVEL] += 1
            words[state.GOAL] += 5 * words[state.LEVEL] if rules.goal_rule else 10
    elif rules.variant == state.SPRINT:
        words[state.GOAL] -= lines
        if words[state.GOAL] <= 0:
            words[state.GOAL] = 0
            end(words, engine.AIM_REACHED)


@compiled
def pass_time(game: Game, rules: Rules, animate_ms: int) -> None:
    """Let the Line Clear and the generation delay pass, then generate the next Tetrimino; or reach the time limit."""
    words = game.words
    left_ms = rules.limit_ms - words[state.TIME_MS] if rules.limit_ms else 1 << 40
    if words[state.OVER]:
        words[state.TIME_MS] += min(animate_ms, left_ms)
        return
    passed_ms = animate_ms + rules.generation_ms
    words[state.TIME_MS] += min(passed_ms, left_ms)
    if passed_ms <= left_ms:
        enter(game, deal(game))
    if passed_ms >= left_ms and not words[state.OVER]:
        end(words, engine.AIM_REACHED)
