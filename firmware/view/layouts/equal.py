"""Show all players of a match in the same size, on screens for two, three and four players (Guideline 2.3.1)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.view.art import FONT_3X5
from firmware.view.canvas import Canvas, text_width
from firmware.view.small import Meter, SmallMatrix, draw_mini, draw_tiny, put

if TYPE_CHECKING:
    from firmware.contracts import Any, Game

_NOTHING = const(255)
_IN = const(-1)
_QUEUE = const(6)
_ROWS = const(20)
_HALF = const(31)
_HALF_HEIGHT = const(64)

# By the five cells of half a row: their pixels, with two pixels a cell, or three of which the last stays dark.
_TWO = bytearray(64)
_THREE = bytearray(64)
for _cells in range(32):
    _two = _three = 0
    for _x in range(5):
        if _cells >> _x & 1:
            _two |= 3 << 2 * _x
            _three |= 3 << 3 * _x
    _TWO[2 * _cells] = _two & 255
    _TWO[2 * _cells + 1] = _two >> 8
    _THREE[2 * _cells] = _three & 255
    _THREE[2 * _cells + 1] = _three >> 8


class EqualMatrix(SmallMatrix):
    """Keep the rows of a Matrix on the canvas in cells of 2 or 3 pixels."""

    def draw_row(self, row: int, cells: int) -> None:
        """Draw ten cells; bit 0 of `cells` is the leftmost."""
        pixels = self.pixels
        x = self.left
        y = self.top + (_ROWS - 1 - row) * pixels
        low = cells & _HALF
        high = cells >> 5 & _HALF
        canvas = self.canvas
        table = _TWO if pixels == 2 else _THREE
        width = 5 * pixels
        bits = table[2 * low] | table[2 * low + 1] << 8
        put(canvas, x, y, width, bits)
        put(canvas, x, y + 1, width, bits)
        bits = table[2 * high] | table[2 * high + 1] << 8
        put(canvas, x + width, y, width, bits)
        put(canvas, x + width, y + 1, width, bits)


class EqualView:
    """Draw every seat of a match: two stacked in cells of 3 pixels, more in quarters in cells of 2.

    names: of all players, capitals; set before the first draw. Call reset() at a new round and after drawing anything
    else. draw() allocates nothing and shows one part of one player a call.
    """

    names: list[bytes]

    def __init__(self, canvas: Canvas, match: "Any") -> None:
        self.canvas = canvas
        self.match = match
        self.names = []
        count = self.count = match.options.players
        self.pixels = 3 if count == 2 else 2
        self.matrices = []
        self.meters = []
        pixels = self.pixels
        for i in range(count):
            left = self.left(i) + 1
            top = self.top(i) + (2 if count == 2 else 8)
            self.matrices.append(EqualMatrix(canvas, left, top, pixels))
            self.meters.append(Meter(canvas, left + 10 * pixels + 2, top + 20 * pixels, pixels))
        self.next = bytearray(_QUEUE * count)
        self.hold = bytearray(count)
        self.sent = [0] * count
        self.out = bytearray(count)
        self.turn = 0
        self._fresh = True

    def left(self, i: int) -> int:
        """Return the left edge of a player's area."""
        return 0 if self.count == 2 else 32 * (i & 1)

    def top(self, i: int) -> int:
        """Return the top row of pixels of a player's area."""
        return _HALF_HEIGHT * (i if self.count == 2 else i >> 1)

    def reset(self) -> None:
        """Repaint everything at the next draw()."""
        self._fresh = True

    def draw(self) -> None:
        """Update one player's Matrix, meter or queues; each call takes the next player."""
        if self._fresh:
            self.repaint()
        self.turn = i = (self.turn + 1) % self.count
        match = self.match
        seat = match.seats[i]
        if self.out[i]:
            return
        canvas = self.canvas
        matrix = self.matrices[i]
        if seat.out_ms != _IN:
            self.out[i] = 1
            x = matrix.left + 5 * self.pixels - 7
            y = matrix.top + 9 * self.pixels
            canvas.fill(x, y - 1, 15, 7, 0)
            canvas.text(x + (15 - text_width(b"OUT", FONT_3X5) >> 1), y, b"OUT", FONT_3X5)
            return
        if matrix.draw(seat.game) or self.meters[i].draw(seat, match.time_ms):
            return
        if seat.sent != self.sent[i]:
            canvas.number(self.numbers_x(i), self.numbers_y(i), seat.sent, self.sent[i], 3, FONT_3X5, False)
            self.sent[i] = seat.sent
            return
        self._draw_queues(i, seat.game)

    def numbers_x(self, i: int) -> int:
        return self.left(i) + (52 if self.count == 2 else 18)

    def numbers_y(self, i: int) -> int:
        """Return the top row of pixels of the lines sent."""
        return self.top(i) + (49 if self.count == 2 else 51)

    def repaint(self) -> None:
        self._fresh = False
        canvas = self.canvas
        canvas.clear()
        match = self.match
        for i in range(_QUEUE * self.count):
            self.next[i] = _NOTHING
        for i in range(self.count):
            self.matrices[i].paint()
            self.meters[i].forget()
            self.hold[i] = _NOTHING
            self.out[i] = 0
            self.sent[i] = -1
            x = self.left(i)
            y = self.top(i)
            canvas.text(x + (36 if self.count == 2 else 1), y + 2, self.names[i][:7], FONT_3X5)
            wins = match.wins[match.seats[i].team]
            if self.count == 2:
                canvas.text(36, y + 33, b"HOLD", FONT_3X5)
                canvas.text(36, y + 49, b"SENT", FONT_3X5)
                canvas.text(36, y + 57, b"WON", FONT_3X5)
                canvas.number(60, y + 57, wins, -1, 1, FONT_3X5, True)
            else:
                canvas.text(x + 1, y + 51, b"SENT", FONT_3X5)
                canvas.text(x + 1, y + 58, b"WON", FONT_3X5)
                canvas.number(x + 26, y + 58, wins, -1, 1, FONT_3X5, True)

    def _draw_queues(self, i: int, game: "Game") -> None:
        """Draw Hold, or a Tetrimino of the Next Queue, if it changed."""
        canvas = self.canvas
        x = self.left(i)
        y = self.top(i)
        if game.hold != self.hold[i]:
            self.hold[i] = game.hold
            if self.count == 2:
                draw_mini(canvas, 38, y + 40, game.hold)
            else:
                draw_tiny(canvas, x + 26, y + 44, game.hold)
            return
        for place in range(_QUEUE):
            piece = game.next[place]
            if piece != self.next[_QUEUE * i + place]:
                self.next[_QUEUE * i + place] = piece
                if self.count == 2:
                    draw_mini(canvas, 38 + 13 * (place & 1), y + 9 + 8 * (place >> 1), piece)
                else:
                    draw_tiny(canvas, x + 26, y + 9 + 5 * place, piece)
                return


View = EqualView
