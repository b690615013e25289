"""Count by the strong player's columns, compiled by Numba."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tools.bots.perft import lanes as low
from tools.bots.perft.positions import Position, Rules
from tools.bots.strong import columns as bits
from tools.numba_cache import Compiler

compiled = Compiler("perft", [Path(__file__), Path(low.__file__), Path(bits.__file__)])

HOLD, HALF_TURNS, SPINS = 1, 2, 4

_MOST_MOVES = 1024  # of one position
_SKYLINE = 20

# Fields of a level: pieces used of the queue, piece in Hold, next move, number of moves, nodes that a child counts as.
_FIELDS = 5
_USED, _HOLDS, _NEXT, _END, _WORTH = range(_FIELDS)
_NODES = 18  # from this bit of a move up: for how many nodes it stands


@compiled
def find(columns: Any, piece: int, rules: int, scratch: bits.Scratch) -> bool:
    """Find the landings below the Skyline, by spin only if the rules say so; return False if the piece cannot enter."""
    half_turns = rules & HALF_TURNS != 0
    landings = scratch.landings
    if not bits.find_landings(scratch, bits.widen(columns, scratch.wide), piece, half_turns):
        return False
    if piece == bits.T and rules & SPINS:
        bits.tell_spins(scratch, half_turns)
    elif piece == bits.T:
        for facing in range(4):
            for x in range(1, bits.SPOTS - 1):
                landings[bits.NO_SPIN, facing, x] |= landings[bits.MINI_SPIN, facing, x]
                landings[bits.NO_SPIN, facing, x] |= landings[bits.FULL_SPIN, facing, x]
    for facing in range(bits.KINDS[piece]):
        lowest = bits.CELL_Y[piece, facing, 0]
        for i in range(1, 4):
            lowest = min(lowest, bits.CELL_Y[piece, facing, i])
        inside = -1 << bits.ROWS - _SKYLINE + lowest  # the lowest Mino lies below the Skyline
        for x in range(1, bits.SPOTS - 1):
            for spin in range(3):
                landings[spin, facing, x] &= inside
    return True


@compiled
def count_landings(piece: int, rules: int, landings: Any) -> int:
    total = 0
    for spin in range(3 if piece == bits.T and rules & SPINS else 1):
        for facing in range(bits.KINDS[piece]):
            for x in range(1, bits.SPOTS - 1):
                total += bits.count_ones(landings[spin, facing, x])
    return total


@compiled
def list_moves(piece: int, held: int, rules: int, landings: Any, moves: Any, count: int) -> int:
    """Add the landings that `find` found to moves; one move stands for all spins into the same cells."""
    spins = 3 if piece == bits.T and rules & SPINS else 1
    for facing in range(bits.KINDS[piece]):
        for x in range(1, bits.SPOTS - 1):
            places = 0
            for spin in range(spins):
                places |= landings[spin, facing, x]
            while places:
                row_bit = bits.find_lowest(places)
                places &= places - 1
                nodes = 0
                for spin in range(spins):
                    nodes += landings[spin, facing, x] >> row_bit & 1
                moves[count] = bits.pack_move(row_bit, x, facing, piece, 0, held) | nodes << _NODES
                count += 1
    return count


@compiled
def list_all(columns: Any, queue: Any, at: Any, rules: int, scratch: bits.Scratch, moves: Any) -> int:
    """List the moves of a position, with Hold; return their number, or if `moves` is empty that of the nodes.

    at: the fields of a level; here USED and HOLDS.
    """
    count = 0
    piece = queue[at[_USED]]
    hold = at[_HOLDS]
    for held in range(2 if rules & HOLD and hold != piece else 1):
        if held:
            piece = hold or queue[at[_USED] + 1]
        if find(columns, piece, rules, scratch):
            if len(moves):
                count = list_moves(piece, held, rules, scratch.landings, moves, count)
            else:
                count += count_landings(piece, rules, scratch.landings)
    return count


@compiled
def count_moves(root: Any, queue: Any, rules: int) -> int:
    start = np.zeros(_FIELDS, np.int64)
    return list_all(root, queue, start, rules, bits.make_scratch(), np.zeros(_MOST_MOVES, np.int64))


@compiled
def count_nodes(root: Any, queue: Any, depth: int, rules: int, begin: int, end: int) -> int:
    """Return the number of nodes at a depth, below the moves from `begin` to `end` if that is two or more."""
    scratch = bits.make_scratch()
    columns = np.zeros((depth, 10), np.int64)
    moves = np.zeros((depth, _MOST_MOVES), np.int64)
    levels = np.zeros((depth, _FIELDS), np.int64)
    columns[0] = root
    nothing = moves[0, :0]
    if depth == 1:
        return list_all(root, queue, levels[0], rules, scratch, nothing)
    levels[0, _NEXT] = begin
    levels[0, _END] = min(end, list_all(root, queue, levels[0], rules, scratch, moves[0]))
    levels[0, _WORTH] = 1
    # The landings of the last piece are counted together, several columns in each word.
    maps = np.zeros(low.MAPS, np.int64)
    words = np.zeros(4, np.int64)
    top = bits.ROWS
    if not rules and depth == 2:
        top = pack(root, words, scratch)
    level = 0
    total = 0
    while level >= 0:
        here = levels[level]
        if here[_NEXT] == here[_END]:
            level -= 1
            continue
        move = moves[level, here[_NEXT]]
        here[_NEXT] += 1
        below = level + 1
        if below == depth - 1 and top <= low.HIGHEST:
            last = queue[here[_USED] + 1]
            found = low.count_after(words[0], words[1], words[2], words[3], top, move, last, maps)
            if found >= 0:
                total += found
                continue
        columns[below] = columns[level]
        if bits.lock(columns[below], move) < 0:
            continue
        after = levels[below]
        after[_USED] = here[_USED] + 1
        after[_HOLDS] = here[_HOLDS]
        if move >> bits.HELD & 1:
            after[_HOLDS] = queue[here[_USED]]
            if not here[_HOLDS]:
                after[_USED] += 1
        after[_WORTH] = here[_WORTH] * (move >> _NODES)
        if below == depth - 1:
            total += list_all(columns[below], queue, after, rules, scratch, nothing) * after[_WORTH]
        else:
            after[_NEXT] = 0
            after[_END] = list_all(columns[below], queue, after, rules, scratch, moves[below])
            level = below
            if not rules and level == depth - 2:
                top = pack(columns[level], words, scratch)
    return total


@compiled
def pack(columns: Any, words: Any, scratch: bits.Scratch) -> int:
    """Write the words of a Matrix if it is low; return its height."""
    top = bits.widen(columns, scratch.wide)
    if top <= low.HIGHEST:
        for word in range(4):
            words[word] = low.pack(columns, word)
    return top


def read_rules(rules: Rules) -> int:
    return HOLD * rules.hold | HALF_TURNS * rules.half_turns | SPINS * rules.spins


class ColumnCounter:
    def __init__(self, position: Position, rules: Rules) -> None:
        self.position = position
        self.rules = rules

    def count(self, depth: int, follow: Callable[[Sequence[int]], Iterable[int]] | None = None) -> int:
        """Return the number of nodes at a depth; `follow` shows the progress through the first placements."""
        self.position.check(depth, self.rules)
        columns, queue = bits.make_columns(self.position.rows), np.array(self.position.queue, np.int64)
        rules = read_rules(self.rules)
        if depth == 1 or not follow:
            return int(count_nodes(columns, queue, depth, rules, 0, _MOST_MOVES))
        moves = range(count_moves(columns, queue, rules))
        return sum(int(count_nodes(columns, queue, depth, rules, at, at + 1)) for at in follow(moves))
