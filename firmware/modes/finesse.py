"""Put each Tetrimino into its place by as few presses as can be (README 8).

All that such a game has besides those of the engine's is in fields that it has no other use for: `lines` is the streak,
statistics.longest_combo the longest one, statistics.holds how many were right at the first go, and `chain` is 1 while
a Tetrimino is tried again.
"""

from firmware.compat import const
from firmware.engine.finesse import PRESSES
from firmware.engine.game import AIM_REACHED
from firmware.engine.mode import Mode
from firmware.engine.options import INFINITE
from firmware.engine.randomizer import Random
from firmware.engine.tables import SHAPES

_TARGETS = const(40)
_EMPTY = bytes(10)  # a row
_COLUMNS = const(13)  # of a row of PRESSES
_NONE = const(255)
_PRIME = const(7919)
_WALLS = const(0xE007)
_QUEUE = const(5)
_FACINGS = b"\x02\x04\x04\x01\x02\x04\x02"  # as of firmware/engine/profiles.py


class Finesse(Mode):
    """Judge each Lock Down, and empty the Matrix after it.

    piece, facing, x, y: the Tetrimino in play and its place, the box as a Game has it, once `aim` has looked.
    was_right: of the last one.
    """

    def __init__(self) -> None:
        self.piece = self.facing = self.x = self.y = 0
        self.at = 0
        self.was_right = True
        self.random = Random(0)

    def begin(self, game) -> None:
        """Set what the rules leave no choice of."""
        options = game.options
        options.level = game.level = 1
        options.lock_rule = INFINITE
        options.hold_on = options.initial_rotation = options.initial_hold = options.early_presses = 0
        game.goal = _TARGETS

    def aim(self, game, piece: int) -> None:
        """Draw the place of a Tetrimino: the same for as long as it is not right."""
        self.piece = piece
        random = self.random
        random.seed(game.seed ^ _PRIME * game.goal)
        first = (piece - 1) * 4 * _COLUMNS
        places = 0
        for at in range(first, first + _FACINGS[piece - 1] * _COLUMNS):
            if PRESSES[at] != _NONE:
                places += 1
        left = random.below(places)
        at = first
        while left or PRESSES[at] == _NONE:
            if PRESSES[at] != _NONE:
                left -= 1
            at += 1
        self.at = at
        self.facing = (at - first) // _COLUMNS
        self.x = at % _COLUMNS - 3
        row = (piece * 4 + self.facing - 4) * 4
        self.y = 0 if SHAPES[row] else -1 if SHAPES[row + 1] else -2

    def is_right(self, game) -> bool:
        """Return whether all Blocks, those of one Tetrimino, are where they should be, by no press too many."""
        row = (self.piece * 4 + self.facing - 4) * 4 - self.y
        masks = game.matrix.masks
        for i in range(4 + self.y):
            if masks[i] != _WALLS | SHAPES[row + i] << self.x + 3:
                return False
        return game.statistics.presses <= PRESSES[self.at]

    def match(self, game) -> None:
        """Judge what has locked down, while the presses are known."""
        game.spun = 0
        self.aim(game, max(game.matrix.rows[game.y + game.base]))  # the code of its Minos
        self.was_right = self.is_right(game)

    def complete(self, game) -> None:
        """Empty the Matrix, and let another one come, or the same again."""
        matrix = game.matrix
        for y in range(matrix.top):
            matrix.set_row(y, _EMPTY)
        matrix.top = 0
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
        if game.goal:  # else it was kept so, by no game of these rules
            game.goal -= 1
        if not game.goal:
            game.level = counts.holds
            game.lines = _TARGETS
            game.end(AIM_REACHED)

    def result(self, game) -> int:
        """Return what the table of scores ranks: the longest streak of a complete game."""
        return game.statistics.longest_combo if game.over == AIM_REACHED else 0


def make_mode(variant: int) -> Mode:
    """Return the mode of the variant of this module."""
    return Finesse()
