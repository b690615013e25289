"""Begin a match in its scene, and each round of it: nothing of this is in memory while it runs."""

from firmware import housekeeping
from firmware.compat import const
from firmware.engine.options import Options
from firmware.match.match import Match
from firmware.match.options import MARKED, PERSON
from firmware.save import match_choices
from firmware.scenes.play_state import PLAYING
from firmware.view.match import MatchView

_UNLIKE_MS = const(17)
_CHORDED_EDGES = const(12)  # of buttons make at most 2 * 12 + 8 of controls, which an EdgeQueue holds
# Thought and places kept in mind for each of so many computers, as in firmware/players/company.py: one takes at most
# 4 ms of a frame on a board, all together at most 6.
_UNITS = b"\x00\x2a\x1e\x14\x0f"
_MOST_WIDTH = b"\x00\x10\x0c\x08\x06"


class Chorded:
    """Be the buttons of a further person, who moves the Target Mark with the chord that moves the first one's."""

    def __init__(self, buttons, mapping, clock, edges) -> None:
        self.buttons = buttons
        self.mapping = mapping
        self.clock = clock
        self.edges = edges

    def poll(self, sink) -> None:
        """Append the edges of controls since the last call."""
        self.edges.clear()
        self.buttons.poll(self.edges)
        queue = self.mapping.translate(self.edges, self.clock.ticks_ms())
        for i in range(queue.count):
            sink.append(queue.button[i], queue.pressed[i], queue.t_ms[i])


def begin(scene, subject, now_ms: int) -> None:
    """Begin a new match where `subject` is None, or let a Match wait paused."""
    app = scene.app
    match = subject
    if match is None:
        from firmware.scenes import match_stop

        match_stop.forget(app)
        choices = match_choices.unpack(app.settings.versus)
        device = app.device
        seats = device.seats
        if device.others and not seats:
            seats = bytes(1 + len(device.others))  # persons, all of them
        options = match_choices.make_options(choices, seats)
        match = Match(app.next_seed(), options, [choose(app, i, options) for i in range(options.players)])
    scene.match = match
    scene.pause = None
    scene.state = PLAYING
    scene.adviser = None
    options = match.options
    seat_persons(scene)
    map_buttons(scene)
    if is_marked(options):
        for i in range(len(scene.sources)):
            edges = type(app.edges)(_CHORDED_EDGES)
            scene.sources[i] = Chorded(scene.sources[i], housekeeping.map_match(app), app.device.clock, edges)
    scene.noted = None
    recorder = app.recorder
    if recorder and subject is None:
        from firmware.save.match_recorder import MatchRecorder, widen

        app.last = None
        widen(recorder)
        scene.noted = MatchRecorder(recorder)
        scene.noted.begin_match(match)
    elif recorder and recorder.owner and recorder.owner.seed == match.first_seed:
        scene.noted = recorder.owner
    view = scene.view = MatchView(app.canvas, match, scene.me)
    view.motion_on = bool(app.settings.motion_on)
    seat_computers(scene)
    view.names = name_players(options)
    begin_round(scene, now_ms)
    if app.settings.music_on:
        tune = app.settings.tune
        app.voice.play_tune(tune if tune < 3 else now_ms % 3)
    if subject is not None:
        from firmware.scenes import match_stop

        match_stop.pause(scene)


def map_buttons(scene) -> None:
    """Let the buttons of the first person be the controls of this match."""
    app = scene.app
    scene.mapping = housekeeping.map_match(app) if is_marked(scene.match.options) else app.mapping


def is_marked(options) -> bool:
    """Return whether persons say whom they attack."""
    return options.target == MARKED and not options.aim


def choose(app, number: int, options) -> Options:
    """Return the options of a player's games: a person's are of the settings, a computer needs no handling."""
    chosen = Options()
    if options.level_of(number) == PERSON:
        app.settings.apply(chosen)
    chosen.level = min(15, max(1, app.settings.level))
    chosen.aim = chosen.garbage_rows = 0
    return chosen


def seat_persons(scene) -> None:
    """Give every seat of a person a source of edges: the first the buttons, each other one of the Device's others."""
    options = scene.match.options
    persons = [i for i in range(options.players) if options.level_of(i) == PERSON]
    scene.sources = list(scene.app.device.others)[: max(0, len(persons) - 1)]
    scene.persons = bytearray(persons[: 1 + len(scene.sources)])
    scene.me = persons[0] if persons else 0
    scene.queues = [type(scene.app.edges)() for _ in range(1 + len(scene.sources))]
    scene.at = bytearray(len(scene.queues))
    if not persons:
        scene.persons = bytearray(1)


def name_players(options) -> list:
    """Return who plays: a person by the number, a computer by its name and level."""
    names = [b"P" + str(i + 1).encode() for i in range(options.players)]
    if options.who:
        from firmware.players.levels import NAMES

        for i in range(options.players):
            level = options.level_of(i)
            if level:
                names[i] = (NAMES[level - 1] + " " + str(level)).encode()
    return names


def seat_computers(scene) -> None:
    """Make the computers, who share what a frame has for thought."""
    match = scene.match
    options = match.options
    count = 0
    for i in range(options.players):
        count += options.level_of(i) != PERSON
    scene.players = [None] * options.players
    if not count:
        return
    from firmware.players.player import Player

    for i in range(options.players):
        level = options.level_of(i)
        if level != PERSON:
            seed = match.first_seed + i & 0xFFFF | 1
            player = scene.players[i] = Player(level, seed, _UNITS[count], _MOST_WIDTH[count])
            # They get the same Tetriminos: computers of one level must not react alike.
            player.reaction_ms += _UNLIKE_MS * (i - 1)
            player.hands.shadow.matrix = match.seats[i].game.matrix  # a frame must not make room for an attribute


def begin_round(scene, now_ms: int) -> None:
    """Let everybody see the game in front of them; power-off leads back here, or to a pause since."""
    match = scene.match
    scene.state = PLAYING
    if not match.time_ms and not scene.app.journal.failed:
        from firmware.save import match_suspended

        match_suspended.suspend(match, scene.app.journal)
    scene.last_ms = now_ms
    scene.time_ms = match.time_ms
    scene.danger = scene.waited = scene.pressed = False
    scene.coming = scene.pending = 0
    for i in range(len(scene.players)):
        if scene.players[i]:
            scene.players[i].watch(match.seats[i].game)
    seat = match.seats[scene.me]
    scene.shown = seat.practice or seat.game
    if scene.adviser:
        scene.adviser = scene.view.mark = None
        app = scene.app
        app.adjust()  # a button that was let go meanwhile must not seem to be down
        map_buttons(scene)
    if seat.practice:
        from firmware.scenes import match_practice

        match_practice.begin(scene, seat.practice)
    options = scene.shown.options
    view = scene.view
    view.show_ghost = bool(options.ghost_on)
    view.next_count = options.next_count
    view.practising = seat.practice is not None
    view.reset()
