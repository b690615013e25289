"""Write the observations of all games to arrays."""

from typing import Any, NamedTuple

import numba
import numpy as np

from tools.bots.batch.compiling import compiled, compiled_parallel
from tools.bots.batch.masks import mask_actions
from tools.bots.batch.places import ROOM
from tools.bots.batch.state import (
    CHAIN,
    COMBO,
    HOLD,
    LEVEL,
    LINES,
    LOCK_DOWNS,
    NEXT,
    PIECE,
    SCORE,
    TIME_MS,
    Games,
    Rules,
)
from tools.bots.strong.columns import SPOTS, WIDE


class Observations(NamedTuple):
    """The arrays of the observations and infos, named as in tools/bots/env.py; an array that is not wanted is empty."""

    matrix: Any
    piece: Any
    hold: Any
    next: Any
    back_to_back: Any
    combo: Any
    level: Any
    garbage: Any
    left_ms: Any
    lines: Any
    score: Any
    pieces: Any
    action_mask: Any


@compiled
def observe_slice(games: Games, rules: Rules, out: Observations, first: int, last: int) -> None:
    """Write the observations of the games from `first` to before `last`."""
    wide = np.full(WIDE, ROOM, np.int64)
    shape = 3 if rules.spins else 0
    maps = np.zeros((shape, 4, WIDE), np.int64)
    landings = np.zeros((shape, 4, SPOTS), np.int64)
    cells = out.matrix.shape[1]
    seen = out.next.shape[1]
    timed = len(out.left_ms) > 0
    for i in range(first, last):
        words = games.words[i]
        from_cells = games.cells[i]
        to_cells = out.matrix[i]
        for at in range(cells):
            to_cells[at] = from_cells[at]
        for at in range(seen):
            out.next[i, at] = words[NEXT + at]
        out.piece[i] = words[PIECE]
        out.hold[i] = words[HOLD]
        out.back_to_back[i] = 1 if words[CHAIN] else 0
        out.combo[i, 0] = words[COMBO] + 1
        out.level[i] = words[LEVEL]
        rises = rules.every > 0 and (words[LOCK_DOWNS] + 1) % rules.every == 0
        out.garbage[i, 0] = rules.rows if rises else 0
        if timed:
            out.left_ms[i, 0] = rules.limit_ms - words[TIME_MS]
        out.lines[i] = words[LINES]
        out.score[i] = words[SCORE]
        out.pieces[i] = words[LOCK_DOWNS]
        mask_actions(words, games.columns[i], wide, maps, landings, rules, out.action_mask[i])


@compiled
def observe_all(games: Games, rules: Rules, out: Observations, _threads: int) -> None:
    """Write the observations of all games."""
    observe_slice(games, rules, out, 0, len(out.piece))


@compiled_parallel
def observe_parallel(games: Games, rules: Rules, out: Observations, threads: int) -> None:
    """Write the observations of all games, on several cores."""
    count = len(out.piece)
    for i in numba.prange(threads):
        observe_slice(games, rules, out, count * i // threads, count * (i + 1) // threads)
