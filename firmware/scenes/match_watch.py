"""Watch a recorded match from the side of any player, or all alike."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine import controls
from firmware.save.match_recording import MatchPlayer, MatchRecording
from firmware.scenes.match_stop import tell_result
from firmware.view.equal import EqualView
from firmware.view.match import MatchView

if TYPE_CHECKING:
    from typing import Any

_FASTEST = const(3)
_REST_MS = const(1500)  # that the end of a round is looked at


class Scene:
    """Show a recorded match: A plays and stops, left and right change sides, up and down set the speed, B leaves.

    player: what plays the recording.  me: the number of the player whose side is seen, or of players where all are.
    """

    view: "Any"

    def __init__(self, app, subject) -> None:
        """Watch `subject`, a MatchRecording, its bytes or what returns them; raise ValueError for damaged ones."""
        self.app = app
        if callable(subject):
            subject = subject()
        self.recording = MatchRecording(subject) if isinstance(subject, bytes) else subject
        self.player = MatchPlayer(self.recording)
        self.match = self.player.match
        self.playing = True
        self.finished = False
        self.speed = 0
        self.time_ms = 0
        self.last_ms = app.device.clock.ticks_ms()
        self.rest_ms = 0
        options = self.match.options
        self.names = [b"P" + str(i + 1).encode() for i in range(options.players)]
        for i in range(options.players):
            if options.level_of(i):
                self.names[i] = b"LEVEL " + str(options.level_of(i)).encode()
        self.sit(0)

    def sit(self, number: int) -> None:
        """See the match from the side of a player, or of nobody."""
        self.me = number
        self.shown = None
        if number == self.match.options.players:
            self.view = EqualView(self.app.canvas, self.match)
        else:
            view = self.view = MatchView(self.app.canvas, self.match, number)
            view.motion_on = bool(self.app.settings.motion_on)
            view.next_count = self.recording.choices[number].next_count
            view.show_ghost = bool(self.recording.choices[number].ghost_on)
        self.view.names = self.names
        self.view.reset()

    def is_playing(self) -> bool:
        """Return whether the recorded match runs."""
        return self.playing

    def update(self, edges, now_ms: int) -> None:
        """Take the edges of this frame and let the match go on as far as it should."""
        for i in range(edges.count):
            if edges.pressed[i]:
                self.press(edges.button[i])
        passed_ms = ticks_diff(now_ms, self.last_ms)
        self.last_ms = now_ms
        if self.playing:
            if self.player.is_round_over():
                self.rest_ms += passed_ms << self.speed
                if self.rest_ms >= _REST_MS:
                    self.go_on()
            else:
                self.time_ms += passed_ms << self.speed
                self.player.advance(self.time_ms)
                self.hear(now_ms)
        self.app.voice.update(now_ms)

    def hear(self, now_ms: int) -> None:
        """Let what happened at the seat that is seen be heard."""
        for seat in self.match.seats:
            if seat.number == self.me:
                self.app.voice.tell(seat.happened, now_ms)
                self.view.tell(seat.happened, seat.practice or seat.game)
            seat.happened = 0

    def go_on(self) -> None:
        """Begin the next round, or stand still at the end."""
        self.rest_ms = 0
        self.shown = None
        if not self.player.begin_next():
            self.playing = False
            self.finished = True
            return
        self.time_ms = 0
        self.view.reset()

    def press(self, button: int) -> None:
        """Act on one press."""
        voice = self.app.voice
        sides = self.match.options.players + 1
        if button == controls.ROTATE_CCW or button == controls.HOLD:
            voice.tell_menu(2)
            self.playing = False
            self.app.go(self.app.home)
            return
        voice.tell_menu(0)
        if button == controls.LEFT or button == controls.RIGHT:
            self.sit((self.me + (1 if button == controls.RIGHT else sides - 1)) % sides)
        elif button == controls.HARD_DROP:
            self.speed = min(_FASTEST, self.speed + 1)
        elif button == controls.SOFT_DROP:
            self.speed = max(0, self.speed - 1)
        elif self.finished:
            self.app.go("match_watch", self.recording)
        else:
            self.playing = not self.playing

    def draw(self) -> None:
        """Draw the match where it stands, and the result of a round over the Matrix."""
        if self.me == self.match.options.players:
            self.view.draw()
            return
        seat = self.match.seats[self.me]
        game = seat.practice or seat.game
        if game is not self.shown:
            self.shown = game
            self.view.practising = seat.practice is not None
            self.view.reset()
        if self.view.message:
            return
        self.view.draw_match(game)
        if self.match.over and self.player.is_round_over():
            self.view.draw_message(tell_result(self.match, self.me))
