"""Show a match from one player's side: the own Matrix large, the others' small (Guideline 2.3.1)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import events
from firmware.view.art import FONT_3X5, FONT_3X7, FONT_5X7
from firmware.view.canvas import Canvas
from firmware.view.effects import EffectsView
from firmware.view.layouts.rivals import Rivals
from firmware.view.rising import RisingMatrix
from firmware.view.small import Meter

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Game

_FLOOR_Y = const(127)
_METER_X = const(52)
_SIDEBAR_LEFT = const(53)
_QUEUE = const(6)
_NEXT_Y = const(28)
_NEXT_PITCH = const(9)
_QUEUE_BYTE = const(6)
_HOLD_LABEL_Y = const(85)
_HOLD_Y = const(92)
_DIMMED = const(8)  # + piece
_TALK_Y = const(102)
_VALUE_Y = const(109)
_WINS_Y = const(120)
_NEAR_ROW = const(16)
_BLINK_FRAMES = const(16)
_TALK_FRAMES = const(48)
_PRACTICE_Y = const(38)
_PRACTICE_ROWS = const(7)
_SENT = const(1 << 23)  # of firmware/match/seat.py
_COUNTERED = const(1 << 24)
_NOTHING = const(-1)
_LEVEL = const(0)  # topics of the sidebar
_ATTACK = const(1)
_DEFENCE = const(2)
_TOP_OUT = const(3)
_LABELS = (b"LVL", b"ATT", b"DEF", b"TOP")


class MatchView(EffectsView):
    """Show player `me`'s Matrix and status, and the others at the top of the screen.

    names: of all players, capitals; set before the first draw. practising: whether PRACTICE stands over the Matrix.
    mark: None, or the Mark of a place in Practice; call uncover() before changing it. Call reset() after changing one,
    at a new round, and after drawing anything else. draw_match() and tell() allocate nothing.
    """

    names: list[bytes]
    matrix: RisingMatrix

    def __init__(self, canvas: Canvas, match: "Any", me: int) -> None:
        EffectsView.__init__(self, canvas, RisingMatrix(canvas))
        self.match = match
        self.me = me
        self.names = []
        self.practising = False
        self.meter = Meter(canvas, _METER_X, _FLOOR_Y, 5)
        self.rivals = Rivals(canvas, match, me)
        self._talk = self._shown_talk = _LEVEL
        self._talk_left = 0
        self._shown_value = _NOTHING
        self._sent = self._countered = 0
        self._wins = _NOTHING
        self._frame = 0
        self._lines = 0
        # The pixels of PRACTICE, and whether they are over the Matrix now.
        self._word = b""
        self._word_on = False
        self.mark: "Any" = None

    def tell(self, happened: int, game: "Game") -> None:
        """Show what the event bits of this frame name, and the lines sent or countered."""
        seat = self.match.seats[self.me]
        if happened & events.GARBAGE:
            self.matrix.rising = True
        if happened & (_SENT | _COUNTERED):
            self._talk = _ATTACK if happened & _SENT else _DEFENCE
            self._lines = seat.sent - self._sent if happened & _SENT else seat.countered - self._countered
            self._talk_left = _TALK_FRAMES
            self._shown_value = _NOTHING
        self._sent = seat.sent
        self._countered = seat.countered
        if self.rivals.count == 1:
            EffectsView.tell(self, happened, game)
        elif happened & events.LOCKED and self.motion_on:
            # Opponents take the place of notices.
            self.matrix.locked = 2 if happened & events.HARD_DROPPED else 1

    def draw_match(self, game: "Game") -> bool:
        """Bring the canvas up to date with the match; return whether that was much work.

        game: the own one, or that of Practice.
        """
        self._frame += 1
        matrix = self.matrix
        if self._word_on and (
            self._fresh
            or game.y != matrix.y
            or game.x != matrix.x
            or game.piece != matrix.piece
            or game.facing != matrix.facing
            or matrix.version != game.matrix.version
            or matrix.step >= 0
            or game.hit_count
            or matrix.locked
            or matrix._glow
        ):
            self._flip_word()
        busy = self.draw(game)
        if self.practising and not self._word_on:
            self._flip_word()
        if busy:
            return True
        match = self.match
        seat = match.seats[self.me]
        if not self.practising:
            if self.meter.draw(seat, match.time_ms):
                return False
            if not self._frame & _BLINK_FRAMES - 1 and self.motion_on:
                self.meter.blink()
        self._draw_talk(game)
        self.rivals.draw()
        return False

    def draw(self, game: "Game") -> bool:
        """Update Matrix, Next and Hold; return whether that was much work."""
        fresh = self._fresh
        if fresh:
            self._repaint(game)
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
            self._draw_mini(_QUEUE_BYTE, _HOLD_Y, game.hold, game.held)
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

    def _repaint(self, game: "Game") -> None:
        """Draw the fixed parts and forget the last picture."""
        self._fresh = False
        canvas = self.canvas
        canvas.clear()
        if self.practising:
            self._make_word()
        self._word_on = False
        self.matrix.motion_on = self.motion_on
        self.matrix.paint()
        for i in range(11):
            canvas.fill(5 * i, _FLOOR_Y, 2, 1, 1)
        canvas.text(_SIDEBAR_LEFT, _HOLD_LABEL_Y, b"HLD", FONT_3X5)
        self.message = ""
        self.meter.forget()
        self.rivals.paint(self.names)
        self._words = 0
        self._page = _NOTHING
        self._shown_talk = self._shown_value = self._wins = _NOTHING
        seat = self.match.seats[self.me]
        self._sent = seat.sent
        self._countered = seat.countered
        self._forget_queues()

    def _draw_best(self) -> None:
        """Restore what a notice covered."""
        self.rivals.paint_labels()

    def _draw_talk(self, game: "Game") -> None:
        """Show the level, briefly lines sent or countered, or that the Top Out is near; and the wins."""
        canvas = self.canvas
        talk = self._talk
        if self._talk_left:
            self._talk_left -= 1
            if not self._talk_left:
                self._talk = talk = _LEVEL
        if talk == _LEVEL and game.matrix.top >= _NEAR_ROW and self._frame & _BLINK_FRAMES:
            talk = _TOP_OUT
        if talk != self._shown_talk:
            self._shown_talk = talk
            canvas.fill(_SIDEBAR_LEFT, _TALK_Y, 11, 5, 0)
            canvas.text(_SIDEBAR_LEFT, _TALK_Y, _LABELS[talk], FONT_3X5)
            return
        value = game.level if self._talk == _LEVEL else 1000 * self._talk + self._lines
        if value != self._shown_value:
            self._shown_value = value
            canvas.fill(_SIDEBAR_LEFT, _VALUE_Y, 11, 7, 0)
            if value < 1000:
                canvas.number(_SIDEBAR_LEFT, _VALUE_Y, value, -1, 2, FONT_5X7, False)
            else:
                canvas.text(_SIDEBAR_LEFT, _VALUE_Y + 1, b"+" if self._talk == _ATTACK else b"-", FONT_3X5)
                canvas.number(57, _VALUE_Y, self._lines, -1, 2 if self._lines > 9 else 1, FONT_3X7, False)
            return
        self._draw_wins()

    def _draw_wins(self) -> None:
        """Show a pin for each round of the match, long for a win; or the lines left to clear."""
        match = self.match
        team = match.seats[self.me].team
        canvas = self.canvas
        if match.options.aim:
            left = max(0, match.options.aim - match.gathered[team])
            if left != self._wins:
                self._wins = left
                canvas.fill(_SIDEBAR_LEFT, _WINS_Y, 11, 7, 0)
                canvas.number(_SIDEBAR_LEFT, _WINS_Y, left, -1, 3, FONT_3X7, False)
        elif match.wins[team] != self._wins:
            self._wins = match.wins[team]
            draw_pins(canvas, _SIDEBAR_LEFT, _WINS_Y, self._wins, match.options.wins)

    def _make_word(self) -> None:
        """Keep the pixels of PRACTICE, from an empty canvas."""
        canvas = self.canvas
        canvas.text(2, _PRACTICE_Y, b"PRACTICE", FONT_5X7)
        first = 1 + 8 * _PRACTICE_Y
        self._word = bytes(canvas.buffer[first : first + 8 * _PRACTICE_ROWS])
        canvas.fill(0, _PRACTICE_Y, 64, _PRACTICE_ROWS, 0)

    def uncover(self) -> None:
        """Remove PRACTICE until the next draw."""
        if self._word_on:
            self._flip_word()

    def _flip_word(self) -> None:
        """Put PRACTICE over the Matrix, or remove it; the picture below stays legible."""
        self._word_on = not self._word_on
        if self.mark:
            self.mark.flip()
        word = self._word
        buffer = self.canvas.buffer
        dirty = self.canvas.dirty
        i = 1 + 8 * _PRACTICE_Y
        at = 0
        for y in range(_PRACTICE_Y, _PRACTICE_Y + _PRACTICE_ROWS):
            dirty[y] = 1
            for _ in range(7):
                buffer[i] ^= word[at]
                i += 1
                at += 1
            i += 1
            at += 1


def draw_pins(canvas: Canvas, x: int, y: int, wins: int, most: int) -> None:
    """Draw up to five pins, 1 x 2 pixels for a round to come, 1 x 6 for a win; none if one round decides."""
    canvas.fill(x, y, 11, 6, 0)
    if most > 1:
        for i in range(most):
            height = 6 if i < wins else 2
            canvas.fill(x + 2 * i, y + 6 - height, 1, height, 1)


View = MatchView
