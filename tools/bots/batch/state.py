"""Keep many games in one array.

A game is a record. Numba passes it as a pointer, while each array that it passes costs two atomic counts: with seven
arrays for each call a step took twice as long. `Rules` are the same for all games of a batch.
"""

from typing import Any, NamedTuple

import numpy as np

from tools.bots.strong.columns import ROWS

QUEUE = 6
FLIGHTS = 16
SEEDS_AHEAD = 64  # drawn for each game
SKYLINE = 20
OPEN_ROWS = 17  # with no Block above this row, a new Tetrimino turns and moves freely
ENDLESS, MARATHON, SPRINT, ULTRA = range(4)
BY_LINES, BY_SCORE, BY_SENT, BY_WIN = range(4)

Game = Any
"""A record of the array of games."""

# As the attributes of firmware/engine/game.py, and:
# entry_y: the row of generation.  columns: as in tools/bots/strong/columns.py.  cells: the codes of all forty rows.
# order, left: of the bag.  random, garbage: the two numbers of a Random.
# cleared: the place of the last Line Clear in the table of attacks, 0 after a step without one.
# kept: Back-to-Backs in a row, by the table of attacks.  steps: since the game began.  rated: by tools/bots/shaping.py.
# seeds: of the next games; `drawn` is the number of the next one.  ended: whether its episode has ended.
# In a match, as the attributes of firmware/match/seat.py, and: due, coming, flights: of its Flight.  attack: lines that
# the last Lock Down sends.
_NUMBERS = (
    *("piece", "entry_y", "hold", "held", "left", "lines", "score", "level", "goal", "chain", "combo", "lock_downs"),
    *("sent", "cleared", "over", "time_ms", "drawn", "kept", "steps", "rated", "ended"),
)
_OF_MATCHES = ("queued", "received", "countered", "gap", "gap_left", "out_ms", "flights", "attack")  # last in memory
_RANDOM = [("a", np.int64), ("b", np.int64)]
_PARTS = [
    ("next", np.int64, QUEUE),
    ("order", np.int64, 7),
    ("random", _RANDOM),
    ("garbage", _RANDOM),
    ("columns", np.int64, 10),
    ("cells", np.uint8, ROWS * 10),
    ("seeds", np.int32, SEEDS_AHEAD),
    *((name, np.int32) for name in _OF_MATCHES),
    ("due", np.int32, FLIGHTS),
    ("coming", np.int32, FLIGHTS),
]


class Rules(NamedTuple):
    """Hold the rules of all games, as in `Skyline` of tools/bots/env.py; `rows` rise after each `every` Lock Downs.

    chains, combos: how many Back-to-Backs and Line Clears in a row the table of attacks tells apart.  kept: a bit for
    each of its spin * 4 + lines - 1 that can be Back-to-Back.  shaping: the discount of a shaped reward, or 0.  most:
    steps after which an episode is truncated, or 0.  seats: 2 if each two games are a match.
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
    kept: int
    shaping: float
    most: int
    seats: int


def make_games(count: int) -> Any:
    return np.zeros(count, [*((name, np.int64) for name in _NUMBERS), *_PARTS]).view(np.recarray)
