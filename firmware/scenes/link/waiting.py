"""Say why the clock of a linked match stands, and go on from there; neither play nor a pause keeps this in memory."""

from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.engine import controls
from firmware.link.members import LEFT, LIED, LOST, OVER, READY, RUNNING
from firmware.match.match import NOBODY
from firmware.scenes.again import AGAIN, judge
from firmware.scenes.match.result import tell_result
from firmware.scenes.play_state import OVER as ENDED
from firmware.scenes.play_state import REST_MS
from firmware.sound.effects import MENU_CHOOSE

if TYPE_CHECKING:
    from firmware.contracts import Any, EdgeQueue
    from firmware.scenes.link.stop import Stop

_WORD_MS = const(500)
_LOADING_MS = const(3000)  # another device may take longer to load the match


def answer(stop: "Stop", edges: "EdgeQueue", now_ms: int) -> None:
    """Handle presses: Start pauses, what is held waits for the start; after the end A and Start lead on, B leaves.

    After the match B is Start held: there is nothing to leave.
    """
    if stop.leaves:
        depart(stop, now_ms)
        return
    if stop.state != ENDED and (stop.session.is_settled() or is_lost(stop)):
        end(stop, now_ms)
    ended = stop.state == ENDED
    rested = ticks_diff(now_ms, stop.since_ms) >= REST_MS  # until then the others may need reports from here
    if ended:
        stop.wish = judge(stop.scene, (edges,), stop.since_ms, now_ms) or stop.wish
        if stop.wish and rested:
            lead_on(stop, now_ms)
            return
    for i in range(edges.count):
        button = edges.button[i]
        if not edges.pressed[i]:
            continue
        if not ended:
            if button == controls.PAUSE:
                stop.pause(now_ms)
                return
        elif button == controls.ROTATE_CCW and rested:
            if is_done(stop):
                stop.wish = AGAIN
                lead_on(stop, now_ms)
                return
            stop.leave(now_ms)
            depart(stop, now_ms)
    mapping: "Any" = stop.scene.mapping
    queue = mapping.queue if mapping else edges
    if queue.count and not ended:
        stop.scene.load_late("countdown").note(stop.held, 0, queue)


def resume(stop: "Stop", now_ms: int) -> None:
    """Play on after a stop, and press what is held."""
    scene = stop.scene
    scene.stop = None
    scene.said = ""
    scene.start_ms = -1
    scene.blamed = stop.session.members.accused
    scene.last_ms = now_ms
    scene.time_ms = stop.session.read_time_ms(now_ms)
    if stop.held:
        began_ms = ticks_add(now_ms, stop.match.time_ms - scene.time_ms)
        scene.load_late("countdown").press_held(scene, stop.held, began_ms)
    scene.view.reset()
    scene.context.router.tidy()  # countdown and pause take 12 KB


def explain(stop: "Stop", now_ms: int) -> str:
    """Return the words over the Matrix, one for each line, of at most seven letters."""
    session = stop.session
    match = stop.match
    state = session.state
    accused = session.members.accused
    present = session.ring.present
    if session.is_settled():
        result = tell_result(match, match.me)
        if accused:
            result = blame(stop) + " " + result
        elif is_lost(stop):
            result += " LINK LOST"
        elif session.ring.is_alone():
            for seat in match.seats:
                if seat.gone:
                    result = name(stop, seat.number) + " LEFT " + result
                    break
        return result + (" WAIT" if state == READY else " A_NEXT")
    if is_lost(stop):
        said = blame(stop)
        if state == LIED and not said:
            return "NO RESULT SOMEONE LIED A_NEXT"
        return (said or "LINK LOST") + " NOBODY WINS A_NEXT"
    if state == RUNNING and accused == stop.blamed:
        return "READY " + str(min(3, 1 + session.clock.read_countdown_ms(now_ms) // _WORD_MS))
    pauser = session.find_pauser(present & ~session.away)
    if pauser != NOBODY:
        return "PAUSE BY " + name(stop, pauser)
    if accused != stop.blamed:
        return blame(stop)
    for i in range(match.options.players):
        if session.away >> i & 1 and (session.clock.run or ticks_diff(now_ms, stop.since_ms) >= _LOADING_MS):
            return "NO LINK TO " + name(stop, i)
    return "WAIT"


def is_lost(stop: "Stop") -> bool:
    """Return whether the match ended without a result on this device."""
    return stop.session.state == LOST or stop.session.state == LIED


def is_done(stop: "Stop") -> bool:
    """Return whether the match has a result, and no round follows."""
    return stop.session.is_settled() and (stop.match.is_decided() or stop.session.ring.is_alone())


def blame(stop: "Stop") -> str:
    """Name an accused player, if possible one not named before; else a player who accuses us, or return ""."""
    members = stop.session.members
    for i in range(members.count):
        if (members.accused & ~stop.blamed or members.accused) >> i & 1:
            return name(stop, i) + (" IS SILENT" if members.idle >> i & 1 else " SENT BAD DATA")
    for i in range(members.count):
        if members.reporters[members.me] >> i & 1:
            return name(stop, i) + " PUT " + name(stop, members.me) + " OUT"
    return ""


def name(stop: "Stop", number: int) -> str:
    return str(stop.scene.view.names[number], "ascii")


def depart(stop: "Stop", now_ms: int) -> None:
    """Once the others know, go to the lobby, which passes their frames on; after LINK LOST go to the main menu."""
    session = stop.session
    scene = stop.scene
    if session.may_disconnect(now_ms):
        scene.remember("link.watch")
        scene.voice.stop_tune()
        if session.state == LEFT:
            alone = session.ring.is_alone()
            stop.meet(b"YOU LEFT" if alone else b"YOU LEFT: STAY|HERE WHILE THE|OTHERS PLAY")
        else:
            scene.context.go("menus.main")


def end(stop: "Stop", now_ms: int) -> None:
    """Begin the state ENDED: the round is over, or the link is lost."""
    stop.state = ENDED
    stop.said = ""
    stop.since_ms = now_ms
    stop.scene.voice.stop_tune()
    stop.scene.voice.tell_menu(MENU_CHOOSE)
    stop.scene.remember("link.watch")


def lead_on(stop: "Stop", now_ms: int) -> None:
    """Show the result of the match, go to the lobby after LINK LOST, or get ready for the next round."""
    session = stop.session
    if is_done(stop):
        stop.scene.context.tidy()  # or else garbage splits the largest block
        stop.scene.context.go("link.over", (stop.match, stop.scene.view.names, stop.wish == AGAIN))
    elif is_lost(stop):
        stop.meet(b"SOMEBODY LIED:|NO RESULT" if session.state == LIED else b"LINK LOST")
    elif session.state == OVER:
        session.make_ready(now_ms)
