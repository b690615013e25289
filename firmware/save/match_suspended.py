"""Save a match at a pause or at the beginning of a round; match_revival.py restores it.

Each seat's game is a record: a stamp (1 byte), then the record of firmware/save/suspended.py. The shared part is a
record, too: the stamp, then numbers of firmware/save/varint.py. It is written last, and all stamps must be equal. After
a power cut in between, half_match.py skips the games without a shared part: the save before counts.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.match.fields import FIELDS
from firmware.match.flight import FLIGHT_MS
from firmware.match.seat import NOT_YET
from firmware.save.journal import MATCH, MATCH_GAMES
from firmware.save.varint import Numbers

if TYPE_CHECKING:
    from firmware.contracts import Callable, Journal, Match
    from firmware.match.flight import Flight

FORMAT = const(1)
_NO_VARIANT = const(0)
_PLACES = const(16)  # of a flight
_LAST_MS = const((1 << 28) - 1)
MANY = const(1 << 16)  # above any count of lines, rounds or practice games

# (name, least, most) of the changing fields.
_MATCH = (("time_ms", 0, _LAST_MS), ("ends_ms", -1, _LAST_MS), ("winner", -1, 3))
_SEAT = (
    ("out_ms", -1, _LAST_MS),
    ("queued", 0, MANY),
    ("rising", 0, MANY),
    ("mark", 0, 3),
    ("sent", 0, MANY),
    ("countered", 0, MANY),
    ("received", 0, MANY),
    ("half", 0, 1),
    ("gap", 0, 10),
    ("gap_left", 0, 8),
    ("practised", 0, MANY),
)


def suspend(match: "Match", journal: "Journal", tidy: "Callable[[], None] | None" = None) -> bool:
    """Save a match in a pause or menu; return whether there was room for all of it.

    This is one function because a match begins 12 calls deep, as deep as a board's stack allows.
    tidy: drops the modules that are no longer needed.
    """
    stamp = journal.last & 255  # not that of the save before, unless 256 records or more lie between
    is_first = keeps = True  # keeps: the save before, as long as both have room
    while True:
        from firmware.save.suspended import pack

        is_whole = True
        for seat in match.seats:
            journal.payload[0] = stamp
            length = 1 + pack(seat.game, _NO_VARIANT, journal.payload[1:])
            if not journal.append(MATCH_GAMES + seat.number, length):
                is_whole = False
                break
        del pack
        if is_whole and journal.append(MATCH, pack_shared(match, journal, stamp)):
            return True
        if journal.failed or not keeps:
            return False
        if tidy:
            tidy()  # a full journal needs memory: free some first, so that no large block is split
        # Imported late: a pause rarely needs it.
        from firmware.save.journal_compaction import compact, leaves_room

        keeps = is_first and leaves_room(journal)
        is_first = False
        # Nothing counts of a save that is not whole: it begins anew.
        if not (compact(journal) if keeps else compact(journal, MATCH, 0)):
            return False
        del compact, leaves_room
        if tidy:
            tidy()


def pack_shared(match: "Match", journal: "Journal", stamp: int) -> int:
    """Write the shared part of a match into the journal's payload; return its length."""
    journal.payload[0] = stamp
    numbers = Numbers(journal.payload, True, 1)
    numbers.walk(FORMAT)
    numbers.walk(match.round)
    numbers.walk(match.first_seed)
    numbers.walk(len(FIELDS))
    for row in FIELDS:
        numbers.walk(getattr(match.options, row[0]))
    walk_match(match, numbers)
    return numbers.at


def walk_match(match: "Match", numbers: Numbers) -> None:
    """Write or read the match's state that changes in a round, except the games."""
    walk_ranged(match, _MATCH, numbers)
    numbers.items(match.wins, match.options.players)
    if match.winner >= match.options.count_teams():
        raise ValueError("winner")
    now_ms = match.time_ms
    for i in range(match.options.players):
        match.gathered[i] = numbers.walk(match.gathered[i])
        walk_flight(match.gathering[i], numbers, now_ms)
        seat = match.seats[i]
        walk_ranged(seat, _SEAT, numbers)
        walk_flight(seat.coming, numbers, now_ms)
        random = match.randoms[i]
        random.a = numbers.walk(random.a)
        random.b = numbers.walk(random.b)
    for wins in match.wins:
        if wins >= match.options.wins:
            raise ValueError("wins")
    if match.ends_ms != NOT_YET and not now_ms <= match.ends_ms <= now_ms + FLIGHT_MS:
        raise ValueError("ends_ms")


def walk_ranged(owner: object, fields: tuple[tuple[str, int, int], ...], numbers: Numbers) -> None:
    """Write or read attributes of `owner`; raise ValueError for a value out of range."""
    for name, least, most in fields:
        value = numbers.walk(getattr(owner, name) - least) + least
        if value > most:
            raise ValueError(name)
        setattr(owner, name, value)


def walk_flight(flight: "Flight", numbers: Numbers, now_ms: int) -> None:
    """Write or read the lines on their way; the times count from FLIGHT_MS before `now_ms`."""
    first_ms = now_ms - FLIGHT_MS
    for i in range(flight.count):
        # Lines that have arrived may wait long for the next Lock Down: limit their age.
        flight.due_ms[i] = max(flight.due_ms[i], first_ms)
    count = numbers.walk(flight.count)
    if count > _PLACES:
        raise ValueError("flight")
    flight.count = count
    for i in range(count):
        due_ms = numbers.walk(flight.due_ms[i] - first_ms)
        lines = numbers.walk(flight.lines[i])
        if due_ms > 2 * FLIGHT_MS + 1 or not 0 < lines < 256:
            raise ValueError("flight")
        flight.due_ms[i] = due_ms + first_ms
        flight.lines[i] = lines
