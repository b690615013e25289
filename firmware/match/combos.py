"""Apply MODERN rules, and tables with combos; a match by the guideline does not load this module (README 18).

After the numbers that attack.py knows, such a table has the four below, and three lists. By the number of Line Clears
in a row before: what is added, and what is sent at least. Then, in thousandths, how much the n-th Back-to-Back in a row
counts; 0 is 1000.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.match.attack import count_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from firmware.contracts import Game, Match, Seat

_MOST_RISING = const(8)
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
    if empty and table[ALONE]:
        return table[ALL_CLEAR]
    last = table[LAST]
    at = min(combo, last)
    grow = LISTS + 2 * last + 1  # the place before the last list
    chain = min(chain, len(table) - 1 - grow)
    more *= table[grow + chain] or 1000
    sent = (1000 * sent + more) * (100 + table[TIMES] * at) // 100_000
    sent = max(sent, table[LISTS + last + 1 + at]) + table[LISTS + at]
    return sent + (empty and table[ALL_CLEAR])


class Modern:
    """Hold what differs in a match by MODERN rules."""

    def count(self, match: "Match", game: "Game", spun: int, lines: int, chained: int) -> int:
        """Return the lines that a Lock Down sends whose full rows are still there, if the Receiving Queue is empty."""
        combo = game.statistics.combo + 1
        return count_all(match.attacks, spun, lines, chained, combo, lines == game.matrix.top)

    def receive(self, seat: "Seat", cleared: int) -> None:
        """Let eight lines rise at most, and none after a Line Clear; they get a new gap."""
        seat.rising = 0 if cleared else min(seat.queued, _MOST_RISING)
        seat.gap_left = 0
