"""Put Minos and whole rows of the Matrix on the canvas, byte by byte."""

from firmware.compat import const
from firmware.engine.matrix import SKYLINE
from firmware.view.canvas import Canvas, make_slice
from firmware.view.minos import MINOS

_ROW_BYTES = const(40)  # five rows of pixels
_FLOOR_AT = const(977)  # byte in the buffer where the top of row 0 starts
_FLOOR_TOP = const(122)
_PEEK_AT = const(201)
_PEEK_TOP = const(25)

# By column: byte of its left pixel in a row, bit in that byte
_BYTE = b"\x00\x00\x01\x02\x02\x03\x03\x04\x05\x05"
_BIT = b"\x01\x06\x03\x00\x05\x02\x07\x04\x01\x06"
_LIT = b"\x01\x01\x01\x01\x01"  # marks the five rows of pixels of a cell as dirty
# Pixels of a row of cells: dark or lit beside the left wall, and dark between both walls. Walls and floor are dashed:
# solid lines would outshine the holes beside them.
_DARK_ROW = b"\x01\x00\x00\x00\x00\x00\x00\x00" + bytes(24) + b"\x01\x00\x00\x00\x00\x00\x00\x00"
_BRIGHT_ROW = (
    b"\xff\xff\xff\xff\xff\xff\x07\x00" + b"\xfe\xff\xff\xff\xff\xff\x07\x00" * 3 + b"\xff\xff\xff\xff\xff\xff\x07\x00"
)
_WALLED_ROW = b"\x01\x00\x00\x00\x00\x00\x08\x00" + bytes(24) + b"\x01\x00\x00\x00\x00\x00\x08\x00"


class Cells:
    """Locate the cells of the Matrix on the canvas and change their pixels fast.

    A cell is 5 x 5 pixels. Rows 0..19 fill x 1..50, y 27..126, row 0 lowest; of row 20 the two
    lowest rows of pixels lie at y 25 and 26. Columns are 0..9.
    """

    left = 1
    pitch = 5
    dark = _DARK_ROW
    bright = _BRIGHT_ROW

    def __init__(self, canvas: Canvas) -> None:
        self.buffer = canvas.buffer
        self.dirty = canvas.dirty
        self.minos = MINOS
        if canvas.blocks != 1:
            # Imported late: few players use Blocks that are not solid.
            from firmware.view.blocks import choose_minos  # residents: STAY

            self.minos = choose_minos(canvas.blocks)
        pixels = memoryview(canvas.buffer)
        tops = range(_FLOOR_AT, _FLOOR_AT - SKYLINE * _ROW_BYTES, -_ROW_BYTES)
        self.rows = [pixels[top : top + _ROW_BYTES] for top in tops]
        self._row = make_slice(0, _ROW_BYTES)
        self._dirty_rows = [make_slice(_FLOOR_TOP - 5 * y, _FLOOR_TOP - 5 * y + 5) for y in range(SKYLINE)]

    def paint_walls(self) -> None:
        """Draw the empty Matrix between its walls and clear the sidebar."""
        for y in range(SKYLINE):
            self.rows[y][self._row] = _WALLED_ROW
            self.dirty[self._dirty_rows[y]] = _LIT

    def replace_mino(self, x: int, y: int, was: int, kind: int) -> None:
        """Show Mino `kind` in the cell in place of `was`; 0 is an empty cell."""
        if was:
            self.flip_mino(x, y, was)
        if kind:
            self.flip_mino(x, y, kind)

    def flip_mino(self, x: int, y: int, kind: int) -> None:
        """Invert the pixels of Mino `kind` (see minos.MINOS) in a cell: drawn twice it disappears.

        Written out row by row, because a loop takes twice the time.
        """
        mino = kind * 5
        bit = _BIT[x]
        buffer = self.buffer
        minos = self.minos
        if y == SKYLINE:
            i = _PEEK_AT + _BYTE[x]
            pixels = minos[mino + 3] << bit
            buffer[i] ^= pixels & 255
            buffer[i + 1] ^= pixels >> 8
            pixels = minos[mino + 4] << bit
            buffer[i + 8] ^= pixels & 255
            buffer[i + 9] ^= pixels >> 8
            self.dirty[_PEEK_TOP] = self.dirty[_PEEK_TOP + 1] = 1
            return
        i = _FLOOR_AT + _BYTE[x] - y * _ROW_BYTES
        self.dirty[self._dirty_rows[y]] = _LIT
        if bit < 4:
            buffer[i] ^= minos[mino] << bit
            buffer[i + 8] ^= minos[mino + 1] << bit
            buffer[i + 16] ^= minos[mino + 2] << bit
            buffer[i + 24] ^= minos[mino + 3] << bit
            buffer[i + 32] ^= minos[mino + 4] << bit
            return
        pixels = minos[mino] << bit
        buffer[i] ^= pixels & 255
        buffer[i + 1] ^= pixels >> 8
        pixels = minos[mino + 1] << bit
        buffer[i + 8] ^= pixels & 255
        buffer[i + 9] ^= pixels >> 8
        pixels = minos[mino + 2] << bit
        buffer[i + 16] ^= pixels & 255
        buffer[i + 17] ^= pixels >> 8
        pixels = minos[mino + 3] << bit
        buffer[i + 24] ^= pixels & 255
        buffer[i + 25] ^= pixels >> 8
        pixels = minos[mino + 4] << bit
        buffer[i + 32] ^= pixels & 255
        buffer[i + 33] ^= pixels >> 8

    def copy_row(self, source: "bytes | memoryview", y: int) -> None:
        """Copy 40 bytes of pixels to row `y`; keep the sidebar from x 51 on."""
        buffer = self.buffer
        i = _FLOOR_AT + 6 - y * _ROW_BYTES
        a = buffer[i] & 248
        b = buffer[i + 1]
        c = buffer[i + 8] & 248
        d = buffer[i + 9]
        e = buffer[i + 16] & 248
        f = buffer[i + 17]
        g = buffer[i + 24] & 248
        h = buffer[i + 25]
        j = buffer[i + 32] & 248
        k = buffer[i + 33]
        self.rows[y][self._row] = source
        buffer[i] = buffer[i] & 7 | a
        buffer[i + 1] = b
        buffer[i + 8] = buffer[i + 8] & 7 | c
        buffer[i + 9] = d
        buffer[i + 16] = buffer[i + 16] & 7 | e
        buffer[i + 17] = f
        buffer[i + 24] = buffer[i + 24] & 7 | g
        buffer[i + 25] = h
        buffer[i + 32] = buffer[i + 32] & 7 | j
        buffer[i + 33] = k
        self.dirty[self._dirty_rows[y]] = _LIT
