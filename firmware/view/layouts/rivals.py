"""Show up to three opponents beside the player's Hold Queue: name, wins, Matrix, meter, Hold, Next, Top Out."""

from firmware.compat import TYPE_CHECKING, const
from firmware.view.art import FONT_3X5
from firmware.view.canvas import Canvas, text_width
from firmware.view.small import Meter, SmallMatrix, draw_mini, draw_tiny

if TYPE_CHECKING:
    from firmware.contracts import Any, Game

_LEFT = const(18)  # of the first opponent's area
_BESIDE = const(16)  # from the left of an area to the part beside Matrix and meter
_OUT_Y = const(12)
_HOLD_Y = const(8)
_NEXT_Y = const(15)
_TINY_HOLD_Y = const(13)
_TINY_NEXT_Y = const(22)
_NOTHING = const(255)
_IN = const(-1)
_MARK_Y = const(5)
_LIT_TURNS = const(8)
_MATRIX_WIDTH = const(10)
_NINE = const(0x39)  # the last digit
_H = const(0x48)  # as codes: as texts the two labels would take 64 bytes of the heap beside a match
_N = const(0x4E)
# By the number of opponents: width of an area and of a name, first row of pixels of the Matrix and rows that show.
_PITCH = b"\x00\x2e\x17\x0f"
_NAME = b"\x00\x1a\x14\x0d"
_TOP = b"\x00\x01\x06\x06"
_ROWS = b"\x00\x14\x12\x12"


class Rivals:
    """Draw the other seats of a match, one in each call, so that three cost no more in a frame.

    The Matrix of one of several who sends lines is inverted for a moment: all of it if they come to this player, else
    its lower half.

    count: the number of opponents. sent: lines that each had sent. lit: turns until an inverted Matrix is drawn again.
    tall: how many of its rows are inverted.
    """

    def __init__(self, canvas: Canvas, match: "Any", me: int) -> None:
        self.canvas = canvas
        self.match = match
        self.me = me
        self.numbers = bytearray([i for i in range(match.options.players) if i != me])
        count = self.count = len(self.numbers)
        pitch = self.pitch = _PITCH[count]
        top = _TOP[count]
        rows = _ROWS[count]
        self.matrices = [SmallMatrix(canvas, _LEFT + i * pitch + 1, top, 1, rows) for i in range(count)]
        self.meters = [Meter(canvas, _LEFT + i * pitch + 13, top + rows, 1) for i in range(count)]
        self.next = bytearray(2 * count)
        self.hold = bytearray(count)
        self.out = bytearray(count)
        self.widths = bytearray(count)  # of the names
        self.sent = [0] * count
        self.lit = bytearray(count)
        self.tall = bytearray(count)
        self.motion_on = True
        self.mark = _IN
        self.turn = 0

    def paint(self, names: list[bytes], motion_on: bool) -> None:
        """Draw the fixed parts on a dark canvas and forget the last picture."""
        self.motion_on = motion_on
        self.mark = _IN
        for i in range(self.count):
            self.matrices[i].paint()
            self.meters[i].forget()
            self.out[i] = self.lit[i] = 0
            self.sent[i] = self.match.seats[self.numbers[i]].sent
        self.paint_names(names)
        self.paint_queues()

    def paint_names(self, names: list[bytes]) -> None:
        """Write the names and the rounds won."""
        for i in range(self.count):
            number = self.numbers[i]
            if number < len(names):
                self.paint_name(i, names[number])
            if self.match.options.wins > 1:
                self.paint_wins(i, self.match.wins[self.match.seats[number].team])

    def find_name(self, i: int) -> int:
        """Return the x of an opponent's name, beside a single Matrix or above one of several."""
        return _LEFT + i * self.pitch + (_BESIDE if self.count == 1 else 0)

    def paint_name(self, i: int, name: bytes) -> None:
        """Write as much of a name as fits: its first letters, and its last character if it is a digit."""
        canvas = self.canvas
        x = left = self.find_name(i)
        right = left + _NAME[self.count]
        letters = len(name)
        last = name[letters - 1]
        if last <= _NINE:
            letters -= 1
            right -= 4
        for at in range(letters):
            width = canvas.glyph(x, 0, name[at], FONT_3X5)
            if x + width > right:
                canvas.fill(x, 0, width, 5, 0)
                break
            x += width + 1
        if last <= _NINE:
            x += canvas.glyph(x, 0, last, FONT_3X5) + 1
        self.widths[i] = x - 1 - left

    def paint_wins(self, i: int, wins: int) -> None:
        """Draw the rounds won: a digit for a single opponent, a column of dots for each of several."""
        x = _LEFT + (i + 1) * self.pitch
        if self.count == 1:
            self.canvas.number(x - 3, 0, wins, -1, 1, FONT_3X5, True)
            return
        for dot in range(wins):
            self.canvas.fill(x - (2 if self.count == 2 else 1), 2 * dot, 1, 1, 1)

    def paint_queues(self) -> None:
        """Label the queues; the next calls of draw() draw them."""
        for i in range(self.count):
            self.next[2 * i] = self.next[2 * i + 1] = self.hold[i] = _NOTHING
        x = _LEFT + _BESIDE
        if self.count == 1:
            self.canvas.glyph(x, _HOLD_Y, _H, FONT_3X5)
            self.canvas.glyph(x, _NEXT_Y, _N, FONT_3X5)
        elif self.count == 2:
            for _ in range(2):
                self.canvas.glyph(x - 1, _TINY_HOLD_Y - 6, _H, FONT_3X5)
                self.canvas.glyph(x - 1, _TINY_NEXT_Y - 6, _N, FONT_3X5)
                x += self.pitch

    def draw(self, covered: bool) -> None:
        """Update one opponent, in each call the next one; draw at most one changed part.

        covered: whether a notice covers a single opponent's queues.
        """
        self.turn = i = (self.turn + 1) % self.count
        match = self.match
        seat = match.seats[self.numbers[i]]
        if self.lit[i]:
            self.lit[i] -= 1
            if not self.lit[i]:
                self.invert(i)
            return
        if self.out[i]:
            return
        game = seat.game
        if seat.out_ms != _IN:
            self.out[i] = 1
            x = _LEFT + i * self.pitch
            self.canvas.fill(x, _OUT_Y - 1, 12, 7, 0)
            self.canvas.text(x + (12 - text_width(b"OUT", FONT_3X5) >> 1), _OUT_Y, b"OUT", FONT_3X5)
            return
        if self.matrices[i].draw(game) or self.meters[i].draw(seat, match.time_ms):
            return
        mine = match.seats[self.me]
        if seat.sent != self.sent[i]:
            self.sent[i] = seat.sent
            if self.count > 1 and self.motion_on:
                aimed = seat.mark == self.me if match.options.target else seat.team != mine.team
                self.tall[i] = self.matrices[i].rows >> (0 if aimed and mine.out_ms == _IN else 1)
                self.lit[i] = _LIT_TURNS
                self.invert(i)
            return
        if match.options.target and mine.mark != self.mark:
            self.move_mark(mine.mark)
        elif not covered and self.count < 3:
            self.draw_queues(i, game)

    def invert(self, i: int) -> None:
        """Invert the lowest rows of an opponent's Matrix, or invert them back."""
        matrix = self.matrices[i]
        tall = self.tall[i]
        self.canvas.invert(matrix.left, matrix.top + matrix.rows - tall, _MATRIX_WIDTH, tall)

    def move_mark(self, number: int) -> None:
        """Underline the name of the player under attack: an inverted word this small is hard to read."""
        for place in range(self.count):
            if self.numbers[place] == self.mark or self.numbers[place] == number:
                self.canvas.invert(self.find_name(place), _MARK_Y, self.widths[place], 1)
        self.mark = number

    def draw_queues(self, i: int, game: "Game") -> None:
        """Draw Hold, or a Tetrimino of the Next Queue, if it changed."""
        canvas = self.canvas
        x = _LEFT + i * self.pitch + _BESIDE
        alone = self.count == 1
        if game.hold != self.hold[i]:
            self.hold[i] = game.hold
            if alone:
                draw_mini(canvas, x + 5, _HOLD_Y - 1, game.hold)
            else:
                draw_tiny(canvas, x - 1, _TINY_HOLD_Y, game.hold)
            return
        for place in range(2 if alone else 1):
            piece = game.next[place]
            if piece != self.next[2 * i + place]:
                self.next[2 * i + place] = piece
                if alone:
                    draw_mini(canvas, x + 5 + 14 * place, _NEXT_Y - 1, piece)
                else:
                    draw_tiny(canvas, x - 1, _TINY_NEXT_Y, piece)
                return
