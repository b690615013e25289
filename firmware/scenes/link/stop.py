"""Stand still in a linked match: the countdown, a pause, a pulled cable, the end of a round."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine import controls
from firmware.link.members import LEFT, LOST, OVER, PAUSED, READY, RUNNING
from firmware.scenes.match.result import tell_result
from firmware.scenes.match.stop import let_go
from firmware.scenes.play_state import OVER as ENDED
from firmware.scenes.play_state import PAUSED as AT_MENU
from firmware.scenes.play_state import PLAYING, REST_MS

if TYPE_CHECKING:
    from firmware.contracts import App, EdgeQueue
    from firmware.scenes.link.play import Scene as LinkPlay

_SECOND_MS = const(1000)


def stand(scene: "LinkPlay", edges: "EdgeQueue", now_ms: int) -> None:
    """Handle the edges of a frame in which no match time passes, and show why."""
    session = scene.session
    session.read_time_ms(now_ms)
    if scene.mapping:
        scene.mapping.translate(edges, now_ms)  # it must not take what is let go here for held
    if session.state == LEFT:
        depart(scene, now_ms)
        return
    ended = session.match.over or session.state == LOST
    if ended and scene.state != ENDED:
        end(scene, now_ms)
    if scene.pause:
        if session.state != PAUSED:
            scene.pause = None
            scene.said = ""
        else:
            scene.pause.update(edges, now_ms)
    else:
        answer(scene, edges, now_ms)
    if scene.app.wanted or scene.pause:
        return
    said = explain(scene, now_ms)
    if said != scene.said:
        scene.said = said
        scene.view.reset()
        if scene.state == PLAYING:
            let_go(scene)
    scene.voice.update(now_ms)


def answer(scene: "LinkPlay", edges: "EdgeQueue", now_ms: int) -> None:
    """Handle a press: Start for the pause, and after the end A to continue or B to leave."""
    ended = scene.state == ENDED
    for i in range(edges.count):
        button = edges.button[i]
        if not edges.pressed[i]:
            continue
        if not ended:
            if button == controls.PAUSE:
                pause(scene, now_ms)
                return
        elif ticks_diff(now_ms, scene.last_ms) >= REST_MS:
            if button == controls.ROTATE_CW or button == controls.PAUSE:
                go_on(scene, now_ms)
            elif button == controls.ROTATE_CCW:
                leave(scene, now_ms)


def explain(scene: "LinkPlay", now_ms: int) -> str:
    """Return what is said over the Matrix, a line for each word of at most seven letters."""
    session = scene.session
    match = scene.match
    state = session.state
    if match.over:
        said = tell_result(match, scene.me)
        if session.wrong:
            return blame(scene) + " " + said
        if state == LOST:
            return said + " LINK LOST"
        if session.is_alone():
            for seat in match.seats:
                if seat.gone:
                    return name(scene, seat.number) + " LEFT " + said
        return said + " WAIT" if state == READY else said
    if state == LOST:
        return (blame(scene) or "LINK LOST") + " NOBODY WINS"
    if state == RUNNING and session.wrong == scene.blamed:
        left_ms = match.time_ms - session.base_ms - ticks_diff(now_ms, session.start_ms)
        return "READY " + str(1 + max(0, left_ms) // _SECOND_MS)
    # Who was last heard of in a pause, and no more since, does not end it.
    for i in range(session.count):
        if (session.needed & ~session.away) >> i & 1 and session.states[i] == PAUSED:
            return "PAUSE BY " + name(scene, i)
    if session.wrong != scene.blamed:
        return blame(scene)
    for i in range(session.count):
        if session.away >> i & 1:
            return "NO LINK TO " + name(scene, i)
    return "WAIT"


def blame(scene: "LinkPlay") -> str:
    """Return who told what cannot be, or nothing; else who says so of the player here, if anybody does."""
    session = scene.session
    for i in range(session.count):
        if (session.wrong & ~scene.blamed or session.wrong) >> i & 1:
            return name(scene, i) + (" NO NEWS" if session.idle >> i & 1 else " WRONG NEWS")
    for i in range(session.count):
        if session.said[session.me] >> i & 1:
            return name(scene, i) + " PUT " + name(scene, session.me) + " OUT"
    return ""


def name(scene: "LinkPlay", number: int) -> str:
    """Return the initials of a player."""
    return str(scene.view.names[number], "ascii")


def pause(scene: "LinkPlay", now_ms: int) -> None:
    """Stop everybody, with a menu."""
    if scene.state == PLAYING:
        let_go(scene)
        scene.session.pause(now_ms)
        scene.state = AT_MENU
        scene.voice.silence()
        from firmware.scenes.link.pause import Pause

        scene.pause = Pause(scene, resume, leave)


def resume(scene: "LinkPlay", now_ms: int) -> None:
    """Have nothing against going on."""
    scene.session.resume(now_ms)
    scene.state = PLAYING
    scene.pause = None
    scene.said = ""
    scene.last_ms = now_ms
    scene.view.reset()
    scene.voice.resume_tune()


def leave(scene: "LinkPlay", now_ms: int) -> None:
    """Leave the match, as soon as the others have heard of it."""
    scene.session.leave(now_ms)
    scene.pause = None
    scene.said = "WAIT"
    scene.view.reset()
    depart(scene, now_ms)


def depart(scene: "LinkPlay", now_ms: int) -> None:
    """Go when the others know of it, to where what they tell each other is passed on; else to the menu."""
    session = scene.session
    if session.is_through(now_ms):
        scene.remember("link_watch")
        scene.voice.stop_tune()
        words = b"YOU LEFT" if session.is_alone() else b"YOU LEFT: STAY|HERE WHILE THE|OTHERS PLAY"
        if session.state == LEFT:
            meet(scene.app, words)
        else:
            scene.app.go("main")


def end(scene: "LinkPlay", now_ms: int) -> None:
    """Note that the round is over, or the link lost."""
    scene.state = ENDED
    scene.pause = None
    scene.said = ""
    scene.last_ms = now_ms
    scene.voice.stop_tune()
    scene.voice.tell_menu(1)
    scene.remember("link_watch")


def go_on(scene: "LinkPlay", now_ms: int) -> None:
    """Be ready for the next round, or show what the match came to."""
    match = scene.match
    session = scene.session
    if match.is_decided() or match.over and session.is_alone():
        scene.app.go("link_over", (match, scene.view.names))
    elif session.state == LOST:
        meet(scene.app, b"LINK LOST")
    elif session.state == OVER:
        session.make_ready(now_ms)


def meet(app: "App", words: bytes) -> None:
    """Go back to the lobby, which says why."""
    from firmware import match_modules

    match_modules.begin_afresh(app, "link_lobby", words)


def begin_round(scene: "LinkPlay", now_ms: int) -> None:
    """See the games of the next round."""
    from firmware.scenes.match import round as match_round

    match = scene.match
    scene.round = match.round
    match_round.face_games(scene, now_ms)
    if scene.app.settings.music_on:
        tune = scene.app.settings.tune
        scene.voice.play_tune(tune if tune < 3 else now_ms % 3)
