"""Set up any position for the view: a Stage has all attributes of a Game that views read, and a Matrix from text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.engine import phases
from firmware.engine.matrix import HEIGHT, WIDTH, Matrix
from firmware.engine.mode import Mode
from firmware.engine.options import Options
from firmware.engine.statistics import Statistics
from sim.bots.places import cells_of
from tests.support.drill import CODES

if TYPE_CHECKING:
    from firmware.engine.game import Game
    from firmware.view.playfield import PlayView

    Base = Game  # for the type checker
else:
    Base = object


class Stage(Base):
    """Replace a Game; every attribute can be set.

    `matrix` is text, the lowest row last: `.` empty, `IJLOSTZ` Blocks, `#` garbage; spaces do not count.
    `piece` and `hold` are letters or "", `queue` is six letters.
    """

    def __init__(self, matrix: str = "", piece: str = "", x: int = 3, y: int = 18, facing: int = 0) -> None:
        self.matrix = Matrix()
        self.piece = 0
        self.facing = self.x = self.y = self.ghost_y = 0
        self.next = bytearray(6)
        self.options = Options()
        self.mode = Mode()
        self.hold = 0
        self.held = False
        self.score = 0
        self.level = 1
        self.lines = 0
        self.goal = 10
        self.time_ms = 0
        self.limit_ms = 0
        self.phase = phases.FALLING
        self.hits = bytearray(40)
        self.hit_count = 0
        self.animate_us = 300_000
        self.wait_us = 0
        self.statistics = Statistics()
        self.build(matrix)
        if piece:
            self.put(piece, x, y, facing)

    def build(self, matrix: str) -> None:
        """Replace the Blocks by those of the text; rows without text become empty."""
        rows = [row for row in matrix.replace(" ", "").split("\n") if row]
        for y in range(HEIGHT):
            row = rows[len(rows) - 1 - y] if y < len(rows) else "." * WIDTH
            self.matrix.set_row(y, bytes(CODES.index(cell) for cell in row))

    def put(self, piece: str, x: int, y: int, facing: int = 0) -> None:
        """Bring a Tetrimino into play with its box at (x, y), and the Ghost Piece below it."""
        self.piece = CODES.index(piece)
        self.x, self.y, self.facing = x, y, facing
        self.ghost_y = y
        while self.fits(self.ghost_y - 1):
            self.ghost_y -= 1

    def fits(self, y: int) -> bool:
        """Return whether the Tetrimino in play fits with its box at row `y`."""
        return all(
            0 <= row < HEIGHT and 0 <= column < WIDTH and not self.matrix.rows[row][column]
            for column, row in cells_of(self.piece, self.facing, self.x, y)
        )

    def queue(self, letters: str) -> None:
        """Fill the Next Queue with six letters; the first one comes next."""
        self.next[:] = bytes(CODES.index(letter) for letter in letters)

    def clear_lines(self, wait_us: int) -> None:
        """Enter the Animate Phase for every full row, with `wait_us` left."""
        self.piece = 0
        self.phase = phases.ANIMATE
        self.wait_us = wait_us
        full = [y for y in range(HEIGHT) if all(self.matrix.rows[y])]
        self.hit_count = len(full)
        self.hits[: len(full)] = bytes(full)


def settle(view: PlayView, game: Game) -> None:
    """Draw until a view has shown everything and every notice is gone."""
    quiet = 0
    # The light of a Lock Down does not change for three frames, a notice for 64.
    while quiet < (70 if getattr(view, "_words", 0) or getattr(view, "_page", -1) >= 0 else 8):
        before = bytes(view.canvas.buffer)
        busy = view.draw(game)
        quiet = 0 if busy or before != view.canvas.buffer else quiet + 1
