"""Begin, pause and leave the scene of play: nothing of this is in memory while a game runs."""

from firmware.compat import ticks_diff
from firmware.engine import controls
from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.modes.catalogue import SPRINT, make_mode
from firmware.scenes.play import OVER, PAUSED, PLAYING, REST_MS


def begin(scene, subject, now_ms: int) -> None:
    """Begin a new game where `subject` is None, a Recording from its start, or go on with a Game.

    The player finds a Game paused, with no control down.  The recorder goes on only where whoever
    hands the game over has filled it.
    """
    app = scene.app
    scene.player = None
    scene.recording = None
    scene.state = PLAYING
    if isinstance(subject, Game):
        scene.game = subject
        scene.state = PAUSED
        if scene.recorder and not scene.recorder.used:
            scene.recorder = None
    elif subject:
        from firmware.save.recording import Player

        scene.recording = subject
        subject.rewind()
        app.variant = subject.variant
        scene.game = subject.game(make_mode(subject.variant))
        scene.player = Player(subject, scene.game)
    else:
        options = Options()
        app.settings.apply(options)
        scene.game = Game(app.next_seed(), options, make_mode(app.variant))
    game = scene.game
    if scene.recorder and scene.state == PLAYING:
        scene.recorder.begin(app.variant, game.seed, game.options)
    scene.last_ms = now_ms
    scene.played_ms = game.time_ms
    game.start(game.time_ms)
    scene.saved = game.lock_downs
    lay_out(scene)
    scene.set_pace()
    if app.settings.music_on:
        tune = app.settings.tune
        app.voice.play_tune(tune if tune < 3 else now_ms % 3)
    if scene.state:
        app.voice.silence()
        let_go(scene)
        scene.view.draw(game)  # what hides a Matrix needs its frame


def lay_out(scene) -> None:
    """Set the view to what this player wants to see of this game."""
    app = scene.app
    options = scene.game.options
    view = scene.view = app.make_view()
    view.motion_on = bool(app.settings.motion_on)
    view.show_ghost = bool(options.ghost_on)
    view.next_count = options.next_count
    view.timed = app.variant == SPRINT
    view.best = app.best(options.aim)
    view.reset()


def pause(scene) -> None:
    """Stop a game and save it; what is held now may be let go unseen."""
    if not scene.player:
        let_go(scene)
        scene.app.suspend(scene.game, True)
    scene.state = PAUSED
    scene.voice.silence()


def let_go(scene) -> None:
    """Release every control."""
    for button in range(controls.PAUSE):
        if scene.game.pressed >> button & 1:
            scene.note(button, 0)


def end(scene) -> None:
    """Rank the game and keep its recording."""
    if not scene.player:
        scene.app.finish(scene.game)
        if scene.recorder:
            scene.app.last = scene.recorder.recorded(scene.played_ms)


def answer(scene, edges, now_ms: int) -> None:
    """In a pause A goes on and B leaves; after the end A or Start leads to the result, as time does."""
    for i in range(edges.count):
        button = edges.button[i]
        if not edges.pressed[i]:
            continue
        if scene.state == OVER and (button == controls.ROTATE_CW or button == controls.PAUSE):
            leave(scene, edges.t_ms[i])
        elif scene.state == PAUSED and button == controls.ROTATE_CW:
            scene.press_pause(edges.t_ms[i])
        elif scene.state == PAUSED and button == controls.ROTATE_CCW:
            scene.voice.stop_tune()
            scene.voice.tell_menu(2)
            scene.app.go("main")
    if scene.state == OVER and ticks_diff(now_ms, scene.last_ms) >= 4 * REST_MS:
        leave(scene, now_ms)
    if scene.state == PLAYING:
        scene.app.drop()


def leave(scene, t_ms: int) -> None:
    """Go on to the result, or begin the recorded game again, a moment after the end."""
    if ticks_diff(t_ms, scene.last_ms) < REST_MS:
        return
    if scene.recording:
        scene.begin(scene.recording, t_ms)
    else:
        scene.app.go("over", scene.game)
