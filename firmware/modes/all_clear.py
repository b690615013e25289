"""Clear the whole Matrix with the Tetriminos that come (README 11)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.matrix import WIDTH
from firmware.engine.tables import SHAPES
from firmware.modes.lessons.all_clear_file import count_ways, expand
from firmware.modes.puzzle import MISSED, Puzzle

if TYPE_CHECKING:
    from firmware.contracts import Any, Game

_CELLS = const(0x1FF8)  # of a row's mask


class AllClear(Puzzle):
    """Set up a packed task, and end it as soon as it is seen to be impossible.

    ways: the number of solutions. followed: how many Lock Downs from the first on followed the stored solution.
    """

    def __init__(self, task: bytes) -> None:
        self.record = expand(task)
        self.ways = count_ways(task)
        self.followed = 0
        self.rows = 0

    def begin(self, game: "Any") -> None:
        """Set up the task, and count the rows that it fills."""
        Puzzle.begin(self, game)
        cells = 4 * self.count
        for y in range(game.matrix.top):
            for cell in game.matrix.rows[y]:
                cells += cell > 0
        self.rows = cells // WIDTH

    def follow(self, game: "Game") -> None:
        """Count the Lock Downs that follow the stored solution."""
        Puzzle.follow(self, game)
        if self.led:
            self.followed = game.lock_downs + 1

    def complete(self, game: "Game") -> None:
        """End the game if the Matrix is clear or can no longer be cleared."""
        Puzzle.complete(self, game)
        if not game.over and not self.may_clear(game):
            game.end(MISSED)

    def may_clear(self, game: "Game") -> bool:
        """Return False if height, full columns or the shape of the last gap show that the task is impossible."""
        matrix = game.matrix
        rows = self.rows - game.lines
        if matrix.top > rows:
            return False
        masks = matrix.masks
        if game.goal == 1:
            return self.fits_last(masks, rows, game.next[0] or game.hold)
        # Full columns part the rest; each part must hold whole Tetriminos.
        empty = 0
        for x in range(WIDTH):
            column = 0
            for y in range(rows):
                column += masks[y] >> x + 3 & 1 ^ 1
            if not column and empty & 3:
                return False
            empty += column
        return not empty & 3

    def fits_last(self, masks: "list[int]", rows: int, piece: int) -> bool:
        """Return whether the gap in the lowest `rows` has the shape of a Tetrimino."""
        for shape in range((piece - 1) * 16, piece * 16, 4):
            base = 0
            while not SHAPES[shape + base]:
                base += 1
            shift = 0
            gap = masks[0] & _CELLS ^ _CELLS
            while shift <= WIDTH + 3 and SHAPES[shape + base] << shift != gap:
                shift += 1
            y = 0
            while y < rows and base + y < 4 and SHAPES[shape + base + y] << shift == masks[y] & _CELLS ^ _CELLS:
                y += 1
            if y == rows and (base + y == 4 or not SHAPES[shape + base + y]):
                return True
        return False
