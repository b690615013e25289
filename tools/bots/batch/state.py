"""Keep many games in arrays.

A game is a row of `words`, ten columns as in tools/bots/strong/columns.py, and the cell codes of its forty rows.
`Rules` are the same for all games of a batch.
"""

from typing import Any, NamedTuple

import numpy as np

from tools.bots.batch.compiling import compiled
from tools.bots.strong.columns import ROWS, Scratch

# The words of a game. NEXT is the first of six, ORDER of the bag's seven. CLEARED is the place of the last Line Clear
# in the table of attacks, 0 after a step without one.
PIECE, ENTRY_Y, HOLD, HELD, NEXT, ORDER, LEFT = 0, 1, 2, 3, 4, 10, 17
LINES, SCORE, LEVEL, GOAL, CHAIN, COMBO, LOCK_DOWNS, SENT, CLEARED, OVER, TIME_MS, DRAWN = range(18, 30)
WORDS = 30
BAG, GARBAGE = 0, 1  # who draws random numbers

QUEUE = 6
SKYLINE = 20
OPEN_ROWS = 17  # with no Block above this row, a new Tetrimino turns and moves freely
ENDLESS, MARATHON, SPRINT, ULTRA = range(4)
BY_LINES, BY_SCORE, BY_SENT, BY_WIN = range(4)


class Rules(NamedTuple):
    """Hold the rules of all games, as in `Skyline` of tools/bots/env.py; `rows` rise after each `every` Lock Downs.

    sent: the lines that a Line Clear sends, by the word CLEARED.
    chains, combos: how many Back-to-Backs and Line Clears in a row that table tells apart.
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
    sent: Any
    chains: int
    combos: int


class Games(NamedTuple):
    """The arrays of all games.

    randoms: a and b of firmware/engine/randomizer.py, for BAG and GARBAGE.
    seeds: those of the next games, the next one at the word DRAWN.
    """

    words: Any
    randoms: Any
    columns: Any
    cells: Any
    seeds: Any


class Game(NamedTuple):
    """One of the games, and the arrays to search its Matrix with."""

    words: Any
    randoms: Any
    columns: Any
    cells: Any
    scratch: Scratch


def make_games(count: int, seeds: int) -> Games:
    """Return arrays for `count` games."""
    return Games(
        np.zeros((count, WORDS), np.int64),
        np.zeros((count, 2), [("a", np.int64), ("b", np.int64)]).view(np.recarray),
        np.zeros((count, 10), np.int64),
        np.zeros((count, ROWS * 10), np.uint8),
        np.zeros((count, seeds), np.int32),
    )


@compiled
def get_game(games: Games, i: int, scratch: Scratch) -> Game:
    """Return a game."""
    return Game(games.words[i], games.randoms[i], games.columns[i], games.cells[i], scratch)
