"""Find the landings of a Tetrimino in a Matrix of ten words, one for each column.

This is the compiled search; the strong player, the batch and perft share it. `sim/bots/places.py` answers the same
question without Numba, and knows the presses; perft proves that both find the same places. The third search runs on a
board, where it must pause after every few steps (firmware/players/).

Bit 39 - y of a column is row y, so a fall moves to higher bits. One addition makes a box fall through all free rows:
the carry runs to the first Block. Floor and walls are Blocks. A position is given by the box of a facing: the bit of
its lowest row in the word of its left column.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic

from firmware.engine.extra_rules import HALF_POINTS
from firmware.engine.profiles import FACINGS, PROFILES
from firmware.engine.tables import POINTS
from sim.bots.places import CELLS
from tools.bots.strong.compiling import compiled

ROWS = 40
FIELD = (1 << ROWS) - 1
EDGE = 3  # columns of wall on each side, into which a box may reach
SPOTS = 13  # spot x, from 1 to 11, means that the box's left column is x - EDGE
WIDE = 16
I, O, T = 1, 4, 6  # noqa: E741
NO_SPIN, MINI_SPIN, FULL_SPIN = 0, 1, 2

_ROOM = (1 << 48) - 1  # the rows of the Matrix and eight below the floor
_BOXES = _ROOM ^ 7  # rows of boxes that do not reach above the top row
_FLOOR = _ROOM ^ FIELD
_VISIBLE = (1 << 20) - 1 << 20  # rows below the Skyline
_SPAWN_X = 3 + EDGE
_SPAWN_Y = 19
_POINT_5 = 4

# piece, facing, Mino: its place in the box.
CELL_X = np.array([[[0] * 4] * 4] + [[[cell[0] for cell in cells] for cells in piece] for piece in CELLS])
CELL_Y = np.array([[[0] * 4] * 4] + [[[cell[1] for cell in cells] for cells in piece] for piece in CELLS])
# piece: number of facings that cover different cells.
KINDS = np.array([0, *FACINGS])
# piece, facing: distance to the box of the first facing with these cells.
_CORNERS = [[(0, 0)] * 4] + [
    [(PROFILES[at * 10] & 15, PROFILES[at * 10] >> 4) for at in range(piece * 4, piece * 4 + 4)] for piece in range(7)
]
TWIN_X = np.array([[c[f][0] - c[f % max(1, k)][0] for f in range(4)] for c, k in zip(_CORNERS, KINDS, strict=True)])
TWIN_Y = np.array([[c[f][1] - c[f % max(1, k)][1] for f in range(4)] for c, k in zip(_CORNERS, KINDS, strict=True)])
# box, facing, clockwise, point: how far a rotation moves the box.
POINT_X = np.array(list(POINTS[0::2])).reshape(2, 4, 2, 5) - 2
POINT_Y = np.array(list(POINTS[1::2])).reshape(2, 4, 2, 5) - 2
# facing, point: how far a half turn moves the box.
_HALF_X = np.array(list(HALF_POINTS[0::2])).reshape(4, 6) - 2
_HALF_Y = np.array(list(HALF_POINTS[1::2])).reshape(4, 6) - 2
# facing: 1 for corners of the T's box at its nose: lower left, lower right, upper left, upper right.
_NOSES = np.array([[0, 0, 1, 1], [0, 1, 0, 1], [1, 1, 0, 0], [1, 0, 1, 0]])


# A move from its lowest bit up: row bit (6 bits), spot (4), facing (2), piece (3), spin (2), by Hold (1).
SPOT, FACING, PIECE, SPIN, HELD = 6, 10, 12, 15, 17

# Layers of maps: free positions; those reached; and of a T's those reached last by a side step or a fall, by a
# rotation, and by rotations alone since rotation point 5.
FREE, _SEEN, _MOVED, _TURNED, _FIFTH = range(5)


class Scratch(NamedTuple):
    """The arrays of a search.

    wide: ten columns between walls, see `widen`.  maps: positions by layer, facing and spot.
    landings: the result, by spin, facing and spot.
    """

    wide: Any
    maps: Any
    landings: Any


@compiled
def pack_move(row_bit: int, spot: int, facing: int, piece: int, spin: int, held: int) -> int:
    return row_bit | spot << SPOT | facing << FACING | piece << PIECE | spin << SPIN | held << HELD


@compiled
def make_scratch() -> Scratch:
    wide = np.full(WIDE, _ROOM, np.int64)
    return Scratch(wide, np.zeros((5, 4, WIDE), np.int64), np.zeros((3, 4, SPOTS), np.int64))


def make_columns(masks: Iterable[int]) -> Any:
    """Return the ten columns of rows, the lowest row first; bit x of a mask is column x."""
    rows = np.array([*masks], np.int64)
    return ((rows[:, None] >> np.arange(10) & 1) << ROWS - 1 - np.arange(len(rows))[:, None]).sum(axis=0)


def _make_intrinsic(generate_word: Any) -> Any:
    def declare(_context: Any, _word: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return generate_word(builder, arguments[0])

        return types.int64(types.int64), generate

    return intrinsic(declare)


if config.DISABLE_JIT:

    def count_ones(word: int) -> int:
        return int(word).bit_count()

    def find_lowest(word: int) -> int:
        """Return the number of the lowest set bit."""
        return (int(word) & -int(word)).bit_length() - 1

else:
    count_ones = _make_intrinsic(lambda builder, word: builder.ctpop(word))
    find_lowest = _make_intrinsic(lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 1)))


@compiled
def fall(free: int, positions: int) -> int:
    """Return these free positions and all positions below that they fall through."""
    return free & ~(free + positions) | positions


@compiled
def shift(positions: int, rows: int) -> int:
    """Return positions moved up by `rows` rows; down if `rows` is negative."""
    return positions >> rows if rows >= 0 else positions << -rows


@compiled
def widen(columns: Any, wide: Any) -> int:
    """Put floor and walls around ten columns; return the height of the highest Block."""
    blocks = 1 << ROWS
    for x in range(10):
        wide[x + EDGE] = columns[x] | _FLOOR
        blocks |= columns[x]
    return ROWS - find_lowest(blocks)


@compiled
def find_entry(room: int, piece: int) -> int:
    """Return where a piece enters, 0 if it cannot; room: the free positions at the spot of generation."""
    entry = 1 << ROWS - 1 - (_SPAWN_Y - 1 if piece == I else _SPAWN_Y)
    if room & entry and room & entry << 1:
        return entry << 1  # a new Tetrimino drops one row at once
    return room & entry


@compiled
def find_landings(scratch: Scratch, top: int, piece: int, half_turns: bool) -> bool:
    """Find the landings of a piece in `scratch.wide`; return False if it cannot enter.

    top: the height of the highest Block, from `widen`.  half_turns: turn by 180 degrees, too.
    The same cells get only their best spin. A T that turns again after rotation point 5 is rated as if without that
    point; `tell_spins` is exact.
    """
    wide, maps, landings = scratch
    free = maps[FREE]
    seen = maps[_SEEN]
    kinds = KINDS[piece]
    sky = (1 << ROWS - top) - 1
    # With the row below the one of generation in the sky, a piece reaches the whole sky.
    everywhere = sky >> ROWS - (_SPAWN_Y - 1 if piece == I else _SPAWN_Y) & 1
    hidden = find_free(wide, piece, maps, sky if everywhere else 0)
    if everywhere:
        sky = 0
    else:
        entry = find_entry(free[0, _SPAWN_X], piece)
        if not entry:
            return False
        seen[0, _SPAWN_X] = fall(free[0, _SPAWN_X], entry)
        if spread(piece, maps) & sky:
            drop(piece, maps, sky)
            sky = 0
    if hidden:
        flood(piece, maps, sky)
        while half_turns and piece != O and turn_half(piece, maps, sky):
            flood(piece, maps, sky)
    for facing in range(kinds):
        for x in range(1, SPOTS - 1):
            landings[NO_SPIN, facing, x] = seen[facing, x] & ~(free[facing, x] >> 1)
    if hidden and piece != O:
        for facing in range(kinds, 4):
            for x in range(1, SPOTS - 1):
                resting = seen[facing, x] & ~(free[facing, x] >> 1)
                if resting:
                    twin = x + TWIN_X[piece, facing]
                    landings[NO_SPIN, facing % kinds, twin] |= shift(resting, TWIN_Y[piece, facing])
    if piece == T:
        find_spins(wide, maps, landings)
    return True


@compiled
def find_free(wide: Any, piece: int, maps: Any, sky: int) -> int:
    """Write the free positions, and those that are reached by a fall from the rows `sky`; return the free others.

    Facings that cover the same cells are left out if there are no others.
    """
    hidden = 0
    for facing in range(4):
        if facing == KINDS[piece] and (piece == O or not hidden):
            break
        right = CELL_X[piece, facing]
        up = CELL_Y[piece, facing]
        for x in range(1, SPOTS - 1):
            # `& 15` tells the compiler that no index is negative, which saves a third of the time.
            blocks = wide[x + right[0] & 15] << up[0] | wide[x + right[1] & 15] << up[1]
            blocks |= wide[x + right[2] & 15] << up[2] | wide[x + right[3] & 15] << up[3]
            room = _BOXES & ~blocks
            reached = fall(room, room & sky)
            maps[FREE, facing, x] = room
            maps[_SEEN, facing, x] = reached
            hidden |= room ^ reached
    return hidden


@compiled
def drop(piece: int, maps: Any, sky: int) -> int:
    """Add the positions that are reached by a fall from the rows `sky`; return the spots with others, as in `flood`."""
    free = maps[FREE]
    seen = maps[_SEEN]
    left = 0
    for facing in range(1 if piece == O else 4):
        for x in range(1, SPOTS - 1):
            seen[facing, x] |= fall(free[facing, x], free[facing, x] & sky)
            if seen[facing, x] != free[facing, x]:
                left |= 1 << 16 * facing + x
    return left


@compiled
def spread(piece: int, maps: Any) -> int:
    """Extend the reached positions in the easiest ways: to both sides, and by clockwise turns on the spot.

    Return the rows that they reach.
    """
    free = maps[FREE]
    seen = maps[_SEEN]
    rows = 0
    for facing in range(1 if piece == O else 4):
        for i in range(2 - SPOTS, SPOTS - 1):
            x = abs(i)
            near = seen[facing, x - 1 & 15] | seen[facing, x + 1]
            if facing:
                near |= seen[facing - 1, x]
            seen[facing, x] |= fall(free[facing, x], near & free[facing, x])
            rows |= seen[facing, x]
    return rows


@compiled
def flood(piece: int, maps: Any, sky: int) -> None:
    """Extend the reached positions by side steps and rotations until there are no new ones (Guideline 5, A1.4).

    sky: the rows above all Blocks, or 0 if they are reached. From there a piece falls to all free columns; how far up
    it gets makes no difference to its landings.
    """
    free = maps[FREE]
    seen = maps[_SEEN]
    box = 1 if piece == I else 0
    left = drop(piece, maps, 0)  # bit 16 * facing + spot: some free positions there are not reached
    todo = left  # and have not been tried since others near them were reached
    while todo:
        at = find_lowest(todo)
        todo &= todo - 1
        facing = at >> 4 & 3
        x = at & 15
        hidden = free[facing, x] & ~seen[facing, x]
        new = hidden & (seen[facing, x - 1 & 15] | seen[facing, x + 1])
        if piece != O:
            new |= find_turns(free, seen, box, facing, x, hidden & ~new)
        if not new:
            continue
        seen[facing, x] |= fall(free[facing, x], new)
        if seen[facing, x] == free[facing, x]:
            left &= ~(1 << at)
        turns = (31 if box else 14) << x >> 2  # a rotation moves the box of an I by up to two columns, others by one
        todo |= left & (turns << 16 * (facing + 1 & 3) | turns << 16 * (facing - 1 & 3) | (5 << x >> 1) << 16 * facing)
        if new & sky:
            left = drop(piece, maps, sky)
            todo = left
            sky = 0


@compiled
def find_turns(free: Any, seen: Any, box: int, facing: int, x: int, hidden: int) -> int:
    """Return those of the positions `hidden` to which a rotation leads from a reached one."""
    new = 0
    for clockwise in range(2):
        source = facing - 2 * clockwise + 1 & 3
        new |= seen[source, x] & hidden
        # The other rotation points are for positions that cannot turn on the spot, which most can.
        stuck = 0
        for i in range(-2, 3):
            stuck |= seen[source, x + i & 15] & ~free[facing, x + i & 15]
        stuck |= stuck << 1 | stuck >> 1
        stuck |= stuck << 1 | stuck >> 1
        if not stuck & hidden & ~new:
            continue
        for point in range(1, 5):
            from_x = x - POINT_X[box, source, clockwise, point] & 15
            up = POINT_Y[box, source, clockwise, point]
            there = shift(seen[source, from_x] & ~free[facing, from_x], up) & hidden & ~new
            if there:
                for before in range(1, point):
                    other_x = from_x + POINT_X[box, source, clockwise, before] & 15
                    there &= ~shift(free[facing, other_x], up - POINT_Y[box, source, clockwise, before])
                new |= there
    return new


@compiled
def turn_half(piece: int, maps: Any, sky: int) -> bool:
    """Extend the reached positions by half turns (firmware/modes/README.md, 5.2); return whether there are new ones."""
    free = maps[FREE]
    seen = maps[_SEEN]
    found = False
    for facing in range(4):
        other = facing ^ 2
        for x in range(1, SPOTS - 1):
            left = seen[facing, x]
            for point in range(6):
                other_x = x + _HALF_X[facing, point] & 15
                up = _HALF_Y[facing, point]
                there = shift(left, up) & free[other, other_x]
                left &= ~shift(there, -up)
                new = there & ~seen[other, other_x]
                if new:
                    found = True
                    seen[other, other_x] |= fall(free[other, other_x], new)
                    if new & sky:
                        drop(piece, maps, sky)
    return found


@compiled
def find_corners(wide: Any, facing: int, x: int, resting: int) -> tuple[int, int]:
    """Return where a T has the corners of a T-Spin, and where those of a Mini (Guideline 9.1)."""
    nose = tail = resting
    nose_any = tail_any = 0
    for i in range(4):
        corner = wide[x + (i & 1) * 2] << (i >> 1) * 2
        if _NOSES[facing, i]:
            nose &= corner
            nose_any |= corner
        else:
            tail &= corner
            tail_any |= corner
    full = nose & tail_any
    return full, tail & nose_any & ~full


@compiled
def find_spins(wide: Any, maps: Any, landings: Any) -> None:
    """Find the landings of a T after a rotation that is a T-Spin or a Mini (Guideline 9.1), as `find_landings` says."""
    free = maps[FREE]
    seen = maps[_SEEN]
    for facing in range(4):
        for x in range(1, SPOTS - 1):
            landings[MINI_SPIN, facing, x] = 0
            landings[FULL_SPIN, facing, x] = 0
            resting = landings[NO_SPIN, facing, x]
            if not resting:
                continue
            full, mini = find_corners(wide, facing, x, resting)
            spins = full | mini
            if not spins:
                continue
            turned = 0
            fifth = 0
            for clockwise in range(2):
                other = facing - 2 * clockwise + 1 & 3
                for i in range(5):
                    other_x = x - POINT_X[0, other, clockwise, i] & 15
                    up = POINT_Y[0, other, clockwise, i]
                    starts = shift(spins, -up) & seen[other, other_x]
                    for before in range(i):
                        if not starts:
                            break
                        side_x = other_x + POINT_X[0, other, clockwise, before] & 15
                        starts &= ~shift(free[facing, side_x], -POINT_Y[0, other, clockwise, before])
                    if starts:
                        if i < _POINT_5:
                            turned |= shift(starts, up)
                        else:
                            fifth |= shift(starts, up)
            full = full & turned | spins & fifth
            mini &= turned & ~full
            landings[FULL_SPIN, facing, x] = full
            landings[MINI_SPIN, facing, x] = mini
            landings[NO_SPIN, facing, x] = resting & ~(full | mini)


@compiled
def tell_spins(scratch: Scratch, half_turns: bool) -> None:
    """Find the landings of a T again, after `find_landings`: exactly, with every spin that each can have.

    A T keeps rotation point 5 while it only turns; a side step or a fall forgets it (Guideline 9.1).
    """
    wide, maps, landings = scratch
    free = maps[FREE]
    seen = maps[_SEEN]
    moved = maps[_MOVED]
    turned = maps[_TURNED]
    fifth = maps[_FIFTH]
    turned[:] = 0
    fifth[:] = 0
    for facing in range(4):
        for x in range(1, SPOTS - 1):
            near = seen[facing, x] << 1 | seen[facing, x - 1] | seen[facing, x + 1]
            moved[facing, x] = near & free[facing, x]
    moved[0, _SPAWN_X] |= find_entry(free[0, _SPAWN_X], T)
    changed = True
    while changed:
        changed = False
        for facing in range(4):
            for x in range(1, SPOTS - 1):
                if seen[facing, x]:
                    changed |= turn_on(maps, facing, x, half_turns)
    for facing in range(4):
        for x in range(1, SPOTS - 1):
            resting = seen[facing, x] & ~(free[facing, x] >> 1)
            full, mini = find_corners(wide, facing, x, resting)
            landings[NO_SPIN, facing, x] = resting & (moved[facing, x] | ~(full | mini))
            landings[MINI_SPIN, facing, x] = mini & turned[facing, x]
            landings[FULL_SPIN, facing, x] = full & turned[facing, x] | (full | mini) & fifth[facing, x]


@compiled
def turn_on(maps: Any, facing: int, x: int, half_turns: bool) -> bool:
    """Turn a T from the positions of one facing and spot, as `tell_spins` says; return whether a position is new."""
    free = maps[FREE]
    turned = maps[_TURNED]
    fifth = maps[_FIFTH]
    fives = fifth[facing, x]
    others = maps[_MOVED, facing, x] | turned[facing, x]
    changed = False
    for clockwise in range(2):
        other = facing + 2 * clockwise - 1 & 3
        left = others | fives
        for point in range(5):
            other_x = x + POINT_X[0, facing, clockwise, point] & 15
            up = POINT_Y[0, facing, clockwise, point]
            there = shift(left, up) & free[other, other_x]
            left &= ~shift(there, -up)
            by_fifth = there if point == _POINT_5 else there & shift(fives, up)
            by_turn = 0 if point == _POINT_5 else there & shift(others, up)
            changed |= by_fifth & ~fifth[other, other_x] != 0 or by_turn & ~turned[other, other_x] != 0
            fifth[other, other_x] |= by_fifth
            turned[other, other_x] |= by_turn
    if half_turns:
        other = facing ^ 2
        left = others | fives
        for point in range(6):
            other_x = x + _HALF_X[facing, point] & 15
            up = _HALF_Y[facing, point]
            there = shift(left, up) & free[other, other_x]
            left &= ~shift(there, -up)
            by_fifth = there & shift(fives, up)
            by_turn = there & shift(others, up)
            changed |= by_fifth & ~fifth[other, other_x] != 0 or by_turn & ~turned[other, other_x] != 0
            fifth[other, other_x] |= by_fifth
            turned[other, other_x] |= by_turn
    return changed


@compiled
def lock(columns: Any, move: int) -> int:
    """Turn the piece of a move into Blocks and clear full rows; return their number.

    Return -1 if it is wholly above the Skyline (Guideline 10).
    """
    piece = move >> PIECE & 7
    facing = move >> FACING & 3
    left = (move >> SPOT & 15) - EDGE
    inside = 0
    for i in range(4):
        mino = 1 << (move & 63) >> CELL_Y[piece, facing, i]
        columns[left + CELL_X[piece, facing, i]] |= mino
        inside |= mino
    if not inside & _VISIBLE:
        return -1
    return clear_rows(columns, find_full(columns))


@compiled
def find_full(columns: Any) -> int:
    full = FIELD
    for x in range(10):
        full &= columns[x]
    return full


@compiled
def clear_rows(columns: Any, full: int) -> int:
    lines = 0
    while full:
        row = full & -full  # the highest one
        full ^= row
        lines += 1
        above = row - 1
        for x in range(10):
            columns[x] = columns[x] & ~(above | row) | (columns[x] & above) << 1
    return lines


@compiled
def raise_rows(columns: Any, rows: int, gap: int) -> bool:
    """Raise garbage with its gap in column `gap` (10: none); return False if a Block leaves the Matrix at the top."""
    lost = 0
    solid = (1 << rows) - 1 << ROWS - rows
    for x in range(10):
        lost |= columns[x] & (1 << rows) - 1
        columns[x] = columns[x] >> rows
        if x != gap:
            columns[x] |= solid
    return lost == 0
