"""Watch a recorded match from any player's side, or all players equally; step through it, continue from any moment."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine import controls
from firmware.save.recordings.match_timeline import SLICE_MS, MatchTimeline
from firmware.scenes.match.result import tell_result
from firmware.scenes.replay.watch_words import ask, show, write
from firmware.sound.effects import MENU_BACK, MENU_MOVE
from firmware.view.layouts.equal import EqualView
from firmware.view.layouts.match import MatchView

if TYPE_CHECKING:
    from firmware.contracts import Any, Context, EdgeQueue

_FASTEST = const(3)
_REST_MS = const(1500)  # how long the end of a round is shown
_CARD_MS = const(2500)
_CARD_Y = const(36)
_CARD = b"A PLAY OR PAUSE|< > STEP|UP DOWN SPEED|A, DOWN: FIGURES|C OTHER SIDE|START TRAIN|B BACK"
_LEVEL = const(3)  # of a computer that replaces a recorded person


class Scene:
    """Show a recorded match.

    A plays and stops, left and right step, up and down set the speed, C changes sides, B leaves. When stopped, down
    shows the figures of play of the side shown, up to this moment. Start continues the match as the player whose side
    is shown, against computers. If this would end a game in progress, ask for a second press of Start. The last match
    of this handheld begins with a list of these keys.

    line: the MatchTimeline of the recording. me: the player whose side is shown; the number of players if all are.
    whole: whether all are.
    """

    kind = "watch"
    view: "Any"
    card = _CARD

    def __init__(self, context: "Context", subject: "Any" = None) -> None:
        """Watch `subject`, a recording or its bytes, by default the last match; raise ValueError if it is damaged."""
        self.context = context
        self.card_ms = self.speed = self.rest_ms = 0
        if subject is None:
            subject = context.session.last and context.session.last()
            self.card_ms = _CARD_MS
        player = self.open(subject)
        self.recording = player.recording
        self.line = MatchTimeline(player)
        self.match = self.line.match
        self.playing = True
        self.finished = self.asked = self.told = False
        self.last_ms = context.clock.ticks_ms()
        self.names = self.name()
        self.sit(player.me)
        if self.card_ms:
            context.canvas.clear()
            write(context.canvas, _CARD_Y, self.card, 64)

    def open(self, subject: "Any") -> "Any":
        """Return the MatchPlayer of a recording or its bytes."""
        # Imported late: a match over a link needs other modules.
        from firmware.save.recordings.match_recording import MatchPlayer, MatchRecording

        return MatchPlayer(MatchRecording(subject) if isinstance(subject, bytes) else subject)

    def name(self) -> list[bytes]:
        from firmware.scenes.match.names import name_players

        return name_players(self.match.options)

    def sit(self, number: int) -> None:
        """Show the match from the side of a player, or all players equally."""
        self.me = number
        self.whole = number == self.match.options.players
        if self.whole:
            self.view = EqualView(self.context.canvas, self.match)
        else:
            view = self.view = MatchView(self.context.canvas, self.match, number)
            view.motion_on = bool(self.context.settings.motion_on)
            options = self.recording.choices[number]
            view.next_count = options.next_count
            view.show_ghost = bool(options.ghost_on)
        self.view.names = self.names
        self.reset()

    def is_playing(self) -> bool:
        """Return whether the recorded match runs."""
        return self.playing

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the edges of this frame; show the keys, seek or play on."""
        for i in range(edges.count):
            if edges.pressed[i]:
                self.press(edges.button[i])
        passed_ms = ticks_diff(now_ms, self.last_ms)
        self.last_ms = now_ms
        line = self.line
        if self.card_ms:
            self.card_ms = max(0, self.card_ms - passed_ms)
        elif line.seeking:
            while line.goes_on(self.context.clock, now_ms):
                line.pass_time(SLICE_MS)
            for seat in self.match.seats:
                seat.happened = 0
        elif self.playing:
            if line.player.is_round_over():
                self.rest_ms += passed_ms << self.speed
                if self.rest_ms >= _REST_MS:
                    self.begin_next_round()
            else:
                line.pass_time(passed_ms << self.speed)
                self.announce_events(now_ms)
        self.context.voice.update(now_ms)

    def announce_events(self, now_ms: int) -> None:
        """Sound the events of the visible player."""
        for seat in self.match.seats:
            if seat.number == self.me:
                self.context.voice.tell(seat.happened, now_ms)
                self.view.tell(seat.happened, seat.practice or seat.game)
            seat.happened = 0

    def begin_next_round(self) -> None:
        self.rest_ms = 0
        if self.line.begin_next():
            self.reset()
        else:
            self.playing = False
            self.finished = True

    def reset(self) -> None:
        self.shown = None
        self.view.reset()

    def press(self, button: int) -> None:
        context = self.context
        back = button == controls.ROTATE_CCW
        context.voice.tell_menu(MENU_BACK if back else MENU_MOVE)
        asked = self.asked
        told = self.told
        self.card_ms = 0
        if asked or told:
            self.asked = self.told = False
            self.reset()
        if back:
            if not asked:
                self.playing = False
                context.router.go_home()
        elif button == controls.HOLD:
            self.sit((self.me + 1) % (self.match.options.players + 1))
        elif button == controls.LEFT or button == controls.RIGHT:
            self.step(1 if button == controls.RIGHT else -1)
        elif button == controls.HARD_DROP:
            self.speed = min(_FASTEST, self.speed + 1)
        elif button == controls.SOFT_DROP:
            if self.playing:
                self.speed = max(0, self.speed - 1)
            else:
                self.told = not told and self.measure()
        elif button == controls.PAUSE:
            self.play_on(asked)
        elif self.finished:
            context.go(context.router.name, self.recording)
        else:
            self.playing = not self.playing

    def step(self, step: int) -> None:
        """Stop, and seek a Lock Down of the player on this side; if all are shown, of the first."""
        self.playing = self.finished = False
        self.rest_ms = 0
        if self.line.step(self.me % self.match.options.players, step) or self.match.over:
            self.reset()

    def play_on(self, asked: bool) -> None:
        """Continue the match as the player on this side; ask first if a game in progress would be lost."""
        context = self.context
        match = self.match
        if match.over or self.line.seeking or self.whole or match.seats[self.me].out_ms >= 0:
            return
        self.playing = False
        if context.session.has_game() and not asked:
            self.asked = True
            ask(context.canvas)
            return
        from firmware.announcing import tell
        from firmware.save.recordings.match_handover import hand_over

        handed = hand_over(self.line.player, self.me, _LEVEL, context.session.recorder)
        context.session.hold_game(handed)
        if context.device.machine.renews:  # save it as in its pause: then it enters as any other match
            tell(context, b"SAVING")
            from firmware.scenes.match.round import keep

            if keep(context, handed):
                context.session.leave_to_journal()
        from firmware.resuming import resume_game

        resume_game(context)

    def measure(self) -> bool:
        """Show the figures of play of this side; return False if all are shown."""
        if self.whole:
            return False
        seat = self.match.seats[self.me]
        show(self.context.canvas, seat.game, seat.sent)
        self.context.router.tidy()
        return True

    def draw(self) -> None:
        """Draw the match, and the result of a round over the Matrix."""
        if self.card_ms or self.asked or self.told or self.line.seeking:
            return
        if self.whole:
            self.view.draw()
            return
        seat = self.match.seats[self.me]
        game = seat.practice or seat.game
        if game is not self.shown or seat.practised != self.view.practised:
            self.shown = game
            self.view.practised = seat.practised
            self.view.reset()
        over = self.match.over and self.line.player.is_round_over()
        if over and self.view.message:
            return
        self.view.draw_match(game)
        if over:
            self.view.draw_message(tell_result(self.match, self.me))
