"""Play a linked match: one game here, the others as they report them."""

from firmware.compat import TYPE_CHECKING
from firmware.link.members import RUNNING
from firmware.scenes.match import play

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import App, EdgeQueue, Lobby


class Scene(play.Scene):
    """Rounds of a match over a link.

    subject: the Lobby whose members agreed. session: runs the match with the others. said: the words over the Matrix.
    round: the one on the screen. blamed: a bit for each player already shown as a liar.
    """

    session: "Any"
    said: str
    round: int
    blamed: int

    def __init__(self, app: "App", subject: "Lobby") -> None:
        self.app = app
        self.voice = app.voice
        self.round = self.blamed = 0
        self.said = ""
        from firmware.scenes.link import start

        start.begin(self, subject, app.device.clock.ticks_ms())

    def is_playing(self) -> bool:
        """Return True: nobody sleeps while others wait."""
        return True

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the others' frames and this frame's edges, and advance until now."""
        session = self.session
        session.step(now_ms)
        if self.round != self.match.round:
            from firmware.scenes.link import stop

            stop.begin_round(self, now_ms)
        if session.state == RUNNING and not session.counting:
            if self.said:
                self.said = ""
                self.blamed = session.wrong
                self.app.drop(False)  # 12 KB of countdown and pause
                self.view.reset()
                self.last_ms = now_ms
                self.time_ms = session.read_time_ms(now_ms)
            play.Scene.update(self, edges, now_ms)
            return
        from firmware.scenes.link import stop

        stop.stand(self, edges, now_ms)

    def hear(self) -> None:
        """Turn events since the last frame into sound and picture; `stand` handles the end of a round."""
        if self.match.over:
            self.match.seats[self.me].happened = 0
            return
        play.Scene.hear(self)

    def press_pause(self, t_ms: int) -> None:
        """Stop everybody at once."""
        from firmware.scenes.link import stop

        stop.pause(self, t_ms)

    def draw(self) -> None:
        """Draw what changed since the last frame, and what there is to be said."""
        if self.pause:
            self.pause.draw()
            return
        play.Scene.draw(self)
        if self.said and not self.view.message:
            self.view.draw_message(self.said)
