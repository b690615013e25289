"""Show up to three opponents above the own Matrix: Matrix, meter, Next, Hold, name, wins, Top Out."""

from firmware.compat import TYPE_CHECKING, const
from firmware.view.art import FONT_3X5
from firmware.view.canvas import Canvas, text_width
from firmware.view.small import Meter, SmallMatrix, draw_mini, draw_tiny

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Game

_TOP = const(1)
_FLOOR_Y = const(21)
_MARK_Y = const(23)
_BESIDE = const(16)  # from the left of an opponent's area to the part beside Matrix and meter
_OUT_Y = const(8)
_NOTHING = const(255)
_IN = const(-1)
_NINE = const(0x39)  # the last digit


class Rivals:
    """Draw the other seats of a match, each call the next one, so that three cost no more a frame.

    count: how many there are.
    """

    def __init__(self, canvas: Canvas, match: "Any", me: int) -> None:
        self.canvas = canvas
        self.match = match
        self.me = me
        self.numbers = bytearray([i for i in range(match.options.players) if i != me])
        count = self.count = len(self.numbers)
        self.pitch = 64 if count == 1 else 32 if count == 2 else 21
        self.matrices = [SmallMatrix(canvas, i * self.pitch + 1, _TOP, 1) for i in range(count)]
        self.meters = [Meter(canvas, i * self.pitch + 13, _FLOOR_Y, 1) for i in range(count)]
        self.next = bytearray(2 * count)
        self.hold = bytearray(count)
        self.out = bytearray(count)
        self.mark = _IN
        self.turn = 0

    def paint(self, names: list[bytes]) -> None:
        """Draw the fixed parts on a dark canvas and forget the last picture."""
        canvas = self.canvas
        match = self.match
        self.mark = _IN
        for i in range(self.count):
            self.matrices[i].paint()
            self.meters[i].forget()
            self.out[i] = 0
            number = self.numbers[i]
            x = i * self.pitch + _BESIDE
            name = names[number] if number < len(names) else b"  "
            # With less room a name is one or two letters, or its number: CA, C2, P3.
            second = name[-1] if name[-1] <= _NINE else name[1]
            wins = match.wins[match.seats[number].team]
            if self.count == 1:
                canvas.text(x, 0, name, FONT_3X5)
                if match.options.wins > 1:
                    canvas.number(60, 0, wins, -1, 1, FONT_3X5, True)
            elif self.count == 2:
                canvas.glyph(x, 0, name[0], FONT_3X5)
                canvas.glyph(x + 4, 0, second, FONT_3X5)
                if match.options.wins > 1:
                    canvas.number(x + 11, 0, wins, -1, 1, FONT_3X5, True)
            else:
                canvas.glyph(x, 0, second if second <= _NINE else name[0], FONT_3X5)
                if match.options.wins > 1:
                    canvas.number(x, 16, wins, -1, 1, FONT_3X5, True)
        self.paint_queues()

    def paint_queues(self) -> None:
        """Draw the queues at the next turns."""
        for i in range(self.count):
            self.next[2 * i] = self.next[2 * i + 1] = self.hold[i] = _NOTHING
        self.paint_labels()

    def paint_labels(self) -> None:
        """Label the queues of a single opponent, in the notice area."""
        if self.count == 1:
            self.canvas.text(16, 9, b"HOLD", FONT_3X5)
            self.canvas.text(40, 9, b"NEXT", FONT_3X5)

    def draw(self) -> None:
        """Update one opponent, and at the next call the next one; one changed part is enough for a frame."""
        self.turn = i = (self.turn + 1) % self.count
        match = self.match
        seat = match.seats[self.numbers[i]]
        if self.out[i]:
            return
        game = seat.game
        if seat.out_ms != _IN:
            self.out[i] = 1
            x = i * self.pitch
            self.canvas.fill(x, _OUT_Y - 1, 12, 7, 0)
            self.canvas.text(x + (12 - text_width(b"OUT", FONT_3X5) >> 1), _OUT_Y, b"OUT", FONT_3X5)
            return
        if self.matrices[i].draw(game) or self.meters[i].draw(seat, match.time_ms):
            return
        mine = match.seats[self.me]
        if match.options.target and mine.mark != self.mark:
            self.mark = mine.mark
            for place in range(self.count):
                bit = 1 if self.numbers[place] == mine.mark else 0
                self.canvas.fill(place * self.pitch, _MARK_Y, 12, 1, bit)
            return
        self.draw_queues(i, game)

    def draw_queues(self, i: int, game: "Game") -> None:
        """Draw Hold, or a Tetrimino of the Next Queue, if it changed."""
        canvas = self.canvas
        count = self.count
        x = i * self.pitch + _BESIDE
        if game.hold != self.hold[i]:
            self.hold[i] = game.hold
            if count == 3:
                draw_tiny(canvas, x, 8, game.hold)
            else:
                draw_mini(canvas, x + (2 if count == 1 else 0), 17 if count == 1 else 7, game.hold)
            return
        for place in range(2 if count != 2 else 1):
            piece = game.next[place]
            if piece != self.next[2 * i + place]:
                self.next[2 * i + place] = piece
                if count == 3:
                    # The second takes the place of the wins, if a match takes more than one.
                    if not place or self.match.options.wins == 1:
                        draw_tiny(canvas, x, 12 + 4 * place, piece)
                else:
                    draw_mini(canvas, x + (21 + 14 * place if count == 1 else 0), 17 if count == 1 else 15, piece)
                return
