"""Search Tetress fast: alpha-beta over rows of bits, compiled by Numba.

A position is `rows`, int64[2, 11]: the tokens of the player to move, then the opponent's; bit c of a
row is column c. Scores are whole numbers from the view of the player to move. To count mobility, a word of 55 bits
holds five rows: one operation tests a shape at all cells of these rows. Rows are copied one by one because Numba needs
longer to compile `a[:] = b` than all the rest.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from firmware.tetress import game, shapes
from firmware.tetress.game import ACTIONS, CELL_COUNT, LONGEST, SIZE
from firmware.tetress.shapes import CELLS
from tools.numba_cache import Compiler

compiled = Compiler("tetress", [Path(__file__), Path(game.__file__), Path(shapes.__file__)])

LATE = 90  # actions after which tokens begin to count
WON = 1_000_000
DEEPEST = 40

_ROW = (1 << SIZE) - 1
_FIELDS = sum(1 << SIZE * k for k in range(5))
_KEEP = [np.uint64(_FIELDS * (_ROW >> k)) for k in range(4)]
_WRAP = [np.uint64(_FIELDS * ((1 << k) - 1)) for k in range(4)]
_KEEP1, _KEEP2, _KEEP3 = _KEEP[1:]
_WRAP1, _WRAP2, _WRAP3 = _WRAP[1:]

# The ten offsets of cells in the boxes of shapes, (row, column): a word for each.
_WORDS = [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (3, 0)]
_SHAPES = np.array([[_WORDS.index((cell >> 4, cell & 15)) for cell in CELLS[s : s + 4]] for s in range(0, 76, 4)])

_ACTION_ROWS = np.zeros((ACTIONS, 4), np.int64)
_ACTION_BITS = np.zeros((ACTIONS, 4), np.int64)
for _action in range(ACTIONS):
    for _i in range(4):
        _cell = CELLS[_action // CELL_COUNT * 4 + _i]
        _ACTION_ROWS[_action, _i] = (_action % CELL_COUNT // SIZE + (_cell >> 4)) % SIZE
        _ACTION_BITS[_action, _i] = 1 << (_action % SIZE + (_cell & 15)) % SIZE

_HASHES = np.random.default_rng(2024).integers(1, 1 << 62, (2, SIZE), dtype=np.uint64) | np.uint64(1)

EXACT, AT_LEAST, AT_MOST = 1, 2, 3

# The next step of a search, and the fields of its frame for each position on the current path.
_ENTER, _NEXT, _LEAVE = 0, 1, 2
_DEPTH, _ALPHA, _BETA, _COUNT, _AT, _BEST, _CHOSEN, _BOTTOM, _NARROW, _LESS = range(10)
_REDUCED_AFTER = 6  # actions; later ones are first searched one action less deep


def _ones(_context: Any, _word: Any) -> Any:
    """Tell Numba how to count the set bits of a word."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


ones: Any = intrinsic(_ones)


@compiled
def find_free_and_touch(own: Any, other: Any, free: Any, touch: Any) -> None:
    """Fill `free` and the cells adjacent to a token of `own`."""
    for r in range(SIZE):
        n = own[r]
        free[r] = ~(n | other[r]) & _ROW
        touch[r] = own[(r + 10) % SIZE] | own[(r + 1) % SIZE] | n >> 1 | n >> 10 | ((n << 1 | n << 10) & _ROW)


@compiled
def take_words(source: Any, base: int, words: Any) -> None:
    """Fill the ten words of _WORDS for shapes in rows `base` to `base` + 4."""
    for r in range(4):
        word = np.uint64(0)
        for k in range(5):
            word |= np.uint64(source[(base + r + k) % SIZE]) << np.uint64(SIZE * k)
        at = 0 if r == 0 else 4 if r == 1 else 7 if r == 2 else 9
        words[at] = word
        if r < 3:
            words[at + 1] = (word >> np.uint64(1) & _KEEP1) | (word & _WRAP1) << np.uint64(10)
        if r < 2:
            words[at + 2] = (word >> np.uint64(2) & _KEEP2) | (word & _WRAP2) << np.uint64(9)
        if r == 0:
            words[3] = (word >> np.uint64(3) & _KEEP3) | (word & _WRAP3) << np.uint64(8)


@compiled
def list_actions(own: Any, other: Any, first: bool, actions: Any) -> int:
    """Write the legal actions of `own` to `actions`, in no special order; return how many."""
    free = np.empty(SIZE, np.int64)
    touch = np.empty(SIZE, np.int64)
    fits = np.empty(10, np.uint64)
    near = np.empty(10, np.uint64)
    find_free_and_touch(own, other, free, touch)
    if first:
        for r in range(SIZE):
            touch[r] = _ROW
    count = 0
    for base in range(0, 15, 5):
        take_words(free, base, fits)
        take_words(touch, base, near)
        for shape in range(19):
            a, b, c, d = _SHAPES[shape]
            word = fits[a] & fits[b] & fits[c] & fits[d] & (near[a] | near[b] | near[c] | near[d])
            if base == 10:
                word &= np.uint64(_ROW)
            while word:
                bit = word & (~word + np.uint64(1))
                actions[count] = shape * CELL_COUNT + base * SIZE + np.int64(ones(bit - np.uint64(1)))
                count += 1
                word ^= bit
    return count


@compiled
def count_actions(own: Any, other: Any, counts: Any) -> None:
    """Set counts[0] and counts[1] to the number of legal actions of `own` and `other`, after their first ones.

    counts[2] and counts[3] become the numbers of free cells next to their tokens.
    """
    free = np.empty(SIZE, np.int64)
    touch = np.empty(SIZE, np.int64)
    touch_other = np.empty(SIZE, np.int64)
    fits = np.empty(10, np.uint64)
    near = np.empty(10, np.uint64)
    near_other = np.empty(10, np.uint64)
    find_free_and_touch(other, own, free, touch_other)
    find_free_and_touch(own, other, free, touch)
    mine = np.uint64(0)
    yours = np.uint64(0)
    for base in range(0, 15, 5):
        take_words(free, base, fits)
        take_words(touch, base, near)
        take_words(touch_other, base, near_other)
        keep = np.uint64(_ROW) if base == 10 else ~np.uint64(0)
        for shape in range(19):
            a, b, c, d = _SHAPES[shape]
            word = fits[a] & fits[b] & fits[c] & fits[d] & keep
            if word:
                mine += ones(word & (near[a] | near[b] | near[c] | near[d]))
                yours += ones(word & (near_other[a] | near_other[b] | near_other[c] | near_other[d]))
    counts[0] = mine
    counts[1] = yours
    mine = np.uint64(0)
    yours = np.uint64(0)
    for r in range(SIZE):
        mine += ones(np.uint64(touch[r] & free[r]))
        yours += ones(np.uint64(touch_other[r] & free[r]))
    counts[2] = mine
    counts[3] = yours


@compiled
def play(rows: Any, action: int, after: Any) -> None:
    """Set `after` to the position after `action`, from the opponent's view, without full rows and columns."""
    for r in range(SIZE):
        after[0, r] = rows[1, r]
        after[1, r] = rows[0, r]
    for i in range(4):
        after[1, _ACTION_ROWS[action, i]] |= _ACTION_BITS[action, i]
    columns = _ROW
    full = False
    for r in range(SIZE):
        n = after[0, r] | after[1, r]
        columns &= n
        full |= n == _ROW
    if full or columns:
        for r in range(SIZE):
            keep = 0 if after[0, r] | after[1, r] == _ROW else ~columns
            after[0, r] &= keep
            after[1, r] &= keep


@compiled
def tokens(rows: Any) -> int:
    """Return by how many tokens the player to move leads."""
    ahead = 0
    for r in range(SIZE):
        ahead += np.int64(ones(np.uint64(rows[0, r]))) - np.int64(ones(np.uint64(rows[1, r])))
    return ahead


@compiled
def weigh(rows: Any, played: int, ply: int, weights: Any) -> int:
    """Return the value of a position to the player to move.

    weights: of the lead in actions, of the lead in cells to begin at, of the turn, of the lead in actions as a share of
    all actions. The last one is of the lead in tokens; it grows towards the end.
    """
    if played >= LONGEST:
        ahead = tokens(rows)
        return WON - ply if ahead > 0 else ply - WON if ahead < 0 else 0
    counts = np.empty(4, np.int64)
    count_actions(rows[0], rows[1], counts)
    if counts[0] == 0:
        return ply - WON
    score = weights[0] * (counts[0] - counts[1]) + weights[1] * (counts[2] - counts[3]) + weights[2]
    # With few actions left, the share says more than the difference.
    score += weights[3] * (counts[0] - counts[1]) // (counts[0] + counts[1])
    if played > LATE:
        score += weights[4] * tokens(rows) * (played - LATE) // (LONGEST - LATE)
    return score


@compiled
def hashed(rows: Any) -> int:
    """Return a hash of a position, 62 bits."""
    key = np.uint64(0)
    for side in range(2):
        for r in range(SIZE):
            key += np.uint64(rows[side, r]) * _HASHES[side, r]
            key ^= key >> np.uint64(29)
            key *= np.uint64(0x9E3779B97F4A7C15)
    return np.int64(key >> np.uint64(2))


@compiled
def recall(rows: Any, played: int, depth: int, alpha: int, beta: int, ply: int, table: Any, answer: Any) -> int:
    """Return the table's best action of a position, or -1; set `answer` to 1 and the score if this ends the search."""
    answer[0] = 0
    key = hashed(rows) ^ played & 1
    slot = key & (table.shape[0] - 1)
    if table[slot, 0] != key:
        return -1
    entry = table[slot, 1]
    score = entry >> 22
    if score > WON // 2:
        score -= ply
    elif score < -WON // 2:
        score += ply
    bound = entry & 3
    if (entry >> 2 & 0xFF) >= depth and (
        bound == EXACT or (bound == AT_LEAST and score >= beta) or (bound == AT_MOST and score <= alpha)
    ):
        answer[0] = 1
        answer[1] = score
    return entry >> 10 & 0xFFF


@compiled
def note(
    rows: Any, played: int, depth: int, alpha: int, beta: int, ply: int, table: Any, best: int, action: int
) -> None:
    """Store the value of a position in the table; `alpha`: lower bound at the start of its search."""
    key = hashed(rows) ^ played & 1
    slot = key & (table.shape[0] - 1)
    bound = AT_LEAST if best >= beta else AT_MOST if best <= alpha else EXACT
    if best > WON // 2:
        best += ply
    elif best < -WON // 2:
        best -= ply
    table[slot, 0] = key
    table[slot, 1] = best << 22 | action << 10 | depth << 2 | bound


@compiled
def arrange(
    rows: Any, played: int, depth: int, first: int, killers: Any, weights: Any, actions: Any, order: Any, count: int
) -> None:
    """Guess the value of each action: the table's action first, then by the next position, or killers first."""
    after = np.empty((2, SIZE), np.int64)
    for i in range(count):
        action = actions[i]
        if action == first:
            order[i] = 4 * WON
        elif depth > 1:
            play(rows, action, after)
            order[i] = -weigh(after, played + 1, np.int64(0), weights)  # to Numba a literal 0 has another type
        elif action == killers[0]:
            order[i] = 3 * WON
        elif action == killers[1]:
            order[i] = 2 * WON
        else:
            order[i] = 0


@compiled
def pick(i: int, count: int, actions: Any, order: Any) -> None:
    """Move the best of the actions from `i` on to index `i`."""
    top = i
    for j in range(i + 1, count):
        if order[j] > order[top]:
            top = j
    order[i], order[top] = order[top], order[i]
    actions[i], actions[top] = actions[top], actions[i]


@compiled
def copy_rows(rows: Any, after: Any) -> None:
    for side in range(2):
        for r in range(SIZE):
            after[side, r] = rows[side, r]


# One loop with a stack of its own, because Numba cannot load a recursive function from its cache.
@compiled
def search(
    start: Any,
    played: int,
    depth: int,
    alpha: int,
    beta: int,
    limits: Any,
    table: Any,
    killers: Any,
    weights: Any,
    stack: Any,
) -> int:
    """Return the value of a position after one action, searched `depth` deep; outside `alpha` to `beta` only a bound.

    limits: number of positions so far, their maximum, and 1 if it is exceeded: then the result is meaningless.
    table: int64[n, 2] of hash, and score << 22 | action << 10 | depth << 2 | bound; n is a power of two.
    stack: from `make_stack`.
    """
    all_rows, all_actions, all_order, frames = stack
    p = 0
    copy_rows(start, all_rows[0])
    frames[0, _DEPTH] = depth
    frames[0, _ALPHA] = alpha
    frames[0, _BETA] = beta
    answer = np.zeros(2, np.int64)
    value = 0
    step = _ENTER
    while True:
        frame = frames[p]
        rows = all_rows[p]
        actions = all_actions[p]
        order = all_order[p]
        now = played + p
        if step == _ENTER:
            limits[0] += 1
            if limits[0] > limits[1]:
                limits[2] = 1
                return 0
            step = _LEAVE
            if frame[_DEPTH] <= 0 or now >= LONGEST:
                value = weigh(rows, now, p + 1, weights)
                continue
            first = -1
            if frame[_DEPTH] > 1:
                first = recall(rows, now, frame[_DEPTH], frame[_ALPHA], frame[_BETA], p + 1, table, answer)
                if answer[0]:
                    value = answer[1]
                    continue
            count = list_actions(rows[0], rows[1], now < 2, actions)
            value = p + 1 - WON
            if count:
                arrange(rows, now, frame[_DEPTH], first, killers[p], weights, actions, order, count)
                if frame[_DEPTH] > 1:
                    limits[0] += count
                frame[_COUNT] = count
                frame[_AT] = 0
                frame[_BEST] = -2 * WON
                frame[_CHOSEN] = -1
                frame[_BOTTOM] = frame[_ALPHA]
                step = _NEXT
        elif step == _NEXT:
            at = frame[_AT]
            if at == frame[_COUNT]:
                value = frame[_BEST]
                step = _LEAVE
                if frame[_DEPTH] > 1:
                    note(rows, now, frame[_DEPTH], frame[_BOTTOM], frame[_BETA], p + 1, table, value, frame[_CHOSEN])
                continue
            if frame[_DEPTH] > 1 or at < 3:
                pick(at, frame[_COUNT], actions, order)
            play(rows, actions[at], all_rows[p + 1])
            # Later actions are first tested with a null window, and the last ones also one action less deep.
            frame[_NARROW] = at > 0 and frame[_DEPTH] > 1
            frame[_LESS] = 2 if at > _REDUCED_AFTER and frame[_DEPTH] > 2 else 1
            frames[p + 1, _DEPTH] = frame[_DEPTH] - frame[_LESS]
            frames[p + 1, _ALPHA] = -frame[_ALPHA] - 1 if frame[_NARROW] else -frame[_BETA]
            frames[p + 1, _BETA] = -frame[_ALPHA]
            p += 1
            step = _ENTER
        else:
            if p == 0:
                return value
            p -= 1
            frame = frames[p]
            score = -value
            if frame[_NARROW] and score > frame[_ALPHA] and (frame[_LESS] > 1 or score < frame[_BETA]):
                # It may be the best action: search it again, with the full window and depth.
                frame[_NARROW] = 0
                frame[_LESS] = 1
                frames[p + 1, _DEPTH] = frame[_DEPTH] - 1
                frames[p + 1, _ALPHA] = -frame[_BETA]
                frames[p + 1, _BETA] = -frame[_ALPHA]
                p += 1
                step = _ENTER
                continue
            action = all_actions[p][frame[_AT]]
            frame[_AT] += 1
            if score > frame[_BEST]:
                frame[_BEST] = score
                frame[_CHOSEN] = action
            if score > frame[_ALPHA]:
                frame[_ALPHA] = score
            if score >= frame[_BETA]:
                frame[_AT] = frame[_COUNT]
                if killers[p, 0] != action:
                    killers[p, 1] = killers[p, 0]
                    killers[p, 0] = action
            step = _NEXT


@compiled
def search_root(
    rows: Any,
    played: int,
    depth: int,
    actions: Any,
    scores: Any,
    limits: Any,
    table: Any,
    killers: Any,
    weights: Any,
    stack: Any,
) -> int:
    """Search `actions` in order, `depth` deep, and set their scores; return the number searched within the limit."""
    after = np.empty((2, SIZE), np.int64)
    alpha = -2 * WON
    for i in range(len(actions)):
        play(rows, actions[i], after)
        if i == 0:
            score = -search(after, played + 1, depth - 1, -2 * WON, 2 * WON, limits, table, killers, weights, stack)
        else:
            score = -search(after, played + 1, depth - 1, -alpha - 1, -alpha, limits, table, killers, weights, stack)
            if score > alpha and not limits[2]:
                score = -search(after, played + 1, depth - 1, -2 * WON, -alpha, limits, table, killers, weights, stack)
        if limits[2]:
            return i
        scores[i] = score
        alpha = max(alpha, score)
    return len(actions)


def make_stack() -> tuple[Any, Any, Any, Any]:
    return (
        np.zeros((DEEPEST + 2, 2, SIZE), np.int64),
        np.zeros((DEEPEST + 2, ACTIONS), np.int32),
        np.zeros((DEEPEST + 2, ACTIONS), np.int32),
        np.zeros((DEEPEST + 2, 10), np.int64),
    )


@compiled
def look_two(rows: Any, played: int, actions: Any) -> int:
    """Return the best of `actions` by alpha-beta to depth 2 on mobility alone, the first of equal ones.

    This textbook version, independent of `search`, is a player to compare with.
    """
    replies = np.empty(ACTIONS, np.int32)
    counts = np.empty(4, np.int64)
    after = np.empty((2, SIZE), np.int64)
    last = np.empty((2, SIZE), np.int64)
    best = -4 * WON
    chosen = -1
    for i in range(len(actions)):
        play(rows, actions[i], after)
        if played + 1 >= LONGEST:
            worst = -tokens(after)
        else:
            count = list_actions(after[0], after[1], played + 1 < 2, replies)
            worst = 2 * WON
            for j in range(count):
                play(after, replies[j], last)
                if played + 2 >= LONGEST:
                    score = tokens(last)
                else:
                    count_actions(last[0], last[1], counts)
                    score = counts[0] - counts[1] if counts[0] else -WON
                worst = min(worst, score)
                if worst <= best:
                    break
        if worst > best:
            best = worst
            chosen = actions[i]
    return chosen


def call_all() -> None:
    """Call each function that other modules call, with arguments of the right types."""
    rows = np.zeros((2, SIZE), np.int64)
    rows[0, 4] = 0b1111
    rows[1, 8] = 0b1111
    actions = np.empty(ACTIONS, np.int32)
    list_actions(rows[0], rows[1], False, actions)
    actions[0] = 0
    limits, weights = np.array([0, 1000, 0], np.int64), np.zeros(5, np.int64)
    table, killers = np.zeros((16, 2), np.int64), np.full((DEEPEST + 2, 2), -1, np.int64)
    search_root(rows, 2, 2, actions[:1], np.zeros(1, np.int64), limits, table, killers, weights, make_stack())
    look_two(rows, LONGEST - 1, actions[:1])
