"""Find the landings of a Tetrimino in a Matrix of ten words, one for each column.

This is the compiled search; the strong player, the batch and perft share it. `sim/bots/places.py` answers the same
question without Numba, and knows the presses; perft proves that both find the same places. The third search runs on a
board, where it must pause after every few steps (firmware/players/).

Bit 39 - y of a column is row y, so a fall moves to higher bits. Floor and walls are Blocks. A position is given by the
box of a facing: the bit of its lowest row in the word of its left column. A search moves all columns at once, each in a
lane of a vector; in a low Matrix a lane has 16 bits.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic

from firmware.engine.extra_rules import ALL, HALF_POINTS, STUCK
from firmware.engine.profiles import FACINGS, PROFILES
from firmware.engine.tables import POINTS
from sim.bots.places import CELLS
from tools.bots.strong.compiling import compiled
from tools.bots.strong.vectors import LANES, broaden, fill, join, load, make_cells, narrow, put, store, traced

ROWS = 40
FIELD = (1 << ROWS) - 1
EDGE = 3  # columns of wall on each side, into which a box may reach
SPOTS = 13  # spot x, from 1 to 11, means that the box's left column is x - EDGE
I, O, T = 1, 4, 6  # noqa: E741
NO_SPIN, MINI_SPIN, FULL_SPIN = 0, 1, 2

_ROOM = (1 << 48) - 1  # the rows of the Matrix and eight below the floor
_BOXES = _ROOM ^ 7  # rows of boxes that do not reach above the top row
_FLOOR = _ROOM ^ FIELD
_VISIBLE = (1 << 20) - 1 << 20  # rows below the Skyline
_SPAWN_X = 3 + EDGE
_SPAWN_Y = 19
_POINT_5 = 4
# In a low Matrix vectors keep fourteen rows. Rotations from above it look two rows up.
LOW = 12
LOW_SKY = 3
CUT = ROWS - LOW - 2
# piece: one with the same rotation points.
_TURNS_LIKE = np.array([0, I, T, T, O, T, T, T])
# With the number of a piece: which code finds its landings.
_LOWER, _HALF, _STUCK = 8, 16, 32

# piece, facing, Mino: its place in the box.
CELL_X = np.array([[[0] * 4] * 4] + [[[cell[0] for cell in cells] for cells in piece] for piece in CELLS])
CELL_Y = np.array([[[0] * 4] * 4] + [[[cell[1] for cell in cells] for cells in piece] for piece in CELLS])
# piece: number of facings that cover different cells.
KINDS = np.array([0, *FACINGS])
# piece, facing: column and row of its lowest leftmost corner in the box, and its width.
_PROFILES = np.array([0] * 40 + list(PROFILES)).reshape(8, 4, 10)
FIRSTS, LOWS, WIDTHS = _PROFILES[:, :, 0] & 15, _PROFILES[:, :, 0] >> 4, _PROFILES[:, :, 1].copy()
# piece, facing: distance to the box of the first facing with these cells.
_FIRST_TWINS = np.arange(4) % np.maximum(1, KINDS)[:, None]
TWIN_X = FIRSTS - np.take_along_axis(FIRSTS, _FIRST_TWINS, axis=1)
TWIN_Y = LOWS - np.take_along_axis(LOWS, _FIRST_TWINS, axis=1)
# box, facing, clockwise, point: how far a rotation moves the box.
POINT_X = np.array(list(POINTS[0::2])).reshape(2, 4, 2, 5) - 2
POINT_Y = np.array(list(POINTS[1::2])).reshape(2, 4, 2, 5) - 2
# facing, point: how far a half turn moves the box.
_HALF_POINTS = (np.array([*HALF_POINTS]) - 2).reshape(4, 6, 2)
# facing: 1 for corners of the T's box at its nose: lower left, lower right, upper left, upper right.
NOSES = np.array([[0, 0, 1, 1], [0, 1, 0, 1], [1, 1, 0, 0], [1, 0, 1, 0]])


# A move from its lowest bit up: row bit (6 bits), spot (4), facing (2), piece (3), spin (2), by Hold (1).
SPOT, FACING, PIECE, SPIN, HELD = 6, 10, 12, 15, 17


class Scratch(NamedTuple):
    """The arrays of a search.

    wide: ten columns between walls, see `widen`.  maps: free positions, then those reached, by facing and spot.
    landings: the result, by spin, facing and spot.
    """

    wide: Any
    maps: Any
    landings: Any


class Turn(NamedTuple):
    """What one rotation point does.

    by: how far it moves the box, to the right and up.  fits: from where it is the first point that fits.
    """

    source: int
    target: int
    by: tuple[int, int]
    is_fifth: bool
    fits: Any


@compiled
def pack_move(row_bit: int, spot: int, facing: int, piece: int, spin: int, held: int) -> int:
    return row_bit | spot << SPOT | facing << FACING | piece << PIECE | spin << SPIN | held << HELD


@compiled
def make_scratch() -> Scratch:
    wide, maps = np.full(LANES, _ROOM, np.int64), np.zeros((8, LANES), np.int64)
    return Scratch(wide, maps, np.zeros((3, 4, LANES), np.int64))


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
def widen(columns: Any, wide: Any) -> int:
    """Put floor and walls around ten columns; return the height of the highest Block."""
    blocks = 1 << ROWS
    for x in range(10):
        wide[x + EDGE] = columns[x] | _FLOOR
        blocks |= columns[x]
    return ROWS - find_lowest(blocks)


@compiled
def find_room(wide: Any, piece: int, facing: int, x: int) -> int:
    """Return the free positions of a facing at spot x."""
    blocks = 0
    for i in range(4):
        blocks |= wide[x + CELL_X[piece, facing, i] & 15] << CELL_Y[piece, facing, i]
    return _BOXES & ~blocks


@compiled
def find_entry(wide: Any, piece: int) -> int:
    """Return where a piece enters, 0 if it cannot."""
    room = find_room(wide, piece, 0, _SPAWN_X)
    entry = 1 << ROWS - 1 - (_SPAWN_Y - 1 if piece == I else _SPAWN_Y)
    if room & entry and room & entry << 1:
        return entry << 1  # a new Tetrimino drops one row at once
    return room & entry


@compiled
def find_landings(scratch: Scratch, top: int, piece: int, spins: int) -> int:
    """Find the landings of a piece in `scratch.wide`; return how many kinds of spins to look at, 0 if it cannot enter.

    top: the height of the highest Block, from `widen`.  spins: the option (firmware/modes/README.md, 23).
    The same cells get only their best spin. A T that turns again after rotation point 5 is rated as if without that
    point; `find_exactly` rates it as it is.
    """
    lower = _LOWER if top <= LOW else 0
    entry = 0 if lower else find_entry(scratch.wide, piece)
    if not lower and not entry:
        return 0
    _begin(piece | lower, scratch, entry, 0)
    _spread(_TURNS_LIKE[piece] | lower, scratch, (1 << ROWS - top) - 1, 0)
    stuck = _STUCK if spins and piece != O and spins == (STUCK if piece == T else ALL) else 0
    _write(piece | lower | stuck, scratch, 0, 0)
    return 3 if piece == T else 2 if stuck else 1


@compiled
def find_exactly(scratch: Scratch, top: int, piece: int, half_turns: bool) -> bool:
    """Find landings as `find_landings` does, those of a T with every spin that each can have.

    half_turns: turn by 180 degrees, too (firmware/modes/README.md, 5.2).
    """
    entry = find_entry(scratch.wide, piece)
    if not entry:
        return False
    half = _HALF if half_turns else 0
    _begin(piece, scratch, entry, 0)
    _spread_exactly(_TURNS_LIKE[piece] | half, scratch, (1 << ROWS - top) - 1, 0)
    if piece == T:
        _tell_spins(T | half, scratch, entry, 0)
    else:
        _write(piece, scratch, 0, 0)
    return True


# -- in vectors, a lane for each spot ----------------------------------------------------------------------


def move(positions: Any, right: int, up: int) -> Any:
    if right:
        positions = positions[[min(max(x - right, 0), LANES - 1) for x in range(LANES)]]
    return positions >> int(up) if up > 0 else positions << int(-up) if up else positions


def fall(free: Any, positions: Any) -> Any:
    """Return these free positions and all positions below that they fall through; one addition carries to a Block."""
    return free & ~(free + positions) | positions


def find_free(blocks: Any, piece: int, rows: int = 0) -> list[Any]:
    """Return the free positions of each facing; an O has one.

    rows: those of boxes that do not reach above the top row, or 0 in a low Matrix.
    """
    found = []
    for x, y in [*zip(CELL_X[piece], CELL_Y[piece], strict=True)][: 1 if piece == O else 4]:
        spots = np.arange(LANES)
        inside = (spots + min(x) >= EDGE) & (spots + max(x) < EDGE + 10)
        where = rows or np.where(inside, 0xFFFF, 0).astype(np.uint16)
        found.append(~join([move(blocks, -right, -up) for right, up in zip(x, y, strict=True)]) & where)
    return found


def list_turns(free: list[Any], piece: int, half_turns: bool = False) -> list[Turn]:
    """Return what each rotation point does."""
    found = []
    for source in range(len(free) if piece != O else 0):
        x, y = POINT_X[int(piece == I), source], POINT_Y[int(piece == I), source]
        ways = [(source + 2 * way - 1 & 3, [*zip(x[way], y[way], strict=True)]) for way in range(2)]
        for target, points in [*ways, (source ^ 2, _HALF_POINTS[source])][: 3 if half_turns else 2]:
            left = ~(free[0] & 0)
            for point, (right, up) in enumerate(points):
                fits = move(free[target], -right, -up)
                found.append(Turn(source, target, (right, up), target != source ^ 2 and point == _POINT_5, fits & left))
                left = left & ~fits
    return found


def flood(free: list[Any], seen: Any, piece: int, sky: Any = None, half_turns: bool = False) -> None:
    """Extend the reached positions until there are no new ones (Guideline 5, A1.4).

    sky: the rows above all Blocks, if they are not all reached. From there a piece falls to all free columns; how far
    up it gets makes no difference to its landings.
    """
    facings = range(len(free))

    def extend(kicks: list[Turn]) -> Any:
        old = [seen[facing] for facing in facings]
        new = [move(one, 1, 0) | move(one, -1, 0) for one in old]
        for facing in facings if piece != O else ():
            new[facing] = new[facing] | old[facing - 1] | old[facing - 3]
        for source, target, by, _is_fifth, fits in kicks:
            new[target] = new[target] | move(old[source] & fits, *by)
        if sky is not None:
            above = fill(join(old) & sky) & sky
            new = [one | above for one in new]
        for facing in facings:
            seen[facing] = old[facing] | fall(free[facing], new[facing] & free[facing])
        return join([seen[facing] ^ old[facing] for facing in facings])

    def kick() -> None:
        kicks = [one for one in list_turns(free, piece, half_turns) if one.by != (0, 0) or one.target ^ one.source == 2]
        seen.repeat(lambda: extend(kicks))

    seen.repeat(lambda: extend([]))
    if piece != O:
        seen.when(join([free[facing] ^ seen[facing] for facing in facings]), kick)


def find_resting(free: list[Any], seen: Any, piece: int) -> list[Any]:
    """Return where a piece comes to rest, without facings whose cells another one covers, too."""
    return join_twins([seen[facing] & ~(room >> 1) for facing, room in enumerate(free)], piece)


def join_twins(positions: list[Any], piece: int) -> list[Any]:
    kinds = int(KINDS[piece])
    joined = positions[:kinds]
    for facing in range(kinds, len(positions)):
        twin = move(positions[facing], TWIN_X[piece, facing], TWIN_Y[piece, facing])
        joined[facing % kinds] = joined[facing % kinds] | twin
    return joined


def find_corners(blocks: Any, resting: list[Any]) -> list[tuple[Any, Any]]:
    """Return for each facing where a T has the corners of a T-Spin, and where those of a Mini (Guideline 9.1)."""
    corners = [move(blocks, -x, -y) for y in (0, 2) for x in (0, 2)]
    found = []
    for noses, positions in zip(NOSES, resting, strict=True):
        c, d, a, b = (corners[i] for i in np.argsort(noses, kind="stable"))
        full = a & b & (c | d) & positions
        found.append((full, (a | b) & c & d & positions & ~full))
    return found


@traced(*range(1, 8), *range(1 + _LOWER, 8 + _LOWER))
def _begin(choice: int, scratch: Scratch, entry: Any, _number: Any) -> None:
    """Write the free positions of a piece, and those reached by a fall alone."""
    blocks = read(choice, scratch.wide, 0)
    if choice & _LOWER:
        free = find_free(blocks, choice & 7)
        seen = [fall(room, room & LOW_SKY) for room in free]
    else:
        free = find_free(blocks, choice & 7, _BOXES)
        seen = [fall(free[0], put(free[0] & 0, _SPAWN_X, entry)), *[room & 0 for room in free[1:]]]
    for row, positions in enumerate([*free, *seen]):
        write(choice, positions, scratch.maps, row % len(free) + 4 * (row >= len(free)))


def read(choice: int, array: Any, row: int) -> Any:
    """Return a row of an array, in a low Matrix in lanes of 16 bits."""
    return narrow(load(array, row), CUT) if choice & _LOWER else load(array, row)


def write(choice: int, positions: Any, array: Any, row: int) -> None:
    store(broaden(positions, CUT) if choice & _LOWER else positions, array, row)


def _load_maps(choice: int, scratch: Scratch) -> tuple[list[Any], Any]:
    maps = [read(choice, scratch.maps, row) for row in ((0, 4) if choice & 7 == O else range(8))]
    return maps[: len(maps) // 2], make_cells(maps[len(maps) // 2 :])


def spread(choice: int, scratch: Scratch, sky: Any, _number: Any) -> None:
    """Extend the reached positions; a T stands for all pieces with its rotation points."""
    free, seen = _load_maps(choice, scratch)
    flood(free, seen, choice & 7, None if choice & _LOWER else sky, bool(choice & _HALF))
    for facing in range(len(free)):
        write(choice, seen[facing], scratch.maps, 4 + facing)


_spread = traced(I, O, T, I | _LOWER, O | _LOWER, T | _LOWER)(spread)
_spread_exactly = traced(I, O, T, I | _HALF, O | _HALF, T | _HALF)(spread)


def find_stuck(free: list[Any], resting: list[Any], piece: int) -> list[tuple[Any, Any]]:
    """Return the same for what cannot move sideways, up or down: T-Spins of a T, Minis of others."""
    found = []
    for room, positions in zip(free, resting, strict=False):
        stuck = positions & ~(room << 1 | move(room, 1, 0) | move(room, -1, 0))
        found.append((stuck, room & 0)[:: 1 if piece == T else -1])
    return found


@traced(*(piece + more for piece in range(1, 8) for more in (0, _LOWER, _STUCK, _LOWER | _STUCK)))
def _write(choice: int, scratch: Scratch, _a: Any, _b: Any) -> None:
    """Write the landings of a piece."""
    piece, stuck = choice & 7, choice & _STUCK
    free, seen = _load_maps(choice, scratch)
    resting = find_resting(free, seen, piece)
    for facing, positions in enumerate(resting):
        write(choice, positions, scratch.landings, facing)
    if piece != T and not stuck:
        return
    blocks = read(choice, scratch.wide, 0)
    spots = find_stuck(free, resting, piece) if stuck else find_corners(blocks, resting)
    for row in range(4, 12):
        write(choice, free[0] & 0, scratch.landings, row)

    def tell_spins() -> None:
        turned = [[free[0] & 0] * len(free) for _ in range(2)]
        for source, target, by, is_fifth, fits in list_turns(free, piece):
            way = turned[is_fifth and not stuck]
            way[target] = way[target] | move(seen[source] & fits, *by)
        ways = zip(*(join_twins(way, piece) for way in turned), strict=True)
        for facing, ((full, mini), (by_turn, by_fifth)) in enumerate(zip(spots, ways, strict=True)):
            full, mini = full & by_turn | (full | mini) & by_fifth, mini & by_turn
            for spin, positions in enumerate((resting[facing] & ~(full | mini), mini & ~full, full)):
                write(choice, positions, scratch.landings, 4 * spin + facing)

    seen.when(join([join(pair) for pair in spots]), tell_spins)


@traced(T, T | _HALF)
def _tell_spins(choice: int, scratch: Scratch, entry: Any, _number: Any) -> None:
    """Write the landings of a T, as `find_exactly` says."""
    free, seen = _load_maps(choice, scratch)
    turns = list_turns(free, T, bool(choice & _HALF))
    # A T keeps rotation point 5 while it only turns; a side step or a fall forgets it (Guideline 9.1).
    moved = [(seen[i] << 1 | move(seen[i], 1, 0) | move(seen[i], -1, 0)) & free[i] for i in range(4)]
    moved[0] = moved[0] | put(free[0] & 0, _SPAWN_X, entry)
    found = make_cells([free[0] & 0 for _ in range(8)])  # by rotation, and by rotations alone since point 5

    def turn_on() -> Any:
        old = [found[i] for i in range(8)]
        new = list(old)
        for source, target, by, is_fifth, fits in turns:
            others, fives = (moved[source] | old[source]) & fits, old[4 + source] & fits
            if is_fifth:
                new[4 + target] = new[4 + target] | move(others | fives, *by)
            else:
                new[target] = new[target] | move(others, *by)
                new[4 + target] = new[4 + target] | move(fives, *by)
        for i in range(8):
            found[i] = new[i] & free[i & 3]
        return join([found[i] ^ old[i] for i in range(8)])

    found.repeat(turn_on)
    resting = find_resting(free, seen, T)
    for facing, (full, mini) in enumerate(find_corners(load(scratch.wide, 0), resting)):
        turned, fifth = found[facing], found[4 + facing]
        store(resting[facing] & (moved[facing] | ~(full | mini)), scratch.landings, facing)
        store(mini & turned, scratch.landings, 4 + facing)
        store(full & turned | (full | mini) & fifth, scratch.landings, 8 + facing)


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
