"""Play a linked match: one game here, the others from their reports."""

from firmware.compat import TYPE_CHECKING
from firmware.residents import LINK
from firmware.scenes.match import play

if TYPE_CHECKING:
    from firmware.contracts import Agreement, Any, Context, EdgeQueue
    from firmware.link.linked import LinkedMatch
    from firmware.link.session import LinkSession
    from firmware.save.recordings.link_recorder import LinkRecorder


class Scene(play.Scene):
    """Play the rounds of a match over a link.

    subject: what the members of a lobby agreed on. session: runs the match with the others. stop: the Stop that handles
    edges while the clock stands, or None. said: the words over the Matrix. round: the round on the screen. blamed: a
    bit for each accused player already named on the screen.
    """

    keeps = LINK
    match: "LinkedMatch"
    noted: "LinkRecorder | None"  # type: ignore[assignment]  # a link begins no round by next_round

    def __init__(self, context: "Context", subject: "Agreement") -> None:
        self.context = context
        self.voice = context.voice
        self.start_ms = -1
        now_ms = context.clock.ticks_ms()
        from firmware.mapping import EdgeQueue as Queue

        self.queues = [Queue(1)]  # `update` replaces it by the frame's edges
        del Queue
        context.router.tidy()
        from firmware.scenes.link import start

        self.session: "LinkSession" = start.make_session(context, subject, now_ms)
        self.match = match = self.session.match
        self.noted = match.recorder
        self.me = match.me
        self.stop: "Any" = None
        self.said = ""
        self.round = self.blamed = 0
        self.trainer = self.adviser = None
        self.kept = False
        self.pool = self.turn = 0
        self.players = [None] * match.options.players
        self.persons = bytearray([match.me])
        self.sources = []
        self.at = bytearray(1)
        self.view = start.make_view(context, match, subject)
        del start
        context.tidy()
        from firmware.scenes.match import showing

        showing.map_buttons(self)
        if showing.can_advise(self):
            from firmware.scenes.match import practice  # residents: LINK

            practice.prepare(self)
        showing.show_games(self, now_ms)

    def is_playing(self) -> bool:
        """Return True: the screen stays on while others wait."""
        return True

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the frames of others and the edges of this frame; advance the match to `now_ms`."""
        session = self.session
        session.step(now_ms)
        if self.round != self.match.round:
            self.face_round(now_ms)
        if session.is_running():
            if self.stop:
                self.stop.load_wait().resume(self.stop, now_ms)
            play.Scene.update(self, edges, now_ms)
            return
        if not self.stop:
            self.stand(now_ms)
        self.stop.update(edges, now_ms)
        self.show_stop()

    def stand(self, now_ms: int) -> None:
        """Begin a stop."""
        self.stop = self.load_late("link.stop").Stop(self, self.blamed, now_ms)

    def show_stop(self) -> None:
        """Take over state, menu and words from the Stop."""
        self.halt(self.stop.state, self.stop.menu)
        self.said = self.stop.said
        self.last_ms = self.stop.since_ms

    def face_round(self, now_ms: int) -> None:
        """Show the games of the next round."""
        self.round = self.match.round
        self.stop = None
        self.load_late("match.stop").tell(self)  # making the round took a board a quarter of a second
        self.context.router.tidy()
        self.load_late("match.showing").show_games(self, now_ms)
        settings = self.context.settings
        if settings.music_on:
            self.voice.play_tune(settings.tune, now_ms)

    def announce_events(self) -> None:
        """Turn the events of this frame into sound and picture; the Stop handles the end of a round."""
        if self.match.over:
            self.match.seats[self.me].happened = 0
            return
        play.Scene.announce_events(self)

    def press_pause(self, t_ms: int) -> None:
        """Pause the match for all players at once."""
        self.stand(t_ms)
        self.stop.pause(t_ms)
        self.stop.turn_page()
        self.show_stop()

    def draw(self) -> None:
        """Draw changes, and the words over the Matrix."""
        if self.cover:
            self.cover.draw()
            return
        play.Scene.draw(self)
        # Drawing a high stack takes some frames and would cover the words.
        if self.said and not self.view.message and self.view.matrix.version >= 0:
            self.view.draw_message(self.said)
