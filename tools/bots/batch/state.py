"""Keep many games in arrays.

A game is a row of `words`, ten columns as in tools/bots/strong/columns.py, and the cell codes of its forty rows.
`Rules` are the same for all games of a batch.
"""

from typing import Any, NamedTuple

import numpy as np

from tools.bots.strong.columns import ROWS

# The words of a game. NEXT is the first of six, ORDER of the bag's seven; RANDOM and GARBAGE have two words each.
# CLEARED is the place of the last Line Clear in the table of attacks, 0 after a step without one.
PIECE, ENTRY_Y, HOLD, HELD, NEXT, ORDER, LEFT, RANDOM, GARBAGE = 0, 1, 2, 3, 4, 10, 17, 18, 20
LINES, SCORE, LEVEL, GOAL, CHAIN, COMBO, LOCK_DOWNS, SENT, CLEARED, OVER, TIME_MS, DRAWN = range(22, 34)
WORDS = 34

QUEUE = 6
SKYLINE = 20
OPEN_ROWS = 17  # with no Block above this row, a new Tetrimino turns and moves freely
ENDLESS, MARATHON, SPRINT, ULTRA = range(4)
BY_LINES, BY_SCORE, BY_SENT, BY_WIN = range(4)


class Rules(NamedTuple):
    """Hold the rules of all games, as in `Skyline` of tools/bots/env.py; `rows` rise after each `every` Lock Downs.

    chains, combos: how many Back-to-Backs and Line Clears in a row the table of attacks tells apart.
    """

    variant: int
    reward: int
    spins: bool
    hold_on: int
    level: int
    goal_rule: int
    aim: int
    limit_ms: int
    generation_ms: int
    animate_ms: int
    garbage_rows: int
    rows: int
    every: int
    chains: int
    combos: int


class Games(NamedTuple):
    """The arrays of all games; `seeds` are those of their next games, the next one at the word DRAWN."""

    words: Any
    columns: Any
    cells: Any
    seeds: Any


def make_games(count: int, seeds: int) -> Games:
    """Return arrays for `count` games."""
    return Games(
        np.zeros((count, WORDS), np.int64),
        np.zeros((count, 10), np.int64),
        np.zeros((count, ROWS * 10), np.uint8),
        np.zeros((count, seeds), np.int32),
    )
