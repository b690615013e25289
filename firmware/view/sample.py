"""Draw single Tetriminos anywhere on the canvas, for menus and their samples."""

from firmware.compat import TYPE_CHECKING, const
from firmware.view.blocks import choose_mino
from firmware.view.minos import CELLS, MINIS, MINOS

if TYPE_CHECKING:
    from firmware.contracts import Canvas

_MINO_PX = const(5)
_IN_PLAY = const(8)  # + piece
_OUTLINE = const(16)  # + neighbours
_ROWS = const(6)

PLAIN = const(0)
GHOST = const(1)
LOCKED = const(2)


def draw_mino(canvas: "Canvas", x: int, y: int, mino: int) -> None:
    """Draw one Mino of minos.MINOS, Blocks in the canvas's look; `x`, `y` is its top left."""
    canvas.tile(x, y, _MINO_PX, _MINO_PX, MINOS, choose_mino(mino, canvas.blocks) * _MINO_PX)


def draw_tetrimino(canvas: "Canvas", x: int, y: int, piece: int, facing: int, look: int) -> None:
    """Draw a Tetrimino in play, its Ghost Piece or its Blocks; `x`, `y` is the top left of its box's lowest row."""
    at = (piece - 1) * 16 + facing * 4
    for i in range(at, at + 4):
        cell = CELLS[i]
        mino = _IN_PLAY + piece
        if look == GHOST:
            mino = _OUTLINE + (cell >> 4)
        elif look == LOCKED:
            mino = piece
        draw_mino(canvas, x + (cell & 3) * _MINO_PX, y - (cell >> 2 & 3) * _MINO_PX, mino)


def draw_mini(canvas: "Canvas", x: int, y: int, piece: int) -> None:
    """Draw a Tetrimino as the queues show it, 11 x 6 pixels."""
    at = (piece - 1) * 2 * _ROWS
    for row in range(_ROWS):
        pixels = MINIS[at] >> 5 | MINIS[at + 1] << 3
        left = x
        while pixels:
            if pixels & 1:
                canvas.fill(left, y + row, 1, 1, 1)
            pixels >>= 1
            left += 1
        at += 2
