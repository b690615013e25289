"""Build an opener with the bags that come; a wrong step is told at once and taken back (modes/README 10)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import events
from firmware.modes.opener import HOLD, NONE
from firmware.scenes.play.puzzle_play import Scene as PuzzlePlay
from firmware.view.art import FONT_3X5

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Context, EdgeQueue

_WORD_X = const(20)  # below the name and the side
_WORD_Y = const(17)
_WORD_HEIGHT = const(5)


class Scene(PuzzlePlay):
    """Play one bag after another; the panel says which opener a bag allows.

    subject: a number as in menus/openers.py. chosen: the opener and its side. number: the one in play, because the bag
    may not allow the chosen one. marks: whether places are marked. streak: openers in a row without a mistake.
    word: a line above the Matrix.
    """

    def __init__(self, context: "Context", subject: "int | None" = None) -> None:
        self.order = 0
        self.streak = 0
        self.missed = False  # in this bag
        self.word = b""
        self.fresh_word = True
        self.marks = (subject or 0) >> 6 == 1
        self.chosen = (subject or 0) & 63
        PuzzlePlay.__init__(self, context, self.chosen)
        self.view.label = b"LN"
        self.rest().deal(self)

    def rest(self) -> "Any":
        """Return the module opener_stop, which play does not keep in memory."""
        from firmware.scenes.play import opener_stop

        return opener_stop

    def begin(self, count: int, counts: bool) -> None:
        """Set the bag up after its first `count` Lock Downs; if `counts`, this was a mistake."""
        if counts:
            self.missed = True
            self.streak = 0
        self.fresh_word = True
        PuzzlePlay.begin(self, count, False)

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the edges of this frame, then tidy after a mistake."""
        game = self.game
        PuzzlePlay.update(self, edges, now_ms)
        if game is not self.game and not self.state:
            self.context.router.tidy()

    def announce_events(self, happened: int) -> None:
        """Turn event bits into sound; take a wrong Lock Down or a wrong Hold back."""
        if happened & (events.LOCKED | events.HELD):
            self.say(b"")
        PuzzlePlay.announce_events(self, happened)
        if happened & (events.HELD | events.GENERATED) and not self.state and self.game.piece:
            advice = self.game.mode.advise(self.game)
            if advice == NONE:
                self.rest().take_back(self, self.game.lock_downs, b"NO HOLD")
            elif self.marks and advice == HOLD:
                self.say(b"HOLD IT")

    def say(self, word: bytes) -> None:
        """Write a word above the Matrix at the next draw."""
        self.fresh_word = self.fresh_word or word != self.word
        self.word = word

    def draw(self) -> None:
        """Draw changes, or once the panel over the picture."""
        PuzzlePlay.draw(self)
        if self.fresh_word and not self.state:
            self.fresh_word = False
            canvas = self.context.canvas
            canvas.fill(_WORD_X, _WORD_Y, 64 - _WORD_X, _WORD_HEIGHT, 0)
            canvas.text(_WORD_X, _WORD_Y, self.word or (b"MIRROR" if self.number & 1 else b""), FONT_3X5)
