"""Build a small strategy: cover all reachable states by as few plans as possible.

A plan is a line of a strategy: for each piece a drop and the next plan, perhaps mirrored. A plan made for one state can
win from another, if all its drops are legal there and lead to a full row. So all existing plans are tried on a state
before a new one is made. A plan refers only to older plans, so a game always ends.
"""

from typing import NamedTuple

import numpy as np

from tools.clear_a_line import search
from tools.clear_a_line.compiling import njit
from tools.clear_a_line.search import FIRST, MIX, drop_piece, mirror

MOST_PLANS = 4000
_MEMO_BITS = 21
_READY_BITS = 18
_SEEN_BITS = 18
_MIXED = 24  # the bits of a mixed key from here on are the best ones
# Numba reads no objects here, only arrays. Their places: in the counters,
COUNT, SERIAL, RANDOM = range(3)
# in what a plan does with a piece: the drop, then 2 * next plan + mirrored, or WINS if the drop fills a row,
ORIENTATION, COLUMN, NEXT = range(3)
WINS = -1
# after a plan's seven pieces: at [_NOTES, _FAILED] the piece that failed when the plan was tried last,
_NOTES, _FAILED = 7, 0
# in an entry of the cache of find_plan: all plans up to a serial number fail; the plan, or -1, and its serial number,
_STATE, _FAIL_UNTIL, _PLAN, _PLAN_SERIAL = range(4)
# and in an option, after its drop: the state that follows, and points, fewer for better ones.
_AFTER, _POINTS = 2, 3
_SLACK = 1  # a move may win this many pieces later than the best one
_WIDTH = 8  # moves to try out at each choice
_NOISE = 8  # random points, below this, added to a move's score


class Book(NamedTuple):
    """The plans made so far, and caches of results about them."""

    plans: np.ndarray  # what each plan does with each piece, and its notes
    serials: np.ndarray  # serial number of each plan, because plan numbers are reused
    memo: np.ndarray  # cache of plan_works
    ready: np.ndarray  # cache of find_ready
    seen: np.ndarray  # cache of find_plan
    counters: np.ndarray


def make_book() -> Book:
    return Book(
        np.zeros((MOST_PLANS, 8, 3), np.int64),
        np.zeros(MOST_PLANS, np.int64),
        np.zeros(1 << _MEMO_BITS, np.int64),
        np.zeros(1 << _READY_BITS, np.int64),
        np.zeros((1 << _SEEN_BITS, 4), np.int64),
        np.zeros(3, np.int64),
    )


@njit
def find_ready(state, cache, size):
    """Return the mask of the pieces that can fill a row with one drop."""
    at = (state * MIX >> _MIXED) & ((1 << _READY_BITS) - 1)
    if cache[at] >> 7 == state:
        return cache[at] & 127
    ready = 0
    for orientation in range(19):
        piece = size.shapes[orientation, 0]
        if ready >> piece & 1:
            continue
        for x in range(11 - size.shapes[orientation, 1]):
            if drop_piece(state, orientation, x, size) == 0:
                ready |= 1 << piece
                break
    cache[at] = state << 7 | ready
    return ready


@njit
def plan_works(plan, state, book, size):
    ready = find_ready(state, book.ready, size)
    first = book.plans[plan, _NOTES, _FAILED]  # often its drop is illegal here, too
    if not ready >> first & 1:
        way = book.plans[plan, first]
        if drop_piece(state, way[ORIENTATION], way[COLUMN], size) < 0:
            return False
    key = book.serials[plan] << 36 | state
    at = (key * MIX >> _MIXED) & ((1 << _MEMO_BITS) - 1)
    if book.memo[at] >> 1 == key:
        return book.memo[at] & 1 == 1
    works = True
    for i in range(7):
        piece = first if i == 0 else (i - 1 if i <= first else i)
        if ready >> piece & 1:
            continue
        next_plan = book.plans[plan, piece, NEXT]
        if next_plan >= 0:
            after = drop_piece(state, book.plans[plan, piece, ORIENTATION], book.plans[plan, piece, COLUMN], size)
            if after < 0:
                book.plans[plan, 7, 0] = piece
                works = False
                break
            if next_plan & 1:
                after = mirror(after, size)
            if plan_works(next_plan >> 1, after, book, size):
                continue
        book.plans[plan, 7, 0] = piece
        works = False
        break
    book.memo[at] = key << 1 | works
    return works


@njit
def find_plan(state, book, size):
    """Return twice the number of a plan that wins from `state`, plus 1 if mirrored; -1 if there is none."""
    other = mirror(state, size)
    key = min(state, other)
    at = (key * MIX >> _MIXED) & ((1 << _SEEN_BITS) - 1)
    newest = 0  # serial number up to which all plans are known to fail
    if book.seen[at, _STATE] == key:
        newest = book.seen[at, _FAIL_UNTIL]
        plan = book.seen[at, _PLAN]
        if plan >= 0 and plan >> 1 < book.counters[COUNT] and book.serials[plan >> 1] == book.seen[at, _PLAN_SERIAL]:
            return plan ^ (key != state)
    for plan in range(book.counters[COUNT] - 1, -1, -1):
        if book.serials[plan] <= newest:
            break
        for mirrored in range(2):
            if plan_works(plan, other if mirrored else state, book, size):
                book.seen[at, _STATE] = key
                book.seen[at, _FAIL_UNTIL] = newest
                book.seen[at, _PLAN] = 2 * plan + (mirrored ^ (key != state))
                book.seen[at, _PLAN_SERIAL] = book.serials[plan]
                return 2 * plan + mirrored
    book.seen[at, _STATE] = key
    book.seen[at, _FAIL_UNTIL] = book.counters[SERIAL]
    book.seen[at, _PLAN] = -1
    return -1


@njit
def _random(counters):
    counters[RANDOM] = (counters[RANDOM] * 1103515245 + 12345) & 0x7FFFFFFF
    return counters[RANDOM] >> 8


@njit
def _cover(state, piece, plan, book, size):
    """Put into `plan` a drop to a full row or to a state where an existing plan wins; return whether there is one."""
    if find_ready(state, book.ready, size) >> piece & 1:
        plan[piece, NEXT] = WINS
        return True
    for orientation in range(FIRST[piece], FIRST[piece + 1]):
        for x in range(11 - size.shapes[orientation, 1]):
            after = drop_piece(state, orientation, x, size)
            if after > 0:
                found = find_plan(after, book, size)
                if found >= 0:
                    plan[piece, ORIENTATION] = orientation
                    plan[piece, COLUMN] = x
                    plan[piece, NEXT] = found
                    return True
    return False


@njit
def _choose_hardest(state, todo, size, counters):
    """Return the hardest of the pieces in `todo`, by chance among equals: others can use its plans."""
    least = search.find_least(state, size)
    chosen = -1
    hardest = -1
    for piece in range(7):
        if todo >> piece & 1:
            hard = (least >> 8 * piece & 63) * 64 + _random(counters) % 64
            if hard > hardest:
                hardest = hard
                chosen = piece
    return chosen


@njit
def _list_options(state, piece, pieces, options, counters, size, lane):
    """List drops of a piece that win within `pieces`, those that win soon, in `options`; return their number."""
    count = 0
    soonest = 0
    for within in range(1, pieces):
        if count and within > soonest + _SLACK:
            break
        for orientation in range(FIRST[piece], FIRST[piece + 1]):
            for x in range(11 - size.shapes[orientation, 1]):
                after = drop_piece(state, orientation, x, size)
                if after <= 0:
                    continue
                key = min(after, mirror(after, size))
                if search.exceeds(search.find_least(key, size), within):
                    continue
                listed = False
                for i in range(count):
                    listed = listed or min(options[i, _AFTER], mirror(options[i, _AFTER], size)) == key
                if listed:
                    continue
                known = search.look_up(lane.table, key, within)
                if known == 1 or (known == 0 and not search.can_win(key, within, size, lane)):
                    continue
                if count < len(options):
                    if count == 0:
                        soonest = within
                    options[count, ORIENTATION] = orientation
                    options[count, COLUMN] = x
                    options[count, _AFTER] = after
                    options[count, _POINTS] = within * 200 + search.rate(key, size) + _random(counters) % _NOISE
                    count += 1
    return count


@njit
def _sort_options(options, count, tries):
    """Move the best `tries` options to the front."""
    for i in range(tries):
        for j in range(i + 1, count):
            if options[j, _POINTS] < options[i, _POINTS]:
                for k in range(4):
                    spare = options[i, k]
                    options[i, k] = options[j, k]
                    options[j, k] = spare


@njit(cache=False)  # Numba's cached code of this recursive function crashes when it is loaded
def build_plan(state, pieces, deep, limit, book, size, lane):
    """Make a plan that wins from `state` within `pieces`, and the plans that it needs; return its number, -1 for none.

    deep: whether to choose moves by trying them out. limit: give up at this number of plans.
    """
    plan = np.zeros((8, 3), np.int64)
    todo = 0
    for piece in range(7):
        if not _cover(state, piece, plan, book, size):
            todo |= 1 << piece
    options = np.zeros((40, 4), np.int64)
    while todo:
        if book.counters[COUNT] >= limit or lane.notes[search.STOP]:
            return -1
        chosen = _choose_hardest(state, todo, size, book.counters)
        count = _list_options(state, chosen, pieces, options, book.counters, size, lane)
        if count == 0:
            return -1
        tries = min(count, _WIDTH if deep else 1)
        _sort_options(options, count, tries)
        best = 0
        if tries > 1:  # make the plans of each option, count them, and drop them again
            mark = book.counters[COUNT]
            fewest = limit
            for i in range(tries):
                made = build_plan(options[i, _AFTER], pieces - 1, 0, fewest, book, size, lane)
                if made >= 0 and book.counters[COUNT] < fewest:
                    fewest = book.counters[COUNT]
                    best = i
                book.counters[COUNT] = mark
                if fewest == mark + 1:
                    break
        made = build_plan(options[best, _AFTER], pieces - 1, deep, limit, book, size, lane)
        if made < 0:
            return -1
        plan[chosen, ORIENTATION] = options[best, ORIENTATION]
        plan[chosen, COLUMN] = options[best, COLUMN]
        plan[chosen, NEXT] = 2 * made
        todo &= ~(1 << chosen)
        # The new plans may win after a drop of another piece.
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
