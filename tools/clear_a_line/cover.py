"""Build a small strategy: cover the states that come up by as few plans as possible.

A plan is a line of a strategy: for each piece a drop and the plan that follows, perhaps mirrored.
It wins from any state in which all its drops are legal and end in full rows, whatever state it was made for. So before
a plan is made for a state, all earlier plans are tried on it. Plans refer to older plans only, so there is always an
end.
"""

from typing import NamedTuple

import numpy as np

from tools.clear_a_line.compiling import inlined, njit
from tools.clear_a_line.search import _HEIGHTS, _STOP, FIRST, _above, _known, _least, _lowest, _score, _turned, _wins

MOST_PLANS = 4000
_MEMO_BITS = 21
# places in the counters
COUNT, SERIAL, RANDOM = range(3)
_SLACK = 1  # pieces that a move may win later than the best
_WIDTH = 8  # moves that are tried out at each choice
_NOISE = 8  # the share of chance in their order


class Book(NamedTuple):
    """The plans made so far, and what is remembered of them."""

    plans: np.ndarray  # for each: of each piece orientation, column, 2 * following + mirrored; then what failed last
    serials: np.ndarray  # when each was made: a number may be given again
    memo: np.ndarray  # which plan wins from which state; at the end which pieces fill a row of which state
    seen: np.ndarray  # the plan found for a state, or up to which serial number there is none
    counters: np.ndarray


def make_book() -> Book:
    """Return an empty one."""
    return Book(
        np.zeros((MOST_PLANS, 8, 3), np.int64),
        np.zeros(MOST_PLANS, np.int64),
        np.zeros((1 << _MEMO_BITS) + (1 << 18), np.int64),
        np.zeros((1 << 18, 4), np.int64),
        np.zeros(3, np.int64),
    )


@njit
def _flip(state, size):
    return _turned(state & _HEIGHTS, size.half) | state & ~_HEIGHTS


@inlined
def _drop(state, which, x, size):
    """Return the state after a drop: 0 when a row is full, -1 when it is illegal or hopeless."""
    mask = (1 << 3 * size.shapes[which, 1]) - 1
    drop = size.drops[size.shapes[which, 2] + (state >> 3 * x & mask)]
    if drop < 0:
        return -1
    left = (state >> 30) & ~(drop >> 12)
    if left == 0:
        return -1
    after = (state & _HEIGHTS) & ~(mask << 3 * x) | (drop & 4095 & mask) << 3 * x
    if left & ((1 << _lowest(after, size.half)) - 1):
        return 0
    return after | left << 30


@njit
def _ready(state, memo, size):
    """Return as bits the pieces of which one drop fills a row at once."""
    at = len(memo) - 1 - ((state * 0x9E3779B97F4A7C1 >> 24) & 0x3FFFF)
    if memo[at] >> 7 == state:
        return memo[at] & 127
    ready = 0
    for which in range(19):
        piece = size.shapes[which, 0]
        if ready >> piece & 1:
            continue
        for x in range(11 - size.shapes[which, 1]):
            if _drop(state, which, x, size) == 0:
                ready |= 1 << piece
                break
    memo[at] = state << 7 | ready
    return ready


@njit
def _works(plan, state, book, size):
    """Return whether a plan wins from a state."""
    ready = _ready(state, book.memo, size)
    first = book.plans[plan, 7, 0]  # the piece that failed last time, mostly for a drop that is illegal here too
    if not ready >> first & 1 and _drop(state, book.plans[plan, first, 0], book.plans[plan, first, 1], size) < 0:
        return False
    key = book.serials[plan] << 36 | state
    at = (key * 0x9E3779B97F4A7C1 >> 24) & ((1 << _MEMO_BITS) - 1)
    if book.memo[at] >> 1 == key:
        return book.memo[at] & 1 == 1
    works = True
    for i in range(7):
        piece = first if i == 0 else (i - 1 if i <= first else i)
        if ready >> piece & 1:
            continue
        following = book.plans[plan, piece, 2]
        if following >= 0:
            after = _drop(state, book.plans[plan, piece, 0], book.plans[plan, piece, 1], size)
            if after < 0:
                book.plans[plan, 7, 0] = piece
                works = False
                break
            if following & 1:
                after = _flip(after, size)
            if _works(following >> 1, after, book, size):
                continue
        book.plans[plan, 7, 0] = piece
        works = False
        break
    book.memo[at] = key << 1 | works
    return works


@njit
def _find_plan(state, book, size):
    """Return twice the number of a plan that wins from `state`, plus 1 for mirrored; -1 when none does."""
    other = _flip(state, size)
    key = min(state, other)
    at = (key * 0x9E3779B97F4A7C1 >> 24) & (len(book.seen) - 1)
    newest = 0  # serial number up to which all plans are known to fail
    if book.seen[at, 0] == key:
        newest = book.seen[at, 1]
        plan = book.seen[at, 2]
        if plan >= 0 and plan >> 1 < book.counters[COUNT] and book.serials[plan >> 1] == book.seen[at, 3]:
            return plan ^ (key != state)
    for plan in range(book.counters[COUNT] - 1, -1, -1):
        if book.serials[plan] <= newest:
            break
        for mirrored in range(2):
            if _works(plan, other if mirrored else state, book, size):
                book.seen[at, 0] = key
                book.seen[at, 1] = newest
                book.seen[at, 2] = 2 * plan + (mirrored ^ (key != state))
                book.seen[at, 3] = book.serials[plan]
                return 2 * plan + mirrored
    book.seen[at, 0] = key
    book.seen[at, 1] = book.counters[SERIAL]
    book.seen[at, 2] = -1
    return -1


@njit
def _random(counters):
    counters[RANDOM] = (counters[RANDOM] * 1103515245 + 12345) & 0x7FFFFFFF
    return counters[RANDOM] >> 8


@njit
def _cover(state, piece, plan, book, size):
    """Find a drop of the piece that fills a row or leaves what some plan wins from; put that into `plan`."""
    if _ready(state, book.memo, size) >> piece & 1:
        plan[piece, 2] = -1
        return True
    for which in range(FIRST[piece], FIRST[piece + 1]):
        for x in range(11 - size.shapes[which, 1]):
            after = _drop(state, which, x, size)
            if after > 0:
                found = _find_plan(after, book, size)
                if found >= 0:
                    plan[piece, 0] = which
                    plan[piece, 1] = x
                    plan[piece, 2] = found
                    return True
    return False


@njit(cache=False)  # what Numba keeps of it, calling itself and _wins, crashes when it is loaded again
def _build(state, pieces, deep, limit, book, size, lane):
    """Make a plan that wins from `state` within `pieces`, with the plans it needs; return its number, -1 for none.

    deep: whether choices are made by trying them out. limit: give up at this number of plans.
    """
    plan = np.zeros((8, 3), np.int64)
    todo = 0
    for piece in range(7):
        if not _cover(state, piece, plan, book, size):
            todo |= 1 << piece
    options = np.zeros((40, 4), np.int64)
    while todo:
        if book.counters[COUNT] >= limit or lane.notes[_STOP]:
            return -1
        # The piece that is hardest on its own makes the plans that others can use.
        least = _least(state, size)
        chosen = -1
        hardest = -1
        for piece in range(7):
            if todo >> piece & 1:
                hard = (least >> 8 * piece & 63) * 64 + _random(book.counters) % 64
                if hard > hardest:
                    hardest = hard
                    chosen = piece
        count = 0
        soonest = 0
        for within in range(1, pieces):
            if count and within > soonest + _SLACK:
                break
            for which in range(FIRST[chosen], FIRST[chosen + 1]):
                for x in range(11 - size.shapes[which, 1]):
                    after = _drop(state, which, x, size)
                    if after <= 0:
                        continue
                    key = min(after, _flip(after, size))
                    if _above(_least(key, size), within):
                        continue
                    old = False
                    for i in range(count):
                        old = old or min(options[i, 2], _flip(options[i, 2], size)) == key
                    if old:
                        continue
                    known = _known(lane.table, key, within)
                    if known == 1 or (known == 0 and not _wins(key, within, size, lane)):
                        continue
                    if count < 40:
                        if count == 0:
                            soonest = within
                        options[count, 0] = which
                        options[count, 1] = x
                        options[count, 2] = after
                        options[count, 3] = within * 200 + _score(key, size) + _random(book.counters) % _NOISE
                        count += 1
        if count == 0:
            return -1
        # The most promising first.
        tries = min(count, _WIDTH if deep else 1)
        for i in range(tries):
            for j in range(i + 1, count):
                if options[j, 3] < options[i, 3]:
                    for k in range(4):
                        spare = options[i, k]
                        options[i, k] = options[j, k]
                        options[j, k] = spare
        best = 0
        if tries > 1:
            mark = book.counters[COUNT]
            fewest = limit
            for i in range(tries):
                made = _build(options[i, 2], pieces - 1, 0, fewest, book, size, lane)
                if made >= 0 and book.counters[COUNT] < fewest:
                    fewest = book.counters[COUNT]
                    best = i
                book.counters[COUNT] = mark
                if fewest == mark + 1:
                    break
        made = _build(options[best, 2], pieces - 1, deep, limit, book, size, lane)
        if made < 0:
            return -1
        plan[chosen, 0] = options[best, 0]
        plan[chosen, 1] = options[best, 1]
        plan[chosen, 2] = 2 * made
        todo &= ~(1 << chosen)
        for piece in range(7):
            if todo >> piece & 1:
                found = _cover(state, piece, plan, book, size)
                todo &= ~(found << piece)
    if book.counters[COUNT] >= limit:
        return -1
    number = book.counters[COUNT]
    book.counters[COUNT] += 1
    book.counters[SERIAL] += 1
    book.serials[number] = book.counters[SERIAL]
    book.plans[number] = plan
    return number
