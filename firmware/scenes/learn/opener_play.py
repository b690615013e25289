"""Build an opener with the bags that come; a wrong step is told at once and taken back (modes/README 15)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import events
from firmware.modes.opener import HOLD, NONE
from firmware.scenes.learn import puzzle_play
from firmware.scenes.learn.opener_menu import MARKS, SIDES
from firmware.view.art import FONT_3X5

if TYPE_CHECKING:
    from firmware.contracts import Any, Context, EdgeQueue

_WORD_X = const(20)  # below the name and the side
_WORD_Y = const(17)
_WORD_HEIGHT = const(5)


class Scene(puzzle_play.Scene):
    """Play one bag after another; the panel says which opener a bag allows.

    subject: a number as in opener_menu.py. chosen: the opener and its side. number: the one in play, because the bag
    may not allow the chosen one. shown: whether places are marked. streak: openers in a row without a mistake.
    word: a line above the Matrix; it is drawn if `dirty`.
    """

    def __init__(self, context: "Context", subject: "int | None" = None) -> None:
        self.order = 0
        self.streak = 0
        self.word = b""
        self.dirty = True
        self.chosen = (subject or 0) % SIDES
        puzzle_play.Scene.__init__(self, context, self.chosen)
        self.view.label = b"LN"
        self.shown = (subject or 0) // SIDES == MARKS
        self.rest().deal(self)

    def rest(self) -> "Any":
        """Return the module opener_stop, which play does not keep in memory."""
        from firmware.scenes.learn import opener_stop

        return opener_stop

    def begin(self, count: int, counts: bool) -> None:
        """Set the bag up after its first `count` Lock Downs; if `counts`, this was a mistake."""
        if counts:
            self.streak = 0
        self.dirty = True
        puzzle_play.Scene.begin(self, count, counts)

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the edges of this frame, then tidy after a mistake."""
        game = self.game
        puzzle_play.Scene.update(self, edges, now_ms)
        if game is not self.game and not self.state:
            self.context.router.tidy()

    def announce_events(self, happened: int) -> None:
        """Turn event bits into sound; take a wrong Lock Down or a wrong Hold back."""
        if happened & (events.LOCKED | events.HELD):
            self.say(b"")
        puzzle_play.Scene.announce_events(self, happened)
        if happened & (events.HELD | events.GENERATED) and not self.state and self.game.piece:
            advice = self.game.mode.advise(self.game)
            if advice == NONE:
                self.rest().take_back(self, self.game.lock_downs, b"NO HOLD")
            elif self.shown and advice == HOLD:
                self.say(b"HOLD IT")

    def say(self, word: bytes) -> None:
        """Write a word above the Matrix at the next draw."""
        self.dirty = self.dirty or word != self.word
        self.word = word

    def draw(self) -> None:
        """Draw changes, or once the panel over the picture."""
        stopped = self.state and self.fresh
        puzzle_play.Scene.draw(self)
        if stopped:
            self.context.router.tidy()  # a panel may stay for long: 10 KB
        if self.dirty and not self.state:
            self.dirty = False
            canvas = self.context.canvas
            canvas.fill(_WORD_X, _WORD_Y, 64 - _WORD_X, _WORD_HEIGHT, 0)
            canvas.text(_WORD_X, _WORD_Y, self.word or (b"MIRROR" if self.number & 1 else b""), FONT_3X5)
