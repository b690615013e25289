"""Rate a Matrix and a Lock Down in points; see weights.py."""

from typing import Any

import numpy as np

from tools.bots.strong.columns import FIELD, FULL_SPIN, MINI_SPIN, ROWS, I, T, count_ones, find_lowest
from tools.bots.strong.compiling import compiled
from tools.bots.strong.patterns import FIRST, PATTERNS, find_patterns
from tools.bots.strong.weights import NAMES

(
    _ROW_CHANGES, _BURIED, _OVERHUNG, _HOLE_ROWS, _COVER, _STEPS, _STEPS_SQUARED, _HEIGHT, _ABOVE_10, _ABOVE_15,
    _READY, _READY_4, _SLOT_0, _SLOT_1, _SLOT_2, _SLOT_2_AGAIN, _TRIPLE_2, _TRIPLE_3, _NOTCH, _CHAIN, _HOLD_I, _HOLD_T,
    _HOLD_T_SLOT,
    _SINGLE, _DOUBLE, _TRIPLE, _TETRIS, _SPIN_0, _SPIN_1, _SPIN_2, _SPIN_3, _MINI_1, _MINI_2, _BACK_TO_BACK,
    _T_WASTED, _I_WASTED,
) = range(len(NAMES))  # fmt: skip

_KNOWN = len(NAMES)
RATED = _SINGLE  # features of a Matrix; those of Lock Downs follow
_MOST_COVER = 6
_LEADING = np.array([0] * 8 + [1] * 4 + [2] * 2 + [3, 4])  # ones from the fourth bit down


@compiled
def rate_position(columns: Any, hold: int, chain: int, weights: Any, full_rows: Any) -> int:
    """Rate a Matrix, the piece in Hold and a possible Back-to-Back.

    full_rows: scratch array of 24 words, and PATTERNS more if points of patterns follow the weights. Word x gets the
    rows that are full in all columns before x, word 14 + x those that are full in all columns after x.
    """
    blocks = 0
    row_left = FIELD
    row_right = FIELD
    for x in range(10):
        full_rows[x] = row_left
        full_rows[23 - x] = row_right
        row_left &= columns[x]
        row_right &= columns[9 - x]
        blocks |= columns[x]
    stack = -(blocks & -blocks) & FIELD
    worth = weights[_CHAIN] * chain
    changes = count_ones(~columns[0] & stack) + count_ones(~columns[9] & stack)
    buried = overhung = hole_rows = cover = heights = 0
    highest = 0
    lowest = ROWS
    well = 0
    sky_left = 0
    column = columns[0]
    sky = FIELD & ~-(column & -column)
    for x in range(10):
        column = columns[x]
        if x < 9:
            right = columns[x + 1]
            sky_right = FIELD & ~-(right & -right)
            changes += count_ones((column ^ right) & stack)
        else:
            sky_right = 0
        holes = FIELD & ~(column | sky)
        if holes:
            hole_rows |= holes
            open_holes = count_ones(holes & (sky_left | sky_right))
            overhung += open_holes
            buried += count_ones(holes) - open_holes
            cover += min(_MOST_COVER, count_ones(column & ((holes & -holes) - 1)))
        height = ROWS - find_lowest(column | 1 << ROWS)
        heights += height
        highest = max(highest, height)
        if height < lowest:
            lowest = height
            well = x
        sky_left = sky
        sky = sky_right
    worth += weights[_ROW_CHANGES] * changes + weights[_BURIED] * buried + weights[_OVERHUNG] * overhung
    worth += weights[_HOLE_ROWS] * count_ones(hole_rows) + weights[_COVER] * cover + weights[_HEIGHT] * heights
    if highest > 10:
        worth += weights[_ABOVE_10] * (highest - 10)
        if highest > 15:
            worth += weights[_ABOVE_15] * (highest - 15)
    steps = squared = 0
    before = -1
    for x in range(10):
        if x != well:
            height = ROWS - find_lowest(columns[x] | 1 << ROWS)
            if before >= 0:
                step = abs(height - before)
                steps += step
                squared += step * step
            before = height
    worth += weights[_STEPS] * steps + weights[_STEPS_SQUARED] * squared
    if lowest < ROWS - 4:
        ready = _LEADING[(full_rows[well] & full_rows[14 + well] & ~columns[well]) >> ROWS - 4 - lowest & 15]
        worth += weights[_READY] * ready
        if ready == 4:
            worth += weights[_READY_4]
    if hold == I:
        worth += weights[_HOLD_I]
    elif hold == T:
        worth += weights[_HOLD_T]
    if len(weights) > _KNOWN:
        find_patterns(columns, full_rows)
        for i in range(FIRST, FIRST + PATTERNS):
            worth += weights[_KNOWN + full_rows[i]]
    return worth + rate_slots(columns, hold, weights, full_rows)


@compiled
def rate_slots(columns: Any, hold: int, weights: Any, full_rows: Any) -> int:
    """Rate slots for T-Spins; full_rows: as filled by `rate_position`.

    The bit of a slot is the row of the T's nose.
    """
    worth = 0
    none = one = both = notches = two = three = 0
    for x in range(1, 9):
        middle = columns[x]
        left = columns[x - 1]
        right = columns[x + 1]
        around = left & right
        if not around & ~middle:
            continue
        sky = FIELD & ~-(middle & -middle)
        nose = around & sky
        if not nose:
            continue
        sky_left = FIELD & ~-(left & -left)
        sky_right = FIELD & ~-(right & -right)
        slots = nose & (~(left << 1) & left << 2 & sky_right << 1 | ~(right << 1) & right << 2 & sky_left << 1)
        lower = full_rows[x] & full_rows[14 + x]
        upper = (full_rows[x - 1] & full_rows[15 + x]) << 1
        if slots:
            none += count_ones(slots & ~(lower | upper))
            one += count_ones(slots & (lower ^ upper))
            both += count_ones(slots & lower & upper)
        notches += count_ones(nose & sky_left << 1 & sky_right << 1 & lower & upper)
    for x in range(10):
        column = columns[x]
        rows = full_rows[x] & full_rows[14 + x]
        for side in range(-1, 2, 2):
            if not 0 <= x + 2 * side <= 9:
                continue
            near = columns[x + side]
            # The hole for the nose under a Block, and the overhang over the slot.
            slots = near << 1 & near >> 1 & column << 3 & ~(column >> 1 | column | column << 1 | column << 2 | near)
            if not slots:
                continue
            far = columns[x + 2 * side]
            slots &= (FIELD & ~-(near & -near)) << 2 & (FIELD & ~-(far & -far)) << 2 & FIELD
            if not slots:
                continue
            if side > 0:
                middle = full_rows[x] & full_rows[15 + x]
            else:
                middle = full_rows[x - 1] & full_rows[14 + x]
            below = rows >> 1
            above = rows << 1
            three += count_ones(slots & below & middle & above)
            two += count_ones(slots & (below & middle | below & above | middle & above))
    if none:
        worth += weights[_SLOT_0]
    if one:
        worth += weights[_SLOT_1]
    if both:
        worth += weights[_SLOT_2]
        if hold == T:
            worth += weights[_HOLD_T_SLOT]
        if both > 1:
            worth += weights[_SLOT_2_AGAIN]
    if three:
        worth += weights[_TRIPLE_3]
    elif two:
        worth += weights[_TRIPLE_2]
    if notches:
        worth += weights[_NOTCH]
    return worth


@compiled
def reward(piece: int, spin: int, lines: int, chain: int, weights: Any) -> int:
    """Rate a Lock Down without the Matrix; chain: whether a Back-to-Back is on.

    A Mini of another piece than T counts as its lines without a spin that can be Back-to-Back.
    """
    worth = 0
    special = lines == 4 or lines > 0 and spin > 0
    if spin == FULL_SPIN:
        worth = weights[_SPIN_0 + lines]
    elif spin == MINI_SPIN and lines and piece == T:
        worth = weights[_MINI_1 + min(lines, 2) - 1]
    elif lines:
        worth = weights[_SINGLE + lines - 1]
    if special and chain:
        worth += weights[_BACK_TO_BACK]
    if piece == T and not (spin == FULL_SPIN and lines):
        worth += weights[_T_WASTED]
    elif piece == I and lines < 4:
        worth += weights[_I_WASTED]
    return worth
