"""Show a match from one player's view: this player's Matrix large, the others' small (Guideline 2.3.1)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import events
from firmware.engine.matrix import NEAR_ROW
from firmware.view.art import FONT_3X5, FONT_3X7
from firmware.view.canvas import WIDTH, Canvas, text_width
from firmware.view.effects import WORDS, EffectsView
from firmware.view.layouts.rivals import Rivals
from firmware.view.rising import RisingMatrix
from firmware.view.small import Bar
from firmware.view.word import PracticeWord

if TYPE_CHECKING:
    from firmware.contracts import Any, Game

_FLOOR_Y = const(127)
_SIDEBAR_LEFT = const(55)
_QUEUE = const(6)
_NEXT_Y = const(28)
_NEXT_PITCH = const(9)
_QUEUE_BYTE = const(6)
_HOLD_BYTE = const(0)
_HOLD_Y = const(8)
_DIMMED = const(8)  # + piece
_CLOCK_Y = const(17)
_LEVEL_LABEL_Y = const(85)
_LEVEL_Y = const(91)
_TALK_Y = const(102)
_VALUE_Y = const(109)
_WINS_Y = const(120)
_LINES_LEFT = const(53)  # the lines still to clear in co-op have no bar beside them
_BLINK_FRAMES = const(16)
_TALK_TURNS = const(24)  # the status's turns, one in two frames
_NOTHING = const(-1)
_ATTACK = const(0)  # topics of the sidebar
_DEFENCE = const(1)
_LABELS = (b"AT", b"DF")
# Notices stand in place of a single opponent's queues, or of the names of several.
_NOTICE_X = const(33)
_NOTICE_Y = const(6)
_NOTICE_WIDTH = const(31)
_NOTICE_HEIGHT = const(15)
_NOTICE_LINE = const(7)
_NAMES_X = const(18)
_NAMES_WIDTH = const(46)
_BACK_TO_BACK = const(6)  # too long for this place
_NAMES_HEIGHT = const(5)
_CUTS = b"\x00\x00\x00\x00\x00\x05\x08\x00\x00\x00\x00\x04"  # index at which a word of WORDS continues on a second line


class MatchView(EffectsView):
    """Show player `me`'s game like a solo game, and the opponents between Hold and Next Queue.

    The bar beside the Matrix is the Receiving Queue (view/small.py). The sidebar shows the level, for a moment lines
    sent (AT) or countered (DF), and the wins, in co-op lines still to clear (CO); "!!" warns of a Top Out.

    names: of all players, capitals; set before the first draw. practised: which game of Practice is shown, 0 for none.
    mark: None, or the Mark of a place in Practice; call uncover() before changing it. Call reset() after changing one
    of these, at a new round, and after drawing anything else. draw_match() and tell() allocate nothing.
    """

    names: list[bytes]
    matrix: RisingMatrix

    def __init__(self, canvas: Canvas, match: "Any", me: int) -> None:
        EffectsView.__init__(self, canvas, RisingMatrix(canvas))
        self.match = match
        self.me = me
        self.names = []
        self.meter = Bar(canvas)
        self.rivals = Rivals(canvas, match, me)
        self._talk = _ATTACK
        self._shown_level = self._shown_clock = self._wins = _NOTHING
        self._warned = False
        self.practised = self._talk_left = self._sent = self._countered = self._lines = self._frame = 0
        self._word = PracticeWord(canvas)
        self.mark: "Any" = None

    def tell(self, happened: int, game: "Game") -> None:
        """Show the action in the event bits of this frame, and the lines sent or countered."""
        seat = self.match.seats[self.me]
        if happened & events.GARBAGE:
            self.matrix.rising = True
        if happened & (events.SENT | events.COUNTERED):
            self._talk = _ATTACK if happened & events.SENT else _DEFENCE
            self._lines = seat.sent - self._sent if happened & events.SENT else seat.countered - self._countered
            self._talk_left = _TALK_TURNS
        self._sent = seat.sent
        self._countered = seat.countered
        EffectsView.tell(self, happened, game)

    def draw_match(self, game: "Game") -> bool:
        """Bring the canvas up to date with the match; return whether there was much work.

        game: the player's own game, or the game of Practice.
        """
        self._frame += 1
        if self._word.on and self._may_copy_rows(game):
            self._flip_word()
        busy = self.draw(game)
        if self.practised and not self._word.on:
            self._flip_word()
        if busy:
            return True
        match = self.match
        if not self.practised:
            if self.meter.draw(match.seats[self.me], match.time_ms):
                return False
            if not self._frame & _BLINK_FRAMES - 1 and self.motion_on:
                self.meter.blink()
        # Status and opponent take turns: 30 times a second is enough for both, and saves 0.2 ms a frame.
        turn = self._frame & 1
        if not turn and not (self._draw_clock(match.time_ms // 1000) or self._draw_level(game) or self._draw_talk()):
            self._draw_wins()
        if turn or self.rivals.count > 1:
            self.rivals.draw(self._page >= 0 and self.rivals.count == 1)
        return False

    def _may_copy_rows(self, game: "Game") -> bool:
        """Return whether rows of Blocks may be copied over the word, inverted pixels as a moving Tetrimino."""
        matrix = self.matrix
        if self._fresh or matrix.version != game.matrix.version or matrix.step >= 0:
            return True
        return game.hit_count > 0 or matrix.locked > 0 or matrix.glow > 0

    def draw(self, game: "Game") -> bool:
        """Update Matrix, Next and Hold; return whether there was much work."""
        fresh = self._fresh
        if fresh:
            self.repaint(game)
        self.matrix.leisurely = not game.piece and not fresh
        if self.matrix.draw(game, self.show_ghost) and not fresh:
            return True
        if game.next != self.next:
            self._draw_next(game.next)
            if not fresh:
                return True
        hold = game.hold + _DIMMED if game.held else game.hold
        if hold != self.hold:
            self.hold = hold
            self._draw_mini(_HOLD_BYTE, _HOLD_Y, game.hold, game.held)
        if self._words or self._page >= 0:
            self._announce(True)
        return False

    def _draw_next(self, queue: bytearray) -> None:
        """Show the first two Tetriminos of the Next Queue that changed; the others wait for the next frames."""
        shown = self.next
        left = 2
        for i in range(_QUEUE):
            piece = queue[i]
            if shown[i] != piece and left:
                left -= 1
                shown[i] = piece
                if i < self.next_count:
                    self._draw_mini(_QUEUE_BYTE, _NEXT_Y + i * _NEXT_PITCH, piece, False)

    def repaint(self, game: "Game") -> None:
        self._fresh = False
        canvas = self.canvas
        canvas.clear()
        self._word.forget(self.practised > 0)
        self.matrix.motion_on = self.motion_on
        self.matrix.paint()
        for i in range(11):
            canvas.fill(5 * i, _FLOOR_Y, 2, 1, 1)
        canvas.text(1, 1, b"HOLD", FONT_3X5)
        self.message = ""
        self.meter.forget()
        self.rivals.paint(self.names, self.motion_on)
        self._words = 0
        self._page = _NOTHING
        self._shown_level = self._shown_clock = self._wins = _NOTHING
        self._warned = True
        self._draw_level(game)  # the label
        self._draw_level(game)
        if self._talk_left:
            self._talk_left = 1
        self._sent = self.match.seats[self.me].sent
        self._countered = self.match.seats[self.me].countered
        self.forget_queues()

    def draw_best(self) -> None:
        """Restore what a notice covered."""
        if self.rivals.count == 1:
            self.rivals.paint_queues()
        else:
            self.rivals.paint_names(self.names)

    def _turn_page(self, page: int) -> None:
        """Show word `page` in one line, beside a single opponent in two; below 0 show what it covered."""
        canvas = self.canvas
        if self.rivals.count > 1:
            canvas.fill(_NAMES_X, 0, _NAMES_WIDTH, _NAMES_HEIGHT, 0)
            if page < 0:
                self.draw_best()
            else:
                word = WORDS[page] if page != _BACK_TO_BACK else b"B2B"
                canvas.text(WIDTH - text_width(word, FONT_3X5), 0, word, FONT_3X5)
            return
        canvas.fill(_NOTICE_X, _NOTICE_Y, _NOTICE_WIDTH, _NOTICE_HEIGHT, 0)
        if page < 0:
            self.draw_best()
            return
        word = WORDS[page]
        cut = _CUTS[page]
        x = _NOTICE_X + 1
        y = _NOTICE_Y + (1 if cut else _NOTICE_LINE - 2)
        for i in range(len(word)):
            if i == cut and i:
                x = _NOTICE_X + 1
                y += _NOTICE_LINE
            x += canvas.glyph(x, y, word[i], FONT_3X5) + 1

    def _flash(self) -> None:
        """Flash a notice beside a single opponent; letters of five rows are hard to read when they are dark."""
        if self.rivals.count == 1:
            self.canvas.invert(_NOTICE_X, _NOTICE_Y, _NOTICE_WIDTH, _NOTICE_HEIGHT)

    def _draw_clock(self, seconds: int) -> bool:
        """Show the time of the round; return whether it changed."""
        was = self._shown_clock
        if seconds == was:
            return False
        self._shown_clock = seconds
        self._draw_time(seconds, was, False, 0, _CLOCK_Y, FONT_3X5)
        if was < 0:
            self.canvas.fill(8, _CLOCK_Y + 1, 1, 1, 1)
            self.canvas.fill(8, _CLOCK_Y + 3, 1, 1, 1)
        return True

    def _draw_level(self, game: "Game") -> bool:
        """Show the level, and a warning in place of its label while a Top Out is near; return whether one changed."""
        canvas = self.canvas
        warned = game.matrix.top >= NEAR_ROW and self._frame & _BLINK_FRAMES > 0
        if warned != self._warned:
            self._warned = warned
            canvas.fill(_SIDEBAR_LEFT, _LEVEL_LABEL_Y, 9, 5, 0)
            canvas.text(_SIDEBAR_LEFT, _LEVEL_LABEL_Y, b"!!" if warned else b"LV", FONT_3X5)
            return True
        level = game.level
        if level == self._shown_level:
            return False
        canvas.number(_SIDEBAR_LEFT, _LEVEL_Y, level, self._shown_level, 2, FONT_3X7, False)
        self._shown_level = level
        return True

    def _draw_talk(self) -> bool:
        """Show lines sent or countered for a moment; return whether anything changed."""
        if not self._talk_left:
            return False
        left = self._talk_left = self._talk_left - 1
        if left and left != _TALK_TURNS - 1:
            return False
        canvas = self.canvas
        canvas.fill(_SIDEBAR_LEFT, _TALK_Y, 9, 14, 0)
        if left:
            canvas.text(_SIDEBAR_LEFT, _TALK_Y, _LABELS[self._talk], FONT_3X5)
            canvas.number(_SIDEBAR_LEFT, _VALUE_Y, self._lines, -1, 2, FONT_3X7, False)
        return True

    def _draw_wins(self) -> None:
        """Show a pin for each win that the match needs, long if it is won; or the lines left to clear."""
        match = self.match
        team = match.seats[self.me].team
        canvas = self.canvas
        if match.options.aim:
            left = max(0, match.options.aim - match.gathered[team])
            if left != self._wins:
                self._wins = left
                canvas.text(_LINES_LEFT, _WINS_Y - 7, b"CO", FONT_3X5)  # no attack needs this place
                canvas.fill(_LINES_LEFT, _WINS_Y, 11, 7, 0)
                canvas.number(_LINES_LEFT, _WINS_Y, left, -1, 3, FONT_3X7, False)
        elif match.wins[team] != self._wins:
            self._wins = match.wins[team]
            draw_pins(canvas, _SIDEBAR_LEFT, _WINS_Y, self._wins, match.options.wins)

    def uncover(self) -> None:
        """Remove TRAINING until the next draw."""
        if self._word.on:
            self._flip_word()

    def _flip_word(self) -> None:
        if self.mark:
            self.mark.flip()
        self._word.flip()


def draw_pins(canvas: Canvas, x: int, y: int, wins: int, most: int) -> None:
    """Draw up to five pins, 1 x 2 pixels for a missing win, 1 x 6 for a win; none if one win decides."""
    canvas.fill(x, y, 9, 6, 0)
    if most > 1:
        for i in range(most):
            height = 6 if i < wins else 2
            canvas.fill(x + 2 * i, y + 6 - height, 1, height, 1)


View = MatchView
