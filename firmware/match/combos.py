"""Apply MODERN and CUSTOM rules, and tables with combos; a match by the guideline does not load it (README 18).

After the numbers that attack.py knows, such a table has the four below, and three lists. By the number of Line Clears
in a row before: what is added, and what is sent at least. Then, in thousandths, how much the n-th Back-to-Back in a row
counts; 0 is 1000.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.match.attack import count_lines
from firmware.match.options import BLOCKING, CAP, COMBO, MESS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from firmware.contracts import Blob, Game, Match, Seat

_MOST_RISING = b"\xff\x04\x08"
EACH_LINE = const(2)  # as MESS: the gap moves with each line
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
    """Hold what differs in a match by MODERN or CUSTOM rules, which are bytes as `tables.split` returns them.

    counts: 1 if Line Clears in a row send lines. longest: how long a Back-to-Back sequence counts.
    """

    def __init__(self, match: "Match", chosen: "Blob") -> None:
        self.chosen = chosen
        self.counts = int(chosen[COMBO] > 0)
        self.table = table = match.attacks
        self.longest = len(table) - LISTS - 2 * (table[LAST] + 1)
        if chosen[MESS] == EACH_LINE:
            match.gap_lines = 1

    def count(self, game: "Game", spun: int, lines: int, chain: int) -> int:
        """Return the lines that a Lock Down sends whose full rows are still there, if the Receiving Queue is empty."""
        combo = game.statistics.combo + 1
        return count_all(self.table, spun, lines, chain, combo, lines == game.matrix.top)

    def receive(self, seat: "Seat", cleared: int) -> None:
        """Let so many lines rise at most, and none after a Line Clear; they get a new gap."""
        chosen = self.chosen
        most = _MOST_RISING[chosen[CAP]]
        if cleared and chosen[BLOCKING]:
            most = 0
        seat.rising = min(seat.queued, most)
        if chosen[MESS]:
            seat.gap_left = 0
