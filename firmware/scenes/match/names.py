"""Name the players of a match."""

from firmware.compat import TYPE_CHECKING
from firmware.players.levels import NAMES

if TYPE_CHECKING:
    from firmware.contracts import MatchOptions


def name_level(level: int) -> bytes:
    return NAMES[level - 1]


def name_players(options: "MatchOptions") -> "list[bytes]":
    """Return the players' names: P1 for a person, CAT for a computer, CAT2 for the next computer of that level."""
    names: list[bytes] = []
    for i in range(options.players):
        level = options.level_of(i)
        name = name_level(level) if level else b"P%d" % (i + 1)
        before = len([other for other in range(i) if level and options.level_of(other) == level])
        names.append(name + b"%d" % (before + 1) if before else name)
    return names
