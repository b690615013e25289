"""Play the actions of all games: a drop, or with `spins` any place that SRS reaches."""

from typing import Any

import numba
import numpy as np

from firmware.engine.game import AIM_REACHED, SPAWN_X
from tools.bots.batch.blocks import FIRSTS, LOWS, WIDTHS, find_top, fits
from tools.bots.batch.compiling import compiled, compiled_parallel
from tools.bots.batch.games import begin, hold, lock, rate_spin
from tools.bots.batch.places import DROPS, PLACES, ROOM, find_floor, find_places, turn_to
from tools.bots.batch.state import (
    BY_LINES,
    BY_SCORE,
    BY_SENT,
    BY_WIN,
    CLEARED,
    DRAWN,
    ENTRY_Y,
    LINES,
    OPEN_ROWS,
    OVER,
    PIECE,
    SCORE,
    SENT,
    SKYLINE,
    Games,
    Rules,
)
from tools.bots.strong.columns import (
    EDGE,
    FULL_SPIN,
    KINDS,
    MINI_SPIN,
    NO_SPIN,
    ROWS,
    SPOTS,
    WIDE,
    T,
    find_lowest,
    widen,
)


@compiled
def drop_low(words: Any, columns: Any, cells: Any, wide: Any, rules: Rules, facing: int, column: int) -> None:
    """Drop a piece from above all Blocks."""
    piece = words[PIECE]
    x = min(column, 10 - WIDTHS[piece, facing]) - FIRSTS[piece, facing]
    y = find_floor(columns, piece, facing, x)
    words[SCORE] += 2 * (words[ENTRY_Y] - y)
    lock(words, columns, cells, wide, rules, facing, x, y, NO_SPIN)


@compiled
def drop_high(words: Any, columns: Any, cells: Any, wide: Any, rules: Rules, wanted: int, column: int) -> None:
    """Turn, step to the side and drop a piece among Blocks."""
    piece = words[PIECE]
    widen(columns, wide)
    facing, x, y, turned, fifth = turn_to(wide, piece, wanted, words[ENTRY_Y])
    target = min(column, 10 - WIDTHS[piece, facing]) - FIRSTS[piece, facing]
    step = 1 if target > x else -1
    while x != target and fits(wide, piece, facing, x + step, y):
        x += step
        turned = False
    rows = 0
    while fits(wide, piece, facing, x, y - rows - 1):
        rows += 1
    words[SCORE] += 2 * rows
    y -= rows
    spin = rate_spin(wide, facing, x, y, fifth) if turned and not rows and piece == T else NO_SPIN
    lock(words, columns, cells, wide, rules, facing, x, y, spin)


@compiled
def play_place(
    words: Any, columns: Any, cells: Any, wide: Any, maps: Any, landings: Any, rules: Rules, action: int
) -> None:
    """Play the best spin at a place, or a Hard Drop without one."""
    piece = words[PIECE]
    entry_y = words[ENTRY_Y]
    facing = action // (10 * (SKYLINE + 1))
    column = action // (SKYLINE + 1) % 10
    row = action % (SKYLINE + 1)
    x = column - FIRSTS[piece, facing]
    spot = x + EDGE
    low = LOWS[piece, facing]
    reachable = facing < KINDS[piece] and 1 <= spot < SPOTS - 1
    if reachable and row < SKYLINE and column + WIDTHS[piece, facing] <= 10 and find_top(columns) <= OPEN_ROWS:
        # Most places lie below open sky and are no spins: no search is needed.
        y = row - low
        if y == find_floor(columns, piece, facing, x):
            widen(columns, wide)
            if piece != T or rate_spin(wide, facing, x, y, False) == NO_SPIN:
                words[SCORE] += 2 * (entry_y - y)
                lock(words, columns, cells, wide, rules, facing, x, y, NO_SPIN)
                return
    if action >= 0 and reachable and find_places(columns, wide, piece, maps, landings):
        bits = landings[NO_SPIN, facing, spot]
        if piece == T:
            bits |= landings[MINI_SPIN, facing, spot] | landings[FULL_SPIN, facing, spot]
        bit = 1 << ROWS - 1 - row + low
        if row == SKYLINE:
            bits &= (bit << 1) - 1
            bit = 0
            while bits:
                bit = bits & -bits
                bits ^= bit
            bits = bit
        if bits & bit:
            y = ROWS - 1 - find_lowest(bit)
            spin = NO_SPIN
            if piece == T:
                spin = FULL_SPIN if landings[FULL_SPIN, facing, spot] & bit else spin
                spin = MINI_SPIN if landings[MINI_SPIN, facing, spot] & bit else spin
            if entry_y > y:
                way = (bit << 1) - (1 << ROWS - 1 - entry_y)
                straight = spin == NO_SPIN and maps[0, facing, spot] & way == way
                words[SCORE] += (2 if straight else 1) * (entry_y - y)
            lock(words, columns, cells, wide, rules, facing, x, y, spin)
            return
    drop_high(words, columns, cells, wide, rules, 0, SPAWN_X + FIRSTS[piece, 0])


@compiled
def total(words: Any, reward: int) -> int:
    """Return the total whose growth is the reward."""
    if reward == BY_LINES:
        return words[LINES]
    if reward == BY_SCORE:
        return words[SCORE]
    return words[SENT] if reward == BY_SENT else 0


@compiled
def play_slice(
    games: Games, rules: Rules, sent: Any, actions: Any, rewards: Any, ended: Any, first: int, last: int
) -> None:
    """Play one action in each game from `first` to before `last`; begin a new one where the last step ended it."""
    wide = np.full(WIDE, ROOM, np.int64)
    shape = 3 if rules.spins else 0
    maps = np.zeros((shape, 4, WIDE), np.int64)
    landings = np.zeros((shape, 4, SPOTS), np.int64)
    for i in range(first, last):
        words = games.words[i]
        columns = games.columns[i]
        cells = games.cells[i]
        rewards[i] = 0.0
        ended[i] = False
        if words[OVER]:
            begin(words, columns, cells, wide, rules, games.seeds[i, words[DRAWN]])
            words[DRAWN] += 1
            continue
        before = total(words, rules.reward)
        words[CLEARED] = 0
        play_action(words, columns, cells, wide, maps, landings, rules, actions[i])
        words[SENT] += sent[words[CLEARED]]
        gained = total(words, rules.reward) - before
        if words[OVER]:
            ended[i] = True
            if rules.reward == BY_WIN:
                gained = 1 if words[OVER] == AIM_REACHED else -1
        rewards[i] = gained


@compiled
def play_action(
    words: Any, columns: Any, cells: Any, wide: Any, maps: Any, landings: Any, rules: Rules, action: int
) -> None:
    """Play one action in one game."""
    actions = PLACES if rules.spins else DROPS
    if action >= actions:
        action -= actions
        if rules.hold_on:
            hold(words, columns, wide)
            if words[OVER]:
                return
        elif rules.spins:
            action = -1  # no place
    if rules.spins:
        play_place(words, columns, cells, wide, maps, landings, rules, action)
    elif find_top(columns) <= OPEN_ROWS:
        drop_low(words, columns, cells, wide, rules, action // 10, action % 10)
    else:
        drop_high(words, columns, cells, wide, rules, action // 10, action % 10)


@compiled
def play_all(games: Games, rules: Rules, sent: Any, actions: Any, rewards: Any, ended: Any, _threads: int) -> None:
    """Play one action in each game."""
    play_slice(games, rules, sent, actions, rewards, ended, 0, len(actions))


@compiled_parallel
def play_parallel(games: Games, rules: Rules, sent: Any, actions: Any, rewards: Any, ended: Any, threads: int) -> None:
    """Play one action in each game, on several cores."""
    count = len(actions)
    for i in numba.prange(threads):
        play_slice(games, rules, sent, actions, rewards, ended, count * i // threads, count * (i + 1) // threads)


@compiled
def restart_all(games: Games, rules: Rules) -> None:
    """Begin new games."""
    wide = np.full(WIDE, ROOM, np.int64)
    for i in range(len(games.words)):
        words = games.words[i]
        begin(words, games.columns[i], games.cells[i], wide, rules, games.seeds[i, words[DRAWN]])
        words[DRAWN] += 1
