"""Draw the board of Tetress on 64x64 pixels: eleven cells a side, and faintly the cells beyond each edge."""

from firmware.compat import TYPE_CHECKING, const
from firmware.tetress.game import CELL_COUNT, SIZE
from firmware.tetress.shapes import CELLS
from firmware.view.minos import MINOS

if TYPE_CHECKING:
    from firmware.contracts import Canvas
    from firmware.tetress.game import Game as TetressGame

_PITCH = const(5)
_LEFT = const(4)
_TURN = const(55)  # pixels from a cell to its copy beyond an edge

# Tiles of five rows: an empty cell, a token of Red, one of Blue, a legal piece, an illegal one; then the last action of
# Red, and of Blue by neighbours.
_RED = const(1)
_MAY = const(3)
_MAY_NOT = const(4)
_LAST_RED = const(5)
_LAST_BLUE = const(6)
_TILES = (
    b"\x00\x00\x04\x00\x00\x0f\x0f\x0f\x0f\x00\x0f\x09\x09\x0f\x00"
    b"\x15\x0a\x15\x0a\x15\x11\x0a\x04\x0a\x11\x1f\x1f\x1f\x1f\x1f" + MINOS[80:160]
)


def cell_of(action: int, i: int) -> int:
    """Return cell `i`, 0..3, of an action: r * 11 + c."""
    part = CELLS[action // CELL_COUNT * 4 + i]
    cell = action % CELL_COUNT
    return (cell // SIZE + (part >> 4)) % SIZE * SIZE + (cell % SIZE + (part & 15)) % SIZE


class TorusView:
    """Show the tokens of a game, the last action as one piece without gaps, and the piece to place.

    piece: the action to play, or -1. legal: whether it may be played.
    """

    def __init__(self, canvas: "Canvas") -> None:
        self.canvas = canvas
        self.piece = -1
        self.legal = False
        self.shown = bytearray(CELL_COUNT)
        self.wanted = bytearray(CELL_COUNT)
        faint = bytearray(_TILES)
        for i in range(len(faint)):
            faint[i] &= 10 if i & 1 else 21
        self.faint = faint
        self.reset()

    def reset(self) -> None:
        """Forget the last picture, so that everything is drawn."""
        for cell in range(CELL_COUNT):
            self.shown[cell] = 255

    def draw(self, game: "TetressGame") -> None:
        """Draw the cells that look different now."""
        wanted = self.wanted
        for r in range(SIZE):
            red = game.tokens[0][r]
            blue = game.tokens[1][r]
            cell = r * SIZE
            for c in range(SIZE):
                wanted[cell + c] = red >> c & 1 | (blue >> c & 1) << 1
        if game.played:
            self.mark(game.action(game.played - 1), 2 - (game.played & 1))
        if self.piece >= 0:
            for i in range(4):
                wanted[cell_of(self.piece, i)] = _MAY if self.legal else _MAY_NOT
        for cell in range(CELL_COUNT):
            if wanted[cell] != self.shown[cell]:
                self.shown[cell] = wanted[cell]
                self.draw_cell(cell // SIZE, cell % SIZE, wanted[cell] * _PITCH)

    def mark(self, action: int, token: int) -> None:
        """Join the tokens of the last action that no full line has removed."""
        wanted = self.wanted
        for i in range(4):
            cell = cell_of(action, i)
            if wanted[cell] == token:
                tile = _LAST_RED
                if token != _RED:
                    tile = _LAST_BLUE
                    for j in range(4):
                        near = cell_of(action, j)
                        if wanted[near] != token and wanted[near] < _LAST_BLUE:
                            continue
                        rows = (near // SIZE - cell // SIZE + SIZE) % SIZE
                        columns = (near % SIZE - cell % SIZE + SIZE) % SIZE
                        if not columns:
                            tile += 1 if rows == SIZE - 1 else 4 if rows == 1 else 0
                        elif not rows:
                            tile += 2 if columns == 1 else 8 if columns == SIZE - 1 else 0
                wanted[cell] = tile

    def draw_cell(self, r: int, c: int, at: int) -> None:
        """Draw a cell in its place, and faintly beyond the edges that it touches."""
        canvas = self.canvas
        x = _LEFT + c * _PITCH
        y = _LEFT + r * _PITCH
        canvas.tile(x, y, _PITCH, _PITCH, _TILES, at)
        beyond_x = x + _TURN if not c else x - _TURN
        beyond_y = y + _TURN if not r else y - _TURN
        columns = not c or c == SIZE - 1
        rows = not r or r == SIZE - 1
        if columns:
            canvas.tile(beyond_x, y, _PITCH, _PITCH, self.faint, at)
        if rows:
            canvas.tile(x, beyond_y, _PITCH, _PITCH, self.faint, at)
        if columns and rows:
            canvas.tile(beyond_x, beyond_y, _PITCH, _PITCH, self.faint, at)
