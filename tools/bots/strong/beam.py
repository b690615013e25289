"""The compiled part of the search: open a ply of the beam, keep the best children, replay paths.

A ply holds the positions after a number of Lock Downs. Opening one rates every place of the next piece and of the held
one. These children go to a pool, where equal Matrices with equal Holds count once.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from sim.bots.attacks import GUIDELINE, Attacks, find_attacks
from tools.bots.strong import columns as bits
from tools.bots.strong.compiling import compiled, inlined
from tools.bots.strong.evaluation import rate_position, reward
from tools.bots.strong.patterns import FIRST, PATTERNS

LONGEST = 8  # moves ahead

_MOST_MOVES = 512  # of one piece
LOST = -(1 << 20)
_MIX = 0x2545F4914F6CDD1D
COMBO = 8  # a state: the Back-to-Backs in a row, from this bit up the Line Clears in a row
CHAIN = (1 << COMBO) - 1
_ALL_CLEAR, _ALONE, _KEPT, SPINS, _MORE_SENT, COMBO_POINTS = range(6)
_SENT = np.array([[[chain[0] for chain in lines] for lines in spin] for spin in find_attacks(GUIDELINE).expand()])


class Ply(NamedTuple):
    """The positions after a number of Lock Downs, each with its own index.

    columns: ten for each Matrix.  gains: points of the moves so far.  holds: held pieces.  chains: see `update_chain`.
    rises: rows of garbage expected after the first move.  paths: the moves so far.
    """

    columns: Any
    gains: Any
    holds: Any
    chains: Any
    rises: Any
    paths: Any


class Pool(NamedTuple):
    """Children of a ply, and a hash table of them.

    parents: indices in the ply.  keys: hashes of Matrix and Hold.  slots: the hash table, index of a child + 1.
    homes: the slot of each child.
    """

    values: Any
    parents: Any
    moves: Any
    keys: Any
    slots: Any
    homes: Any


class Table(NamedTuple):
    """A table of attacks (sim/bots/attacks.py), and what the weights for the guideline's table lack.

    sent: by spin, lines, Back-to-Backs and Line Clears in a row.  more: the lines of an all-clear, 1 if no others are
    sent then, what can be Back-to-Back, and what counts as a spin (Attacks). Two weights follow: of a line that the
    guideline's table does not send, of a Line Clear in a row.
    """

    sent: Any
    more: Any


class Room(NamedTuple):
    """Arrays for the functions to work in, and the table of attacks."""

    search: bits.Scratch
    columns: Any
    full_rows: Any
    found: Any
    table: Table


def make_ply(count: int) -> Ply:
    gains, holds, chains, rises = (np.zeros(count, np.int64) for _ in range(4))
    return Ply(np.zeros((count, 10), np.int64), gains, holds, chains, rises, np.zeros((count, LONGEST), np.int64))


def make_pool(count: int, slots: int) -> Pool:
    values, moves, keys = (np.zeros(count, np.int64) for _ in range(3))
    parents, homes = np.zeros(count, np.int32), np.zeros(count, np.int32)
    return Pool(values, parents, moves, keys, np.zeros(slots, np.int32), homes)


def make_table(attacks: Attacks, extras: Sequence[int] = (0, 0)) -> Table:
    more = [attacks.all_clear, attacks.alone, attacks.kept, attacks.spins, *extras]
    return Table(np.array(attacks.expand(), np.int64), np.array(more, np.int64))


def make_room(table: Table | None = None) -> Room:
    """Return scratch arrays, by default with the guideline's table."""
    found = np.zeros(_MOST_MOVES, np.int64)
    table = table or make_table(find_attacks(GUIDELINE))
    return Room(bits.make_scratch(), np.zeros(10, np.int64), np.zeros(FIRST + PATTERNS, np.int64), found, table)


@compiled
def clear_slots(pool: Pool, count: int) -> None:
    """Empty the hash table of so many children."""
    for child in range(count):
        pool.slots[pool.homes[child]] = 0


@compiled
def count_sent(move: int, lines: int, chain: int, columns: Any, table: Table) -> int:
    """Return the lines that a move sends (Guideline B1.3.5); chain: before it; columns: after it."""
    spin = move >> bits.SPIN & 3
    sent = table.sent
    total = sent[spin, lines, min(chain & CHAIN, sent.shape[2] - 1), min(chain >> COMBO, sent.shape[3] - 1)]
    if lines and table.more[_ALL_CLEAR]:
        blocks = 0
        for i in range(10):
            blocks |= columns[i]
        if not blocks:
            total = table.more[_ALL_CLEAR] if table.more[_ALONE] else total + table.more[_ALL_CLEAR]
    return total


@compiled
def find_rise(move: int, lines: int, chain: int, coming: int, columns: Any, table: Table) -> int:
    """Return how many of the `coming` rows rise after a move; the lines it sends cancel the others (B1.3.4)."""
    return max(0, coming - count_sent(move, lines, chain, columns, table))


@compiled
def update_chain(chain: int, move: int, lines: int, table: Table) -> int:
    """Return the Back-to-Backs (Guideline 8.1) and Line Clears in a row after a move, as far as the table tells them.

    By the guideline's table: 1 if a Back-to-Back is on, else 0.
    """
    if lines == 0:
        return chain & CHAIN
    combo = min((chain >> COMBO) + 1, table.sent.shape[3] - 1) << COMBO
    if table.more[_KEPT] >> (move >> bits.SPIN & 3) * 4 + lines - 1 & 1:
        return min((chain & CHAIN) + 1, table.sent.shape[2] - 1) | combo
    return combo


def make_chain(chain: int, combo: int, table: Table) -> int:
    """Return the Back-to-Backs and the Line Clears in a row as `update_chain` does."""
    return min(chain, table.sent.shape[2] - 1) | min(combo, table.sent.shape[3] - 1) << COMBO


@compiled
def rate_more(move: int, lines: int, chain: int, columns: Any, table: Table) -> int:
    """Rate the lines that a move sends by the table, but not by the guideline's; columns: after the move."""
    if not table.more[_MORE_SENT]:
        return 0
    sent = count_sent(move, lines, chain, columns, table)
    return table.more[_MORE_SENT] * (sent - _SENT[move >> bits.SPIN & 3, lines, min(1, chain & CHAIN)])


@inlined
def rate_lock_down(move: int, lines: int, chain: int, columns: Any, weights: Any, table: Table) -> int:
    """Rate a Lock Down; chain: before it; columns: after it."""
    worth = reward(move >> bits.PIECE & 7, move >> bits.SPIN & 3, lines, min(1, chain & CHAIN), weights)
    if lines:
        worth += rate_more(move, lines, chain, columns, table)
    return worth


@inlined
def rate_result(columns: Any, hold: int, chain: int, weights: Any, full_rows: Any, table: Table) -> int:
    """Rate a position, and the Line Clears in a row that led to it."""
    worth = rate_position(columns, hold, min(1, chain & CHAIN), weights, full_rows)
    return worth + table.more[COMBO_POINTS] * (chain >> COMBO)


@compiled
def list_moves(piece: int, held: int, kinds: int, landings: Any, moves: Any) -> int:
    """List the moves to a piece's landings with so many kinds of spins; return their number."""
    count = 0
    for spin in range(kinds):
        for facing in range(bits.KINDS[piece]):
            for x in range(1, bits.SPOTS - 1):
                places = landings[spin, facing, x]
                while places:
                    row_bit = bits.find_lowest(places)
                    places &= places - 1
                    moves[count] = bits.pack_move(row_bit, x, facing, piece, spin, held)
                    count += 1
    return count


# One loop: the steps for a child share twenty local variables, which would all be arguments.
@compiled
def open_ply(ply: Ply, begin: int, end: int, pieces: Any, limits: Any, weights: Any, pool: Pool, room: Room) -> int:
    """Rate the children of positions from `begin` to `end`, up to a limit; return how many positions were opened.

    pieces: the next piece; 1 if Hold may be used; rows of garbage that follow; their gap.
    limits: number of children in the pool; most children to rate; number of children rated.
    """
    search, columns, full_rows, found, table = room
    values, parents, moves, keys, slots, homes = pool
    last = len(slots) - 1
    count = limits[0]
    rated = 0
    at = begin
    while at < end and rated < limits[1] and count < len(values) - 512:
        hold = ply.holds[at]
        chain = ply.chains[at]
        gain = ply.gains[at]
        source = ply.columns[at]
        top = bits.widen(source, search.wide)
        for held in range(2):
            piece = pieces[0]
            kept = hold
            if held:
                if not pieces[1] or hold == 0 or hold == piece:
                    break
                kept = piece
                piece = hold
            kinds = bits.find_landings(search, top, piece, table.more[SPINS])
            if not kinds:
                continue
            move_count = list_moves(piece, held, kinds, search.landings, found)
            rated += move_count
            for n in range(move_count):
                move = found[n]
                for i in range(10):
                    columns[i] = source[i]
                lines = bits.lock(columns, move)
                if lines < 0:
                    continue
                value = gain + rate_lock_down(move, lines, chain, columns, weights, table)
                after = update_chain(chain, move, lines, table)
                if pieces[2]:
                    rise = find_rise(move, lines, chain, pieces[2], columns, table)
                    if not bits.raise_rows(columns, rise, pieces[3]):
                        continue
                value += rate_result(columns, kept, after, weights, full_rows, table)
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
                    homes[child] = slot
                elif values[child] >= value:
                    continue
                values[child] = value
                parents[child] = at
                moves[child] = move
        at += 1
    limits[0] = count
    limits[2] += rated
    return at - begin


@compiled
def foresee(ply: Ply, count: int, bag: Any, weights: Any, room: Room, values: Any) -> int:
    """Rate a ply with one more piece; return the number of children rated.

    A position's value is the mean, over the pieces in the bag, of the best child with that piece.
    """
    search, columns, full_rows, found, table = room
    best_held = np.zeros(3, np.int64)
    rated = 0
    for at in range(count):
        hold = ply.holds[at]
        chain = ply.chains[at]
        source = ply.columns[at]
        top = bits.widen(source, search.wide)
        best_held[:] = 0
        total = 0
        for next_piece in bag:
            best = LOST
            # Only I and T have a value in Hold, so all other pieces share one best value of playing the held one.
            kind = 1 if next_piece == bits.I else 2 if next_piece == bits.T else 0
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
                kinds = bits.find_landings(search, top, piece, table.more[SPINS])
                if not kinds:
                    continue
                here = LOST
                move_count = list_moves(piece, held, kinds, search.landings, found)
                rated += move_count
                for n in range(move_count):
                    move = found[n]
                    for i in range(10):
                        columns[i] = source[i]
                    lines = bits.lock(columns, move)
                    if lines >= 0:
                        value = rate_lock_down(move, lines, chain, columns, weights, table)
                        after = update_chain(chain, move, lines, table)
                        here = max(here, value + rate_result(columns, kept, after, weights, full_rows, table))
                if held:
                    best_held[kind] = here
                best = max(best, here)
            total += best
        values[at] = ply.gains[at] + total // len(bag)
    return rated


@compiled
def keep_children(
    ply: Ply, pool: Pool, chosen: Any, depth: int, drop: int, pieces: Any, after: Ply, weights: Any, table: Table
) -> None:
    """Fill the ply `after` with chosen children, without the first `drop` moves of their paths."""
    for i in range(len(chosen)):
        child = chosen[i]
        parent = pool.parents[child]
        move = pool.moves[child]
        columns = after.columns[i]
        for x in range(10):
            columns[x] = ply.columns[parent, x]
        chain = ply.chains[parent]
        lines = bits.lock(columns, move)
        after.gains[i] = ply.gains[parent] + rate_lock_down(move, lines, chain, columns, weights, table)
        rise = ply.rises[parent]
        if pieces[2]:
            rise = find_rise(move, lines, chain, pieces[2], columns, table)
            bits.raise_rows(columns, rise, pieces[3])
        after.rises[i] = 0 if drop else rise
        after.chains[i] = update_chain(chain, move, lines, table)
        after.holds[i] = pieces[0] if move >> bits.HELD else ply.holds[parent]
        for n in range(drop, depth):
            after.paths[i, n - drop] = ply.paths[parent, n]
        after.paths[i, depth - drop] = move


@compiled
def fits(columns: Any, piece: int, facing: int, spot: int, at: int) -> bool:
    """Return whether a piece fits at a spot and row bit."""
    for i in range(4):
        bit = at - bits.CELL_Y[piece, facing, i]
        if bit < 0 or bit >= bits.ROWS or columns[spot - bits.EDGE + bits.CELL_X[piece, facing, i]] >> bit & 1:
            return False
    return True


@compiled
def replay(
    ply: Ply, count: int, depth: int, rows: int, root: Any, pieces: Any, weights: Any, pool: Pool, room: Room
) -> int:
    """Replay all paths of a ply on a Matrix that rose by `rows` rows; return how many are still possible.

    root: the Matrix's ten columns and the chain, see `update_chain`.  pieces[2:4]: garbage after the first move.
    A piece that no longer rests falls further. Possible paths move to the front of the ply; their values go to the
    pool.
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
            piece = move >> bits.PIECE & 7
            facing = move >> bits.FACING & 3
            spot = move >> bits.SPOT & 15
            if at < 0 or not fits(columns, piece, facing, spot, at):
                break
            while fits(columns, piece, facing, spot, at + 1):
                at += 1
            spin = -1
            top = bits.widen(columns, room.search.wide)
            for kind in range(bits.find_landings(room.search, top, piece, room.table.more[SPINS])):
                if room.search.landings[kind, facing, spot] >> at & 1:
                    spin = kind
            if spin < 0:
                break  # the place cannot be reached any more
            move = move & ~(63 | 3 << bits.SPIN) | at | spin << bits.SPIN
            lines = bits.lock(columns, move)
            if lines < 0:
                break
            gain += rate_lock_down(move, lines, chain, columns, weights, room.table)
            if n == 0:
                rise = find_rise(move, lines, chain, pieces[2], columns, room.table) if pieces[2] else 0
                risen += rise - ply.rises[i]
                if rise and not bits.raise_rows(columns, rise, pieces[3]):
                    break
            chain = update_chain(chain, move, lines, room.table)
            ply.paths[kept, n] = move
            n += 1
        if n == depth:
            ply.gains[kept] = gain
            ply.chains[kept] = chain
            hold = ply.holds[i]
            ply.holds[kept] = hold
            ply.rises[kept] = rise
            pool.values[kept] = gain + rate_result(columns, hold, chain, weights, room.full_rows, room.table)
            kept += 1
    return kept
