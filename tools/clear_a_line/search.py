"""Decide by AND-OR search whether the player can fill a row within a number of pieces, whichever come.

A state is one 64-bit word: ten heights of 3 bits (7: no such column), six bits of live rows, and two numbers of pieces.
The player cannot win within `fail` pieces, but can within `win`. A covered hole sacrifices its row; the other rows are
live.
"""

import threading
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tools.clear_a_line.compiling import inlined, njit
from tools.clear_a_line.pieces import orientations
from tools.clear_a_line.tables import DEAD, MOST_COLUMNS, MOST_ROWS, distances, slower

NEVER = 62  # pieces, more than any game has: each adds at least 1 to the sum of heights, which is at most 60
HEIGHTS = (1 << 30) - 1
_KEY = (1 << 36) - 1
MIX = 0x9E3779B97F4A7C1  # spreads keys over a table
_FAIL = 36  # shift of 6 bits
_WIN = 42  # shift of 6 bits, 0: unknown
_TABLE_BITS = 22
# Indices into the notes of each lane; STOP is for both. The lanes' notes are far apart, because a processor that
# writes to a cache line takes it from the other one. From _BUSY on: the state that the lane searches, by pieces left.
_ENTER, _STORED, _BUSY, _LANE = 0, 1, 16, 96
STOP = 2 * _LANE
_LEAST_BUSY = 4  # pieces left; with fewer, a state is finished before the other lane can avoid it
_INTERRUPTED, _FULL, _DONE = 1, 2, 3  # reasons to stop
# Weights of `rate`, which estimates how hard a state is to win.
A = (4, 1, 1, 20, 1, 1, 7)
B0, B3, LIVE, HS, R1, R0 = 5, 3, 7, 2, 6, 2
_WORST = 1 << 40
_LAST = 1 << 30
FIRST = tuple(sum(shape.piece < piece for shape in orientations()) for piece in range(8))


def _drops(rows: int, strict: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return (piece, width, offset) of each orientation, and the results of its drops on all heights from `offset` on.

    A result is the new heights and, from bit 12 on, the sacrificed rows; -1 if the drop is not allowed.
    """
    shapes: list[tuple[int, int, int]] = []
    drops: list[int] = []
    for shape in orientations():
        shapes.append((shape.piece, shape.width, len(drops)))
        for before in range(8**shape.width):
            heights = [before >> 3 * i & 7 for i in range(shape.width)]
            if max(heights) >= rows:
                drops.append(-1)
                continue
            lowest = max(height - bottom for height, bottom in zip(heights, shape.bottoms, strict=True))
            if strict and lowest >= rows - 1:
                drops.append(-1)
                continue
            after = holes = 0
            for i, height in enumerate(heights):
                after |= min(rows, lowest + shape.tops[i]) << 3 * i
                for row in range(height, min(rows, lowest + shape.bottoms[i])):
                    holes |= 1 << row
            drops.append(after | holes << 12)
    return np.array(shapes, np.int64), np.array(drops, np.int32)


class Halves(NamedTuple):
    """Lookup tables of five columns, by their 15 bits of heights."""

    levels: np.ndarray  # levels of the columns (see tables.py), 10 bits a row; from bit 60 on the lowest height
    turned: np.ndarray  # the heights in reverse order
    rough: np.ndarray  # their points in `rate`


class Size(NamedTuple):
    """The constants of a board's size."""

    rows: int
    columns: int
    shapes: np.ndarray  # see _drops
    drops: np.ndarray  # see _drops
    tables: np.ndarray  # see tables.py
    slower: np.ndarray  # see tables.py
    half: Halves


class Lane(NamedTuple):
    """The arrays of one lane; each lane runs on its own processor."""

    number: int
    table: np.ndarray  # shared by both lanes: a hash table of states
    notes: np.ndarray  # shared by both lanes, see STOP
    keys: np.ndarray  # the states after each drop, by pieces left, piece and drop
    scores: np.ndarray  # the `rate` of each key


def _halves(rows: int) -> Halves:
    numbers = np.arange(1 << 15)
    heights = [numbers >> 3 * i & 7 for i in range(5)]
    levels = np.minimum.reduce(heights) << 60
    turned = np.zeros(1 << 15, np.int32)
    rough = np.zeros(1 << 15, np.int32)
    for i, height in enumerate(heights):
        turned |= height << 3 * (4 - i)
        for row in range(rows):
            levels |= np.clip(row + 1 - height, 0, 3) << (10 * row + 2 * i)
        rough += HS * (height % 7)
        if i:
            step = abs(height - heights[i - 1])
            rough += (step == 1) * R1 + (step == 0) * R0
    return Halves(levels, turned, rough)


@inlined
def find_lowest(heights, half):
    return min(half.levels[heights & 32767] >> 60, half.levels[heights >> 15] >> 60)


@inlined
def turn_heights(heights, half):
    return np.int64(half.turned[heights & 32767]) << 15 | half.turned[heights >> 15]


@inlined
def drop_piece(state, orientation, x, size):
    """Return the state after a drop: 0 if a row is full, -1 if the drop is illegal or no live row is left."""
    mask = (1 << 3 * size.shapes[orientation, 1]) - 1
    drop = size.drops[size.shapes[orientation, 2] + (state >> 3 * x & mask)]
    if drop < 0:
        return -1
    left = (state >> 30) & ~(drop >> 12)
    if left == 0:
        return -1
    after = (state & HEIGHTS) & ~(mask << 3 * x) | (drop & 4095 & mask) << 3 * x
    if left & ((1 << find_lowest(after, size.half)) - 1):
        return 0
    return after | left << 30


@inlined
def mirror(state, size):
    absent_bits = 3 * (MOST_COLUMNS - size.columns)
    heights = turn_heights(state & HEIGHTS, size.half) >> absent_bits | HEIGHTS & ~(HEIGHTS >> absent_bits)
    return heights | state & ~HEIGHTS


@inlined
def _find(table, key):
    mask = len(table) - 1
    at = ((key & HEIGHTS) * MIX >> 20) & mask
    while table[at] & _KEY != key and table[at] != 0:
        at = (at + 1) & mask
    return at


@njit
def _move(table, larger):
    for word in table:
        if word:
            larger[_find(larger, word & _KEY)] = word


@njit
def find_least(key, size):
    """Return in byte p the fewest pieces p that fill a live row, if only they come."""
    low = size.half.levels[key & 32767]
    high = size.half.levels[key >> 15 & 32767]
    live = key >> 30
    least = 0x3F3F3F3F3F3F3F
    for row in range(size.rows):
        if live >> row & 1:
            kind = 0 if row == size.rows - 1 else 1
            word = size.tables[kind, (low >> 10 * row & 1023) | (high >> 10 * row & 1023) << 10]
            select = (((least | 0x80808080808080) - word & 0x80808080808080) >> 7) * 255
            least = word & select | least & ~select
    return least


@njit
def _hopeless(heights, live, rows, slow, levels):
    """Return whether too many copies of some piece are needed to fill a row.

    slow: the table of tables.slower for the number allowed. The search spends most of its time here, so the function
    takes only the arguments that it needs.
    """
    low = levels[heights & 32767]
    high = levels[heights >> 15]
    left = 127
    for row in range(rows):
        if live >> row & 1:
            left &= slow[0 if row == rows - 1 else 1, (low >> 10 * row & 1023) | (high >> 10 * row & 1023) << 10]
            if left == 0:
                return False
    return True


@inlined
def exceeds(least, pieces):
    """Return whether any byte is more than `pieces`."""
    return (least + (127 - pieces) * 0x01010101010101) & 0x80808080808080 != 0


@njit
def rate(key, size):
    """Estimate how hard a state is to win, by logistic regression; easier states are tried first."""
    low = size.half.levels[key & 32767]
    high = size.half.levels[key >> 15 & 32767]
    live = key >> 30
    first = second = 0x14141414141414
    score = 0
    for row in range(size.rows):
        if live >> row & 1:
            kind = 0 if row == size.rows - 1 else 1
            word = size.tables[kind, (low >> 10 * row & 1023) | (high >> 10 * row & 1023) << 10]
            take = (((first | 0x80808080808080) - word & 0x80808080808080) >> 7) * 255
            worse = first & take | word & ~take
            first = word & take | first & ~take
            take = (((second | 0x80808080808080) - worse & 0x80808080808080) >> 7) * 255
            second = worse & take | second & ~take
            score -= LIVE
    score -= size.half.rough[key & 32767] + size.half.rough[key >> 15 & 32767]
    step = abs((key >> 12 & 7) - (key >> 15 & 7))
    score -= R1 if step == 1 else R0 if step == 0 else 0
    for piece in range(7):
        score += A[piece] * (first >> 8 * piece & 63)
    return score + B0 * (second & 63) + B3 * (second >> 24 & 63)


@njit
def look_up(table, key, pieces):
    """Return 1 if the table rules out a win within `pieces`, 2 if it has one, 0 if it has neither.

    States with equal heights are next to each other in the table. A state with more live rows is never harder.
    """
    mask = len(table) - 1
    at = ((key & HEIGHTS) * MIX >> 20) & mask
    heights = key & HEIGHTS
    live = key >> 30
    while table[at] != 0:
        word = table[at]
        if word & HEIGHTS == heights:
            other = word >> 30 & 63
            if other & live == live and word >> _FAIL & 63 >= pieces:
                return 1
            if other & live == other and 0 < word >> _WIN & 63 <= pieces:
                return 2
        at = (at + 1) & mask
    return 0


@inlined
def _list_drops(state, pieces, size, lane, counts):
    """List the states after each drop of each piece, without hopeless ones; return False if a piece has none.

    counts: the number of states by piece, -1 if a drop fills a row.
    """
    slow = size.slower[min(pieces - 1, len(size.slower) - 1)]
    least = find_least(state, size)
    untried_pieces = 127
    for _ in range(7):
        # The hardest piece comes first: it most probably has no drop.
        piece = 0
        hardest = -1
        for i in range(7):
            if untried_pieces >> i & 1 and least >> 8 * i & 63 > hardest:
                hardest = least >> 8 * i & 63
                piece = i
        untried_pieces &= ~(1 << piece)
        counts[piece] = _list_drops_of(piece, state, pieces, size, slow, lane.keys[pieces, piece])
        if counts[piece] == 0:
            return False
    return True


@inlined
def _list_drops_of(piece, state, pieces, size, slow, keys):
    """List the states after each drop of a piece, without hopeless ones; return their number, -1 if one fills a row."""
    count = 0
    for orientation in range(FIRST[piece], FIRST[piece + 1]):
        for x in range(size.columns - size.shapes[orientation, 1] + 1):
            after = drop_piece(state, orientation, x, size)
            if after == 0:
                return -1
            if after < 0 or pieces == 1 or _hopeless(after & HEIGHTS, after >> 30, size.rows, slow, size.half.levels):
                continue
            keys[count] = min(after, mirror(after, size))
            count += 1
    return count


@inlined
def _drop_known(pieces, lane, counts):
    """Drop listed states that the table rules out; return False if a piece has no other.

    A piece with a state that wins gets the count -1.
    """
    for piece in range(7):
        kept = min(counts[piece], 0)
        for i in range(counts[piece]):
            key = lane.keys[pieces, piece, i]
            known = look_up(lane.table, key, pieces - 1)
            if known == 1:
                continue
            if known == 2:
                kept = -1
                break
            lane.keys[pieces, piece, kept] = key
            kept += 1
        counts[piece] = kept
        if kept == 0:
            return False
    return True


@inlined
def _find_easiest(scores, pieces, piece, count):
    """Return the number of the easiest state, the first of equals; NumPy's argmin takes longer."""
    best = 0
    for i in range(1, count):
        if scores[pieces, piece, i] < scores[pieces, piece, best]:
            best = i
    return best


@inlined
def _choose_piece(pieces, lane, counts, avoided):
    """Return the hardest piece, with few drops or only bad ones; -1 if no piece is left."""
    piece = -1
    top = -_WORST
    for i in range(7):
        if counts[i] >= 0:
            best = _find_easiest(lane.scores, pieces, i, counts[i])
            rank = lane.scores[pieces, i, best] - 10 * counts[i]
            if avoided and lane.keys[pieces, i, best] == avoided:
                rank -= _LAST
            if rank > top:
                top = rank
                piece = i
    return piece


@inlined
def _store(state, pieces, won, lane):
    """Note a result in the table; ask for a larger table if it is nearly full."""
    table, notes = lane.table, lane.notes
    at = _find(table, state)
    word = table[at]
    if word & _KEY != state:
        if word:
            return  # the other lane stored a state here meanwhile: keep that state
        mine = _LANE * lane.number + _STORED
        notes[mine] += 1
        word = state
        if notes[mine] & 63 == 0 and (notes[_STORED] + notes[_LANE + _STORED]) * 8 > len(table) * 7:
            notes[STOP] = _FULL
            return
    if won:
        word = word & ~(63 << _WIN) | pieces << _WIN
    else:
        word = word & ~(63 << _FAIL) | pieces << _FAIL
    table[at] = word


# One function: it calls itself, so a step of its own would have to take all of its state and know when to go on.
@njit
def can_win(state, pieces, size, lane):
    """Return whether the player wins within `pieces`; also False after a request to stop.

    A state that the other lane searches comes last, because its result may be known by then.
    """
    notes, keys, scores = lane.notes, lane.keys, lane.scores
    notes[_LANE * lane.number + _ENTER] += 1
    if notes[STOP]:
        return False
    counts = np.zeros(7, np.int64)
    # The bound is cheaper than the table, so look up states only after every piece has passed the bound.
    won = _list_drops(state, pieces, size, lane, counts) and _drop_known(pieces, lane, counts)
    if won:
        for piece in range(7):
            for i in range(counts[piece]):
                scores[pieces, piece, i] = rate(keys[pieces, piece, i], size)
    shared = pieces > _LEAST_BUSY
    mine = _LANE * lane.number + _BUSY + pieces - 1
    other = _LANE * (1 - lane.number) + _BUSY + pieces - 1
    while won:
        piece = _choose_piece(pieces, lane, counts, notes[other] if shared else 0)
        if piece < 0:
            break
        won = False
        tried = 0
        while not won and tried < counts[piece]:
            best = _find_easiest(scores, pieces, piece, counts[piece])
            score = scores[pieces, piece, best]
            key = keys[pieces, piece, best]
            scores[pieces, piece, best] = _WORST
            known = look_up(lane.table, key, pieces - 1)
            if known == 0 and shared and key == notes[other] and score < _LAST and tried < counts[piece] - 1:
                scores[pieces, piece, best] = _LAST
                continue
            tried += 1
            if known == 0 and shared:
                notes[mine] = key
            won = known == 2 or known == 0 and can_win(key, pieces - 1, size, lane)
        if shared:
            notes[mine] = 0
        counts[piece] = -1
    if notes[STOP]:
        return False
    _store(state, pieces, won, lane)
    return won and not notes[STOP]


@njit
def _choose_move(piece, pieces, state, size, lane, move):
    """Put the first drop of a piece that wins within `pieces` into `move`; return whether there is one."""
    slow = size.slower[min(pieces - 1, len(size.slower) - 1)]
    for orientation in range(FIRST[piece], FIRST[piece + 1]):
        for x in range(size.columns - size.shapes[orientation, 1] + 1):
            after = drop_piece(state, orientation, x, size)
            if after < 0 or (after == 0) != (pieces == 1):
                continue
            if after:
                if _hopeless(after & HEIGHTS, after >> 30, size.rows, slow, size.half.levels):
                    continue
                key = min(after, mirror(after, size))
                known = look_up(lane.table, key, pieces - 1)
                if known == 1 or known == 0 and not can_win(key, pieces - 1, size, lane):
                    continue
            move[0] = orientation
            move[1] = x
            move[2] = after
            return True
    return False


@njit
def _choose(state, most, size, lane, moves):
    """Put into `moves` for each piece the orientation and column of the first of its fastest wins, and the next state.

    The next state is 0 if a row is full. Return whether all pieces win within `most`.
    """
    for piece in range(7):
        found = False
        for pieces in range(1, most + 1):
            found = _choose_move(piece, pieces, state, size, lane, moves[piece])
            if found or lane.notes[STOP]:
                break
        if not found:
            return False
    return True


class Solver:
    """Search boards of one size; the table keeps all results for later questions.

    bits: the table starts with room for 2**bits states.
    lanes: number of processors that share the work, 1 or 2; the results are the same.
    tick: called about ten times a second with the number of states entered and stored.
    """

    def __init__(
        self,
        rows: int = 6,
        columns: int = 10,
        strict: bool = False,
        tick: Callable[[int, int], None] | None = None,
        bits: int = _TABLE_BITS,
        lanes: int = 2,
    ) -> None:
        if not 1 <= rows <= MOST_ROWS:
            raise ValueError(f"rows: from 1 to {MOST_ROWS}, not {rows}")
        if columns not in (4, 6, 8, 10):
            raise ValueError(f"columns: 4, 6, 8 or 10, not {columns}")
        tables = distances(columns, strict)
        self.size = Size(rows, columns, *_drops(rows, strict), tables, slower(tables), _halves(rows))
        self.table = np.zeros(1 << bits, np.int64)
        self.keys = np.zeros((lanes, NEVER + 1, 7, 34), np.int64)
        self.scores = np.zeros((lanes, NEVER + 1, 7, 34), np.int64)
        self.notes = np.zeros(2 * _LANE + 1, np.int64)
        self.lanes = lanes
        self.tick = tick
        self.root = ((1 << rows) - 1) << 30 | (HEIGHTS & ~(HEIGHTS >> 3 * (MOST_COLUMNS - columns)))

    def lane(self, number: int = 0) -> Lane:
        return Lane(number, self.table, self.notes, self.keys[number], self.scores[number])

    def count(self, note: int) -> int:
        """Return the number of states that both lanes entered (_ENTER) or stored (_STORED)."""
        return int(self.notes[note] + self.notes[_LANE + note])

    def run(self, work: Callable[[int], Any], lanes: int = 1) -> None:
        """Run `work` on `lanes` lanes; start again with a larger table whenever the table is full.

        Each lane runs in its own thread, so that Ctrl-C works.
        """
        while True:
            self.notes[STOP] = 0
            for lane in range(2):
                self.notes[_LANE * lane + _BUSY : _LANE * (lane + 1)] = 0
            threads = [threading.Thread(target=work, args=(lane,), daemon=True) for lane in range(lanes)]
            for thread in threads:
                thread.start()
            try:
                for thread in threads:
                    while thread.is_alive():
                        thread.join(0.1)
                        if self.tick:
                            self.tick(self.count(_ENTER), self.count(_STORED))
            except KeyboardInterrupt:
                self.notes[STOP] = _INTERRUPTED
                for thread in threads:
                    thread.join()
                raise
            if self.notes[STOP] != _FULL:
                return
            larger = np.zeros(2 * len(self.table), np.int64)
            _move(self.table, larger)
            self.table = larger

    def wins(self, pieces: int) -> bool:
        """Return whether the player wins within `pieces` from the empty board, whatever comes."""
        if pieces == 0 or np.any(self.least(self.root) > pieces):
            return False
        results: list[bool] = []
        lock = threading.Lock()

        def work(lane: int) -> None:
            won = bool(can_win(self.root, pieces, self.size, self.lane(lane)))
            with lock:
                if not self.notes[STOP]:  # otherwise the search was stopped
                    results.append(won)
                    self.notes[STOP] = _DONE

        self.run(work, self.lanes)
        return results[0]

    def least(self, state: int) -> np.ndarray:
        """Return for each piece a lower bound of the pieces to a win, if only this piece comes."""
        word = int(find_least(state, self.size))
        return np.array([word >> 8 * piece & 63 for piece in range(7)])

    def fewest(self) -> int | None:
        """Return the number of pieces within which the player always wins, or None if there is none."""
        first = int(self.least(self.root).max())
        if first == DEAD:
            return None
        for pieces in range(first, NEVER + 1):
            # A win usually takes a few pieces more than the bound. After five more, check that there is any win.
            if pieces == first + 5 and not self.wins(NEVER):
                return None
            if self.wins(pieces):
                return pieces
        return None

    def choose(self, states: list[tuple[int, int]]) -> list[list[tuple[int, int, int]]]:
        """Return for each (state, most pieces) the fastest winning move of every piece, the first among equals.

        A move is (orientation, column, next state or 0 for a full row). Raise ValueError if a piece has none.
        """
        moves = np.full((len(states), 7, 3), -1, np.int64)
        known: set[int] = set()

        def work(lane: int) -> None:
            # The lanes start at opposite ends, and each continues into the other's half: together they are faster.
            found = np.zeros((7, 3), np.int64)
            for number in range(len(states)) if lane else range(len(states) - 1, -1, -1):
                if number not in known and _choose(*states[number], self.size, self.lane(lane), found):
                    moves[number] = found
                    known.add(number)

        self.run(work, self.lanes)
        if np.any(moves[:, :, 0] < 0):
            raise ValueError("the player does not win within so many pieces from here")
        return [[(orientation, x, after) for orientation, x, after in lines] for lines in moves.tolist()]
