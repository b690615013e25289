"""Work out the figures of play of one game (firmware/modes/README.md, F); play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING, const
from firmware.match.attack import count_lines

if TYPE_CHECKING:
    from firmware.contracts import Statistics

_COLUMNS = const(5)  # of Statistics.kinds
_MINUTE_MS = const(60_000)
_SECOND_MS = const(1000)

NAMES = (b"PPS", b"APM", b"APP", b"KPP", b"FINESSE")
PPS = const(0)
APM = const(1)
APP = const(2)
KPP = const(3)
FINESSE = const(4)


def hundredths(amount: int, whole: int) -> int:
    """Return amount / whole, times 100, rounded down; 0 for nothing of 0."""
    return 100 * amount // whole if whole else 0


def count_attack(counts: "Statistics") -> int:
    """Return the lines that the Lock Downs of a game would send in a match, with nothing to counter (F.2)."""
    kinds = counts.kinds
    lines = counts.back_to_backs - counts.idle_chains
    for i in range(len(kinds)):
        lines += kinds[i] * count_lines(i // _COLUMNS, i % _COLUMNS, 0)
    return lines


def rate_finesse(counts: "Statistics") -> int:
    """Return the percentage of Tetriminos without a fault (F.4)."""
    return hundredths(counts.pieces - counts.faults, counts.pieces) if counts.pieces else 100


def measure(counts: "Statistics", time_ms: int, attack: int) -> list[int]:
    """Return the figures of a game in the order of NAMES: hundredths, and whole percents of finesse."""
    pieces = counts.pieces
    return [
        hundredths(_SECOND_MS * pieces, time_ms),
        hundredths(_MINUTE_MS * attack, time_ms),
        hundredths(attack, pieces),
        hundredths(counts.keys, pieces),
        rate_finesse(counts),
    ]


def write_hundredths(number: int) -> bytes:
    """Return a number of hundredths as text with two digits after the point."""
    return (str(number // 100) + "." + str(100 + number % 100)[1:]).encode()


def list_values(counts: "Statistics", time_ms: int, attack: int, judged: bool = True) -> list[bytes]:
    """Return the figures as texts, with - for what nobody counted (F.4, F.5); not `judged`: rules without finesse."""
    figures = measure(counts, time_ms, attack)
    texts = [write_hundredths(number) for number in figures]
    texts[FINESSE] = str(figures[FINESSE]).encode() + (b"%" if figures[FINESSE] < 100 else b"")  # no room for 100%
    if counts.pieces and not counts.keys:
        texts[KPP] = b"-"
        judged = False
    if not judged:
        texts[FINESSE] = b"-"
    return texts
