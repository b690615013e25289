"""Find the patterns of a Matrix's surface; a learned table has points for each.

A pattern is the Blocks of two or three neighbouring columns near the highest Block of the lowest of them, or the height
differences of four. Mirrored ones are the same. Those at a wall have entries of their own.
"""

from typing import Any

from tools.bots.strong.columns import FIELD, count_ones, find_lowest
from tools.bots.strong.compiling import compiled, inlined

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
# Column x completes a pair from 1 on, a triple from 2 on, a surface from 3 on. Its entry is in word x after these.
_PAIR_WORDS = FIRST - 1
_TRIPLE_WORDS = FIRST + 9 - 2
_SURFACE_WORDS = FIRST + 9 + 8 - 3


@compiled
def find_patterns(columns: Any, full_rows: Any) -> None:
    """Write the entries of a Matrix's patterns behind `full_rows`, from word FIRST on; see `rate_position`."""
    # The columns before `last`: first is its neighbour, second is beside first.
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
            full_rows[_PAIR_WORDS + x] = full | find_pair(x, left, right)
        if x > 1:
            low = max(low, second_top)
            cut = low - _ABOVE
            full_rows[_TRIPLE_WORDS + x] = find_triple(x, second >> cut & 31, first >> cut & 31, last >> cut & 31)
        if x > 2:
            full_rows[_SURFACE_WORDS + x] = find_surface(
                x, third_top - second_top, second_top - first_top, first_top - top
            )
        third_top = second_top
        second, second_top = first, first_top
        first, first_top = last, top


# The functions below are inlined: as calls they would make `find_patterns` a tenth slower.
@inlined
def find_pair(x: int, left: int, right: int) -> int:
    """Return the entry of two columns of seven rows, the right one column `x`."""
    if x == 1:
        return _PAIR_AT_WALL | right << 7 | left
    if x == 9:
        return _PAIR_AT_WALL | left << 7 | right
    return min(left | right << 7, right | left << 7)


@inlined
def find_triple(x: int, left: int, middle: int, right: int) -> int:
    """Return the entry of three columns of five rows, the right one column `x`."""
    middle <<= 5
    if x == 2:
        return _TRIPLES + (_TRIPLE_AT_WALL | left | middle | right << 10)
    if x == 9:
        return _TRIPLES + (_TRIPLE_AT_WALL | right | middle | left << 10)
    return _TRIPLES + (min(left | right << 10, right | left << 10) | middle)


@inlined
def find_surface(x: int, a: int, b: int, c: int) -> int:
    """Return the entry of the height differences of four columns, from the left; the right one is column `x`."""
    a = min(_STEP, max(-_STEP, a))
    b = min(_STEP, max(-_STEP, b))
    c = min(_STEP, max(-_STEP, c))
    way = (a + _STEP) * _STEPS**2 + (b + _STEP) * _STEPS + c + _STEP
    back = (_STEP - c) * _STEPS**2 + (_STEP - b) * _STEPS + _STEP - a
    place = x - 3
    if place > 3:
        place = 6 - place
        way = back
    elif place == 3:
        way = min(way, back)
    return _SURFACES + place * _STEPS**3 + way
