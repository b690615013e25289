"""Name the tables of invisible games (README.md, 12.5)."""

from firmware.modes.catalogue import MARATHON, SPRINT

# A mode, its aim, the name of the game, and the journal's kind of the table for value 1 of the option. That for value 2
# has the next kind.
TABLES = ((MARATHON, 0, b"MARATHON", 38), (SPRINT, 40, b"SPRINT 40", 40))
_ENDINGS = (b" INVIS.", b" FADING")


def find_invisible_kind(variant: int, aim: int, invisible: int) -> int:
    """Return the journal's kind of the table for a mode, its aim and the option `invisible`, or 0 if it has none."""
    for table in TABLES:
        if table[0] == variant and table[1] == aim:
            return table[3] + invisible - 1
    return 0


def list_invisible() -> "list[tuple[int, int, int, bytes]]":
    """Return (mode, aim, kind, name) of each table, sorted by kind."""
    return [(table[0], table[1], table[3] + i, table[2] + _ENDINGS[i]) for table in TABLES for i in range(2)]
