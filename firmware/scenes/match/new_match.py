"""Make a new match by the settings; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING
from firmware.engine.options import Options
from firmware.match.match import Match
from firmware.match.options import PERSON
from firmware.match_modules import forget
from firmware.players.levels import BEST, STRONGEST
from firmware.save import match_choices

if TYPE_CHECKING:
    from firmware.contracts import Context, MatchOptions


def begin(context: "Context") -> Match:
    """Return a new match; the former one is forgotten."""
    forget(context.session)
    choices = match_choices.unpack(context.settings.versus)
    device = context.device
    seats = device.seats
    if device.others and not seats:
        seats = bytes(1 + len(device.others))  # all players are people
    options = match_choices.make_options(choices, seats, device.machine.levels)
    return Match(context.session.next_seed(), options, choose_all(context, options))


def choose_all(context: "Context", options: "MatchOptions") -> list[Options]:
    """Return the options of each player's games: people play by the settings, computers need only the level."""
    person = Options()
    computer = Options()
    context.settings.apply(person)
    person.aim = person.garbage_rows = 0
    person.level = computer.level = min(15, max(1, context.settings.level))
    chosen = [person if options.level_of(i) == PERSON else computer for i in range(options.players)]
    for i in range(options.players):
        level = options.level_of(i)
        if level > BEST:
            quick = chosen[i] = Options()  # its pace leaves no time for a slow Soft Drop, or for any usual delay
            quick.level = computer.level
            quick.soft_factor = 200
            if level == STRONGEST:
                quick.generation_ms = 100
                quick.animate_ms = 150
    return chosen
