"""Hold the values of a Matrix's features, in points, and tables to find the features."""

from firmware.compat import const
from firmware.engine.matrix import WIDTH
from firmware.engine.profiles import PROFILES

NEVER = const(-(1 << 29))

LANDING = const(-5)  # for each row of the place's height
SLOTS = (0, 231, 369)  # for a T-Spin slot, by how many of its rows lack only the T

# By lines cleared, 0 to 4: without and with a T-Spin.
CLEARS = (0, -129, -147, -52, 162)
SPINS = (0, -84, 548, 674, 0)

_FULL = const(1023)

# The value of a step from one column to the next, by its height; negative heights index from the end.
STEPS = [2 * min(i, 64 - i) - 2 * min(i, 64 - i) * min(i, 64 - i) for i in range(64)]


# The column of a bit, by the bit modulo 11.
COLUMNS = b"\0\0\1\x08\2\4\x09\7\3\6\5"


# The number of set bits in a number of four bits.
ONES = b"\0\1\1\2\1\2\2\3\1\2\2\3\2\3\3\4"


def make_changes() -> bytearray:
    """Return for each row the changes between Block and empty cell from wall to wall; 0 for an empty row."""
    changes = bytearray(_FULL + 1)
    for row in range(1, _FULL + 1):
        walled = row << 1 | 0x801
        count = blocks = 0
        for x in range(WIDTH + 1):
            count += walled >> x & 1 ^ walled >> x + 1 & 1
            blocks += walled >> x & 1
        # 64 is added if only one cell is empty; one wall counts as a Block, too.
        changes[row] = count + 64 if blocks == WIDTH else count
    return changes


CHANGES = make_changes()
del make_changes  # saves room on a board

# For each facing: 64 plus the value of the steps on its upper side; its number of rows.
WITHIN = bytearray(28)
HEIGHTS = bytearray(28)
for _i in range(28):
    WITHIN[_i] = 64
    for _x in range(PROFILES[10 * _i + 1] - 1):
        WITHIN[_i] += STEPS[(PROFILES[10 * _i + 2 + _x] >> 4) - (PROFILES[10 * _i + 3 + _x] >> 4)]
    for _x in range(4):
        HEIGHTS[_i] += PROFILES[10 * _i + 6 + _x] > 0
