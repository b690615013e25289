"""Begin a game in the scene of play; nothing of this is in memory in play."""

from firmware.compat import TYPE_CHECKING
from firmware.engine.options import Options
from firmware.modes.catalogue import find, find_maker
from firmware.modes.rules import find_rules
from firmware.router import load, load_view
from firmware.scenes.play_state import PAUSED, PLAYING, READY

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Play


def start_game(scene: "Play", subject: "Any", now_ms: int) -> None:
    """Begin a new game where `subject` is None, a Recording from its start, or go on with a Game.

    The player finds a Game paused, with no control down and the handling as it is set.  The
    recorder goes on only where whoever hands the game over has filled it, and no match has since.
    """
    context = scene.context
    session = context.session
    settings = context.settings
    scene.player = scene.recording = scene.cover = None
    scene.state = PLAYING
    resumed = hasattr(subject, "matrix")
    if subject and not resumed:
        session.choose_variant(subject.variant)
    record = find(session.variant)
    if resumed:
        scene.game = subject
        scene.state = PAUSED
        if scene.recorder and (scene.recorder.owner or not scene.recorder.used):
            scene.recorder = None
    elif subject:
        from firmware.save.recordings.recording import Player

        scene.recording = subject
        subject.rewind()
        scene.game = subject.game(find_maker(record)(session.variant))
        scene.player = Player(subject, scene.game)
    else:
        options = Options()
        settings.apply(options)
        mode = find_maker(record)(session.variant)
        seed = None
        if record[b"below"] == b"day":
            from firmware.modes.days import unpack_day

            seed = unpack_day(settings.day)
        scene.game = find_rules(mode, options.modern)(session.next_seed(seed), options, mode)
    game = scene.game
    if scene.recorder and scene.state == PLAYING:
        session.remember()
        scene.recorder.begin_game(session.variant, game.seed, game.options)
    scene.last_ms = now_ms
    scene.played_ms = game.time_ms
    game.start(game.time_ms)
    scene.saved = game.lock_downs
    options = game.options
    view: "Any" = load_view(settings.large_cells)  # the class, then the object
    layout = record.get(b"layout")
    if layout:
        view = load("firmware.view.layouts." + layout.decode()).adapt(view, settings.large_cells)
    view = scene.view = view(context.canvas)
    view.motion_on = bool(settings.motion_on)
    view.show_ghost = bool(options.ghost_on)
    view.show_hold = options.hold_on > 0 and record[b"rules"] != b"standard"  # which knows no Hold
    view.next_count = options.next_count
    view.timed = record[b"result"].startswith(b"time")
    view.best = session.best(options.aim)
    view.reset()
    scene.set_pace()
    if settings.music_on:
        tune = settings.tune
        context.voice.play_tune(tune if tune < 3 else now_ms % 3)
    if scene.state:
        from firmware.scenes.play.stop import wait

        wait(scene)
    elif session.counts_down and not subject:
        scene.state = READY
