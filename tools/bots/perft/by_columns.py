"""Count by the strong player's columns, compiled by Numba."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from firmware.engine.tables import SHAPES
from tools.bots.perft.positions import Position, Rules
from tools.bots.strong import columns as bits
from tools.bots.strong import vectors
from tools.bots.strong.vectors import LANES, count_bits, load, make_cells, narrow, store, traced
from tools.numba_cache import Compiler

compiled = Compiler("perft", [Path(__file__), Path(bits.__file__), Path(vectors.__file__)])

HOLD, HALF_TURNS, SPINS = 1, 2, 4

_MOST_MOVES = 1024  # of one position
_SKYLINE = 20

# Fields of a level: pieces used of the queue, piece in Hold, next move, number of moves, nodes that a child counts as.
_FIELDS = 5
_USED, _HOLDS, _NEXT, _END, _WORTH = range(_FIELDS)
_NODES = 18  # from this bit of a move up: for how many nodes it stands
_BOX = 3  # the row bit of boxes in `Low.clashes`
_FULL = (1 << LANES) - 1
_WALLS = _FULL ^ 1023 << bits.EDGE
# piece, facing, row of the box: its Minos, the leftmost in the lowest bit.
_MINOS = np.array([0] * 16 + list(SHAPES)).reshape(8, 4, 4)


class Low(NamedTuple):
    """What the landings of the last piece in a low Matrix depend on.

    wide: the Matrix before the piece before it.  rows: the same by rows, between walls, the highest row first.
    free: positions of the last piece there, by facing.  clashes: those that the piece before it takes, by its facing
    and spot, and by the facing of the last one.
    """

    wide: Any
    rows: Any
    free: Any
    clashes: Any


@cache
def find_clashes(before: int, last: int) -> Any:
    """Return the positions of a piece that each position of the piece before it takes, see `Low`."""
    spots = np.arange(LANES)[:, None]
    here, there = bits.CELL_X[before][:, None] + spots, bits.CELL_X[last][:, None] + spots
    same = here[:, :, None, None, :, None] == there[:, :, None]
    up = bits.CELL_Y[last][:, None, None] - bits.CELL_Y[before][:, None, None, None, :, None]
    return np.bitwise_or.reduce(same << _BOX + up, axis=(4, 5)).astype(np.uint16)


def make_low(before: int, last: int) -> Low:
    free = np.zeros((4, LANES), np.uint16)
    return Low(bits.make_scratch().wide, np.zeros(LANES, np.int64), free, find_clashes(before, last))


@traced(*range(1, 8))
def begin_low(piece: int, low: Any, _a: Any, _b: Any) -> None:
    """Write the free positions of the last piece before the piece before it."""
    for facing, room in enumerate(bits.find_free(narrow(load(low.wide, 0), bits.CUT), piece)):
        store(room, low.free, facing)


@traced(*range(1, 8))
def count_free(piece: int, low: Any, at: Any, rows: Any) -> Any:
    """Return the number of landings of the last piece; at, rows: the piece before it, its row of `clashes` and bit."""
    facings = range(1 if piece == bits.O else 4)
    free = [load(low.free, facing) & ~(load(low.clashes, facing, at) << rows) for facing in facings]
    seen = make_cells([bits.fall(room, room & bits.LOW_SKY) for room in free])
    bits.flood(free, seen, piece)
    return count_bits(bits.find_resting(free, seen, piece))


@compiled
def prepare_low(columns: Any, low: Low, piece: int) -> bool:
    """Write what the landings of the last piece depend on, if the Matrix is low; return whether it is."""
    if bits.widen(columns, low.wide) > bits.LOW:
        return False
    begin_low(piece, low, 0, 0)
    for row in range(LANES):
        low.rows[row] = _WALLS
        for x in range(bits.EDGE, bits.EDGE + 10):
            low.rows[row] |= (low.wide[x] >> bits.CUT + row & 1) << x
    return True


@partial(compiled, inline="always")
def count_low(low: Low, move: int, piece: int) -> int:
    """Return the number of landings of the last piece after a move, or -1 if this clears a row or is high."""
    facing = move >> bits.FACING & 3
    spot = move >> bits.SPOT & 15
    bit = (move & 63) - bits.CUT
    for up in range(4):
        minos = _MINOS[move >> bits.PIECE & 7, facing, up]
        if minos and (bit - up < bits.ROWS - bits.LOW - bits.CUT or low.rows[bit - up] | minos << spot == _FULL):
            return -1
    return count_free(piece, low, (facing * LANES + spot) * 4, bit - _BOX)


@compiled
def find(columns: Any, piece: int, rules: int, scratch: bits.Scratch) -> bool:
    """Find the landings below the Skyline, by spin only if the rules say so; return False if the piece cannot enter."""
    landings = scratch.landings
    top = bits.widen(columns, scratch.wide)
    if rules & (HALF_TURNS | SPINS):
        if not bits.find_exactly(scratch, top, piece, rules & HALF_TURNS != 0):
            return False
    elif not bits.find_landings(scratch, top, piece, 0):
        return False
    if piece == bits.T and not rules & SPINS:
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
def count_nodes(root: Any, queue: Any, depth: int, rules: int, low: Low, begin: int, end: int) -> int:
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
    last = queue[depth - 1]
    is_low = not rules and depth == 2 and prepare_low(root, low, last)
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
        if below == depth - 1 and is_low:
            found = count_low(low, move, last)
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
            is_low = not rules and level == depth - 2 and prepare_low(columns[level], low, last)
    return total


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
        low = make_low(self.position.queue[depth - 2], self.position.queue[depth - 1])
        if depth == 1 or not follow:
            return int(count_nodes(columns, queue, depth, rules, low, 0, _MOST_MOVES))
        moves = range(count_moves(columns, queue, rules))
        return sum(int(count_nodes(columns, queue, depth, rules, low, at, at + 1)) for at in follow(moves))
