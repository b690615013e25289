"""Handle a linked match while its clock stands: countdown, pause, pulled cable, end of a round."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine import controls
from firmware.link.members import LEFT, LOST, OVER, PAUSED, READY, RUNNING, WAITING
from firmware.match.match import NOBODY
from firmware.scenes.match.result import tell_result
from firmware.scenes.match.stop import let_go, tell_loading
from firmware.scenes.play_state import OVER as ENDED
from firmware.scenes.play_state import PAUSED as AT_MENU
from firmware.scenes.play_state import PLAYING, REST_MS
from firmware.sound.effects import MENU_CHOOSE

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import EdgeQueue, LinkPlay

_SECOND_MS = const(1000)
_LOADING_MS = const(3000)  # another device may take longer to load the match


class Stop:
    """Show why the clock of a linked match stands, and handle edges until it runs again.

    blamed: a bit for each accused player whom an earlier Stop has named. state: PLAYING, AT_MENU or ENDED. menu: None,
    or a page of the pause. page: the module of the page to show next, or "". adopts: whether settings changed before
    it. said: the words over the Matrix. since_ms: when the stop or the end began.
    """

    def __init__(self, scene: "LinkPlay", blamed: int, now_ms: int) -> None:
        self.scene = scene
        self.session = scene.session
        self.match = scene.match
        self.blamed = blamed
        self.state = PLAYING
        self.menu: "Any" = None
        self.page = ""
        self.adopts = False
        self.said = ""
        self.since_ms = now_ms
        let_go(scene)
        scene.start_ms = -1  # the release of START comes here, not to the match

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the edges of a frame while the clock stands, and show the reason."""
        scene = self.scene
        session = self.session
        session.read_time_ms(now_ms)
        if scene.mapping:
            scene.mapping.translate(edges, now_ms)  # the mapping must see releases during a stop
        if session.state == LEFT:
            self.depart(now_ms)
            return
        if (self.match.over or session.state == LOST) and self.state != ENDED:
            self.end(now_ms)
        if not self.menu:
            self.answer(edges, now_ms)
        elif session.state == PAUSED:
            self.menu.update(edges, now_ms)
            if self.page:
                self.turn_page()
        else:
            self.menu = None
        if not scene.context.router.wanted and not self.menu:
            self.say(self.explain(now_ms))
            scene.voice.update(now_ms)

    def say(self, words: str) -> None:
        """Set the words over the Matrix, and redraw the Matrix if they changed."""
        if words != self.said:
            self.said = words
            self.scene.view.reset()

    def answer(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle a press: the first one skips a countdown, Start pauses; after the end A continues and B leaves."""
        for i in range(edges.count):
            button = edges.button[i]
            if not edges.pressed[i]:
                continue
            if self.state != ENDED:
                clock = self.session.clock
                if clock.counting and not clock.hurried:
                    self.session.set_state(WAITING, now_ms)  # all wait again, then follows a short countdown
                    return
                if button == controls.PAUSE:
                    self.pause(now_ms)
                    return
            elif ticks_diff(now_ms, self.since_ms) >= REST_MS:
                if button == controls.ROTATE_CW or button == controls.PAUSE:
                    self.lead_on(now_ms)
                elif button == controls.ROTATE_CCW:
                    self.leave(self.scene, now_ms)

    def explain(self, now_ms: int) -> str:
        """Return the words over the Matrix, one for each line, of at most seven letters."""
        session = self.session
        match = self.match
        state = session.state
        accused = session.members.accused
        present = session.ring.present
        if match.over:
            result = tell_result(match, match.me)
            if accused:
                result = self.blame() + " " + result
            elif state == LOST:
                result += " LINK LOST"
            elif session.ring.is_alone():
                for seat in match.seats:
                    if seat.gone:
                        result = self.name(seat.number) + " LEFT " + result
                        break
            return result + (" WAIT" if state == READY else " A_NEXT")
        if state == LOST:
            return (self.blame() or "LINK LOST") + " NOBODY WINS A_NEXT"
        if state == RUNNING and accused == self.blamed:
            return "READY " + str(min(3, 1 + session.clock.read_countdown_ms(now_ms) // _SECOND_MS))
        pauser = session.find_pauser(present & ~session.away)
        if pauser != NOBODY:
            return "PAUSE BY " + self.name(pauser)
        if accused != self.blamed:
            return self.blame()
        for i in range(match.options.players):
            if session.away >> i & 1 and (session.clock.run or ticks_diff(now_ms, self.since_ms) >= _LOADING_MS):
                return "NO LINK TO " + self.name(i)
        return "WAIT"

    def blame(self) -> str:
        """Name an accused player, if possible one not named before; else a player who accuses us, or return ""."""
        members = self.session.members
        for i in range(members.count):
            if (members.accused & ~self.blamed or members.accused) >> i & 1:
                return self.name(i) + (" NO NEWS" if members.idle >> i & 1 else " WRONG NEWS")
        for i in range(members.count):
            if members.reporters[members.me] >> i & 1:
                return self.name(i) + " PUT " + self.name(members.me) + " OUT"
        return ""

    def name(self, number: int) -> str:
        """Return the initials of a player."""
        return str(self.scene.view.names[number], "ascii")

    def pause(self, now_ms: int) -> None:
        """Pause the match for all players, and open the pause menu."""
        self.session.pause(now_ms)
        self.state = AT_MENU
        self.scene.voice.silence()
        self.ask_for("link.pause")
        self.turn_page()

    def ask_for(self, page: str, adopts: bool = False) -> None:
        """Ask for a page of the pause after this frame; `adopts`: the match adopts changed settings before."""
        self.page = page
        self.adopts = adopts

    def turn_page(self) -> None:
        """Show the next page; first drop this one and what adopts settings, because a Pico has no room for both."""
        scene = self.scene
        router = scene.context.router
        self.menu = None
        scene.halt(self.state, None)
        router.tidy()
        if self.adopts:
            tell_loading(scene)  # it stands already while the modules load
            scene.load_late("link.adopting").adopt_settings(scene)
            router.tidy()
        self.menu = scene.load_late(self.page).Page(scene, self.resume, self.leave)
        self.page = ""

    def resume(self, scene: "LinkPlay", now_ms: int) -> None:
        """Agree to resume; the match runs once every player agrees."""
        self.session.resume(now_ms)
        self.state = PLAYING
        self.menu = None
        self.said = ""
        scene.view.reset()
        scene.voice.resume_tune()

    def leave(self, scene: "LinkPlay", now_ms: int) -> None:
        """Leave the match; go to the lobby once the others know."""
        self.session.leave(now_ms)
        self.menu = None
        self.say("WAIT")
        self.depart(now_ms)

    def depart(self, now_ms: int) -> None:
        """Once the others know, go to the lobby, which passes their frames on; after LINK LOST go to the main menu."""
        session = self.session
        scene = self.scene
        if session.may_disconnect(now_ms):
            scene.remember("link.watch")
            scene.voice.stop_tune()
            if session.state == LEFT:
                alone = session.ring.is_alone()
                self.meet(b"YOU LEFT" if alone else b"YOU LEFT: STAY|HERE WHILE THE|OTHERS PLAY")
            else:
                scene.context.go("menus.main")

    def end(self, now_ms: int) -> None:
        """Begin the state ENDED: the round is over, or the link is lost."""
        self.state = ENDED
        self.menu = None
        self.said = ""
        self.since_ms = now_ms
        self.scene.voice.stop_tune()
        self.scene.voice.tell_menu(MENU_CHOOSE)
        self.scene.remember("link.watch")

    def lead_on(self, now_ms: int) -> None:
        """Show the result of the match, go to the lobby after LINK LOST, or get ready for the next round."""
        session = self.session
        if self.match.is_decided() or self.match.over and session.ring.is_alone():
            self.scene.load_late("match.round").tidy(self.scene.context)  # or else garbage splits the largest block
            self.scene.context.go("link.over", (self.match, self.scene.view.names))
        elif session.state == LOST:
            self.meet(b"LINK LOST")
        elif session.state == OVER:
            session.make_ready(now_ms)

    def meet(self, words: bytes) -> None:
        """Go to the lobby, which shows `words` as the reason."""
        from firmware import match_modules  # residents: LINK

        match_modules.begin_afresh(self.scene.context, "link.lobby", words)
