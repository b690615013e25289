"""Show a Matrix with rising lines: rows of pixels are copied upwards, a few a frame."""

from firmware.compat import const
from firmware.engine.matrix import SKYLINE, WIDTH
from firmware.view.canvas import Canvas
from firmware.view.effects import Glow

_MOST_LINES = const(12)  # that may have risen since the last frame
_CELLS = const(12)  # cells that change in a frame without a Tetrimino: a copied row counts as two cells
_TRAIL_ROWS = const(4)
_EMPTY = bytes(WIDTH)


class RisingMatrix(Glow):
    """Keep 21 rows of the Matrix on the canvas as Glow does.

    rising: set it when lines have risen. leisurely: whether the rest of a picture may wait for the next frames.
    """

    def __init__(self, canvas: Canvas) -> None:
        Glow.__init__(self, canvas)
        self.rising = False
        self.leisurely = False

    def flip_trail(self, x: int, y: int, width: int, height: int) -> None:
        """Invert fewer rows of stripes than Glow does: computers need the time that they take on the bus."""
        Glow.flip_trail(self, x, y, width, height if height < _TRAIL_ROWS else _TRAIL_ROWS)

    def draw_blocks(self, rows: list[bytearray], collapsed: bool, left: int) -> bool:
        """Show the Blocks without the Tetrimino, from the top down after rising lines."""
        if not self.rising:
            return Glow.draw_blocks(self, rows, collapsed, left)
        shown = self._shown
        for i in range(self._drawn_count):
            cell = self._drawn[i]
            row = shown[cell >> 4]
            self.flip_mino(cell & 15, cell >> 4, row[cell & 15])
            row[cell & 15] = 0
        self._drawn_count = 0
        if self.leisurely:
            left = _CELLS
        rise = 1
        for y in range(SKYLINE, -1, -1):
            cells = rows[y]
            row = shown[y]
            if row == cells:
                continue
            if left <= 0:
                return False
            if y < SKYLINE:
                left -= 2
                if cells == _EMPTY:
                    self.copy_row(self.dark, y)
                    row[self._cells] = cells
                    continue
                if y + 1 < SKYLINE and shown[y + 1] == cells:
                    self.copy_row(self.rows[y + 1], y)
                    row[self._cells] = cells
                    continue
                while rise <= y and rise < _MOST_LINES and shown[y - rise] != cells:
                    rise += 1
                if rise <= y and shown[y - rise] == cells:
                    self.copy_row(self.rows[y - rise], y)
                    row[self._cells] = cells
                    continue
                rise = 1
            for x in range(WIDTH):
                was = row[x]
                if was != cells[x]:
                    left -= 1
                    row[x] = cells[x]
                    self.replace_mino(x, y, was, cells[x])
        self.rising = False
        return True
