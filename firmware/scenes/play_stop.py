"""Pause and end a game in the scene of play, and leave it: nothing of this is in memory while it runs."""

from firmware.compat import ticks_diff
from firmware.engine import controls
from firmware.modes.catalogue import STANDARD, TEST_SPEC
from firmware.scenes.play import OVER, PAUSED, PLAYING, REST_MS


def pause(scene) -> None:
    """Stop a game and save it; what is held now may be let go unseen."""
    if not scene.player:
        let_go(scene)
        scene.app.suspend(scene.game, True)
        remember(scene)
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
        remember(scene)


def remember(scene) -> None:
    """Let the last game be watched again, as far as it was played."""
    if scene.recorder:
        scene.app.last = scene.app.replay
        scene.app.last_ms = scene.played_ms


def answer(scene, edges, now_ms: int) -> None:
    """In a pause A goes on and B leaves; after the end A or Start leads to the result, as time does.

    Where nothing is held, Hold shows the pieces in a pause.
    """
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
        elif scene.state == PAUSED and button == controls.HOLD and STANDARD <= scene.app.variant <= TEST_SPEC:
            scene.app.go("over_pieces", scene.game)
    if scene.state == OVER and ticks_diff(now_ms, scene.last_ms) >= 4 * REST_MS:
        leave(scene, now_ms)
    if scene.state == PLAYING:
        scene.app.drop(False)


def leave(scene, t_ms: int) -> None:
    """Go on to the result, or begin the recorded game again, a moment after the end."""
    if ticks_diff(t_ms, scene.last_ms) < REST_MS:
        return
    if scene.recording:
        scene.app.go("play", scene.recording)
    else:
        scene.app.go("over", scene.game)
