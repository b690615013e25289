"""Count the lines that an action sends by a table of attacks (Guideline B1.3.5); tables.py reads the tables."""

from firmware.compat import TYPE_CHECKING, const

if TYPE_CHECKING:
    from collections.abc import Sequence

KINDS = const(12)


def count_lines(table: "Sequence[int]", spun: int, lines: int, chained: int) -> int:
    """Return the lines that `lines` cleared lines, 1 to 4, send if the Receiving Queue is empty (Guideline B1.3.5).

    table: by spin and lines, KINDS numbers of lines sent, and KINDS that a Back-to-Back adds.
    """
    at = spun * 4 + lines - 1
    return table[at] + (table[at + KINDS] if chained else 0)
