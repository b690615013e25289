"""Show a game in large cells for weak eyes: a Matrix of 60 x 120 pixels, and above it what there is room for."""

from firmware.compat import const
from firmware.view.art import FONT_3X5, FONT_3X7, MINOS
from firmware.view.canvas import Canvas, make_slice
from firmware.view.effects import EffectsView, Glow

_SKYLINE = const(20)
_ROW_BYTES = const(48)  # six rows of pixels
_FLOOR_AT = const(969)  # byte in the buffer where the top of row 0 starts
_FLOOR_TOP = const(121)
_FLOOR_Y = const(127)

# By column: byte of its left pixel in a row, bit in that byte
_BYTE = b"\x00\x01\x01\x02\x03\x04\x04\x05\x06\x07"
_BIT = b"\x02\x00\x06\x04\x02\x00\x06\x04\x02\x00"
_LIT = b"\x01\x01\x01\x01\x01\x01"

_NEXT_BYTE = const(2)  # x 21
_FIRST_NEXT_Y = const(28)  # as PlayView has it
_SCORE_X = const(37)
_LARGEST_SCORE = const(9999999)

# The words of effects, cut to the width of the score: a page for each bit, the highest first
_PAGES = (b"SINGLE", b"DOUBLE", b"TRIPLE", b"TETRIS", b"T-SPIN", b" MINI", b"-BACK", b"BACK-TO", b"LVL UP")
_ACTIONS = const(0x7F)
_T_SPIN = const(0x10)
_MINI = const(0x20)
_BACK_TO_BACK = const(0x40)
_BACK_TO = const(0x80)
_GREAT = const(0x178)
_NOTICE_FRAMES = const(64)
_PAGE_FRAMES = const(20)


def _stretch(minos: bytes) -> bytes:
    """Return Minos of 6 x 6 pixels: those of 5 x 5 with their middle row and column doubled."""
    large = bytearray()
    for i in range(0, len(minos), 5):
        for row in (0, 1, 2, 2, 3, 4):
            pixels = minos[i + row]
            large.append(pixels & 7 | (pixels & 28) << 1)
    return bytes(large)


class LargeMatrix(Glow):
    """Keep the Matrix on the canvas in cells of 6 x 6 pixels: rows 0..19 fill x 2..61, y 7..126."""

    left = 2
    pitch = 6
    dark = b"\x02\x00\x00\x00\x00\x00\x00\x40" * 6
    bright = b"\xfe\xff\xff\xff\xff\xff\xff\x7f" * 6

    def lay_out(self, canvas: Canvas) -> None:
        """Find the place of every cell."""
        Glow.lay_out(self, canvas)
        pixels = memoryview(canvas.buffer)
        self.rows = [pixels[_FLOOR_AT - _ROW_BYTES * y :][:_ROW_BYTES] for y in range(_SKYLINE)]
        self._row = make_slice(0, _ROW_BYTES)
        self._dirty_rows = [make_slice(_FLOOR_TOP - 6 * y, _FLOOR_TOP - 6 * y + 6) for y in range(_SKYLINE)]
        self._minos = _stretch(MINOS)

    def paint_walls(self) -> None:
        """Draw the empty Matrix between its walls."""
        for y in range(_SKYLINE):
            self.copy_row(self.dark, y)

    def copy_row(self, source, y: int) -> None:
        """Copy 48 bytes of pixels to row `y`."""
        self.rows[y][self._row] = source
        self.dirty[self._dirty_rows[y]] = _LIT

    def flip_mino(self, x: int, y: int, kind: int) -> None:
        """Invert the pixels of Mino `kind` in a cell; nothing shows above the Skyline."""
        if y >= _SKYLINE:
            return
        mino = kind * 6
        bit = _BIT[x]
        buffer = self.buffer
        minos = self._minos
        i = _FLOOR_AT + _BYTE[x] - y * _ROW_BYTES
        self.dirty[self._dirty_rows[y]] = _LIT
        if bit < 3:
            buffer[i] ^= minos[mino] << bit
            buffer[i + 8] ^= minos[mino + 1] << bit
            buffer[i + 16] ^= minos[mino + 2] << bit
            buffer[i + 24] ^= minos[mino + 3] << bit
            buffer[i + 32] ^= minos[mino + 4] << bit
            buffer[i + 40] ^= minos[mino + 5] << bit
            return
        end = i + _ROW_BYTES
        while i < end:
            pixels = minos[mino] << bit
            buffer[i] ^= pixels & 255
            buffer[i + 1] ^= pixels >> 8
            mino += 1
            i += 8


class LargeView(EffectsView):
    """Show a game in large cells, with Hold, the first Next Tetrimino and the score.

    Everything else is as in EffectsView. A notice takes the place of the score, a word after the other.
    """

    def __init__(self, canvas: Canvas) -> None:
        EffectsView.__init__(self, canvas, LargeMatrix(canvas))
        self._page = 0

    def _draw_labels(self, game) -> None:
        """Draw what stands still."""
        canvas = self.canvas
        canvas.fill(1, _FLOOR_Y, 62, 1, 1)
        canvas.text(1, 1, b"H", FONT_3X5)
        canvas.text(17, 1, b"N", FONT_3X5)

    def _repaint(self, game) -> None:
        """Draw what never changes and forget what else was shown."""
        self._fresh = False
        self.canvas.clear()
        self.matrix.motion_on = self.motion_on
        self.matrix.paint()
        self._draw_labels(game)
        self.message = ""
        self._words = 0
        self.score = self.level = self.lines = self.goal = self.time = self.top = -1
        self._forget_queues()

    def _draw_mini(self, byte: int, y: int, piece: int, dimmed: bool) -> None:
        """Draw a queue Tetrimino in the row of the score: only Hold and the first Next have a place there."""
        if y == _FIRST_NEXT_Y:
            EffectsView._draw_mini(self, _NEXT_BYTE, 0, piece, dimmed)
        elif y < _FIRST_NEXT_Y:
            EffectsView._draw_mini(self, byte, 0, piece, dimmed)

    def _draw_status(self, game) -> None:
        """Show the score, where no notice is."""
        self.level = game.level
        self.lines = game.lines
        self.score = game.score
        if not self._words:
            if self.wide or game.score > _LARGEST_SCORE:
                # Imported late: few games last so long.
                from firmware.view import wide

                self.wide = wide
                wide.draw_large_score(self, game.score)
            if game.score != self.top:
                self.canvas.number(_SCORE_X, 0, game.score, self.top, 7, FONT_3X7, False)
                self.top = game.score

    def _draw_rest(self, game, tenths: int) -> None:
        """Take note only: high score, goal and time have no room."""
        self.goal = game.goal
        self.time = tenths

    def _announce(self, game) -> None:
        """Show a notice in place of the score, a third of a second for each page of it; a great one flashes."""
        canvas = self.canvas
        words = self._words & _ACTIONS or self._words
        pages = words
        if words & _BACK_TO_BACK:
            pages |= _BACK_TO
        if words & _MINI:
            pages |= _T_SPIN
        self._left -= 1
        shown = _NOTICE_FRAMES - 1 - self._left
        flash = self.motion_on and words & _GREAT
        if shown == 0:
            self._page = 9
        if shown % _PAGE_FRAMES == 0:
            page = self._page - 1
            while page >= 0 and not pages >> page & 1:
                page -= 1
            self._page = page
            canvas.fill(33, 0, 31, 7, 0)  # as far as a wide score goes
            if page >= 0:
                canvas.text(_SCORE_X, 1, _PAGES[page], FONT_3X5)
                if flash:
                    canvas.invert(36, 0, 28, 7)
                return
            self._words ^= words
            self._left = _NOTICE_FRAMES
            self.score = self.top = -1
        elif shown % _PAGE_FRAMES == 8 and flash:
            canvas.invert(36, 0, 28, 7)


View = LargeView
