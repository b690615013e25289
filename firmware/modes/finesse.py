"""Put each Tetrimino into its place with the fewest presses (README 8).

The mode gives unused fields of the game a new meaning: `lines` is the streak, statistics.longest_combo the longest
streak. statistics.holds counts the Tetriminos placed right at the first try. `chain` is 1 during a further try.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.finesse import PRESSES
from firmware.engine.game import AIM_REACHED
from firmware.engine.matrix import GARBAGE_CELL, WALLS
from firmware.engine.mode import Mode
from firmware.engine.options import INFINITE
from firmware.engine.profiles import FACINGS
from firmware.engine.randomizer import Random
from firmware.engine.tables import SHAPES

if TYPE_CHECKING:
    from firmware.contracts import Game

_TARGETS = const(40)
_COLUMNS = const(13)  # entries for each facing in PRESSES
_NONE = const(255)
_PRIME = const(7919)
_QUEUE = const(5)


class Finesse(Mode):
    """Check each Lock Down, then empty the Matrix.

    piece, facing, x, y: the Tetrimino in play and its target place, as in a Game; `aim` sets them. was_right: whether
    the last Tetrimino was right.
    """

    def __init__(self) -> None:
        self.piece = self.facing = self.x = self.y = self.at = 0
        self.was_right = True
        self.random = Random(0)

    def begin(self, game: "Game") -> None:
        """Set the options that the player cannot choose, and the goal."""
        options = game.options
        options.level = game.level = 1
        options.lock_rule = INFINITE
        options.hold_on = options.initial_rotation = options.initial_hold = options.early_presses = 0
        game.goal = _TARGETS

    def aim(self, game: "Game", piece: int) -> None:
        """Choose a target place for a Tetrimino; further tries get the same place."""
        self.piece = piece
        random = self.random
        random.seed(game.seed ^ _PRIME * game.goal)
        first = (piece - 1) * 4 * _COLUMNS
        places = 0
        for at in range(first, first + FACINGS[piece - 1] * _COLUMNS):
            places += PRESSES[at] != _NONE
        left = random.below(places)
        at = first
        while left or PRESSES[at] == _NONE:
            left -= PRESSES[at] != _NONE
            at += 1
        self.at = at
        self.facing = (at - first) // _COLUMNS
        self.x = at % _COLUMNS - 3
        row = (piece * 4 + self.facing - 4) * 4
        self.y = 0 if SHAPES[row] else -1 if SHAPES[row + 1] else -2

    def is_right(self, game: "Game") -> bool:
        """Return whether the Tetrimino is in its target place and took no needless press."""
        row = (self.piece * 4 + self.facing - 4) * 4 - self.y
        masks = game.matrix.masks
        for i in range(4 + self.y):
            if masks[i] != WALLS | SHAPES[row + i] << self.x + 3:
                return False
        return game.statistics.presses <= PRESSES[self.at]

    def match(self, game: "Game") -> None:
        """Check the Lock Down."""
        game.spun = piece = 0
        for cell in game.matrix.rows[game.y + game.base]:  # the Minos have the code; an old recording may have garbage
            if piece < cell < GARBAGE_CELL:
                piece = cell
        self.aim(game, piece)
        self.was_right = self.is_right(game)

    def complete(self, game: "Game") -> None:
        """Empty the Matrix; deal the same Tetrimino again if it was wrong."""
        game.matrix.clear()
        counts = game.statistics
        if not self.was_right:
            game.lines = 0
            game.chain = 1
            for i in range(_QUEUE, 0, -1):
                game.next[i] = game.next[i - 1]
            game.next[0] = self.piece
            return
        if not game.chain:
            game.lines += 1
            counts.holds += 1
            if game.lines > counts.longest_combo:
                counts.longest_combo = game.lines
        game.chain = 0
        if game.goal:  # 0 only in a save from a version with other rules
            game.goal -= 1
        if not game.goal:
            game.level = counts.holds
            game.lines = _TARGETS
            game.end(AIM_REACHED)

    def result(self, game: "Game") -> int:
        """Return the longest streak of a complete game."""
        return game.statistics.longest_combo if game.over == AIM_REACHED else 0


def make_mode(variant: int) -> Mode:
    return Finesse()
