"""Look ahead with a rolling beam: what was found for one piece is kept for the next.

A ply is what was found with so many pieces locked down, sorted by worth. Each of it is opened in turn: every place of
the piece that comes next, or of the one in Hold, is judged, and goes to the pool. The best of the pool are the next
ply. When a move is played, whatever does not begin with it is dropped, so the ply is one piece nearer, and the piece
that came to be seen opens it again. When the Matrix changes otherwise, by garbage, all that is kept is played again
upon what there is.
"""

from __future__ import annotations

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
    T,
    find_lands,
    find_lowest,
    put,
    raise_rows,
    widen,
)
from tools.bots.strong.compiling import compiled
from tools.bots.strong.worth import WEIGHTS, judge, reward, worth_of_kept

LONGEST = 8  # moves ahead
NOWHERE = -1

_WIDEST = 1 << 15
_LEAST_KEPT = 256
_MIX = 0x2545F4914F6CDD1D
_SENT = np.array([[count_lines(spin, lines, 0) for lines in range(5)] for spin in range(3)])

# Of a move, from its lowest bit: the row's bit 6, spot 4, facing 2, piece 3, spin 2, by Hold 1.
_SPOT, _FACING, _PIECE, _SPIN, _HELD = 6, 10, 12, 15, 17


class Ply(NamedTuple):
    """What was found with so many pieces locked down, each with its own index.

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
    """What functions work in."""

    wide: Any
    maps: Any
    lands: Any
    columns: Any
    beside: Any


def make_ply(count: int) -> Ply:
    """Return a ply for so many."""
    return Ply(
        np.zeros((count, 10), np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros((count, LONGEST), np.int64),
    )


def make_pool(count: int, slots: int) -> Pool:
    """Return a pool for so many."""
    return Pool(
        np.zeros(count, np.int64),
        np.zeros(count, np.int32),
        np.zeros(count, np.int32),
        np.zeros(count, np.int64),
        np.zeros(slots, np.int32),
    )


def make_room() -> Room:
    """Return what functions work in."""
    wide = np.full(WIDE, (1 << 48) - 1, np.int64)
    maps = np.zeros((3, 4, SPOTS), np.int64)
    return Room(wide, maps, np.zeros((3, 4, SPOTS), np.int64), np.zeros(10, np.int64), np.zeros(24, np.int64))


@compiled
def lock(columns: Any, move: int) -> int:
    """Play a move upon columns; return the lines that it clears, or -1 where the game is over by it."""
    return put(columns, move >> _PIECE & 7, move >> _FACING & 3, move >> _SPOT & 15, 1 << (move & 63))


@compiled
def find_rise(move: int, lines: int, chain: int, coming: int) -> int:
    """Return how many rows are left of those that wait to rise, when a move has sent its lines (Guideline B1.3.4)."""
    spin = move >> _SPIN & 3
    sent = _SENT[spin, lines]
    if sent and chain and (lines == 4 or spin):
        sent += 1
    return max(0, coming - sent)


@compiled
def follow(chain: int, move: int, lines: int) -> int:
    """Return whether a Back-to-Back is on after a move (Guideline 8.1)."""
    if lines == 0:
        return chain
    return 1 if lines == 4 or move >> _SPIN & 3 else 0


@compiled
def open_ply(
    ply: Ply, begin: int, end: int, pieces: Any, limits: Any, weights: Any, pool: Pool, room: Room
) -> int:
    """Judge all children of the ply's `begin` to `end`, until enough are; return how many were opened.

    pieces: the one that comes next; 1 where Hold may be used; rows of garbage that follow; their gap.
    limits: children in the pool; so many of them are enough to be judged; how many were judged.
    """
    wide, maps, lands, columns, beside = room
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
            if not find_lands(wide, top, piece, maps, lands):
                continue
            for spin in range(3 if piece == T else 1):
                for facing in range(KINDS[piece]):
                    for x in range(1, SPOTS - 1):
                        places = lands[spin, facing, x]
                        while places:
                            n = find_lowest(places)
                            places &= places - 1
                            move = n | x << _SPOT | facing << _FACING | piece << _PIECE | spin << _SPIN | held << _HELD
                            for i in range(10):
                                columns[i] = source[i]
                            lines = lock(columns, move)
                            judged += 1
                            if lines < 0:
                                continue
                            if pieces[2]:
                                rise = find_rise(move, lines, chain, pieces[2])
                                if not raise_rows(columns, rise, pieces[3]):
                                    continue
                            after = follow(chain, move, lines)
                            value = gain + reward(piece, spin, lines, chain, weights)
                            value += worth_of_kept(kept, after, weights) + judge(columns, weights, beside)
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
def keep(
    ply: Ply, pool: Pool, chosen: Any, depth: int, drop: int, pieces: Any, after: Ply, weights: Any
) -> None:
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
        piece = move >> _PIECE & 7
        after.gains[i] = ply.gains[parent] + reward(piece, move >> _SPIN & 3, lines, chain, weights)
        after.chains[i] = follow(chain, move, lines)
        after.holds[i] = pieces[0] if move >> _HELD else ply.holds[parent]
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
    """Play all paths of a ply again upon a Matrix that rose by so many rows; return how many can be.

    root: its ten columns, and whether a Back-to-Back is on.  pieces[2:4]: garbage that follows the first move.
    What no longer rests falls on, and spins nothing then. What can be played moves up in the ply; the pool's values
    are theirs.
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
            piece = move >> _PIECE & 7
            facing = move >> _FACING & 3
            spot = move >> _SPOT & 15
            if at < 0 or not fits(columns, piece, facing, spot, at):
                break
            if fits(columns, piece, facing, spot, at + 1):
                move &= ~(3 << _SPIN)
                while fits(columns, piece, facing, spot, at + 1):
                    at += 1
            move = move & ~63 | at
            lines = lock(columns, move)
            if lines < 0:
                break
            if n == 0:
                rise = find_rise(move, lines, chain, pieces[2]) if pieces[2] else 0
                risen += rise - ply.rises[i]
                if rise and not raise_rows(columns, rise, pieces[3]):
                    break
            gain += reward(piece, move >> _SPIN & 3, lines, chain, weights)
            chain = follow(chain, move, lines)
            ply.paths[kept, n] = move
            n += 1
        if n == depth:
            ply.gains[kept] = gain
            ply.chains[kept] = chain
            hold = ply.holds[i]
            ply.holds[kept] = hold
            ply.rises[kept] = rise
            pool.values[kept] = gain + worth_of_kept(hold, chain, weights) + judge(columns, weights, room.beside)
            kept += 1
    return kept


class Search:
    """Think about one game.

    columns, hold, chain: what is, before the next move.  queue: the pieces known, the one in play first.
    depth: so many moves ahead is the ply; `count` is how many it has, of which `opened` are.
    barred: Hold may not be used for the next move.
    judged: children since the last move.
    """

    def __init__(self, weights: Any = WEIGHTS, widest: int = _WIDEST) -> None:
        self.weights = np.array(weights, np.int64)
        self.ply = make_ply(widest)
        self.spare = make_ply(widest)
        self.widest = widest
        self.pool = make_pool(64 * widest, 1 << (96 * widest).bit_length())
        self.room = make_room()
        self.limits = np.zeros(3, np.int64)
        self.pieces = np.zeros(4, np.int64)
        self.columns = np.zeros(10, np.int64)
        self.bare = self.columns
        self.risen = 0
        self.budget = 0
        self.begin(self.columns, 0, 0, [])

    def begin(self, columns: Any, hold: int, chain: int, queue: list[int], barred: bool = False) -> None:
        """Begin anew with a position."""
        self.columns = np.array(columns, np.int64)
        self.hold = hold
        self.chain = chain
        self.queue = list(queue)
        self.barred = barred
        self.coming, self.gap = 0, 0
        self.judged = 0
        self.restart()

    def restart(self) -> None:
        """Forget all that was found."""
        ply = self.ply
        ply.columns[0] = self.columns
        ply.gains[0] = ply.rises[0] = 0
        ply.holds[0] = self.hold
        ply.chains[0] = self.chain
        self.depth = 0
        self.count = 1
        self.clear_pool()

    def clear_pool(self) -> None:
        """Begin to open the ply."""
        self.opened = 0
        self.limits[0] = 0
        self.share = -1
        self.pool.slots[:] = 0

    # -- thinking -------------------------------------------------------------------------------------

    def think(self, nodes: int) -> int:
        """Judge about so many children; return how many were, 0 where there is nothing left to think about.

        budget: how many there will be for this move, which are spread over the plies that are left.
        """
        before = self.judged
        until = before + nodes
        while self.judged < until:
            left = min(len(self.queue), LONGEST) - self.depth
            if left <= 0:
                break
            if self.share < 0:
                self.share = self.judged + max(1, (self.budget - self.judged) // left)
            if left > 1 and (self.opened == self.count or self.judged >= self.share):
                if not self.limits[0]:
                    break  # whatever comes, the game is over
                self.deepen()
                continue
            if self.opened == self.count:
                break
            self.open(until if left == 1 else min(until, self.share))
            if self.limits[0] > len(self.pool.values) - 1024:
                break
        return self.judged - before

    def open(self, until: int) -> None:
        """Open some of the ply."""
        pieces = self.pieces
        pieces[0] = self.queue[self.depth]
        pieces[1] = 0 if self.barred and not self.depth else 1
        pieces[2] = 0 if self.depth else self.coming
        pieces[3] = self.gap
        limits = self.limits
        limits[1] = until - self.judged
        limits[2] = 0
        self.opened += open_ply(
            self.ply, self.opened, self.count, pieces, limits, self.weights, self.pool, self.room
        )
        self.judged += int(limits[2])

    def deepen(self, first: int = NOWHERE) -> None:
        """Go on with the best of the pool; of those that begin with a move, which is dropped, where one is given."""
        count = int(self.limits[0])
        values = self.pool.values[:count]
        chosen = np.arange(count)
        if first >= 0:
            if self.depth:
                chosen = chosen[self.ply.paths[self.pool.parents[:count], 0] == first]
            else:
                chosen = chosen[self.pool.moves[:count] == first]
        width = min(self.widest, max(_LEAST_KEPT, self.budget // 8))
        if len(chosen) > width:
            chosen = chosen[np.argpartition(-values[chosen], width - 1)[:width]]
        chosen = chosen[np.argsort(-values[chosen], kind="stable")]
        self.pieces[0] = self.queue[self.depth]
        self.pieces[2] = 0 if self.depth else self.coming
        self.pieces[3] = self.gap
        drop = int(first >= 0)
        keep(self.ply, self.pool, chosen, self.depth, drop, self.pieces, self.spare, self.weights)
        self.ply, self.spare = self.spare, self.ply
        self.count = len(chosen)
        self.depth += 1 - drop
        self.clear_pool()

    def choose(self) -> int:
        """Return the move that the best of all begins with, or NOWHERE."""
        count = int(self.limits[0])
        if count:
            best = int(np.argmax(self.pool.values[:count]))
            return int(self.ply.paths[self.pool.parents[best], 0] if self.depth else self.pool.moves[best])
        return int(self.ply.paths[0, 0]) if self.depth and self.count else NOWHERE

    # -- what happens -----------------------------------------------------------------------------------

    def append(self, piece: int) -> None:
        """Take in that a piece came to be seen."""
        self.queue.append(piece)

    def play(self, move: int) -> int:
        """Play a move and drop what does not begin with it; return the lines that it clears, or -1."""
        if self.depth and self.limits[0]:
            self.deepen(move)
        elif self.depth > 1:
            self.drop(move)
        else:
            self.count = 0
        columns = self.columns.copy()
        lines = int(lock(columns, move))
        self.bare = columns.copy()
        self.risen = int(find_rise(move, lines, self.chain, self.coming)) if self.coming and lines >= 0 else 0
        raise_rows(columns, self.risen, self.gap)
        self.columns = columns
        self.chain = int(follow(self.chain, move, lines))
        piece = self.queue.pop(0)
        if move >> _HELD:
            self.hold = piece
        self.barred = False
        self.coming = 0
        self.judged = 0
        if not self.count:
            self.restart()
        return lines

    def drop(self, move: int) -> None:
        """Keep of the ply what begins with a move, where nothing of it was opened."""
        ply = self.ply
        kept = np.flatnonzero(ply.paths[: self.count, 0] == move)
        self.reorder(kept)
        ply.paths[: self.count, :-1] = ply.paths[: self.count, 1:]
        ply.rises[: self.count] = 0
        self.depth -= 1

    def reorder(self, order: Any) -> None:
        """Keep only these of the ply, in this order."""
        for part in self.ply:
            part[: len(order)] = part[order]
        self.count = len(order)
        self.clear_pool()

    def see(self, columns: Any) -> bool:
        """Take in the Matrix; return whether it is what was played, with garbage or without."""
        columns = np.array(columns, np.int64)
        if (columns == self.columns).all():
            return True
        for rows in range(ROWS):
            if (columns & (1 << ROWS - rows) - 1 == self.bare >> rows).all():
                self.columns = columns
                self.replay(rows - self.risen)
                return True
        return False

    def expect(self, coming: int, gap: int) -> None:
        """Take in how many rows wait to rise after the next move, and in which column they will be open."""
        if coming != self.coming or coming and gap != self.gap:
            self.coming, self.gap = coming, gap
            self.replay(0)

    def replay(self, rows: int) -> None:
        """Play all that is kept again."""
        if self.depth:
            self.pieces[2:4] = self.coming, self.gap
            root = np.append(self.columns, self.chain)
            count = replay(
                self.ply, self.count, self.depth, rows, root, self.pieces, self.weights, self.pool, self.room
            )
            self.reorder(np.argsort(-self.pool.values[:count], kind="stable"))
        if not self.depth or not self.count:
            self.restart()
