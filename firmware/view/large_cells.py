"""Draw a Matrix of 60 x 120 pixels in cells of six: the largest that fit ten times across."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.matrix import SKYLINE
from firmware.view.canvas import Canvas, make_slice
from firmware.view.effects import Glow

if TYPE_CHECKING:
    from firmware.contracts import Blob

_ROW_BYTES = const(48)  # six rows of pixels
_FLOOR_AT = const(969)  # byte in the buffer where the top of row 0 starts
_FLOOR_TOP = const(121)

# By column: byte of its left pixel in a row, bit in that byte
_BYTE = b"\x00\x01\x02\x02\x03\x04\x05\x05\x06\x07"
_BIT = b"\x04\x02\x00\x06\x04\x02\x00\x06\x04\x02"
_LIT = b"\x01\x01\x01\x01\x01\x01"

_FIRST_IN_PLAY = const(45)  # bytes of minos.MINOS
_FIRST_GHOST = const(80)
_END = const(165)  # after the flash


def _stretch(minos: bytes) -> bytes:
    """Return Minos of 6 x 6 pixels: Minos of 5 x 5 with their middle row and column doubled.

    In a Tetrimino in play the first row and column are doubled instead: its marks stay small, and it stays brightest.
    """
    large = bytearray()
    for i in range(0, _END, 5):
        in_play = _FIRST_IN_PLAY <= i < _FIRST_GHOST
        for row in (0, 0, 1, 2, 3, 4) if in_play else (0, 1, 2, 2, 3, 4):
            pixels = minos[i + row]
            large.append(pixels & 1 | pixels << 1 if in_play else pixels & 7 | (pixels & 28) << 1)
    return bytes(large)


class LargeMatrix(Glow):
    """Keep the Matrix on the canvas in cells of 6 x 6 pixels: rows 0..19 fill x 4..63, y 7..126."""

    left = 4
    pitch = 6
    dark = bytes(_ROW_BYTES)
    bright = b"\xf0\xff\xff\xff\xff\xff\xff\xff" * 6

    def lay_out(self, canvas: Canvas) -> None:
        """Find the place of every cell."""
        Glow.lay_out(self, canvas)
        pixels = memoryview(canvas.buffer)
        self.rows = [pixels[_FLOOR_AT - _ROW_BYTES * y :][:_ROW_BYTES] for y in range(SKYLINE)]
        self._row = make_slice(0, _ROW_BYTES)
        self._dirty_rows = [make_slice(_FLOOR_TOP - 6 * y, _FLOOR_TOP - 6 * y + 6) for y in range(SKYLINE)]
        self.minos = _stretch(self.minos)

    def paint_walls(self) -> None:
        """Draw nothing: there is no room for walls."""

    def copy_row(self, source: "Blob", y: int) -> None:
        """Copy 48 bytes of pixels to row `y`; keep the pixels beside them, up to x 3."""
        buffer = self.buffer
        i = _FLOOR_AT - y * _ROW_BYTES
        a = buffer[i] & 15
        b = buffer[i + 8] & 15
        c = buffer[i + 16] & 15
        d = buffer[i + 24] & 15
        e = buffer[i + 32] & 15
        f = buffer[i + 40] & 15
        self.rows[y][self._row] = source
        buffer[i] = buffer[i] & 240 | a
        buffer[i + 8] = buffer[i + 8] & 240 | b
        buffer[i + 16] = buffer[i + 16] & 240 | c
        buffer[i + 24] = buffer[i + 24] & 240 | d
        buffer[i + 32] = buffer[i + 32] & 240 | e
        buffer[i + 40] = buffer[i + 40] & 240 | f
        self.dirty[self._dirty_rows[y]] = _LIT

    def flip_mino(self, x: int, y: int, kind: int) -> None:
        """Invert the pixels of Mino `kind` in a cell, row by row like Cells; draw nothing above the Skyline."""
        if y >= SKYLINE:
            return
        mino = kind * 6
        bit = _BIT[x]
        buffer = self.buffer
        minos = self.minos
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
        pixels = minos[mino + 5] << bit
        buffer[i + 40] ^= pixels & 255
        buffer[i + 41] ^= pixels >> 8
