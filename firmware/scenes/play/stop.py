"""Pause, end and leave a game in the scene of play; nothing of this is in memory in play."""

from firmware.compat import TYPE_CHECKING, ticks_diff
from firmware.engine import controls
from firmware.engine.game import AIM_REACHED
from firmware.save.settings_presets import HANDLING
from firmware.scenes.play_state import OVER, PAUSED, READY, REST_MS

if TYPE_CHECKING:
    from firmware.contracts import EdgeQueue, Play, Recorder


def pause(scene: "Play") -> None:
    """Stop a game and save it; what is held now may be let go unseen."""
    if not scene.player:
        let_go(scene)
        session = scene.context.session
        if not session.suspend(scene.game, False):
            from firmware.announcing import tell

            tell(scene.context, b"SAVING")  # the whole memory is rewritten
            session.suspend(scene.game, True)
        remember(scene)
    cover(scene)


def wait(scene: "Play") -> None:
    """Let a game that was handed over wait paused, with no control down and the handling as it is set now."""
    let_go(scene)
    adopt_handling(scene)
    cover(scene)


def adopt_handling(scene: "Play") -> None:
    """Let a game follow the settings of the handling from now on; its recording tells."""
    options = scene.game.options
    settings = scene.context.settings
    changed = False
    for name in HANDLING:
        value = getattr(settings, name)
        if getattr(options, name) != value:
            if not changed:
                changed = True
                scene.note(controls.HOLD, 0)  # a change is noted at the moment of the edge before it
            setattr(options, name, value)
            if scene.recorder:
                scene.recorder.note_change(name, value)


def cover(scene: "Play") -> None:
    """Put the menu of the pause over the game."""
    from firmware.scenes.play.pause import Pause

    scene.voice.silence()
    scene.halt(PAUSED, Pause(scene, resume))


def resume(scene: "Play", t_ms: int) -> None:
    """Count down to the end of a pause; or end it at `t_ms` of the clock, where games begin without a countdown."""
    if scene.context.session.counts_down:
        from firmware.scenes.countdown import Countdown

        scene.view.reset()
        scene.halt(READY, Countdown(scene))
    else:
        scene.play_on(t_ms)


def let_go(scene: "Play") -> None:
    """Release every control."""
    for button in range(controls.PAUSE):
        if scene.game.pressed >> button & 1:
            scene.note(button, 0)


def end(scene: "Play") -> None:
    """Rank the game and keep its recording."""
    if not scene.player:
        scene.context.session.finish(scene.game)
        remember(scene)
        scene.halt(OVER, Ending(scene))


class Ending:
    """Stand over a game in the two frames after its end, in which it is counted and covered: one would take long."""

    def __init__(self, scene: "Play") -> None:
        self.scene = scene
        self.is_counted = False

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Count the game; then let the curtain rise, where there is one."""
        scene = self.scene
        if not self.is_counted:
            self.is_counted = True
            from firmware.finishing import count

            count(scene.context.journal, scene.game)
        elif scene.view.motion_on and scene.game.over != AIM_REACHED:
            from firmware.scenes.play.curtain import Curtain

            scene.halt(OVER, Curtain(scene, answer))
            scene.cover.update(edges, now_ms)
        else:
            scene.halt(OVER, None)

    def draw(self) -> None:
        """Draw what the end changed."""
        self.scene.view.draw(self.scene.game)


def find_recorder(scene: "Play") -> "Recorder | None":
    """Return what notes this game from its beginning, or None; a Rewind may stand before it, or before nothing."""
    return getattr(scene.recorder, "recorder", scene.recorder)


def remember(scene: "Play") -> None:
    """Let the last game be watched again, as far as it was played and recorded."""
    if find_recorder(scene):
        scene.context.session.remember_game(scene.played_ms)


def answer(scene: "Play", edges: "EdgeQueue", now_ms: int) -> None:
    """After the end, let A or Start lead to the result, as time does."""
    for i in range(edges.count):
        button = edges.button[i]
        if edges.pressed[i] and (button == controls.ROTATE_CW or button == controls.PAUSE):
            leave(scene, edges.t_ms[i])
    if ticks_diff(now_ms, scene.last_ms) >= 4 * REST_MS:
        leave(scene, now_ms)


def leave(scene: "Play", t_ms: int) -> None:
    """Go on to the result, or begin the recorded game again, a moment after the end."""
    if ticks_diff(t_ms, scene.last_ms) < REST_MS:
        return
    if scene.recording:
        scene.context.go("play", scene.recording)
    elif not scene.has_result:
        scene.context.go(
            "menus.scores_initials" if scene.context.session.placed else "menus.scores", scene.context.session.placed
        )
    else:
        scene.context.go("menus.over", scene.game)
