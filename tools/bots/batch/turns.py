"""Play the actions of all games: a drop, or with `spins` any place that SRS reaches."""

from typing import Any, NamedTuple

from firmware.engine.game import AIM_REACHED, SPAWN_X
from tools.bots.batch import state
from tools.bots.batch.blocks import find_top, fits, rate_blocks
from tools.bots.batch.compiling import compiled
from tools.bots.batch.games import NOWHERE, begin, go_on, hold, lock, rate_spin
from tools.bots.batch.places import DROPS, PLACES, find_best_spin, find_bits, find_floor, find_places, turn_to
from tools.bots.batch.state import Game, Rules
from tools.bots.shaping import SCALE
from tools.bots.strong import columns as bits
from tools.bots.strong.columns import Scratch


class Steps(NamedTuple):
    """One action for each game, and arrays for what comes of it.

    sent: the lines that a Line Clear sends, by the word `cleared`.
    """

    sent: Any
    actions: Any
    rewards: Any
    ended: Any
    truncated: Any


@compiled
def drop_low(game: Game, rules: Rules, scratch: Scratch, facing: int, column: int) -> None:
    piece = game.piece
    x = min(column, 10 - bits.WIDTHS[piece, facing]) - bits.FIRSTS[piece, facing]
    y = find_floor(game.columns, piece, facing, x)
    game.score += 2 * (game.entry_y - y)
    lock(game, rules, scratch.wide, facing, x, y, bits.NO_SPIN)


@compiled
def drop_high(game: Game, rules: Rules, scratch: Scratch, wanted: int, column: int) -> None:
    """Turn, step to the side and drop a piece among Blocks."""
    piece = game.piece
    wide = scratch.wide
    bits.widen(game.columns, wide)
    facing, x, y, turned, fifth = turn_to(wide, piece, wanted, game.entry_y)
    target = min(column, 10 - bits.WIDTHS[piece, facing]) - bits.FIRSTS[piece, facing]
    step = 1 if target > x else -1
    while x != target and fits(wide, piece, facing, x + step, y):
        x += step
        turned = False
    rows = 0
    while fits(wide, piece, facing, x, y - rows - 1):
        rows += 1
    game.score += 2 * rows
    y -= rows
    spin = rate_spin(wide, facing, x, y, fifth) if turned and not rows and piece == bits.T else bits.NO_SPIN
    lock(game, rules, scratch.wide, facing, x, y, spin)


@compiled
def play_place(game: Game, rules: Rules, scratch: Scratch, action: int) -> None:
    """Play the best spin at a place, or a Hard Drop without one."""
    piece = game.piece
    facing = action // (10 * (state.SKYLINE + 1))
    column = action // (state.SKYLINE + 1) % 10
    row = action % (state.SKYLINE + 1)
    spot = column - bits.FIRSTS[piece, facing] + bits.EDGE
    if action >= 0 and facing < bits.KINDS[piece] and 1 <= spot < bits.SPOTS - 1:
        fits_below = row < state.SKYLINE and column + bits.WIDTHS[piece, facing] <= 10
        if fits_below and play_open(game, rules, scratch, facing, spot - bits.EDGE, row - bits.LOWS[piece, facing]):
            return
        if play_found(game, rules, scratch, facing, spot, row):
            return
    drop_high(game, rules, scratch, 0, SPAWN_X + bits.FIRSTS[piece, 0])


@compiled
def play_open(game: Game, rules: Rules, scratch: Scratch, facing: int, x: int, y: int) -> bool:
    """Play a place below open sky that is no spin, as most are: no search is needed. Return False for others."""
    piece = game.piece
    if find_top(game.columns) > state.OPEN_ROWS or y != find_floor(game.columns, piece, facing, x):
        return False
    if piece == bits.T:
        bits.widen(game.columns, scratch.wide)
        if rate_spin(scratch.wide, facing, x, y, False) != bits.NO_SPIN:
            return False
    game.score += 2 * (game.entry_y - y)
    lock(game, rules, scratch.wide, facing, x, y, bits.NO_SPIN)
    return True


@compiled
def play_found(game: Game, rules: Rules, scratch: Scratch, facing: int, spot: int, row: int) -> bool:
    """Play the best spin at a place that a search reaches; return False if it reaches none.

    row: of the lowest Mino; SKYLINE stands for the lowest place above the Skyline.
    """
    piece = game.piece
    kinds = find_places(game.columns, piece, scratch, 0)
    if not kinds:
        return False
    bit = 1 << bits.ROWS - 1 - row + bits.LOWS[piece, facing]
    found = find_bits(scratch.landings, kinds, facing, spot)
    if row == state.SKYLINE:
        above = found & (bit << 1) - 1
        bit = 0
        while above:
            bit = above & -above
            above ^= bit
    if not found & bit:
        return False
    y = bits.ROWS - 1 - bits.find_lowest(bit)
    spin = find_best_spin(scratch.landings, kinds, facing, spot, bit)
    entry_y = game.entry_y
    if entry_y > y:
        way = (bit << 1) - (1 << bits.ROWS - 1 - entry_y)
        straight = spin == bits.NO_SPIN and bits.find_room(scratch.wide, piece, facing, spot) & way == way
        game.score += (2 if straight else 1) * (entry_y - y)
    lock(game, rules, scratch.wide, facing, spot - bits.EDGE, y, spin)
    return True


@compiled
def play_action(game: Game, rules: Rules, scratch: Scratch, action: int) -> None:
    actions = PLACES if rules.spins else DROPS
    if action >= actions:
        action -= actions
        if rules.hold_on:
            hold(game, scratch.wide)
            if game.over:
                return
        elif rules.spins:
            action = NOWHERE
    if rules.spins:
        play_place(game, rules, scratch, action)
    elif find_top(game.columns) <= state.OPEN_ROWS:
        drop_low(game, rules, scratch, action // 10, action % 10)
    else:
        drop_high(game, rules, scratch, action // 10, action % 10)


@compiled
def total(game: Game, reward: int) -> int:
    if reward == state.BY_LINES:
        return game.lines
    if reward == state.BY_SCORE:
        return game.score
    return game.sent + game.countered if reward == state.BY_SENT else 0


@compiled
def start(game: Game, rules: Rules, wide: Any) -> None:
    begin(game, rules, wide)
    game.rated = rate_blocks(game.columns) if rules.shaping else 0


@compiled
def play_slice(games: Any, rules: Rules, steps: Steps, first: int, last: int) -> None:
    """Play one action in each game from `first` to before `last`; begin a new one where the last step ended it.

    One loop: a call counts the users of each array that it passes.
    """
    scratch = bits.make_scratch()
    for at in range(first, last, rules.seats):
        begins = games[at].ended or rules.most and games[at].steps >= rules.most
        for i in range(at, at + rules.seats):
            game = games[i]
            steps.rewards[i] = -total(game, rules.reward)
            steps.ended[i] = steps.truncated[i] = False
            if begins:
                start(game, rules, scratch.wide)
                steps.rewards[i] = 0.0
            elif not game.over:
                game.cleared = 0
                play_action(game, rules, scratch, steps.actions[i])
        if begins:
            continue
        if rules.seats > 1:
            go_on(games[at], games[at + 1], rules, scratch.wide)
        for i in range(at, at + rules.seats):
            game = games[i]
            if rules.seats == 1:
                game.sent += steps.sent[game.cleared]
                game.ended = game.over != 0
            steps.rewards[i] += total(game, rules.reward)
            steps.ended[i] = game.ended
            if game.ended and rules.reward == state.BY_WIN:
                if rules.seats == 1:
                    steps.rewards[i] = 1 if game.over == AIM_REACHED else -1
                else:  # who stays longer wins; NOWHERE is for ever
                    mine, others = game.out_ms, games[i ^ 1].out_ms
                    steps.rewards[i] = 0 if mine == others else 1 if mine == NOWHERE or mine > others != NOWHERE else -1
            game.steps += 1
            steps.truncated[i] = rules.most > 0 and game.steps >= rules.most
            if rules.shaping:
                rated = 0 if game.ended else rate_blocks(game.columns)
                steps.rewards[i] += (rules.shaping * rated - game.rated) / SCALE
                game.rated = rated


@compiled
def restart_slice(games: Any, rules: Rules, chosen: Any, first: int, last: int) -> None:
    """Begin new games among those from `first` to before `last` where `chosen` is true."""
    scratch = bits.make_scratch()
    for i in range(first, last):
        if chosen[i]:
            start(games[i], rules, scratch.wide)
