"""Mark a place in the Matrix with grey cells over the picture."""

from firmware.compat import const
from firmware.engine.matrix import SKYLINE
from firmware.view.canvas import Canvas
from firmware.view.minos import CELLS

_BASE = const(127)  # the row of pixels below row 0
_MINO_PX = const(4)
_GREY = const(0x0A)  # every other pixel of four; the next row has the others


class Mark:
    """Hold the place of a Tetrimino; `piece` is 0 for none."""

    def __init__(self, canvas: Canvas, left: int, pitch: int) -> None:
        """Mark cells of `pitch` pixels; column 0 begins at x `left`."""
        self.canvas = canvas
        self.left = left
        self.pitch = pitch
        self.piece = 0
        self.facing = self.x = self.y = 0

    def flip(self) -> None:
        """Draw the mark, or remove it."""
        piece = self.piece
        if not piece:
            return
        buffer = self.canvas.buffer
        dirty = self.canvas.dirty
        first = (piece << 4) + (self.facing << 2) - 16
        for i in range(first, first + 4):
            mino = CELLS[i]
            y = self.y + (mino >> 2 & 3)
            if y >= SKYLINE:
                continue
            x = self.left + (self.x + (mino & 3)) * self.pitch + 1
            bottom = _BASE - y * self.pitch - 1
            grey = _GREY
            for row in range(bottom - _MINO_PX, bottom):
                bits = grey << (x & 7)
                at = 1 + (row << 3) + (x >> 3)
                buffer[at] ^= bits & 255
                if bits > 255:
                    buffer[at + 1] ^= bits >> 8
                dirty[row] = 1
                grey ^= 15
