"""Keep a match as it stood at its last pause, or as its round began, and bring it back if it could be left so.

Each seat's game is a record of its own: a stamp (1 byte), then as firmware/save/suspended.py has it. What the players
share is another: the stamp, then numbers as firmware/save/numbers.py writes them. It is written last, and counts where
all stamps are alike: power that fails in between leaves no match, never half of one.
"""

from firmware.compat import const
from firmware.engine.options import Options
from firmware.engine.phases import ANIMATE
from firmware.engine.randomizer import SEEDS
from firmware.match.fields import FIELDS, check
from firmware.match.flight import FLIGHT_MS
from firmware.match.match import Match
from firmware.match.options import PERSON, MatchOptions
from firmware.match.seat import IN
from firmware.save.journal import MATCH, MATCH_GAMES
from firmware.save.numbers import Numbers
from firmware.save.suspended import FORMAT, OLDEST, OPTIONS, pack, walk

_FORMAT = const(1)
_STAMPS = const(255)
_NO_VARIANT = const(0)
_PLACES = const(16)  # of a flight
_LAST_MS = const((1 << 28) - 1)
_MANY = const(1 << 16)

# (name, least, most) of what changes.
_MATCH = (("time_ms", 0, _LAST_MS), ("ends_ms", -1, _LAST_MS), ("winner", -1, 3))
_SEAT = (
    ("out_ms", -1, _LAST_MS),
    ("queued", 0, _MANY),
    ("rising", 0, _MANY),
    ("mark", 0, 3),
    ("sent", 0, _MANY),
    ("countered", 0, _MANY),
    ("received", 0, _MANY),
    ("half", 0, 1),
    ("gap", 0, 10),
    ("gap_left", 0, 8),
    ("practised", 0, _MANY),
)


def suspend(match, journal) -> bool:
    """Save a match at leisure; return whether there was room for all of it."""
    stamp = 1
    if len(journal.read(MATCH)):
        stamp = journal.payload[0] % _STAMPS + 1
    for seat in match.seats:
        journal.payload[0] = stamp
        length = 1 + pack(seat.game, _NO_VARIANT, journal.payload[1:])
        if not journal.save(MATCH_GAMES + seat.number, length):
            return False
    journal.payload[0] = stamp
    numbers = Numbers(journal.payload, True)
    numbers.used = 1
    numbers.number(_FORMAT)
    numbers.number(match.round)
    numbers.number(match.first_seed)
    numbers.number(len(FIELDS))
    for row in FIELDS:
        numbers.number(getattr(match.options, row[0]))
    walk_match(match, numbers)
    return journal.save(MATCH, numbers.used)


def forget(journal) -> None:
    """Let no match be there to be gone on with."""
    if len(journal.read(MATCH)):
        journal.save(MATCH, 0)


def restore(journal) -> "Match | None":
    """Return the match that was kept, or None: whatever the records are, what is returned plays on."""
    try:
        return revive(journal)
    except (IndexError, ValueError):
        return None


def revive(journal) -> "Match | None":
    """Return the match of the records; raise ValueError or IndexError where they are none."""
    # Imported late here and below: to keep a match, as every round begins, takes none of it.
    from firmware.save.suspended_revival import Ranged, fill

    record = bytes(journal.read(MATCH))
    if not record:
        return None
    numbers = Numbers(record, False)
    numbers.used = 1
    if numbers.number(0) != _FORMAT:
        return None
    number = numbers.number(0)
    seed = numbers.number(0)
    count = numbers.number(0)
    if count > len(FIELDS) or number > _MANY or seed >= SEEDS:
        return None
    options = MatchOptions()
    for row in FIELDS[:count]:
        setattr(options, row[0], numbers.number(0))
    check(options)
    games = []
    choices = []
    for i in range(options.players):
        game = bytes(journal.read(MATCH_GAMES + i))
        if not game or game[0] != record[0]:
            return None
        reader = Ranged(game, False)
        reader.used = 1
        form = reader.number(0)
        if not OLDEST <= form <= FORMAT:
            return None
        for _ in range(2):  # variant and seed
            reader.number(0)
        choice = Options()
        if reader.number(0) != len(OPTIONS):
            return None
        reader.fields(choice, OPTIONS)
        games.append((game, reader, form))
        choices.append(choice)
    match = Match(seed, options, choices)
    match.begin(number)
    walk_match(match, numbers)
    for seat in match.seats:
        game, reader, form = games[seat.number]
        walk(seat.game, reader, form)
        fill(seat.game.matrix, game, reader.used)
        if not is_sound(match, seat):
            return None
    return match


def walk_match(match, numbers: Numbers) -> None:
    """Write or read all that has changed since the round began, but the games."""
    take(match, _MATCH, numbers)
    numbers.items(match.wins, match.options.players)
    if match.winner >= match.options.count_teams():
        raise ValueError("winner")
    now_ms = match.time_ms
    for i in range(match.options.players):
        match.gathered[i] = numbers.number(match.gathered[i])
        walk_flight(match.gathering[i], numbers, now_ms)
        seat = match.seats[i]
        take(seat, _SEAT, numbers)
        walk_flight(seat.coming, numbers, now_ms)
        random = match.randoms[i]
        random.a = numbers.number(random.a)
        random.b = numbers.number(random.b)
    for wins in match.wins:
        if wins >= match.options.wins:
            raise ValueError("wins")
    if match.ends_ms != IN and not now_ms <= match.ends_ms <= now_ms + FLIGHT_MS:
        raise ValueError("ends_ms")


def take(owner, fields: tuple, numbers: Numbers) -> None:
    """Write or read attributes of `owner`; raise ValueError for one out of its range."""
    for name, least, most in fields:
        value = numbers.number(getattr(owner, name) - least) + least
        if value > most:
            raise ValueError(name)
        setattr(owner, name, value)


def walk_flight(flight, numbers: Numbers, now_ms: int) -> None:
    """Write or read what is on its way, each moment counted from a flight before now."""
    first_ms = now_ms - FLIGHT_MS
    for i in range(flight.count):
        # What arrived since the last Lock Down may have done so long ago.
        flight.due_ms[i] = max(flight.due_ms[i], first_ms)
    count = numbers.number(flight.count)
    if count > _PLACES:
        raise ValueError("flight")
    flight.count = count
    for i in range(count):
        due_ms = numbers.number(flight.due_ms[i] - first_ms)
        lines = numbers.number(flight.lines[i])
        if due_ms > 2 * FLIGHT_MS + 1 or not 0 < lines < 256:
            raise ValueError("flight")
        flight.due_ms[i] = due_ms + first_ms
        flight.lines[i] = lines


def is_sound(match, seat) -> bool:
    """Return whether a seat and its game agree with each other and with the match."""
    from firmware.save.suspended_revival import is_dealt, is_held, is_played

    game = seat.game
    random = match.randoms[seat.number]
    if seat.mark >= match.options.players or not (0 < random.a < SEEDS and 0 < random.b < SEEDS):
        return False
    # Lines wait while a Line Clear is shown, and for ever where one topped out.
    if seat.rising > (seat.queued if game.phase == ANIMATE or game.over else 0):
        return False
    if not (is_dealt(game, True) and is_played(game) and is_held(game)):
        return False
    if seat.out_ms != IN:
        if not game.over or seat.out_ms > match.time_ms + 1:
            return False
        if match.options.level_of(seat.number) == PERSON:
            seat.begin_practice(match.time_ms)
        return True
    return not game.over and game.now_ms == match.time_ms == game.time_ms
