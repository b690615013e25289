"""Pause, end and leave a game in the scene of play; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING, ticks_diff
from firmware.engine import controls
from firmware.engine.game import AIM_REACHED
from firmware.save.presets import HANDLING
from firmware.scenes.play_state import OVER, PAUSED, READY, REST_MS

if TYPE_CHECKING:
    from firmware.contracts import EdgeQueue, Play, Recorder


def pause(scene: "Play") -> None:
    """Pause a game and save it; release its controls, because the pause ignores real releases."""
    if not scene.player:
        let_go(scene)
        session = scene.context.session
        if not session.suspend(scene.game, False):
            from firmware.announcing import tell

            tell(scene.context, b"SAVING")  # rewriting the journal takes long
            session.suspend(scene.game, True)
        remember(scene)
    cover(scene)


def wait(scene: "Play") -> None:
    """Pause a game that another scene handed over; release its controls and apply the current handling."""
    let_go(scene)
    adopt_handling(scene)
    cover(scene)


def adopt_handling(scene: "Play") -> None:
    """Apply the settings of the handling to a game, and record the changes."""
    options = scene.game.options
    settings = scene.context.settings
    changed = False
    for name in HANDLING:
        value = getattr(settings, name)
        if getattr(options, name) != value:
            if not changed:
                changed = True
                scene.note(controls.HOLD, 0)  # a change has the time of the last edge: record an edge now
            setattr(options, name, value)
            if scene.recorder:
                scene.recorder.note_change(name, value)


def cover(scene: "Play") -> None:
    """Cover the game with the pause menu."""
    from firmware.scenes.play.pause import Pause

    scene.voice.silence()
    scene.halt(PAUSED, Pause(scene, resume))


def resume(scene: "Play", t_ms: int) -> None:
    """Count down to the end of a pause, or end it at the clock's `t_ms` without a countdown; pause in a countdown."""
    if scene.state == READY:
        if scene.cover:
            pause(scene)
    elif scene.cover.delays_resume(t_ms):
        return
    elif scene.context.session.counts_down:
        from firmware.scenes.countdown import Countdown

        scene.view.reset()
        scene.halt(READY, Countdown(scene))
    else:
        scene.play_on(t_ms)


def let_go(scene: "Play") -> None:
    for button in range(controls.PAUSE):
        if scene.game.pressed >> button & 1:
            scene.note(button, 0)


def end(scene: "Play") -> None:
    """Rank the game, and let its recording be watched."""
    if not scene.player:
        from firmware.scenes.again import pack

        context = scene.context
        context.session.finish(scene.game, pack(scene.game.options), context.settings.initials)
        remember(scene)
        scene.halt(OVER, Ending(scene))


class Ending:
    """Cover a game in the three frames after its end, which count it, judge the goals and start the curtain.

    In one frame the screen would stand still for too long; only a press makes all come at once.
    """

    def __init__(self, scene: "Play") -> None:
        self.scene = scene
        self.is_counted = False
        self.is_judged = not scene.has_result

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        scene = self.scene
        self.advance()
        for i in range(edges.count):
            while edges.pressed[i] and scene.cover is self:
                self.advance()
        if scene.cover is not self:
            if scene.cover:
                scene.cover.update(edges, now_ms)
            else:
                answer(scene, edges, now_ms)

    def advance(self) -> None:
        """Do what comes next; there is no curtain if motion is off or the aim reached."""
        scene = self.scene
        session = scene.context.session
        if not self.is_counted:
            self.is_counted = True
            from firmware.finishing import count

            placed = session.placed
            count(scene.context.journal, session.variant, scene.game, placed is not None and not placed[0])
        elif not self.is_judged:
            self.is_judged = True
            from firmware.save.goals import count_saves, judge

            session.tell_goal(judge(scene.context, count_saves(session.journal), scene.game))
        elif scene.view.motion_on and scene.game.over != AIM_REACHED:
            from firmware.scenes.play.curtain import Curtain

            scene.halt(OVER, Curtain(scene, answer))
        else:
            scene.halt(OVER, None)

    def draw(self) -> None:
        self.scene.view.draw(self.scene.game)


def find_recorder(scene: "Play") -> "Recorder | None":
    """Return the Recorder of this game, or None; a Rewind may pass edges on to it."""
    return getattr(scene.recorder, "recorder", scene.recorder)


def remember(scene: "Play") -> None:
    """Let the session show the recording of this game up to now."""
    if find_recorder(scene):
        scene.context.session.remember_game(scene.played_ms)


def answer(scene: "Play", edges: "EdgeQueue", now_ms: int) -> None:
    """After the end, go on to the result at A or the release of Start, or after four seconds; held, it begins again."""
    from firmware.scenes import again

    wish = again.judge(scene, (edges,), scene.last_ms, now_ms)
    if wish == again.AGAIN and not scene.recording:
        session = scene.context.session
        if scene.has_result and session.placed:
            from firmware.save.best import keep_replay

            keep_replay(session, scene.game)
        again.begin_again(scene.context)
    elif wish or scene.start_ms < 0 and ticks_diff(now_ms, scene.last_ms) >= 4 * REST_MS:
        leave(scene)


def leave(scene: "Play") -> None:
    """Go on to the result, or restart a recording."""
    if scene.recording:
        scene.context.go("play", scene.recording)
    elif not scene.has_result:
        scene.context.go(
            "menus.scores_initials" if scene.context.session.placed else "menus.scores", scene.context.session.placed
        )
    else:
        scene.context.go("menus.over", scene.game)
