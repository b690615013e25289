"""Restore the match that match_suspended.py saved, if its state is possible."""

from firmware.compat import TYPE_CHECKING
from firmware.engine.options import NAMES, Options
from firmware.engine.phases import ANIMATE
from firmware.engine.randomizer import SEEDS
from firmware.match.fields import FIELDS, check
from firmware.match.match import Match
from firmware.match.options import PERSON, MatchOptions
from firmware.match.seat import NOT_YET
from firmware.save.half_match import forget
from firmware.save.journal import MATCH, MATCH_GAMES
from firmware.save.match_suspended import FORMAT, MANY, walk_match
from firmware.save.suspended import FORMAT as GAME_FORMAT
from firmware.save.suspended import OLDEST, walk
from firmware.save.suspended_revival import Ranged, fill, is_dealt, is_held, is_played
from firmware.save.varint import Numbers

if TYPE_CHECKING:
    from firmware.contracts import Journal, Seat


def restore(journal: "Journal") -> "Match | None":
    """Return the saved match, or None if there is none or its state is impossible."""
    try:
        return revive(journal)
    except (IndexError, OSError, ValueError):
        return None


def revive(journal: "Journal") -> "Match | None":
    """Return the saved match; return None or raise ValueError or IndexError for invalid records."""
    forget(journal)
    record = bytes(journal.read(MATCH))
    if not record:
        return None
    numbers = Numbers(record, False, 1)
    if numbers.get() != FORMAT:
        return None
    number = numbers.get()
    seed = numbers.get()
    count = numbers.get()
    if count > len(FIELDS) or number > MANY or seed >= SEEDS:
        return None
    options = MatchOptions()
    for row in FIELDS[:count]:
        setattr(options, row[0], numbers.get())
    check(options)
    games = []
    choices = []
    for i in range(options.players):
        game = bytes(journal.read(MATCH_GAMES + i))
        if not game or game[0] != record[0]:
            return None
        reader = Ranged(game, False, 1)
        form = reader.get()
        if not OLDEST <= form <= GAME_FORMAT:
            return None
        for _ in range(2):  # variant and seed
            reader.get()
        choice = Options()
        count = reader.get()  # an older version had fewer options
        if count > len(NAMES):
            return None
        reader.fields(choice, NAMES[:count])
        games.append((game, reader, form))
        choices.append(choice)
    if choices[0].deal:
        __import__("firmware.engine.dealers")  # before a board's stack is deep
    match = Match(seed, options, choices)
    match.begin_round(number)
    walk_match(match, numbers)
    for seat in match.seats:
        game, reader, form = games[seat.number]
        walk(seat.game, reader, form)
        fill(seat.game.matrix, game, reader.at)
        if not is_sound(match, seat):
            return None
    return match


def is_sound(match: "Match", seat: "Seat") -> bool:
    """Return whether the states of a seat, its game and the match fit together."""
    game = seat.game
    random = match.randoms[seat.number]
    if seat.mark >= match.options.players or not (0 < random.a < SEEDS and 0 < random.b < SEEDS):
        return False
    # Lines wait to rise during the animation of a Line Clear, or stay after a Top Out.
    if seat.rising > (seat.queued if game.phase == ANIMATE or game.over else 0):
        return False
    if not (is_dealt(game, True) and is_played(game) and is_held(game)):
        return False
    if seat.out_ms != NOT_YET:
        if not game.over or seat.out_ms > match.time_ms + 1:
            return False
        if match.options.level_of(seat.number) == PERSON:
            seat.begin_practice(match.time_ms)
        return True
    return not game.over and game.now_ms == match.time_ms == game.time_ms
