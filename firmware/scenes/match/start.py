"""Begin a match in its scene; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING
from firmware.engine.options import Options
from firmware.mapping import EdgeQueue
from firmware.match.match import Match
from firmware.match.options import PERSON
from firmware.players.levels import BEST, STRONGEST
from firmware.save import match_choices
from firmware.scenes.match.names import name_players
from firmware.scenes.match.round import can_advise, face_games, forget, is_marked, keep, map_buttons, tidy
from firmware.view.layouts.match import MatchView

if TYPE_CHECKING:
    from firmware.contracts import Context, MatchOptions, MatchPlay


def start_match(scene: "MatchPlay", subject: "Match | None", now_ms: int) -> None:
    """Begin a new match if `subject` is None, or pause a Match to continue."""
    context = scene.context
    match = subject
    if match is None:
        forget(context.session)
        choices = match_choices.unpack(context.settings.versus)
        device = context.device
        seats = device.seats
        if device.others and not seats:
            seats = bytes(1 + len(device.others))  # all players are people
        options = match_choices.make_options(choices, seats, device.machine.levels)
        match = Match(context.session.next_seed(), options, choose_all(context, options))
        keep(context, match)  # saved before other parts are loaded, because saving takes 10 KB
    else:
        tidy(context)  # frees the modules that restored it
    scene.match = match
    scene.kept = False
    scene.trainer = scene.adviser = None
    options = match.options
    seat_persons(scene)
    map_buttons(scene)
    if is_marked(options):
        from firmware.mapping import Chorded

        for i in range(len(scene.sources)):
            scene.sources[i] = Chorded(scene.sources[i], context)
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
        from firmware.scenes.match import practice

        practice.prepare(scene)
    view.names = name_players(options)
    face_games(scene, now_ms)
    if context.settings.music_on:
        tune = context.settings.tune
        context.voice.play_tune(tune if tune < 3 else now_ms % 3)
    if subject is not None:
        from firmware.save.recordings.match_changes import adopt_handling
        from firmware.scenes.match import stop

        adopt_handling(scene)
        scene.kept = context.session.suspended is None
        if scene.kept:  # the journal has this moment: do not save it again, which takes 10 KB
            stop.stand(scene)
        else:
            scene.kept = stop.pause(scene)


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
            chosen[i] = quicken(computer.level, level == STRONGEST)
    return chosen


def quicken(level: int, most: bool) -> Options:
    """Return the options of a computer whose pace leaves no time for a slow Soft Drop, or for any usual delay."""
    options = Options()
    options.level = level
    options.soft_factor = 200
    if most:
        options.generation_ms = 100
        options.animate_ms = 150
    return options


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
