"""Begin a linked match in its scene; nothing of this is in memory in play."""

from firmware.compat import TYPE_CHECKING
from firmware.engine.options import Options
from firmware.link.linked import LinkedMatch
from firmware.link.session import LinkSession
from firmware.match.options import MatchOptions
from firmware.save import match_choices
from firmware.scenes.match import round as match_round
from firmware.view.layouts.match import MatchView

if TYPE_CHECKING:
    from firmware.contracts import App, Lobby
    from firmware.scenes.link.play import Scene as LinkPlay


def begin(scene: "LinkPlay", lobby: "Lobby", now_ms: int) -> None:
    """Begin the match that the members of a lobby agreed on."""
    app = scene.app
    options, choices = arrange(app, lobby)
    match = LinkedMatch(lobby.seed, options, choices, lobby.place)
    scene.match = match
    scene.session = LinkSession(lobby.wire, lobby.key, match, now_ms)
    scene.me = match.me
    scene.pause = scene.noted = None
    scene.kept = False
    scene.trainer = scene.adviser = None
    scene.pool = scene.turn = 0
    match_round.map_buttons(scene)
    scene.players = [None] * match.options.players
    scene.persons = bytearray([match.me])
    scene.sources = []
    scene.queues = [app.edges]
    scene.at = bytearray(1)
    names = [bytes(member.name) for member in lobby.members]
    if app.recorder:
        from firmware.save.recordings.link_recorder import LinkRecorder

        app.last = None
        scene.noted = scene.session.noted = LinkRecorder(app.recorder, match, names)
    view = scene.view = MatchView(app.canvas, match, scene.me)
    view.motion_on = bool(app.settings.motion_on)
    view.names = names
    if match_round.can_advise(scene):
        from firmware.scenes.match import practice

        practice.prepare(scene)
    match_round.face_games(scene, now_ms)


def arrange(app: "App", lobby: "Lobby") -> tuple[MatchOptions, list[Options]]:
    """Return the options of the match and of everybody's games; the others' handling is unknown here."""
    choices = match_choices.unpack(lobby.me.wish)
    players = len(lobby.members)
    choices[match_choices.OPPONENTS] = players - 2
    choices[match_choices.HANDICAP] = 0
    options: MatchOptions = match_choices.make_options(choices)
    options.who = 0  # persons, all of them
    everyone = []
    for i in range(players):
        chosen = Options()
        if i == lobby.place:
            app.settings.apply(chosen)
        chosen.level = lobby.me.level
        chosen.aim = chosen.garbage_rows = 0
        everyone.append(chosen)
    return options, everyone
