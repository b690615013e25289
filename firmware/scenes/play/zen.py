"""Play a game whose Tetriminos can be taken back (modes/README 6)."""

from firmware.compat import TYPE_CHECKING, ticks_diff
from firmware.engine import controls
from firmware.scenes.play.play import Play
from firmware.scenes.play_state import PLAYING

if TYPE_CHECKING:
    from firmware.contracts import Any, Context


class Zen(Play):
    """Play a game; START while HOLD is down stops it and takes a Tetrimino back.

    rewind: None while a recording is watched. `apply_edge` and `pass_time` repeat code of Play, because a board's stack
    has no room for deeper calls.
    """

    def __init__(self, context: "Context", subject: object = None) -> None:
        self.rewind: "Any" = None
        Play.__init__(self, context, subject)
        self.view.best = 0  # the best result is in lines, but the view shows points
        if not self.player:
            from firmware.scenes.play import zen_start

            self.rewind = self.recorder = zen_start.make_rewind(context.session, self.recorder)

    def pass_time(self, t_ms: int) -> None:
        """Advance the game, and record a Tetrimino that has come into play."""
        if self.player:
            Play.pass_time(self, t_ms)
            return
        passed = ticks_diff(t_ms, self.last_ms)
        if passed > 0:
            self.last_ms = t_ms
            self.played_ms += passed
        game = self.game
        self.announce_events(game.advance(self.played_ms))
        if game.piece and game.lock_downs != self.rewind.number:
            self.rewind.step(game)

    def apply_edge(self, button: int, pressed: int, t_ms: int) -> None:
        """Pass one edge to the game; releasing HOLD ends taking back by it."""
        if button == controls.HOLD and not pressed and hasattr(self.cover, "steps"):
            self.cover.let_go(t_ms)
        elif button == controls.PAUSE:
            self.start_ms = t_ms if pressed else -1
            if pressed:
                self.press_pause(t_ms)
        elif self.state == PLAYING and not self.player and (pressed or self.game.pressed >> button & 1):
            self.pass_time(t_ms)
            self.note(button, pressed)

    def press_pause(self, t_ms: int) -> None:
        """Pause, resume, or take a Tetrimino back."""
        if hasattr(self.cover, "steps"):
            self.cover.press_pause(t_ms)
        elif self.state == PLAYING and self.rewind and self.game.pressed >> controls.HOLD & 1:
            self.pass_time(t_ms)
            self.take_back(1)
        else:
            Play.press_pause(self, t_ms)

    def take_back(self, steps: int) -> None:
        """Stop the game and take back `steps` Tetriminos, 0 or 1."""
        from firmware.scenes.play.rewind import TakeBack

        TakeBack(self, steps)

    def follow_game(self) -> None:
        """Set time and saves to the moment that the game has been taken back to."""
        self.played_ms = self.game.now_ms
        self.saved = min(self.saved, self.game.lock_downs)


Scene = Zen
