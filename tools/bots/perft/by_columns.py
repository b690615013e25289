"""Count by the strong player's columns, compiled by Numba.

Without half turns, and with spins counted once, `find_landings` is the strong player's own. `find_all` floods from the
generation place without its shortcuts, and notes how each position was reached.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from firmware.engine.extra_rules import _POINTS as HALF_POINTS
from tools.bots.perft.positions import Position, Rules
from tools.bots.strong import columns as strong_columns
from tools.bots.strong.columns import (
    _BOXES,
    _POINT_5,
    _SPAWN_X,
    _SPAWN_Y,
    CELL_X,
    CELL_Y,
    FULL_SPIN,
    KINDS,
    MINI_SPIN,
    NO_SPIN,
    POINT_X,
    POINT_Y,
    ROWS,
    SPOTS,
    TWIN_X,
    TWIN_Y,
    WIDE,
    I,
    O,
    T,
    count_ones,
    fall,
    find_corners,
    find_landings,
    find_lowest,
    lock_piece,
    shift,
    widen,
)
from tools.numba_cache import Compiler

compiled = Compiler("perft", [Path(__file__), Path(strong_columns.__file__)])

HOLD, HALF_TURNS, SPINS = 1, 2, 4

_MOST_MOVES = 1024  # of one position
_ALL_LAYERS = 7
_FREE, _MOVED, _TURNED, _FIFTH, _DONE, _DONE_FIFTH, _SEEN = range(_ALL_LAYERS)
# facing, point: how far a half turn moves the box.
_HALF_X = np.array(list(HALF_POINTS[0::2])).reshape(4, 6) - 2
_HALF_Y = np.array(list(HALF_POINTS[1::2])).reshape(4, 6) - 2
_SKYLINE = 20

# A move from its lowest bit up: row bit (6 bits), spot (4), facing (2), piece (3), by Hold (1), nodes (2).
_SPOT, _FACING, _PIECE, _HELD, _NODES = 6, 10, 12, 15, 16


@compiled
def reach(wide: Any, piece: int, rules: int, maps: Any) -> bool:
    """Flood from the generation place; return False if the piece cannot enter.

    maps: by layer, facing and spot. Layers: free positions; reached last by a side step or a fall, by a rotation, or by
    rotations since point 5.
    """
    maps[:] = 0
    for facing in range(4):
        for x in range(1, SPOTS - 1):
            blocks = 0
            for i in range(4):
                blocks |= wide[x + CELL_X[piece, facing, i]] << CELL_Y[piece, facing, i]
            maps[_FREE, facing, x] = _BOXES & ~blocks
    entry = 1 << ROWS - 1 - (_SPAWN_Y - 1 if piece == I else _SPAWN_Y)
    if not maps[_FREE, 0, _SPAWN_X] & entry:
        return False
    if maps[_FREE, 0, _SPAWN_X] & entry << 1:
        entry <<= 1
    maps[_MOVED, 0, _SPAWN_X] = entry
    box = 1 if piece == I else 0
    fifth = _FIFTH if piece == T and rules & SPINS else _TURNED
    changed = True
    while changed:
        changed = False
        for facing in range(4):
            for x in range(1, SPOTS - 1):
                new = (maps[_MOVED, facing, x] | maps[_TURNED, facing, x]) & ~maps[_DONE, facing, x]
                new_fifth = maps[_FIFTH, facing, x] & ~maps[_DONE_FIFTH, facing, x]
                both = new | new_fifth
                if not both:
                    continue
                changed = True
                maps[_DONE, facing, x] |= new
                maps[_DONE_FIFTH, facing, x] |= new_fifth
                free = maps[_FREE, facing, x]
                lower = both << 1 & free
                if lower:
                    maps[_MOVED, facing, x] |= fall(free, lower)
                for side_x in range(x - 1, x + 2, 2):
                    maps[_MOVED, facing, side_x] |= both & maps[_FREE, facing, side_x]
                if piece == O:
                    continue
                for clockwise in range(2):
                    other = facing + 2 * clockwise - 1 & 3
                    left = both
                    for i in range(5):
                        other_x = x + POINT_X[box, facing, clockwise, i]
                        if other_x < 1 or other_x >= SPOTS - 1:
                            continue
                        up = POINT_Y[box, facing, clockwise, i]
                        there = shift(left, up) & maps[_FREE, other, other_x]
                        if there:
                            fits = shift(there, -up)
                            layer = _TURNED if i < _POINT_5 else fifth
                            maps[layer, other, other_x] |= shift(fits & new, up)
                            maps[fifth, other, other_x] |= shift(fits & new_fifth, up)
                            left &= ~fits
                if rules & HALF_TURNS:
                    other = facing ^ 2
                    left = both
                    for i in range(6):
                        other_x = x + _HALF_X[facing, i]
                        if other_x < 1 or other_x >= SPOTS - 1:
                            continue
                        up = _HALF_Y[facing, i]
                        there = shift(left, up) & maps[_FREE, other, other_x]
                        maps[_TURNED, other, other_x] |= there
                        left &= ~shift(there, -up)
    return True


@compiled
def find_all(wide: Any, piece: int, rules: int, maps: Any, landings: Any) -> bool:
    """Find the landings of a piece by spin, facing and spot; return False if it cannot enter."""
    if not reach(wide, piece, rules, maps):
        return False
    landings[:] = 0
    kinds = KINDS[piece]
    for facing in range(4):
        for x in range(1, SPOTS - 1):
            resting = ~(maps[_FREE, facing, x] >> 1)
            moved = maps[_MOVED, facing, x] & resting
            turned = maps[_TURNED, facing, x] & resting
            fifth = maps[_FIFTH, facing, x] & resting
            seen = moved | turned | fifth
            if not seen:
                continue
            if piece == T and rules & SPINS:
                full, mini = find_corners(wide, facing, x, resting)
                landings[NO_SPIN, facing, x] = moved | (turned | fifth) & ~(full | mini)
                landings[MINI_SPIN, facing, x] = turned & mini
                landings[FULL_SPIN, facing, x] = turned & full | fifth & (full | mini)
            else:
                twin = x + TWIN_X[piece, facing]
                landings[NO_SPIN, facing % kinds, twin] |= shift(seen, TWIN_Y[piece, facing])
    return True


@compiled
def find(wide: Any, top: int, piece: int, rules: int, maps: Any, landings: Any) -> bool:
    """Find the landings below the Skyline; by spin only if the rules tell spins apart."""
    if rules & (HALF_TURNS | SPINS):
        if not find_all(wide, piece, rules, maps, landings):
            return False
    else:
        if not find_landings(wide, top, piece, maps[:3], landings):
            return False
        if piece == T:
            for facing in range(4):
                for x in range(1, SPOTS - 1):
                    for spin in range(1, 3):
                        landings[NO_SPIN, facing, x] |= landings[spin, facing, x]
    for facing in range(KINDS[piece]):
        lowest = CELL_Y[piece, facing, 0]
        for i in range(1, 4):
            lowest = min(lowest, CELL_Y[piece, facing, i])
        inside = -1 << ROWS - _SKYLINE + lowest  # the lowest Mino lies below the Skyline
        for x in range(1, SPOTS - 1):
            for spin in range(3):
                landings[spin, facing, x] &= inside
    return True


@compiled
def count_landings(piece: int, rules: int, landings: Any) -> int:
    """Return the number of landings that `find` found."""
    total = 0
    for spin in range(3 if piece == T and rules & SPINS else 1):
        for facing in range(KINDS[piece]):
            for x in range(1, SPOTS - 1):
                total += count_ones(landings[spin, facing, x])
    return total


@compiled
def list_moves(piece: int, held: int, rules: int, landings: Any, moves: Any, count: int) -> int:
    """Add the landings that `find` found to moves; one move stands for all spins into the same cells."""
    spins = 3 if piece == T and rules & SPINS else 1
    for facing in range(KINDS[piece]):
        for x in range(1, SPOTS - 1):
            places = 0
            for spin in range(spins):
                places |= landings[spin, facing, x]
            while places:
                row_bit = find_lowest(places)
                places &= places - 1
                nodes = 0
                for spin in range(spins):
                    nodes += landings[spin, facing, x] >> row_bit & 1
                move = row_bit | x << _SPOT | facing << _FACING | piece << _PIECE
                moves[count] = move | held << _HELD | nodes << _NODES
                count += 1
    return count


@compiled
def list_all(
    columns: Any, queue: Any, used: int, hold: int, rules: int, wide: Any, maps: Any, landings: Any, moves: Any
) -> int:
    """List the moves of a position, with Hold; return their number, or if `moves` is empty that of the nodes."""
    top = widen(columns, wide)
    count = 0
    for held in range(2 if rules & HOLD else 1):
        piece = queue[used]
        if held:
            other = hold if hold else queue[used + 1]
            if hold == piece:
                break
            piece = other
        if find(wide, top, piece, rules, maps, landings):
            if len(moves):
                count = list_moves(piece, held, rules, landings, moves, count)
            else:
                count += count_landings(piece, rules, landings)
    return count


@compiled
def play(columns: Any, move: int) -> bool:
    """Play a move on columns."""
    lines = lock_piece(columns, move >> _PIECE & 7, move >> _FACING & 3, move >> _SPOT & 15, 1 << (move & 63))
    return lines >= 0


@compiled
def count_moves(root: Any, queue: Any, rules: int) -> int:
    """Return the number of moves in a position."""
    wide = np.full(WIDE, (1 << 48) - 1, np.int64)
    maps = np.zeros((_ALL_LAYERS, 4, WIDE), np.int64)
    landings = np.zeros((3, 4, SPOTS), np.int64)
    return list_all(root, queue, 0, 0, rules, wide, maps, landings, np.zeros(_MOST_MOVES, np.int64))


@compiled
def count_nodes(root: Any, queue: Any, depth: int, rules: int, begin: int, end: int) -> int:
    """Return the number of nodes at a depth, below the moves from `begin` to `end` if that is two or more."""
    wide = np.full(WIDE, (1 << 48) - 1, np.int64)
    maps = np.zeros((_ALL_LAYERS, 4, WIDE), np.int64)
    landings = np.zeros((3, 4, SPOTS), np.int64)
    columns = np.zeros((depth, 10), np.int64)
    moves = np.zeros((depth, _MOST_MOVES), np.int64)
    state = np.zeros((depth, 5), np.int64)  # by level: pieces used, hold, next move, number of moves, nodes each
    columns[0] = root
    state[0, 4] = 1
    nothing = moves[0, :0]
    if depth == 1:
        return list_all(columns[0], queue, 0, 0, rules, wide, maps, landings, nothing)
    state[0, 2] = begin
    state[0, 3] = min(end, list_all(columns[0], queue, 0, 0, rules, wide, maps, landings, moves[0]))
    level = 0
    total = 0
    while level >= 0:
        here = state[level]
        if here[2] == here[3]:
            level -= 1
            continue
        move = moves[level, here[2]]
        here[2] += 1
        below = level + 1
        columns[below] = columns[level]
        if not play(columns[below], move):
            continue
        after = state[below]
        after[0] = here[0] + 1
        after[1] = here[1]
        if move >> _HELD & 1:
            after[1] = queue[here[0]]
            if not here[1]:
                after[0] += 1
        after[4] = here[4] * (move >> _NODES)
        if below == depth - 1:
            leaves = list_all(columns[below], queue, after[0], after[1], rules, wide, maps, landings, nothing)
            total += leaves * after[4]
        else:
            after[2] = 0
            after[3] = list_all(columns[below], queue, after[0], after[1], rules, wide, maps, landings, moves[below])
            level = below
    return total


def read_columns(rows: tuple[int, ...]) -> Any:
    """Return the columns of rows, the lowest first."""
    columns = np.zeros(10, np.int64)
    for y, mask in enumerate(rows):
        for x in range(10):
            columns[x] |= (mask >> x & 1) << ROWS - 1 - y
    return columns


def read_rules(rules: Rules) -> int:
    """Return the rules as bits."""
    return HOLD * rules.hold | HALF_TURNS * rules.half_turns | SPINS * rules.spins


class ColumnCounter:
    """Count the nodes of one position."""

    def __init__(self, position: Position, rules: Rules) -> None:
        self.position = position
        self.rules = rules

    def count(self, depth: int, follow: Callable[[Sequence[int]], Iterable[int]] | None = None) -> int:
        """Return the number of nodes at a depth; `follow` shows the progress through the first placements."""
        self.position.check(depth, self.rules)
        columns, queue = read_columns(self.position.rows), np.array(self.position.queue, np.int64)
        rules = read_rules(self.rules)
        if depth == 1 or not follow:
            return int(count_nodes(columns, queue, depth, rules, 0, _MOST_MOVES))
        moves = range(count_moves(columns, queue, rules))
        return sum(int(count_nodes(columns, queue, depth, rules, at, at + 1)) for at in follow(moves))
