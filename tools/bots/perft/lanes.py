"""Count the landings of a Tetrimino in a low Matrix, several columns in each word.

A word has four lanes of fifteen bits, so three words hold all spots of a facing, and one operation moves four columns.
The bits of a lane are as in tools/bots/strong/columns.py, with twelve rows, and three below the floor. The lowest of
these is never free, so no carry leaves its lane. Words are passed as numbers: Numba counts the users of each array.
"""

from pathlib import Path
from typing import Any

import numpy as np

from tools.bots.strong import columns as bits
from tools.numba_cache import Compiler

compiled = Compiler("lanes", [Path(__file__), Path(bits.__file__)])

HIGHEST = 10  # rows of a low Matrix; rotations look two rows above it
MAPS = 24  # words: free positions by facing, reached ones by facing

_ROWS = 12
_LANE = 15
_LANES = 4  # of a word
_WORD = _LANE * _LANES
_REST = _WORD - _LANE
_MASK = (1 << _WORD) - 1
_EACH = 1 | 1 << _LANE | 1 << 2 * _LANE | 1 << 3 * _LANE
_FULL = (1 << _LANE) - 1
_FLOOR = _FULL ^ (1 << _ROWS) - 1
_SEEN = 12
_WALL_A = _FULL * (1 | 1 << _LANE | 1 << 2 * _LANE)
_WALL_D = _FULL * (1 << _LANE | 1 << 2 * _LANE | 1 << 3 * _LANE)
# rows: the bits that a shift toward higher bits, or lower ones, moves within its lane
_DOWN = np.array([(_FULL ^ (1 << rows) - 1) * _EACH for rows in range(4)])
_UP = np.array([(_FULL >> rows) * _EACH for rows in range(4)])
# rows upward + 3: the same
_KEPT = np.array([*_DOWN[:0:-1], *_UP])
# piece * 16 + facing * 4 + Mino: its column in bits, and its row.
_RIGHT = bits.CELL_X.reshape(-1) * _LANE
_ROW = bits.CELL_Y.reshape(-1)
# box * 40 + facing * 10 + clockwise * 5 + point: by how many bits a rotation moves a box, and its row.
_TURN_UP = bits.POINT_Y.reshape(-1)
_TURN = bits.POINT_X.reshape(-1) * _LANE - _TURN_UP


def _find_wall(right: int, word: int) -> int:
    return sum(_FULL << i * _LANE for i in range(_LANES) if not 3 <= word * _LANES + i + right < 13)


# piece * 16 + facing * 4 + word: lanes in which a Mino is in a wall.
_WALLS = np.array(
    [
        [np.bitwise_or.reduce([_find_wall(int(right), word) for right in rights]) for word in range(4)]
        for rights in bits.CELL_X.reshape(-1, 4)
    ]
).reshape(-1)


@compiled
def fall(free: int, positions: int) -> int:
    return free & ~(free + positions) | positions


@compiled
def pack(columns: Any, word: int) -> int:
    """Return one of the four words of a low Matrix between walls."""
    found = 0
    for i in range(4):
        x = word * 4 + i - bits.EDGE
        lane = _FULL
        if 0 <= x < 10:
            lane = columns[x] >> bits.ROWS - _ROWS | _FLOOR
        found |= lane << i * _LANE
    return found


@compiled
def count_after(a: int, b: int, c: int, d: int, top: int, code: int, piece: int, maps: Any) -> int:
    """Return the number of landings after a move, or -1 if it leaves no low Matrix."""
    at = (code >> bits.PIECE & 7) * 16 + (code >> bits.FACING & 3) * 4
    spot = code >> bits.SPOT & 15
    lowest = (code & 63) - bits.ROWS + _ROWS
    for i in range(at, at + 4):
        bit = lowest - _ROW[i]
        top = max(top, _ROWS - bit)
        if bit < 0:
            return -1
        lane = spot + _RIGHT[i] // _LANE
        block = 1 << (lane & 3) * _LANE + bit
        word = lane >> 2
        a |= block if word == 0 else 0
        b |= block if word == 1 else 0
        c |= block if word == 2 else 0
        d |= block if word == 3 else 0
    if top > HIGHEST:
        return -1
    full = b & c
    full &= full >> 2 * _LANE
    full &= full >> _LANE & a >> _REST & d & (1 << _ROWS) - 1
    while full:
        row = full & -full
        full ^= row
        above = (row - 1) * _EACH
        kept = ~(above | row * _EACH)
        a = a & kept | (a & above) << 1 | _WALL_A
        b = b & kept | (b & above) << 1
        c = c & kept | (c & above) << 1
        d = d & kept | (d & above) << 1 | _WALL_D
    return count(a, b, c, d, piece, top, maps)


@compiled
def count(a: int, b: int, c: int, d: int, piece: int, top: int, maps: Any) -> int:
    """Return the number of landings; a, b, c, d: the Matrix.  top: the height of its highest Block."""
    kinds = bits.KINDS[piece & 7]
    sky = ((1 << _ROWS - top) - 1) * _EACH
    hidden = 0
    total = 0
    for facing in range(4):
        if facing == kinds and (piece == bits.O or not hidden):
            break
        at = piece * 16 + facing * 4 & 127
        free_a, free_b, free_c = _WALLS[at], _WALLS[at + 1], _WALLS[at + 2]
        for i in range(at, at + 4):
            low = _RIGHT[i]
            high = _WORD - low
            up = _ROW[i]
            mask = _DOWN[up & 3]
            free_a |= (a >> low | b << high) << up & mask
            free_b |= (b >> low | c << high) << up & mask
            free_c |= (c >> low | d << high) << up & mask
        free_a, free_b, free_c = ~free_a & _MASK, ~free_b & _MASK, ~free_c & _MASK
        seen_a, seen_b, seen_c = fall(free_a, free_a & sky), fall(free_b, free_b & sky), fall(free_c, free_c & sky)
        hidden |= free_a ^ seen_a | free_b ^ seen_b | free_c ^ seen_c
        to = 3 * facing
        maps[to] = free_a
        maps[to + 1] = free_b
        maps[to + 2] = free_c
        maps[to + _SEEN] = seen_a
        maps[to + _SEEN + 1] = seen_b
        maps[to + _SEEN + 2] = seen_c
        if facing < kinds:
            total += bits.count_ones(seen_a & ~(free_a >> 1)) + bits.count_ones(seen_b & ~(free_b >> 1))
            total += bits.count_ones(seen_c & ~(free_c >> 1))
    if not hidden or not flood(maps, piece):
        return total
    total = 0
    for facing in range(kinds):
        at = 3 * facing
        a, b, c = maps[at + _SEEN], maps[at + _SEEN + 1], maps[at + _SEEN + 2]
        if kinds == 2:
            twin = facing + 2
            at += _SEEN + 6
            right, up = bits.TWIN_X[piece, twin], bits.TWIN_Y[piece, twin]
            to_a, to_b, to_c = move(maps[at], maps[at + 1], maps[at + 2], right * _LANE - up, up)
            at -= _SEEN + 6
            a |= to_a
            b |= to_b
            c |= to_c
        total += bits.count_ones(a & ~(maps[at] >> 1)) + bits.count_ones(b & ~(maps[at + 1] >> 1))
        total += bits.count_ones(c & ~(maps[at + 2] >> 1))
    return total


@compiled
def move(a: int, b: int, c: int, by: int, up: int) -> tuple[int, int, int]:
    """Return the positions in three words moved by so many bits, of which so many rows are up."""
    mask = _KEPT[up + 3 & 7]
    if by >= 0:
        return a << by & mask, (b << by | a >> _WORD - by) & mask, (c << by | b >> _WORD - by) & mask
    return (a >> -by | b << _WORD + by) & mask, (b >> -by | c << _WORD + by) & mask, c >> -by & mask


@compiled
def step(a: int, b: int, c: int) -> tuple[int, int, int]:
    """Return the neighbours on both sides of the positions in three words."""
    return (
        a << _LANE & _MASK | a >> _LANE | b << _REST & _MASK,
        b << _LANE & _MASK | a >> _REST | b >> _LANE | c << _REST & _MASK,
        c << _LANE & _MASK | b >> _REST | c >> _LANE,
    )


@compiled
def reach(positions: int) -> int:
    """Return a word of positions and those within two rows of them."""
    for _ in range(2):
        positions |= positions << 1 & _DOWN[1] | positions >> 1 & _UP[1]
    return positions


@compiled
def flood(maps: Any, piece: int) -> bool:
    """Extend the reached positions by side steps and rotations until none is new; return whether any was."""
    todo = 1 if piece == bits.O else 15
    found = False
    while todo:
        facing = bits.find_lowest(todo)
        todo &= todo - 1
        at = 3 * facing
        a, b, c = maps[at + _SEEN], maps[at + _SEEN + 1], maps[at + _SEEN + 2]
        hidden_a, hidden_b, hidden_c = maps[at] & ~a, maps[at + 1] & ~b, maps[at + 2] & ~c
        if not hidden_a | hidden_b | hidden_c:
            continue
        new_a, new_b, new_c = step(a, b, c)
        if piece != bits.O:
            one, other = 3 * (facing - 1 & 3) + _SEEN, 3 * (facing + 1 & 3) + _SEEN
            new_a |= maps[one] | maps[other]
            new_b |= maps[one + 1] | maps[other + 1]
            new_c |= maps[one + 2] | maps[other + 2]
        new_a &= hidden_a
        new_b &= hidden_b
        new_c &= hidden_c
        if piece != bits.O:
            # The other rotation points are for positions near hidden ones that cannot turn on the spot.
            near_a, near_b, near_c = hidden_a & ~new_a, hidden_b & ~new_b, hidden_c & ~new_c
            for _ in range(2):
                more_a, more_b, more_c = step(near_a, near_b, near_c)
                near_a |= more_a
                near_b |= more_b
                near_c |= more_c
            near_a = reach(near_a) & ~maps[at]
            near_b = reach(near_b) & ~maps[at + 1]
            near_c = reach(near_c) & ~maps[at + 2]
            for clockwise in range(2):
                source = facing - 2 * clockwise + 1 & 3
                left_a = near_a & maps[3 * source + _SEEN]
                left_b = near_b & maps[3 * source + _SEEN + 1]
                left_c = near_c & maps[3 * source + _SEEN + 2]
                if left_a | left_b | left_c:
                    to_a, to_b, to_c = turn(maps, at, piece, source, clockwise, left_a, left_b, left_c)
                    new_a |= to_a & hidden_a
                    new_b |= to_b & hidden_b
                    new_c |= to_c & hidden_c
        if new_a | new_b | new_c:
            found = True
            maps[at + _SEEN] |= fall(maps[at], new_a)
            maps[at + _SEEN + 1] |= fall(maps[at + 1], new_b)
            maps[at + _SEEN + 2] |= fall(maps[at + 2], new_c)
            todo = 1 if piece == bits.O else 15
    return found


@compiled
def turn(maps: Any, at: int, piece: int, source: int, clockwise: int, a: int, b: int, c: int) -> tuple[int, int, int]:
    """Return where positions turn to by the rotation points after the first; at: the free positions' place in maps."""
    free_a, free_b, free_c = maps[at], maps[at + 1], maps[at + 2]
    first = (40 if piece == bits.I else 0) + source * 10 + clockwise * 5
    found_a = found_b = found_c = 0
    for point in range(first + 1, first + 5):
        by = _TURN[point]
        up = _TURN_UP[point]
        to_a, to_b, to_c = move(a, b, c, by, up)
        found_a |= to_a & free_a
        found_b |= to_b & free_b
        found_c |= to_c & free_c
        to_a, to_b, to_c = move(free_a, free_b, free_c, -by, -up)
        a &= ~to_a
        b &= ~to_b
        c &= ~to_c
        if not a | b | c:
            break
    return found_a, found_b, found_c
