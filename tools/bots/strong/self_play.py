"""Play games of the strong player on bare columns, without the engine: fast enough for tuning."""

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sim.bots.attacks import GUIDELINE, find_attacks
from tools.bots.strong.beam import count_sent
from tools.bots.strong.columns import raise_rows
from tools.bots.strong.search import Search

SEEN = 5


class Setup(NamedTuple):
    """The setup of a game.

    pieces: the most to play.  nodes: children rated for each piece.  rows, every: garbage rows after `every` pieces.
    attacks: the name of the table.  patterns, defence_patterns: their points, see patterns.py.
    """

    weights: tuple[int, ...]
    seed: int
    pieces: int
    nodes: int
    rows: int = 0
    every: int = 0
    defence: tuple[int, ...] = ()
    attacks: str = GUIDELINE
    patterns: Any = ()
    defence_patterns: Any = ()


class Result(NamedTuple):
    """The result of a game: lines sent and pieces locked down."""

    sent: int
    pieces: int


def play(setup: Setup, look: Callable[[Search], None] = lambda _: None) -> Result:
    """Play one game with a 7-bag, Hold and five visible pieces; look: called before each move."""
    chance = random.Random(setup.seed)
    bag: list[int] = []

    def deal() -> int:
        if not bag:
            bag.extend(range(1, 8))
            chance.shuffle(bag)
        return bag.pop()

    attacks = find_attacks(setup.attacks)
    defence = setup.defence or setup.weights
    widest = max(256, setup.nodes // 8)
    search = Search(setup.weights, defence, widest, attacks, setup.patterns, setup.defence_patterns)
    first = search.set_budget(setup.nodes)
    hold, *queue = (deal() for _ in range(SEEN + 2))
    search.set_position(np.zeros(10, np.int64), hold, 0, queue, barred=True)
    sent = 0
    for pieces in range(setup.pieces):
        search.choose_weights()
        search.think(first)
        look(search)
        move = search.choose()
        if move < 0:
            return Result(sent, pieces)
        chain = search.chain
        lines = search.play(move)
        if lines < 0:
            return Result(sent, pieces)
        sent += int(count_sent(move, lines, chain, search.before_rise, search.table))
        if setup.every and (pieces + 1) % setup.every == 0:
            columns = search.columns.copy()
            if not raise_rows(columns, setup.rows, chance.randrange(10)):
                return Result(sent, pieces + 1)
            search.follow_matrix(columns)
        search.append(deal())
        search.bag = bag
    return Result(sent, setup.pieces)
