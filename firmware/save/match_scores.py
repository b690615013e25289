"""Count a person's results against computers of each level, and how far the person is on the ladder.

The record: format (1 byte), then for each level the numbers ROUNDS to PIECES, then the highest level beaten on the
ladder, all as firmware/save/varint.py writes them.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.players.levels import STRONGEST
from firmware.save.journal import VERSUS
from firmware.save.varint import Numbers

if TYPE_CHECKING:
    from firmware.contracts import Blob, Buffer, Journal, Match, MatchOptions, Seat

ROUNDS = const(0)
WON = const(1)
SENT = const(2)
RECEIVED = const(3)
SECONDS = const(4)
PIECES = const(5)
FIELDS = const(6)

LADDER = const(42)  # STRONGEST * FIELDS
_FORMAT = const(1)
_MOST = const((1 << 20) - 1)


class Versus:
    """Hold the numbers of all levels in counts[(level - 1) * FIELDS + field], and counts[LADDER]."""

    def __init__(self, record: "Blob" = b"") -> None:
        self.counts = [0] * (LADDER + 1)
        self.restore(record)

    def count(self, level: int, won: bool, seat: "Seat", seconds: int) -> None:
        """Add a round of the person at `seat`; `level`, 1 to 7, is the highest of an opponent."""
        first = (level - 1) * FIELDS
        counts = self.counts
        for field, amount in (
            (ROUNDS, 1),
            (WON, 1 if won else 0),
            (SENT, seat.sent),
            (RECEIVED, seat.received),
            (SECONDS, seconds),
            (PIECES, seat.game.lock_downs),
        ):
            counts[first + field] = min(_MOST, counts[first + field] + amount)

    def climb(self, level: int, options: "MatchOptions") -> None:
        """Count a match that was won if it is the next one of the ladder: best of three, even, by GUIDELINE."""
        even = not options.handicaps | options.rules
        if level == self.counts[LADDER] + 1 and options.players == 2 and options.wins == 2 and even:
            self.counts[LADDER] = level

    def field(self, level: int, field: int) -> int:
        """Return one of a level's numbers, ROUNDS to PIECES."""
        return self.counts[(level - 1) * FIELDS + field]

    def hundredths_a_minute(self, level: int) -> int:
        """Return the lines sent in a minute, times 100."""
        seconds = self.field(level, SECONDS)
        return 6000 * self.field(level, SENT) // seconds if seconds else 0

    def hundredths_a_piece(self, level: int) -> int:
        """Return the lines sent for each Tetrimino, times 100."""
        pieces = self.field(level, PIECES)
        return 100 * self.field(level, SENT) // pieces if pieces else 0

    def pack(self, buffer: "Buffer") -> int:
        """Write the record to `buffer`; return its length, at most 128 bytes."""
        numbers = Numbers(buffer, True)
        numbers.walk(_FORMAT)
        for count in self.counts:
            numbers.walk(count)
        return numbers.at

    def restore(self, buffer: "Blob") -> None:
        """Read the numbers from a record in `buffer`; missing ones are 0."""
        numbers = Numbers(buffer, False)
        try:
            if numbers.get() == _FORMAT:
                for i in range(len(self.counts)):
                    self.counts[i] = min(_MOST, numbers.get())
        except (IndexError, ValueError):
            pass


def read_ladder(journal: "Journal") -> int:
    """Return the highest level that the person has beaten on the ladder, 0 for none."""
    return min(STRONGEST, Versus(journal.read(VERSUS)).counts[LADDER])


def find_level(match: "Match", me: int) -> int:
    """Return the level of the best computer against player `me`, or 0 for a round that does not count.

    Co-op, Practice and rounds against other people do not count.
    """
    options = match.options
    best = 0
    if not options.aim and not options.practice and not options.level_of(me):
        for seat in match.seats:
            if seat.team != match.seats[me].team:
                level = options.level_of(seat.number)
                if not level:
                    return 0
                best = max(best, level)
    return best if best <= STRONGEST else 0
