"""Show another player's Matrix in cells of 1, 2 or 3 pixels: silhouettes of Blocks and Tetrimino."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.tables import SHAPES
from firmware.view.canvas import Canvas
from firmware.view.minos import MINIS

if TYPE_CHECKING:
    from firmware.contracts import Game, Seat

_ROWS = const(20)
_FRESH = const(-1)

_BAR_X = const(51)
_BAR_BOTTOM = const(127)
_BAR_PITCH = const(5)
_BLINKING = const(4)  # rows of the bar: more would fill the bus
_BESIDE_SIDEBAR = const(9)  # rows of the bar below the Next Queue
_KEEP_THREE = const(0xC7)  # of the byte with the bar: x 51 to 53
_KEEP_TWO = const(0xE7)
_MIDDLE = const(0x10)
_WALL = const(0x08)


class SmallMatrix:
    """Keep the visible rows of a Matrix on the canvas and redraw only rows that differ.

    left, top: the first pixel inside the frame. pixels: size of a cell, 1; a subclass has more. rows: the number of
    visible rows from the floor up, at most 20. draw() allocates nothing.
    """

    def __init__(self, canvas: Canvas, left: int, top: int, pixels: int, rows: int = _ROWS) -> None:
        self.canvas = canvas
        self.left = left
        self.top = top
        self.pixels = pixels
        self.rows = rows
        self.shown = [0] * rows
        self.version = _FRESH
        self.piece = 0
        self.facing = 0
        self.x = 0
        self.y = 0

    def paint(self) -> None:
        """Draw walls and floor on a dark canvas and forget the last picture."""
        canvas = self.canvas
        pixels = self.pixels
        height = self.rows * pixels
        canvas.fill(self.left - 1, self.top, 1, height + 1, 1)
        canvas.fill(self.left + 10 * pixels, self.top, 1, height + 1, 1)
        canvas.fill(self.left, self.top + height, 10 * pixels, 1, 1)
        for y in range(self.rows):
            self.shown[y] = 0
        self.version = _FRESH

    def draw(self, game: "Game") -> bool:
        """Bring the canvas up to date; return whether anything changed."""
        version = game.matrix.version
        piece = game.piece
        y = game.y
        if version == self.version:
            if y == self.y and game.x == self.x and game.facing == self.facing and piece == self.piece:
                return False
            # Only the rows of the Tetrimino's old and new places.
            low = y if y < self.y else self.y
            high = (y if y > self.y else self.y) + 4
            if low < 0:
                low = 0
            if high > self.rows:
                high = self.rows
        else:
            self.version = version
            low = 0
            high = self.rows
        self.piece = piece
        self.facing = game.facing
        self.x = game.x
        self.y = y
        masks = game.matrix.masks
        shown = self.shown
        first = (piece << 4) + (game.facing << 2) - 16 - y
        shift = game.x + 3
        for row in range(low, high):
            mask = masks[row]
            if piece and y <= row < y + 4:
                mask |= SHAPES[first + row] << shift
            if mask != shown[row]:
                shown[row] = mask
                self.draw_row(row, mask >> 3)
        return True

    def draw_row(self, row: int, cells: int) -> None:
        """Draw ten cells; bit 0 of `cells` is the leftmost."""
        put(self.canvas, self.left, self.top + self.rows - 1 - row, 10, cells & 1023)


def put(canvas: Canvas, x: int, y: int, width: int, bits: int) -> None:
    """Draw a row of up to 15 lit and dark pixels; bit 0 is the leftmost."""
    buffer = canvas.buffer
    i = 1 + (y << 3) + (x >> 3)
    at = x & 7
    keep = ~((1 << width) - 1 << at)
    bits <<= at
    buffer[i] = buffer[i] & keep & 255 | bits & 255
    if at + width > 8:
        buffer[i + 1] = buffer[i + 1] & keep >> 8 & 255 | bits >> 8 & 255
        if at + width > 16:
            buffer[i + 2] = buffer[i + 2] & keep >> 16 & 255 | bits >> 16
    canvas.dirty[y] = 1


def draw_tiny(canvas: Canvas, x: int, y: int, piece: int) -> None:
    """Draw a queue Tetrimino in cells of one pixel, 4 x 2, or nothing for piece 0."""
    # Facing North every Tetrimino is in rows 1 and 2 of its box.
    at = (piece << 4) - 14
    put(canvas, x, y, 4, SHAPES[at] if piece else 0)
    put(canvas, x, y + 1, 4, SHAPES[at - 1] if piece else 0)


def draw_mini(canvas: Canvas, x: int, y: int, piece: int) -> None:
    """Draw a queue Tetrimino as beside a full-size Matrix, 11 x 6, or nothing for piece 0."""
    at = piece * 12 - 12
    for row in range(6):
        put(canvas, x, y + row, 11, MINIS[at] >> 5 | MINIS[at + 1] << 3 if piece else 0)
        at += 2


class Meter:
    """Show a Receiving Queue beside a Matrix, from the floor up (Guideline B1.3.3).

    Rows about to rise are solid, rows in flight dotted. A row of more than two `pixels` ends in a dark pixel.
    left: x of its only column; bottom: the row of pixels below it.
    """

    def __init__(self, canvas: Canvas, left: int, bottom: int, pixels: int) -> None:
        self.canvas = canvas
        self.left = left
        self.bottom = bottom
        self.pixels = pixels
        self.ready = 0
        self.all = 0
        self.lit = True

    def forget(self) -> None:
        """Mark the column as dark."""
        self.ready = self.all = 0
        self.lit = True

    def draw(self, seat: "Seat", now_ms: int) -> bool:
        """Update the meter for a Seat at a match time; return whether anything changed."""
        ready = seat.queued
        coming = 0
        flight = seat.coming
        for i in range(flight.count):
            if flight.due_ms[i] <= now_ms:
                ready += flight.lines[i]
            else:
                coming += flight.lines[i]
        if ready > _ROWS:
            ready = _ROWS
        coming += ready
        if coming > _ROWS:
            coming = _ROWS
        if ready == self.ready and coming == self.all:
            return False
        first = 0
        if ready == self.ready:
            first = min(coming, self.all)
        elif coming == self.all:
            first = min(ready, self.ready)
        last = max(coming, self.all)
        self.ready = ready
        self.all = coming
        for row in range(first, last):
            self.draw_row(row, 2 if row < ready else 1 if row < coming else 0)
        return True

    def draw_row(self, row: int, kind: int) -> None:
        """Draw one row: 0 dark, 1 in flight, 2 about to rise."""
        pixels = self.pixels
        y = self.bottom - (row + 1) * pixels
        buffer = self.canvas.buffer
        dirty = self.canvas.dirty
        bit = 1 << (self.left & 7)
        keep = ~bit & 255
        i = 1 + (y << 3) + (self.left >> 3)
        for at in range(pixels):
            lit = kind == 2 and (at or pixels < 3) or kind == 1 and (at == pixels >> 1 if pixels > 1 else row & 1)
            if lit:
                buffer[i] |= bit
            else:
                buffer[i] &= keep
            dirty[y + at] = 1
            i += 8


class Bar(Meter):
    """Show the player's own Receiving Queue in place of the right wall, three pixels wide, a cell high for each row.

    Rows about to rise are solid, rows in flight a thin line in the middle.
    """

    def __init__(self, canvas: Canvas) -> None:
        Meter.__init__(self, canvas, _BAR_X, _BAR_BOTTOM, _BAR_PITCH)

    def blink(self) -> None:
        """Turn the lowest rows about to rise on or off, as a warning."""
        if self.ready:
            self.lit = not self.lit
            for row in range(min(self.ready, _BLINKING)):
                self.draw_row(row, 2 if self.lit else 0)

    def draw_row(self, row: int, kind: int) -> None:
        """Draw one row: 0 the wall, 1 in flight, 2 about to rise."""
        y = self.bottom - (row + 1) * _BAR_PITCH
        buffer = self.canvas.buffer
        dirty = self.canvas.dirty
        # Beside the Next Queue there is room for two columns of the bar.
        keep = _KEEP_THREE if row < _BESIDE_SIDEBAR else _KEEP_TWO
        bits = _MIDDLE if kind == 1 else ~keep & 255 if kind else 0
        i = 1 + (y << 3) + (_BAR_X >> 3)
        for at in range(_BAR_PITCH):
            # The wall is dashed; a dark pixel separates the rows of the bar.
            shown = bits if at else 0
            if not kind and (not at or at == _BAR_PITCH - 1):
                shown = _WALL
            buffer[i] = buffer[i] & keep | shown
            dirty[y + at] = 1
            i += 8
