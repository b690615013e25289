"""Make the parts of a linked match; play does not keep this module in memory."""

import gc

from firmware.compat import TYPE_CHECKING
from firmware.engine.options import AFTER_READY, Options
from firmware.link.linked import LinkedMatch
from firmware.link.session import LinkSession
from firmware.match.options import MatchOptions
from firmware.modes.delays import set_delays
from firmware.save import match_choices
from firmware.view.layouts.match import MatchView

if TYPE_CHECKING:
    from firmware.contracts import Agreement, Context


def make_session(context: "Context", agreed: "Agreement", now_ms: int) -> LinkSession:
    """Return the session of the match that the members of a lobby agreed on; record the match if possible."""
    wire, key, seed, place, seals, names = agreed[:6]
    options, choices = arrange(context, agreed)
    match = LinkedMatch(seed, options, choices, place)
    if seals:
        from firmware.link.sealed import Session

        session: LinkSession = Session(wire, key, match, now_ms, seals)
    else:
        session = LinkSession(wire, key, match, now_ms)
    if context.device.machine.renews:
        match.collect = gc.collect
    if context.session.recorder:
        from firmware.save.recordings.link_recorder import LinkRecorder

        context.session.remember()
        match.recorder = LinkRecorder(context.session.recorder, match, names)
    return session


def make_view(context: "Context", match: LinkedMatch, agreed: "Agreement") -> MatchView:
    view = MatchView(context.canvas, match, match.me)
    view.motion_on = bool(context.settings.motion_on)
    view.names = agreed[5]
    return view


def arrange(context: "Context", agreed: "Agreement") -> tuple[MatchOptions, list[Options]]:
    """Return the options of the match and of each player's games; the handling of others is unknown here."""
    place, _seals, names, wish, level, delays = agreed[3:]
    choices = match_choices.unpack_link(wish)
    players = len(names)
    choices[match_choices.OPPONENTS] = players - 2
    choices[match_choices.HANDICAP] = 0
    options: MatchOptions = match_choices.make_options(choices)
    options.who = 0  # all players are people
    everyone = []
    for i in range(players):
        chosen = Options()
        if i == place:
            context.settings.apply(chosen)
        chosen.level = level
        set_delays(chosen, delays)
        chosen.aim = chosen.garbage_rows = chosen.deal = chosen.kicks = chosen.spins = 0
        chosen.edition = AFTER_READY
        everyone.append(chosen)
    return options, everyone
