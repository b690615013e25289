"""Count the lines that an action sends by a table with combos; a match by the guideline does not load this module.

After the numbers that attack.py knows, such a table has the four below, and three lists. By the number of Line Clears
in a row before: what is added, and what is sent at least. Then, in thousandths, how much the n-th Back-to-Back in a row
counts; this list may be empty.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.match.attack import count_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

ALL_CLEAR = const(24)  # lines for an empty Matrix,
ALONE = const(25)  # and whether they are sent instead of all others
TIMES = const(26)  # percents by which each Line Clear in a row multiplies the lines
LAST = const(27)  # place of the last number in each of the first two lists
LISTS = const(28)


def count_all(table: "Sequence[int]", spun: int, lines: int, chain: int, combo: int, empty: int) -> int:
    """Return the lines that `lines` cleared lines, 1 to 4, send if the Receiving Queue is empty.

    chain: Back-to-Backs in a row, this one included; 0 if it is none. combo: Line Clears in a row before. empty:
    whether no Block is left.
    """
    sent = count_lines(table, spun, lines, 0)
    more = count_lines(table, spun, lines, chain) - sent
    if len(table) == ALL_CLEAR:
        return sent + more
    if empty and table[ALONE]:
        return table[ALL_CLEAR]
    last = table[LAST]
    at = min(combo, last)
    grow = LISTS + 2 * last + 1  # the place before the last list
    chain = min(chain, len(table) - 1 - grow)
    more *= table[grow + chain] if chain else 1000
    sent = (1000 * sent + more) * (100 + table[TIMES] * at) // 100_000
    sent = max(sent, table[LISTS + last + 1 + at]) + table[LISTS + at]
    return sent + table[ALL_CLEAR] if empty else sent
