"""Play a game of the arrays from a Lock Down to the next Tetrimino, as firmware/engine/game.py does."""

from typing import Any

import numpy as np
from numba.extending import register_jitable

from firmware.engine import game as engine
from firmware.engine import scoring
from firmware.engine.randomizer import Random
from firmware.match import tables
from firmware.match.attack import count_lines
from firmware.match.fields import FIELDS
from firmware.match.flight import FLIGHT_MS
from firmware.modes.marathon import LAST_LEVEL
from tools.bots.batch import state
from tools.bots.batch.blocks import clear_rows, find_top, fits, raise_row
from tools.bots.batch.compiling import compiled
from tools.bots.batch.state import Game, Rules
from tools.bots.strong import columns as bits

NOWHERE = -1

# spin, lines
_AWARDS = np.array([[scoring.award(spin, lines) for lines in range(5)] for spin in range(3)])
# spin, lines, Back-to-Back: lines sent in a match
_TABLE = tables.read(tables.GUIDELINE)
_SENT = np.zeros((3, 5, 2), np.int64)
for _spin, _lines, _chained in np.ndindex(3, 4, 2):
    _SENT[_spin, _lines + 1, _chained] = count_lines(_TABLE, _spin, _lines + 1, _chained)
_QUICKEN_MS = 1000 * next(row[3] for row in FIELDS if row[0] == "quicken_s")
_GAP_LINES = 8


# The engine's own functions: game.random and game.garbage have the attributes of a Random.
seed_random = compiled(Random.seed)
draw_below = compiled(Random.below)
register_jitable(scoring.qualifies)
follow_chain = compiled(scoring.follow_chain)


@compiled
def refill(game: Game, at: int) -> None:
    """Deal from the bag to a place in the Next Queue, as `Bag` of firmware/engine/randomizer.py does."""
    if not game.left:
        game.left = 7
    order = game.order
    pick = draw_below(game.random, game.left)
    game.left -= 1
    piece = order[pick]
    order[pick] = order[game.left]
    order[game.left] = piece
    game.next[at] = piece


@compiled
def deal(game: Game) -> int:
    """Take the first of the Next Queue and refill its end."""
    piece = game.next[0]
    for i in range(state.QUEUE - 1):
        game.next[i] = game.next[i + 1]
    refill(game, state.QUEUE - 1)
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
def enter(game: Game, wide: Any, piece: int) -> None:
    """Generate a Tetrimino, or end the game."""
    game.piece = piece
    game.entry_y = find_entry_y(game.columns, wide, piece)
    if game.entry_y == NOWHERE:
        end(game, engine.BLOCK_OUT)


@compiled
def end(game: Game, reason: int) -> None:
    game.over = reason
    game.piece = 0
    game.out_ms = game.time_ms


@compiled
def begin(game: Game, rules: Rules, wide: Any) -> None:
    seed = game.seeds[game.drawn]
    game.drawn += 1
    seed_random(game.random, seed)
    seed_random(game.garbage, seed ^ engine.GARBAGE_SEED)
    game.columns[:] = 0
    game.cells[:] = 0
    game.hold = game.held = game.left = game.lines = game.score = game.goal = game.chain = game.lock_downs = 0
    game.sent = game.cleared = game.over = game.time_ms = game.kept = game.steps = 0
    game.ended = game.queued = game.received = game.countered = game.gap = game.gap_left = game.flights = 0
    game.coming[:] = 0
    game.combo = game.out_ms = -1
    game.level = rules.level
    for piece in range(7):
        game.order[piece] = piece + 1
    for _ in range(rules.garbage_rows):
        raise_row(game.columns, game.cells, draw_below(game.garbage, 10))
    if rules.variant == state.MARATHON:
        game.goal = (5 if rules.goal_rule else 10) * rules.level
    elif rules.variant == state.SPRINT:
        game.goal = rules.aim
    for at in range(state.QUEUE):
        refill(game, at)
    enter(game, wide, deal(game))


@compiled
def hold(game: Game, wide: Any) -> None:
    """Hold the Tetrimino in play and play the held one or the next."""
    held = game.hold
    game.held = 1
    game.hold = game.piece
    enter(game, wide, held or deal(game))


@compiled
def rate_spin(wide: Any, facing: int, x: int, y: int, fifth: bool) -> int:
    """Return the spin of a T whose last movement was a rotation; fifth: whether rotation point 5 was used."""
    corners = np.zeros(2, np.int64)
    for i in range(4):
        column = wide[x + bits.EDGE + (i & 1) * 2] << (i >> 1) * 2
        corners[bits.NOSES[facing, i]] += column >> bits.ROWS - 1 - y & 1
    tail, nose = corners
    if tail + nose < 3:
        return bits.NO_SPIN
    return bits.FULL_SPIN if nose == 2 or fifth else bits.MINI_SPIN


@compiled
def lock(game: Game, rules: Rules, wide: Any, facing: int, x: int, y: int, spin: int) -> None:
    """Lock down the Tetrimino in play, and go on to the next one or to the end of the game."""
    columns = game.columns
    cells = game.cells
    piece = game.piece
    game.piece = 0
    game.held = 0
    game.lock_downs += 1
    for i in range(4):
        column = x + bits.CELL_X[piece, facing, i]
        row = y + bits.CELL_Y[piece, facing, i]
        columns[column] |= 1 << bits.ROWS - 1 - row
        cells[row * 10 + column] = piece
    if y + bits.LOWS[piece, facing] >= state.SKYLINE:
        end(game, engine.LOCK_OUT)
        return
    lines = clear_rows(columns, cells)
    rising = exchange(game, spin, lines) if rules.seats > 1 else 0
    awarded = count(game, rules, spin, lines) if lines or spin else 0
    game.combo = game.combo + 1 if lines else -1
    complete(game, rules, lines, awarded)
    if rules.every and not game.over and game.lock_downs % rules.every == 0:
        gap = draw_below(game.garbage, 10)
        for _ in range(rules.rows):
            if not raise_row(columns, cells, gap):
                end(game, engine.TOP_OUT)
                break
    if rules.seats == 1:
        pass_time(game, rules, wide, rules.animate_ms if lines else 0)
    elif rise(game, rising):
        game.level = max(game.level, min(LAST_LEVEL, rules.level + game.time_ms // _QUICKEN_MS))


@compiled
def exchange(game: Game, spin: int, lines: int) -> int:
    """Let lines arrive, cancel them, and attack; return how many rise, as `iterate` of firmware/match/seat.py does."""
    while game.flights and game.due[0] <= game.time_ms:
        game.queued += game.coming[0]
        game.flights -= 1
        for i in range(game.flights + 1):
            game.due[i] = game.due[i + 1]
            game.coming[i] = game.coming[i + 1]
    sent = _SENT[spin, lines, 1 if game.chain and scoring.qualifies(spin, lines) else 0]
    countered = min(sent, game.queued)
    game.queued -= countered
    game.countered += countered
    game.attack = sent - countered
    game.sent += game.attack
    return int(game.queued)


@compiled
def rise(game: Game, rising: int) -> bool:
    """Raise lines of a match, eight with the same gap; return False after a Top Out."""
    for _ in range(rising):
        game.queued -= 1
        game.received += 1
        if not game.gap_left:
            game.gap_left = _GAP_LINES
            if game.received > 1:
                game.gap = (game.gap + 1 + draw_below(game.garbage, 9)) % 10
            else:
                game.gap = draw_below(game.garbage, 10)
        game.gap_left -= 1
        if not raise_row(game.columns, game.cells, game.gap):
            end(game, engine.TOP_OUT)
            return False
    return True


@compiled
def count(game: Game, rules: Rules, spin: int, lines: int) -> int:
    """Count a Lock Down with lines or a spin; return its lines under the Variable Goal System."""
    chain = game.chain if scoring.qualifies(spin, lines) else 0
    awarded = _AWARDS[spin, lines]
    if chain:
        awarded += awarded // 2
    game.score += awarded * 100 * game.level
    game.lines += lines
    if lines:
        kind = (0 if find_top(game.columns) else 15) + spin * 5 + lines
        combo = min(game.combo + 1, rules.combos - 1)
        game.cleared = (kind * rules.chains + min(game.kept, rules.chains - 1)) * rules.combos + combo
        game.kept = game.kept + 1 if rules.kept >> spin * 4 + lines - 1 & 1 else 0
    game.chain = follow_chain(spin, lines, game.chain)
    return awarded


@compiled
def complete(game: Game, rules: Rules, lines: int, awarded: int) -> None:
    """Level up, or end a variant whose aim is reached."""
    if rules.variant == state.MARATHON:
        game.goal -= awarded if rules.goal_rule else lines
        while game.goal <= 0:
            if game.level >= LAST_LEVEL and not rules.aim:
                game.goal = 0
                end(game, engine.AIM_REACHED)
                return
            game.level += 1
            game.goal += 5 * game.level if rules.goal_rule else 10
    elif rules.variant == state.SPRINT:
        game.goal -= lines
        if game.goal <= 0:
            game.goal = 0
            end(game, engine.AIM_REACHED)


@compiled
def pass_time(game: Game, rules: Rules, wide: Any, animate_ms: int) -> None:
    """Let the Line Clear and the generation delay pass, then generate the next Tetrimino; or reach the time limit."""
    left_ms = rules.limit_ms - game.time_ms if rules.limit_ms else 1 << 40
    if game.over:
        game.time_ms += min(animate_ms, left_ms)
        return
    passed_ms = animate_ms + rules.generation_ms
    game.time_ms += min(passed_ms, left_ms)
    if passed_ms <= left_ms:
        enter(game, wide, deal(game))
    if passed_ms >= left_ms and not game.over:
        end(game, engine.AIM_REACHED)


@compiled
def go_on(one: Game, other: Game, rules: Rules, wide: Any) -> None:
    """Let lines fly and time pass in both games of a match, until the next Tetriminos or its end."""
    now_ms = one.steps * rules.generation_ms
    until_ms = later_ms = now_ms + rules.generation_ms
    out_ms = max(one.out_ms, other.out_ms)
    if one.over and other.over:
        out_ms = min(one.out_ms, other.out_ms)
    if out_ms != NOWHERE and out_ms + FLIGHT_MS <= later_ms:
        one.ended = other.ended = 1
        until_ms = out_ms + FLIGHT_MS
    for i in range(2):
        game = other if i else one
        receiver = one if i else other
        if game.attack:
            receiver.due[receiver.flights] = now_ms + FLIGHT_MS
            receiver.coming[receiver.flights] = game.attack
            receiver.flights += 1
            game.attack = 0
        if not game.over:
            game.time_ms = until_ms
            if until_ms == later_ms:
                enter(game, wide, deal(game))
