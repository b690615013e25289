"""Make a new match by the settings; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING
from firmware.engine.options import AFTER_READY, Options
from firmware.match.match import Match
from firmware.match.options import PERSON
from firmware.match_modules import forget
from firmware.players.levels import BEST
from firmware.save import match_choices

if TYPE_CHECKING:
    from firmware.contracts import Context, MatchOptions


def begin(context: "Context") -> Match:
    """Return a new match; the former one is forgotten."""
    forget(context.session)
    choices = match_choices.choose(context.settings)
    device = context.device
    seats = device.seats
    if device.others and not seats:
        seats = bytes(1 + len(device.others))  # all players are people
    options = match_choices.make_options(choices, seats, device.machine.levels)
    return Match(context.session.next_seed(), options, choose_all(context, options))


def choose_all(context: "Context", options: "MatchOptions") -> list[Options]:
    """Return the options of each player's games: people play by the settings, computers need only the common ones."""
    person = Options()
    computer = Options()
    context.settings.apply(person)
    person.aim = person.garbage_rows = person.kicks = person.spins = 0
    if context.settings.last_match >= match_choices.FIRST_RUNG:
        person.deal = 0  # each rung of the ladder is the same for all
    if context.session.counts_down:
        person.edition = AFTER_READY
    if person.deal:
        context.router.hold("firmware.engine.dealers")  # also for the next rounds: a board's stack is deep there
    person.level = computer.level = min(15, max(1, context.settings.level))
    return share(person, computer, bytes([options.level_of(i) for i in range(options.players)]))


def share(person: Options, computer: Options, levels: bytes) -> list[Options]:
    """Return the options of each player by `levels`; all have the delays and the dealer of `person`."""
    if max(levels) > BEST:
        from firmware.modes.delays import limit_delays  # not on boards, which have no such levels

        limit_delays(person, levels)
    chosen = [person if level == PERSON else computer for level in levels]
    for i in range(len(levels)):
        if levels[i] > BEST:
            quick = chosen[i] = Options()  # its pace leaves no time for a slow Soft Drop
            quick.level = computer.level
            quick.soft_factor = 200
    for choice in chosen:
        choice.generation_ms = person.generation_ms
        choice.animate_ms = person.animate_ms
        choice.edition = person.edition
        choice.deal = person.deal
    return chosen
