"""Practise from a moment of a game, with hints and without results (modes/README 9)."""

from firmware.compat import TYPE_CHECKING
from firmware.engine import controls, events
from firmware.engine.phases import GAME_OVER
from firmware.save.recordings.rewind import Rewind
from firmware.save.suspended import pack
from firmware.scenes.play.play import Play
from firmware.scenes.play.rewind import find_view
from firmware.scenes.play.zen import Zen
from firmware.scenes.play.zen_start import LEAST_BYTES
from firmware.scenes.play_state import PLAYING

if TYPE_CHECKING:
    from firmware.contracts import Any, Context, Game


class Practise(Zen):
    """Play on from a moment of a game; START goes back to this moment.

    moment: the record of the game at this moment, by firmware/save/suspended.py. adviser: gives hints, or None.
    """

    keeps = ""
    records = False  # the recorder holds the original game

    def __init__(self, context: "Context", subject: "Game") -> None:
        self.adviser: "Any" = None
        self.moment = b""
        self.rewind = None
        Play.__init__(self, context, subject)
        size = len(context.session.recorder.buffer) if context.session.recorder else LEAST_BYTES
        self.rewind = self.recorder = Rewind(
            None, pack, context.session.variant, context.journal.payload, bytearray(size)
        )
        self.view = find_view(self)  # hints are marked in its cells
        length = pack(self.game, context.session.variant, context.journal.payload)
        self.moment = bytes(context.journal.payload[:length])
        self.stand(True)

    def press_pause(self, t_ms: int) -> None:
        """Go back to the moment; while HOLD is down, take a Tetrimino back instead."""
        if self.state == PLAYING and not self.game.pressed >> controls.HOLD & 1:
            self.pass_time(t_ms)
            self.stand(False)
            self.cover.retry()
        else:
            Zen.press_pause(self, t_ms)

    def take_back(self, steps: int) -> None:
        """Stop the game and take back `steps` Tetriminos, 0 or 1."""
        from firmware.scenes.replay.practise_moment import Moment

        Moment(self, steps, False)

    def stand(self, telling: bool) -> None:
        """Stop the game; if `telling`, show the keys."""
        from firmware.scenes.replay.practise_moment import Moment

        Moment(self, 0, telling)

    def set_adviser(self, adviser: "Any") -> None:
        """Set the Adviser who gives hints, or None for no hints."""
        self.adviser = adviser

    def announce_events(self, happened: int) -> None:
        """Turn event bits into sound; at the end of the game stop it."""
        self.saved = self.game.lock_downs  # prevents saves
        self.voice.tell(happened, self.last_ms)
        self.view.tell(happened, self.game)
        if happened & events.LEVEL_UP:
            self.set_pace()
        if self.game.phase == GAME_OVER and self.state == PLAYING:
            self.stand(False)

    def draw(self) -> None:
        """Draw changes and the adviser's mark; let the adviser think before."""
        adviser = self.adviser
        if self.cover or not adviser:
            Play.draw(self)
        else:
            adviser.look()
            adviser.uncover()
            Play.draw(self)
            adviser.draw()


Scene = Practise
