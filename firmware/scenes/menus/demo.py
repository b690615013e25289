"""Play a game of the best computer behind the name of the title, without sound or words."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine import controls, events
from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.modes.marathon import Marathon
from firmware.scenes.menus.demo_game import PLACES, SEED
from firmware.view.canvas import make_slice
from firmware.view.effects import EffectsView

if TYPE_CHECKING:
    from firmware.contracts import Canvas

_TOP = const(20)
_PACE_MS = const(74)  # as levels.TABLE has it for BEST
_REACTION_MS = const(215)
_MOST_MS = const(63)  # of a frame
_NOBODY = const(-1)

# A place is a byte: bit 6 for Hold, bits 4 and 5 for the rotations, the others for the steps to the right, plus 8.
_HOLD = const(64)
_IN_PLACE = const(8)


class DemoView(EffectsView):
    """Show the Matrix and the Next Queue below the name, and no word: a screen reader would read each."""

    def repaint(self, game: "Game") -> None:
        """Draw the empty Matrix, and leave the name as it is."""
        self._fresh = False
        self.canvas.fill(0, _TOP, 64, 128 - _TOP, 0)
        self.matrix.paint()
        self.forget_queues()

    def tell(self, happened: int, game: "Game") -> None:
        """Let a Lock Down glow."""
        if happened & events.LOCKED:
            self.matrix.locked = 2 if happened & events.HARD_DROPPED else 1

    def draw(self, game: "Game") -> bool:
        """Bring the Matrix up to date, or the Next Queue."""
        if self._fresh:
            self.repaint(game)
        if self.matrix.draw(game, True):
            return True
        if game.next != self.next:
            self._draw_next(game.next)
        return False


class Demonstration:
    """Play the game over and over.

    band: the rows of pixels from `first` on, before `end`, which stay over the game. under: the game's own pixels
    there. place: what is left to press, as in demo_game.PLACES. number: of the Tetrimino that it is for.
    """

    def __init__(self, canvas: "Canvas", first: int, end: int, now_ms: int) -> None:
        self.buffer = canvas.buffer
        # A slice or a view made in a frame would allocate.
        self.rows = make_slice(1 + 8 * first, 1 + 8 * end)
        self.shown = memoryview(canvas.buffer)[self.rows]
        self.band = bytearray(len(self.shown))
        self.whole = make_slice(0, len(self.band))
        self.view = DemoView(canvas)
        self.begin(now_ms)
        self.view.draw(self.game)
        self.under = bytearray(self.shown)

    def begin(self, now_ms: int) -> None:
        """Begin the game from its seed, with default options."""
        self.last_ms = now_ms
        self.time_ms = 0
        self.number = _NOBODY
        self.game = Game(SEED, Options(), Marathon())
        self.game.start(0)
        self.view.reset()

    def keep(self) -> None:
        """Keep the rows of the band as they show now."""
        self.band[self.whole] = self.shown

    def update(self, now_ms: int) -> None:
        """Advance the game; it stands still while the screen sleeps."""
        game = self.game
        self.time_ms += min(abs(ticks_diff(now_ms, self.last_ms)), _MOST_MS)
        self.last_ms = now_ms
        happened = game.advance(self.time_ms)
        if not game.piece:
            self.view.tell(happened, game)
            return
        number = game.lock_downs
        if number != self.number:
            if number == len(PLACES):
                self.begin(now_ms)
                return
            self.number = number
            self.place = PLACES[number]
            self.due_ms = self.time_ms + _REACTION_MS
        elif self.time_ms >= self.due_ms:
            self.due_ms += _PACE_MS
            button = self.choose()
            happened |= game.input(button, 1, self.time_ms) | game.input(button, 0, self.time_ms)
        self.view.tell(happened, game)

    def choose(self) -> int:
        """Return the next button, and take its part from the place."""
        place = self.place
        if place & _HOLD:
            self.place = place ^ _HOLD
            return controls.HOLD
        if place > _IN_PLACE + 7:
            self.place = place - 16
            return controls.ROTATE_CW
        if place == _IN_PLACE:
            return controls.HARD_DROP
        step = 1 if place < _IN_PLACE else -1
        self.place = place + step
        return controls.RIGHT if step < 0 else controls.LEFT

    def draw(self) -> None:
        """Draw the game behind the band. After a Line Clear the view copies rows of pixels, which must be its own."""
        buffer = self.buffer
        buffer[self.rows] = self.under
        self.view.draw(self.game)
        self.under[self.whole] = self.shown
        buffer[self.rows] = self.band
