"""Find the patterns of a Matrix's surface; a learned table has points for each.

A pattern is the Blocks of two or three neighbouring columns near the highest Block of the lowest of them, or the height
differences of four. Mirrored ones are the same. Those at a wall have entries of their own.
"""

from typing import Any

from tools.bots.strong.columns import FIELD, count_ones, find_lowest
from tools.bots.strong.compiling import compiled

_FLOOR = (1 << 50) - 1 ^ FIELD
_ABOVE = 3  # rows of a pattern above the lowest column's highest Block
_MOST_FULL = 3
_STEP = 3  # the greatest height difference that is told apart
_STEPS = 2 * _STEP + 1
# Entries: of pairs of seven rows, triples of five, and height differences at four places; twice those with a wall.
_PAIR_AT_WALL = 1 << 16
_TRIPLES = 2 * _PAIR_AT_WALL
_TRIPLE_AT_WALL = 1 << 15
_SURFACES = _TRIPLES + 2 * _TRIPLE_AT_WALL
ENTRIES = _SURFACES + 4 * _STEPS**3
PATTERNS = 9 + 8 + 7  # of a Matrix
FIRST = 24  # word of the scratch array for their entries, see `rate_position`


@compiled
def find_patterns(columns: Any, full_rows: Any) -> None:
    """Write the entries of a Matrix's patterns behind `full_rows`, from word FIRST on; see `rate_position`."""
    second = first = 0
    third_top = second_top = first_top = 0
    for x in range(10):
        last = columns[x] | _FLOOR
        top = find_lowest(last)
        if x > 0:
            low = max(first_top, top, _ABOVE)
            cut = low - _ABOVE
            left = first >> cut & 127
            right = last >> cut & 127
            # Rows below that only these two columns leave open.
            rows = (full_rows[x - 1] & full_rows[14 + x]) >> cut & 124 & ~(left & right)
            full = min(_MOST_FULL, count_ones(rows)) << 14
            if x == 1:
                full_rows[FIRST + x - 1] = _PAIR_AT_WALL | full | right << 7 | left
            elif x == 9:
                full_rows[FIRST + x - 1] = _PAIR_AT_WALL | full | left << 7 | right
            else:
                full_rows[FIRST + x - 1] = full | min(left | right << 7, right | left << 7)
        if x > 1:
            low = max(low, second_top)
            cut = low - _ABOVE
            left = second >> cut & 31
            middle = (first >> cut & 31) << 5
            right = last >> cut & 31
            if x == 2:
                at = _TRIPLE_AT_WALL | left | middle | right << 10
            elif x == 9:
                at = _TRIPLE_AT_WALL | right | middle | left << 10
            else:
                at = min(left | right << 10, right | left << 10) | middle
            full_rows[FIRST + 7 + x] = _TRIPLES + at
        if x > 2:
            a = min(_STEP, max(-_STEP, third_top - second_top))
            b = min(_STEP, max(-_STEP, second_top - first_top))
            c = min(_STEP, max(-_STEP, first_top - top))
            way = (a + _STEP) * _STEPS**2 + (b + _STEP) * _STEPS + c + _STEP
            back = (_STEP - c) * _STEPS**2 + (_STEP - b) * _STEPS + _STEP - a
            place = x - 3
            if place > 3:
                place = 6 - place
                way = back
            elif place == 3:
                way = min(way, back)
            full_rows[FIRST + 14 + x] = _SURFACES + place * _STEPS**3 + way
        third_top = second_top
        second, second_top = first, first_top
        first, first_top = last, top
