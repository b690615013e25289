"""Begin a match in its scene; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING
from firmware.mapping import EdgeQueue
from firmware.match.match import Match
from firmware.match.options import PERSON
from firmware.scenes.match.showing import can_advise, get_ready, has_half_turns, is_marked, map_buttons, show_games
from firmware.view.layouts.match import MatchView

if TYPE_CHECKING:
    from firmware.contracts import MatchPlay


def start_match(scene: "MatchPlay", subject: "Match | None", now_ms: int) -> None:
    """Begin a new match if `subject` is None, or pause a Match to continue."""
    context = scene.context
    match = subject
    if match is None:
        from firmware.scenes.match import new_match

        match = new_match.begin(context)
        del new_match
        from firmware.scenes.match.round import keep

        keep(context, match)  # before other parts are loaded, because saving takes 10 KB
        del keep
        context.tidy()
    else:
        context.tidy()  # frees the modules that restored it
    scene.match = match
    scene.kept = False
    scene.trainer = scene.adviser = None
    options = match.options
    seat_persons(scene)
    map_buttons(scene)
    if scene.sources:
        from firmware.mapping import FurtherButtons

        for i in range(len(scene.sources)):
            scene.sources[i] = FurtherButtons(scene.sources[i], context, is_marked(options), has_half_turns(match))
    scene.noted = None
    recorder = context.session.recorder
    if recorder and subject is None:
        from firmware.save.recordings.match_recorder import MatchRecorder

        context.session.remember()
        scene.noted = MatchRecorder(recorder)
        scene.noted.begin_match(match)
    elif recorder and recorder.owner and recorder.owner.seed == match.first_seed:
        scene.noted = recorder.owner
    view = scene.view = MatchView(context.canvas, match, scene.me)
    view.motion_on = bool(context.settings.motion_on)
    seat_computers(scene)
    if options.level_of(scene.me) == PERSON and can_advise(scene):
        from firmware.scenes.match import practice  # residents: MATCH

        practice.prepare(scene)
    view.names = scene.load_late("match.names").name_players(options)
    show_games(scene, now_ms)
    if context.settings.music_on:
        context.voice.play_tune(context.settings.tune, now_ms)
    if subject is None:
        get_ready(scene)
    else:
        context.tidy()  # frees the modules of the computers and names
        from firmware.save.recordings.match_changes import adopt_handling
        from firmware.scenes.match import stop

        adopt_handling(scene)
        scene.kept = context.session.suspended is None
        if scene.kept:  # the journal has this moment: do not save it again, which takes 10 KB
            stop.stand(scene)
        else:
            stop.pause(scene)


def seat_persons(scene: "MatchPlay") -> None:
    """Give each person a source of edges: the first the device's buttons, each further person one of its others."""
    options = scene.match.options
    persons = [i for i in range(options.players) if options.level_of(i) == PERSON]
    scene.sources = list(scene.context.device.others)[: max(0, len(persons) - 1)]
    scene.persons = bytearray(persons[: 1 + len(scene.sources)])
    scene.me = persons[0] if persons else 0
    scene.queues = [EdgeQueue() for _ in range(1 + len(scene.sources))]
    for i in range(len(scene.sources)):
        queue = scene.queues[i + 1]
        scene.sources[i].poll(queue)
        while queue.count:  # drop presses from before the match
            queue.clear()
            scene.sources[i].poll(queue)
    scene.at = bytearray(len(scene.queues))
    if not persons:
        scene.persons = bytearray(1)


def seat_computers(scene: "MatchPlay") -> None:
    """Make the computers, which share the thinking time of a frame."""
    options = scene.match.options
    scene.players = [None] * options.players
    scene.pool = scene.turn = 0
    if options.who:
        from firmware.players.computers import count_computers, find_pool, make_players

        count = count_computers(options)
        scene.players = make_players(scene.match, count)
        scene.pool = find_pool(count)
