"""Work out the figures of play of a game (firmware/modes/README.md, F); play does not keep this module in memory.

Most names here exist elsewhere: a board never frees a name.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.match import tables
from firmware.match.attack import count_lines

if TYPE_CHECKING:
    from firmware.contracts import Game

_COLUMNS = const(5)  # of Statistics.kinds
_ENDLESS_MS = const(1 << 29)
_ARS = const(2)  # of the option `kicks`; SRS+ turns with as few presses as SRS

NAMES = (b"PPS", b"APM", b"APP", b"KPP", b"FINESSE")
PPS = const(0)
APM = const(1)
APP = const(2)
KPP = const(3)
FINESSE = const(4)


def count(game: "Game") -> int:
    """Return the lines that the Lock Downs of a game would send in a match, with nothing to counter (F.2)."""
    counts = game.statistics
    lines = counts.back_to_backs - counts.minis
    table = tables.read(tables.GUIDELINE)
    for spun in range(3):
        for cleared in range(1, _COLUMNS):
            lines += counts.kinds[spun * _COLUMNS + cleared] * count_lines(table, spun, cleared, 0)
    return lines


def measure(game: "Game", time_ms: int, attack: int) -> list[int]:
    """Return the figures in the order of NAMES: hundredths, and whole percents of finesse."""
    counts = game.statistics
    pieces = counts.pieces
    some = pieces or 1
    time_ms = time_ms or _ENDLESS_MS
    return [
        100_000 * pieces // time_ms,
        6_000_000 * attack // time_ms,
        100 * attack // some,
        100 * counts.keys // some,
        100 * (some - counts.faults) // some,
    ]


def write_hundredths(number: int) -> bytes:
    """Return a number of hundredths as text with two digits after the point."""
    return (str(number // 100) + "." + str(100 + number % 100)[1:]).encode()


def write(game: "Game", time_ms: int, attack: int) -> list[bytes]:
    """Return the figures as texts, with - for what nobody counted (F.4, F.5)."""
    numbers = measure(game, time_ms, attack)
    values = [write_hundredths(number) for number in numbers]
    share = numbers[FINESSE]
    values[FINESSE] = str(share).encode() + (b"%" if share < 100 else b"")  # no room for 100%
    counts = game.statistics
    unknown = counts.pieces and not counts.keys
    if unknown:
        values[KPP] = b"-"
    if unknown or not has_finesse(game):
        values[FINESSE] = b"-"
    return values


def has_finesse(game: "Game") -> bool:
    """Return whether presses are counted against the fewest: not by Standard's rules, nor by another system's turns."""
    return not hasattr(game, "first_level") and game.options.kicks < _ARS
