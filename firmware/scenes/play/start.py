"""Begin a game in the scene of play; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING
from firmware.engine.options import AFTER_READY
from firmware.modes.catalogue import find, find_maker
from firmware.modes.classes import choose_options, find_class
from firmware.modes.rules import find_rules
from firmware.router import load, load_view
from firmware.scenes.play_state import PAUSED, PLAYING, READY
from firmware.session import CLASS_SHIFT

if TYPE_CHECKING:
    from firmware.contracts import Any, Context, Game, Pen
    from firmware.save.recordings.recording import Player, Recording
    from firmware.view.playfield import PlayView

    Begun = tuple[Game, PlayView, Pen | None, Recording | None, Player | None, int]


# One function: with the view in another, START again compiles 118 bytes more than it may (tests/budgets/test_start.py).
def start_game(scene: "Any", recorder: "Any", subject: "Any", now_ms: int) -> "Begun":
    """Begin a new game if `subject` is None, or b""; play a Recording, or continue a Game.

    A game for b"" begins without READY if its table is of the same class as the last game's. Return game, view,
    recorder, recording, its player, and the state; a continued Game is paused. The recorder continues a Game only if it
    still holds the game's recording. By ear gives the scene another voice.
    """
    context: "Context" = scene.context
    session = context.session
    settings = context.settings
    player = recording = None
    state = PLAYING
    resumed = hasattr(subject, "matrix")
    if subject and not resumed:
        session.choose_variant(subject.variant)
    record = find(session.variant)
    if resumed:
        game = subject
        state = PAUSED
        if recorder and (recorder.owner or not recorder.used):
            recorder = None
    elif subject:
        from firmware.save.recordings.recording import Player

        recording = subject
        subject.rewind()
        game = subject.game(find_maker(record)(session.variant))
        player = Player(subject, game)
    else:
        options = choose_options(settings, record)
        mode = find_maker(record)(session.variant)
        if options.slow or settings.one_switch:
            load("firmware.modes.slow").apply(options, mode, settings.one_switch)
        if session.counts_down and (subject is None or session.best_of >> CLASS_SHIFT != find_class(options, record)):
            options.edition = AFTER_READY
            state = READY
        seed = None
        if record[b"below"] == b"day":
            from firmware.modes.days import unpack_day

            seed = unpack_day(settings.day)
        game = find_rules(mode, options)(session.next_seed(seed), options, mode)
    if recorder and not resumed:
        session.remember()
        recorder.begin_game(session.variant, game.seed, game.options)
    game.start(game.time_ms)
    options = game.options
    view: "Any" = load_view(settings.large_cells)  # the class, then the object
    layout = record.get(b"layout")
    if layout:
        view = load("firmware.view.layouts." + layout.decode()).adapt(view, settings.large_cells)
    view = view(context.canvas)
    view.motion_on = settings.motion_on
    view.show_ghost = options.ghost_on
    view.show_hold = options.hold_on > 0 and record[b"rules"] != b"standard"  # Standard has no Hold
    view.next_count = options.next_count
    view.timed = record[b"result"].startswith(b"time")
    number = find_class(options, record)
    view.best = session.best(options.aim, number)
    if options.invisible:
        load("firmware.view.veil").Veil(view, game)
    if view.best and layout == b"racing":
        from firmware.save.scores import find_splits

        view.splits = find_splits(session.journal, game.goal + game.lines, number, view.best)
    view.reset()
    if settings.music_on and state != READY:  # beginning.py loads the tune
        context.voice.play_tune(settings.tune, now_ms)
    if settings.by_ear:
        from firmware.sound.by_ear import Ear

        scene.voice = Ear(scene)
    return game, view, recorder, recording, player, state
