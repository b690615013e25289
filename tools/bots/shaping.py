"""Shape a reward by a potential, which tells good positions from bad ones before any line is cleared.

The potential of a Matrix is 20 - 0.05 heights - 0.35 holes - 0.1 bumps. Heights are those of all columns, holes are
empty cells below Blocks, bumps are the differences of neighbouring heights. When a game has ended it is 0.

A step gains `shaping` times the new potential, minus the old one, besides its reward.

- With `shaping=1` these gains sum up to the last potential minus the first one, so all of an episode's shapings come to
  the same. A learner that discounts its rewards hurries to good positions. Policy gradients with a critic need this:
  their critic soon knows any gain that it can foresee.
- With the learner's discount as `shaping`, the discounted sum of an episode changes by the first potential alone. So
  the best policy stays the best: Ng, Harada and Russell, "Policy invariance under reward transformations", 1999.
"""

from collections.abc import Iterable

SCALE = 20.0  # for whole numbers, which are equal everywhere
EMPTY, HEIGHTS, HOLES, BUMPS = 400, 1, 7, 2

_WALL = 1 << 9


def rate_matrix(rows: Iterable[int]) -> int:
    """Return the potential times SCALE of rows of ten bits, the highest first."""
    covered = total = 0
    for row in rows:
        covered |= row
        total += HEIGHTS * covered.bit_count() + HOLES * (covered & ~row).bit_count()
        total += BUMPS * ((covered ^ covered >> 1) & _WALL - 1).bit_count()
    return EMPTY - total
