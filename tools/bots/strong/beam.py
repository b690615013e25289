"""Open a ply of a beam, keep the best of what is found, and play paths again: what of the search is compiled.

A ply is what was found after a number of Lock Downs. Every place of the next piece, or of the held one, is rated for
each. They go to a pool, where equal Matrices with equal Holds count once.
"""

from typing import Any, NamedTuple

import numpy as np

from firmware.match.attack import count_lines
from tools.bots.strong.columns import (
    CELL_X,
    CELL_Y,
    EDGE,
    KINDS,
    ROWS,
    SPOTS,
    WIDE,
    I,
    T,
    find_landings,
    find_lowest,
    lock_piece,
    raise_rows,
    widen,
)
from tools.bots.strong.compiling import compiled
from tools.bots.strong.evaluation import rate_position, reward

LONGEST = 8  # moves ahead

_MOST_MOVES = 512  # of one piece
_LOST = -(1 << 20)
_MIX = 0x2545F4914F6CDD1D
_SENT = np.array([[count_lines(spin, lines, 0) for lines in range(5)] for spin in range(3)])

# Of a move, from its lowest bit: the row's bit 6, spot 4, facing 2, piece 3, spin 2, by Hold 1.
SPOT, FACING, PIECE, SPIN, HELD = 6, 10, 12, 15, 17


class Ply(NamedTuple):
    """The positions after a number of Lock Downs, each with its own index.

    columns: ten a Matrix.  gains: what the moves on the way were worth.  holds, chains.  paths: the moves.
    rises: rows of garbage that were to follow the first move.
    """

    columns: Any
    gains: Any
    holds: Any
    chains: Any
    rises: Any
    paths: Any


class Pool(NamedTuple):
    """Children of a ply.

    values.  parents: indices of the ply.  moves.  keys: equal where Matrix and Hold are; slots: where a key is found,
    as index + 1, by its hash.
    """

    values: Any
    parents: Any
    moves: Any
    keys: Any
    slots: Any


class Room(NamedTuple):
    """Scratch arrays of the functions."""

    wide: Any
    maps: Any
    landings: Any
    columns: Any
    beside: Any
    found: Any


def make_ply(count: int) -> Ply:
    """Return a ply for `count` positions."""
    return Ply(
        np.zeros((count, 10), np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros((count, LONGEST), np.int64),
    )


def make_pool(count: int, slots: int) -> Pool:
    """Return a pool for `count` children."""
    return Pool(
        np.zeros(count, np.int64),
        np.zeros(count, np.int32),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros(slots, np.int32),
    )


def make_room() -> Room:
    """Return scratch arrays."""
    wide = np.full(WIDE, (1 << 48) - 1, np.int64)
    maps = np.zeros((3, 4, SPOTS), np.int64)
    landings = np.zeros((3, 4, SPOTS), np.int64)
    return Room(wide, maps, landings, np.zeros(10, np.int64), np.zeros(24, np.int64), np.zeros(_MOST_MOVES, np.int64))


@compiled
def lock(columns: Any, move: int) -> int:
    """Play a move on columns; return the lines it clears, or -1 if it ends the game."""
    return lock_piece(columns, move >> PIECE & 7, move >> FACING & 3, move >> SPOT & 15, 1 << (move & 63))


@compiled
def count_sent(move: int, lines: int, chain: int) -> int:
    """Return how many lines a move sends (Guideline B1.3.5); chain: whether a Back-to-Back was on."""
    spin = move >> SPIN & 3
    sent = _SENT[spin, lines]
    return sent + 1 if sent and chain and (lines == 4 or spin) else sent


@compiled
def find_rise(move: int, lines: int, chain: int, coming: int) -> int:
    """Return how many of the waiting rows will rise after a move has sent its lines (Guideline B1.3.4)."""
    return max(0, coming - count_sent(move, lines, chain))


@compiled
def follow(chain: int, move: int, lines: int) -> int:
    """Return whether a Back-to-Back is on after a move (Guideline 8.1)."""
    if lines == 0:
        return chain
    return 1 if lines == 4 or move >> SPIN & 3 else 0


@compiled
def list_moves(piece: int, held: int, landings: Any, moves: Any) -> int:
    """List the moves to where a piece can come to rest; return how many there are."""
    count = 0
    for spin in range(3 if piece == T else 1):
        for facing in range(KINDS[piece]):
            for x in range(1, SPOTS - 1):
                places = landings[spin, facing, x]
                while places:
                    at = find_lowest(places)
                    places &= places - 1
                    moves[count] = at | x << SPOT | facing << FACING | piece << PIECE | spin << SPIN | held << HELD
                    count += 1
    return count


@compiled
def open_ply(ply: Ply, begin: int, end: int, pieces: Any, limits: Any, weights: Any, pool: Pool, room: Room) -> int:
    """Rate all children of the ply's `begin` to `end` until enough are; return how many were opened.

    pieces: the one that comes next; 1 where Hold may be used; rows of garbage that follow; their gap.
    limits: children in the pool; how many to rate at most; how many were rated.
    """
    wide, maps, landings, columns, beside, found = room
    values, parents, moves, keys, slots = pool
    last = len(slots) - 1
    count = limits[0]
    judged = 0
    at = begin
    while at < end and judged < limits[1] and count < len(values) - 512:
        hold = ply.holds[at]
        chain = ply.chains[at]
        gain = ply.gains[at]
        source = ply.columns[at]
        top = widen(source, wide)
        for held in range(2):
            piece = pieces[0]
            kept = hold
            if held:
                if not pieces[1] or hold == 0 or hold == piece:
                    break
                kept = piece
                piece = hold
            if not find_landings(wide, top, piece, maps, landings):
                continue
            listed = list_moves(piece, held, landings, found)
            judged += listed
            for n in range(listed):
                move = found[n]
                for i in range(10):
                    columns[i] = source[i]
                lines = lock(columns, move)
                if lines < 0:
                    continue
                if pieces[2]:
                    rise = find_rise(move, lines, chain, pieces[2])
                    if not raise_rows(columns, rise, pieces[3]):
                        continue
                after = follow(chain, move, lines)
                value = gain + reward(piece, move >> SPIN & 3, lines, chain, weights)
                value += rate_position(columns, kept, after, weights, beside)
                key = kept
                for i in range(10):
                    key = (key ^ columns[i]) * _MIX
                    key ^= key >> 29
                slot = key & last
                while slots[slot] and keys[slots[slot] - 1] != key:
                    slot = slot + 1 & last
                child = slots[slot] - 1
                if child < 0:
                    child = count
                    count += 1
                    slots[slot] = count
                    keys[child] = key
                elif values[child] >= value:
                    continue
                values[child] = value
                parents[child] = at
                moves[child] = move
        at += 1
    limits[0] = count
    limits[2] += judged
    return at - begin


@compiled
def foresee(ply: Ply, count: int, bag: Any, weights: Any, room: Room, values: Any) -> int:
    """Rate a ply with one more piece, averaged over the bag; return how many children were rated.

    That is the mean of what is best with each of them.
    """
    wide, maps, landings, columns, beside, found = room
    best_held = np.zeros(3, np.int64)
    judged = 0
    for at in range(count):
        hold = ply.holds[at]
        chain = ply.chains[at]
        source = ply.columns[at]
        top = widen(source, wide)
        best_held[:] = 0
        total = 0
        for next_piece in bag:
            best = _LOST
            # Only an I or a T in Hold is worth anything by itself: what is best with others there is found once.
            kind = 1 if next_piece == I else 2 if next_piece == T else 0
            for held in range(2):
                piece = next_piece
                kept = hold
                if held:
                    if hold == 0 or hold == piece:
                        break
                    if best_held[kind]:
                        best = max(best, best_held[kind])
                        break
                    kept = piece
                    piece = hold
                if not find_landings(wide, top, piece, maps, landings):
                    continue
                here = _LOST
                listed = list_moves(piece, held, landings, found)
                judged += listed
                for n in range(listed):
                    move = found[n]
                    for i in range(10):
                        columns[i] = source[i]
                    lines = lock(columns, move)
                    if lines >= 0:
                        value = reward(piece, move >> SPIN & 3, lines, chain, weights)
                        value += rate_position(columns, kept, follow(chain, move, lines), weights, beside)
                        here = max(here, value)
                if held:
                    best_held[kind] = here
                best = max(best, here)
            total += best
        values[at] = ply.gains[at] + total // len(bag)
    return judged


@compiled
def keep(ply: Ply, pool: Pool, chosen: Any, depth: int, drop: int, pieces: Any, after: Ply, weights: Any) -> None:
    """Make a ply of chosen children, without the first `drop` moves of their paths."""
    for i in range(len(chosen)):
        child = chosen[i]
        parent = pool.parents[child]
        move = pool.moves[child]
        columns = after.columns[i]
        for x in range(10):
            columns[x] = ply.columns[parent, x]
        chain = ply.chains[parent]
        lines = lock(columns, move)
        rise = ply.rises[parent]
        if pieces[2]:
            rise = find_rise(move, lines, chain, pieces[2])
            raise_rows(columns, rise, pieces[3])
        after.rises[i] = 0 if drop else rise
        piece = move >> PIECE & 7
        after.gains[i] = ply.gains[parent] + reward(piece, move >> SPIN & 3, lines, chain, weights)
        after.chains[i] = follow(chain, move, lines)
        after.holds[i] = pieces[0] if move >> HELD else ply.holds[parent]
        for n in range(drop, depth):
            after.paths[i, n - drop] = ply.paths[parent, n]
        after.paths[i, depth - drop] = move


@compiled
def fits(columns: Any, piece: int, facing: int, spot: int, at: int) -> bool:
    """Return whether a piece can be at a row's bit."""
    for i in range(4):
        bit = at - CELL_Y[piece, facing, i]
        if bit < 0 or bit >= ROWS or columns[spot - EDGE + CELL_X[piece, facing, i]] >> bit & 1:
            return False
    return True


@compiled
def replay(
    ply: Ply, count: int, depth: int, rows: int, root: Any, pieces: Any, weights: Any, pool: Pool, room: Room
) -> int:
    """Replay all paths of a ply on a Matrix that rose by `rows` rows; return how many are still possible.

    root: its ten columns, and whether a Back-to-Back is on.  pieces[2:4]: garbage that follows the first move.
    What no longer rests falls on. What can still be reached moves up in the ply; the pool's values are theirs.
    """
    kept = 0
    for i in range(count):
        columns = ply.columns[kept]
        for x in range(10):
            columns[x] = root[x]
        chain = root[10]
        gain = 0
        risen = rows
        rise = 0
        n = 0
        while n < depth:
            move = ply.paths[i, n]
            at = (move & 63) - risen
            piece = move >> PIECE & 7
            facing = move >> FACING & 3
            spot = move >> SPOT & 15
            if at < 0 or not fits(columns, piece, facing, spot, at):
                break
            while fits(columns, piece, facing, spot, at + 1):
                at += 1
            spin = -1
            if find_landings(room.wide, widen(columns, room.wide), piece, room.maps, room.landings):
                for kind in range(3 if piece == T else 1):
                    if room.landings[kind, facing, spot] >> at & 1:
                        spin = kind
            if spin < 0:
                break  # nothing leads there any more
            move = move & ~(63 | 3 << SPIN) | at | spin << SPIN
            lines = lock(columns, move)
            if lines < 0:
                break
            if n == 0:
                rise = find_rise(move, lines, chain, pieces[2]) if pieces[2] else 0
                risen += rise - ply.rises[i]
                if rise and not raise_rows(columns, rise, pieces[3]):
                    break
            gain += reward(piece, move >> SPIN & 3, lines, chain, weights)
            chain = follow(chain, move, lines)
            ply.paths[kept, n] = move
            n += 1
        if n == depth:
            ply.gains[kept] = gain
            ply.chains[kept] = chain
            hold = ply.holds[i]
            ply.holds[kept] = hold
            ply.rises[kept] = rise
            pool.values[kept] = gain + rate_position(columns, hold, chain, weights, room.beside)
            kept += 1
    return kept
