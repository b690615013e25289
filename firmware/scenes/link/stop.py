"""Handle a linked match while its clock stands: countdown, pause, pulled cable, end of a round."""

from firmware.compat import TYPE_CHECKING
from firmware.engine.controls import PAUSE
from firmware.link.members import PAUSED
from firmware.router import load
from firmware.scenes.play_state import PAUSED as AT_MENU
from firmware.scenes.play_state import PLAYING

if TYPE_CHECKING:
    from firmware.contracts import Any, EdgeQueue, LinkPlay


class Stop:
    """Handle edges until the clock of a linked match runs again.

    blamed: a bit for each accused player whom an earlier Stop has named. state: PLAYING, AT_MENU or ENDED. menu: None,
    or a page of the pause. page: the module of the page to show next, or "". adopts: whether settings changed before
    it. wait: link/waiting.py while there is no page, because a Pico has no room for both. leaves: whether this player
    leaves. said: the words over the Matrix. since_ms: when the stop or the end began. wish: what players want after
    the end, by `judge`. held: as of Countdown.
    """

    def __init__(self, scene: "LinkPlay", blamed: int, now_ms: int) -> None:
        self.scene = scene
        self.session = scene.session
        self.match = scene.match
        self.blamed = blamed
        self.state = PLAYING
        self.menu: "Any" = None
        self.page = ""
        self.adopts = self.leaves = False
        self.wait: "Any" = None
        self.said = ""
        self.held: "list[tuple[int, int, int]]" = []
        self.since_ms = now_ms
        self.wish = 0
        load("firmware.scenes.match.stop").let_go(scene)  # no collection: the one before this module came is enough

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the edges of a frame while the clock stands, and show the reason."""
        scene = self.scene
        session = self.session
        session.read_time_ms(now_ms)
        for i in range(edges.count):
            if edges.button[i] == PAUSE:
                scene.start_ms = edges.t_ms[i] if edges.pressed[i] else -1
        if scene.mapping:
            scene.mapping.translate(edges, now_ms)  # the mapping must see releases during a stop
        if not self.menu:
            self.load_wait().answer(self, edges, now_ms)
        elif session.state == PAUSED:
            self.menu.update(edges, now_ms)
        else:
            self.menu = None
        if self.page:
            self.turn_page()
        elif not (self.menu or self.leaves or scene.context.router.wanted):
            self.say(self.load_wait().explain(self, now_ms))
            scene.voice.update(now_ms)

    def load_wait(self) -> "Any":
        """Return the module that answers presses and explains the stop; first drop the last page."""
        if not self.wait:
            self.scene.context.router.tidy()
            self.wait = self.scene.load_late("link.waiting")
        return self.wait

    def say(self, words: str) -> None:
        """Set the words over the Matrix, and redraw the Matrix if they changed."""
        if words != self.said:
            self.said = words
            self.scene.view.reset()

    def pause(self, now_ms: int) -> None:
        """Pause the match for all players, and ask for the pause menu."""
        self.session.pause(now_ms)
        self.state = AT_MENU
        self.held = []
        self.scene.voice.silence()
        self.ask_for("link.pause")

    def ask_for(self, page: str, adopts: bool = False) -> None:
        """Ask for a page of the pause after this frame; `adopts`: the match adopts changed settings before."""
        self.page = page
        self.adopts = adopts

    def turn_page(self) -> None:
        """Show the next page; first drop what a Pico has no room for beside it."""
        scene = self.scene
        router = scene.context.router
        self.menu = self.wait = None
        scene.halt(self.state, None)
        router.tidy()
        if self.adopts:
            scene.load_late("match.stop").tell(scene)  # it stands already while the modules load
            router.tidy()
            scene.load_late("link.adopting").adopt_settings(scene)
            router.tidy()
        load("firmware.scenes.pause")  # first, because imports inside imports hold half a kilobyte each
        self.menu = scene.load_late(self.page).Page(scene, self.resume)
        self.page = ""

    def resume(self, scene: "LinkPlay", now_ms: int) -> None:
        """Agree to resume; the match runs once every player agrees."""
        self.session.resume(now_ms)
        self.state = PLAYING
        self.menu = None
        self.said = ""
        scene.view.reset()
        scene.voice.resume_tune()

    def meet(self, words: bytes) -> None:
        """Go to the lobby, which shows `words` as the reason."""
        from firmware.match_modules import begin_afresh

        begin_afresh(self.scene.context, "link.lobby", words)

    def leave(self, now_ms: int) -> None:
        self.session.leave(now_ms)
        self.menu = None
        self.leaves = True
        self.say("WAIT")
