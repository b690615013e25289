"""Show the Matrix: Blocks, the Tetrimino in play, its Ghost Piece and the flash of a Line Clear."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.matrix import SKYLINE, WIDTH
from firmware.engine.phases import ANIMATE
from firmware.view.canvas import Canvas, make_slice
from firmware.view.cells import Cells
from firmware.view.minos import CELLS

if TYPE_CHECKING:
    from firmware.contracts import Game

# The content of a cell on the canvas; 0-8 are the cell codes of the engine
_IN_PLAY = const(8)  # + piece
_FIRST_IN_PLAY = const(9)
_LAST_IN_PLAY = const(15)
_GHOST = const(16)  # + neighbours
_FLASH = const(32)
_STALE = const(128)  # plus the cell's content, while a Tetrimino moves
_FRESH = const(127)

_STEPS = const(10)  # of the flash
_CELLS = const(16)  # cells that change in a frame while rows fall: they have 7 ms
_ALL_CELLS = const(999)

_EMPTY = bytes(WIDTH)
_FLASHES = b"\x20" * WIDTH


class MatrixView(Cells):
    """Keep 21 rows of the Matrix on the canvas and redraw only cells that differ.

    A few pixels of the row above the Skyline show (Guideline 3.4). The Tetrimino in play and its Ghost Piece must be on
    empty cells. draw() allocates nothing.
    """

    def __init__(self, canvas: Canvas) -> None:
        self.lay_out(canvas)
        self.motion_on = True
        self.spread = False
        self._cells = make_slice(0, WIDTH)
        self._shown = [bytearray(WIDTH) for _ in range(SKYLINE + 1)]
        self._drawn = [0] * 8  # cells of the Tetrimino, then of its Ghost Piece: row << 4 | column
        self._spare = [0] * 8
        self._drawn_count = 0
        self._piece_count = 0  # how many of those drawn belong to the Tetrimino itself
        self.version = -1
        self.lines = 0
        self.glow = 0  # 1 while new Blocks light up, see effects
        self.step = -1
        self.piece = 0
        self.facing = 0
        self.x = 0
        self.y = 0
        self.ghost_y = 0

    def lay_out(self, canvas: Canvas) -> None:
        """Find the place of every cell."""
        Cells.__init__(self, canvas)

    def paint(self) -> None:
        """Draw the empty Matrix with its walls on a dark canvas and forget the last picture."""
        self.paint_walls()
        for row in self._shown:
            row[self._cells] = _EMPTY
        self._drawn_count = 0
        self.version = -1
        self.step = -1

    # One method: what changed decides what may stay, and as attributes these findings would cost heap in every game.
    def draw(self, game: "Game", ghost: bool) -> bool:
        """Bring the canvas up to date; `ghost` shows the Ghost Piece.

        Return whether there was much work: Blocks, another Tetrimino, a move over several rows or with the Ghost Piece.
        """
        matrix = game.matrix
        ghost_y = game.ghost_y if ghost else game.y
        if game.phase != ANIMATE and self.step >= 0:
            self.version = -1
        busy = game.piece != self.piece
        same = game.x == self.x and game.facing == self.facing and not busy and ghost_y == self.ghost_y
        if matrix.version != self.version:
            self.step = -1
            busy = True
            collapsed = game.lines != self.lines
            # Falling rows may take a few frames while no Tetrimino is drawn over them.
            spread = self.spread and collapsed and not game.piece and game.phase != ANIMATE
            if self.draw_blocks(matrix.rows, collapsed, _CELLS if spread else _ALL_CELLS):
                self.version = matrix.version
                self.lines = game.lines
            else:
                self.version = -1
        elif same and game.y == self.y:
            if game.phase == ANIMATE:
                self._draw_flash(game)
            return False
        # A Tetrimino that only moves down, and covered nothing of its Ghost Piece, leaves the Ghost unchanged.
        ghost_stays = same and self._drawn_count > 0 and self.y > ghost_y + 3
        busy = busy or not ghost_stays or self.y > game.y + 1
        self.x = game.x
        self.y = game.y
        self.facing = game.facing
        self.piece = game.piece
        self.ghost_y = ghost_y
        self._draw_piece(ghost_stays)
        if game.phase == ANIMATE and not self.spread:
            self._draw_flash(game)
        return busy

    def draw_blocks(self, rows: list[bytearray], collapsed: bool, left: int) -> bool:
        """Show the Blocks, new ones solid while they glow, until `left` cells changed; return whether all are done.

        Copy rows of pixels after Line Clears: a row costs as much as two cells.
        """
        shown = self._shown
        for i in range(self._drawn_count):
            cell = self._drawn[i]
            row = shown[cell >> 4]
            x = cell & 15
            self.flip_mino(x, cell >> 4, row[x])
            row[x] = 0
        left -= self._drawn_count
        self._drawn_count = 0
        fall = 1
        for y in range(SKYLINE + 1):
            cells = rows[y]
            row = shown[y]
            if row == cells:
                continue
            if left <= 0:
                return False
            if collapsed and y < SKYLINE:
                left -= 2
                if cells == _EMPTY:
                    self.copy_row(self.dark, y)
                    row[self._cells] = cells
                    continue
                while y + fall < SKYLINE and fall < 4 and shown[y + fall] != cells:
                    fall += 1
                if y + fall < SKYLINE and shown[y + fall] == cells:
                    self.copy_row(self.rows[y + fall], y)
                    row[self._cells] = cells
                    continue
                fall = 1
            for x in range(WIDTH):
                cell = cells[x]
                was = row[x]
                if was != cell:
                    left -= 1
                    if left < 0:
                        return False
                    if self.glow == 1 and not was:
                        cell = _FLASH
                    row[x] = cell
                    self.replace_mino(x, y, was, cell)
        return left >= 0

    def _draw_piece(self, ghost_stays: bool) -> None:
        """Move the Tetrimino, and its Ghost Piece if it changed, to their current place.

        Cells drawn last time are marked stale; drawing clears the mark, and cells still stale go dark.
        """
        shown = self._shown
        old = self._drawn
        old_count = self._piece_count if ghost_stays else self._drawn_count
        for i in range(old_count):
            cell = old[i]
            shown[cell >> 4][cell & 15] |= _STALE
        new = self._spare
        count = 0
        piece = self.piece
        if piece:
            first = (piece << 4) + (self.facing << 2) - 16
            left = self.x
            bottom = self.y
            kind = _IN_PLAY + piece
            for i in range(first, first + 4):
                mino = CELLS[i]
                y = bottom + (mino >> 2 & 3)
                if y <= SKYLINE:
                    x = left + (mino & 3)
                    row = shown[y]
                    was = row[x]
                    row[x] = kind
                    was &= _FRESH
                    if was != kind:
                        if was:
                            self.flip_mino(x, y, was)
                        self.flip_mino(x, y, kind)
                    new[count] = y << 4 | x
                    count += 1
            self._piece_count = count
            bottom = self.ghost_y
            if ghost_stays:
                for i in range(old_count, self._drawn_count):
                    new[count] = old[i]
                    count += 1
            elif bottom != self.y:
                for i in range(first, first + 4):
                    mino = CELLS[i]
                    y = bottom + (mino >> 2 & 3)
                    if y <= SKYLINE:
                        x = left + (mino & 3)
                        row = shown[y]
                        was = row[x]
                        if was < _FIRST_IN_PLAY or was > _LAST_IN_PLAY:
                            kind = _GHOST + (mino >> 4)
                            row[x] = kind
                            was &= _FRESH
                            if was != kind:
                                if was:
                                    self.flip_mino(x, y, was)
                                self.flip_mino(x, y, kind)
                            new[count] = y << 4 | x
                            count += 1
        for i in range(old_count):
            cell = old[i]
            y = cell >> 4
            x = cell & 15
            row = shown[y]
            was = row[x]
            if was & _STALE:
                row[x] = 0
                self.flip_mino(x, y, was & _FRESH)
        self._drawn = new
        self._spare = old
        self._drawn_count = count

    # One method: it draws up to 40 cells, and a call for each would take a board 0.4 ms.
    def _draw_flash(self, game: "Game") -> None:
        """Wipe the full rows from the centre outward, brighter for more lines (Guideline A1.2.6).

        One line: a spark runs outward over the Blocks. Two: both rows light up and then open. Three: they flicker
        first. Four: they flicker in turn, and longer.
        """
        count = game.hit_count
        if not count:
            return
        total = game.animate_us
        step = (total - game.wait_us) * _STEPS // total if total and self.motion_on else _STEPS
        if step == self.step:
            return
        self.step = step
        flicker = 0 if count < 3 else 2 if count == 3 else 4
        front = (step - flicker) * 6 // (_STEPS - flicker)
        for i in range(count):
            y = game.hits[i]
            if y > SKYLINE:
                continue
            row = self._shown[y]
            if count > 1 and front <= 0 and y < SKYLINE:
                if step < flicker and step + (i if count > 3 else 0) & 1:
                    self.copy_row(self.dark, y)
                    row[self._cells] = _EMPTY
                else:
                    self.copy_row(self.bright, y)
                    row[self._cells] = _FLASHES
                continue
            for x in range(WIDTH):
                away = x - 5 if x > 4 else 4 - x
                was = row[x]
                kind = 0 if away < front else _FLASH if count > 1 or away == front else was
                if was != kind:
                    row[x] = kind
                    self.replace_mino(x, y, was, kind)
