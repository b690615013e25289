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
from firmware.engine.profiles import FACINGS, PROFILES
from firmware.engine.randomizer import Random

_TARGETS = const(40)
_WIDTH = const(10)
_PRIME = const(7919)
_WALLS = const(0xE007)
_QUEUE = const(5)


class Finesse(Mode):
    """Judge each Lock Down, and empty the Matrix after it.

    piece, facing, x, y: the Tetrimino in play and its place, the box as a Game has it, once `aim` has looked.
    was_right: of the last one.
    """

    def __init__(self) -> None:
        self.piece = self.facing = self.x = self.y = 0
        self.row = 0
        self.was_right = True

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
        random = Random(game.seed + _PRIME * game.goal)
        first = (piece - 1) * 40
        places = 0
        for facing in range(FACINGS[piece - 1]):
            places += _WIDTH + 1 - PROFILES[first + 10 * facing + 1]
        at = random.below(places)
        self.facing = 0
        self.row = first
        while at > _WIDTH - PROFILES[self.row + 1]:
            at -= _WIDTH + 1 - PROFILES[self.row + 1]
            self.facing += 1
            self.row += 10
        self.x = at - (PROFILES[self.row] & 15)
        self.y = -(PROFILES[self.row] >> 4)

    def is_right(self, game) -> bool:
        """Return whether all Blocks, those of one Tetrimino, are where they should be, by no press too many."""
        column = self.x + (PROFILES[self.row] & 15) + 3
        masks = game.matrix.masks
        for i in range(4):
            if masks[i] != _WALLS | PROFILES[self.row + 6 + i] << column:
                return False
        return game.statistics.presses <= PRESSES[(self.piece * 4 + self.facing - 4) * 13 + self.x + 3]

    def match(self, game) -> None:
        """Judge what has locked down, while the presses are known."""
        game.spun = 0
        self.aim(game, max([max(game.matrix.rows[y]) for y in range(game.matrix.top)]))
        self.was_right = self.is_right(game)

    def complete(self, game) -> None:
        """Empty the Matrix, and let another one come, or the same again."""
        matrix = game.matrix
        for y in range(matrix.top):
            matrix.set_row(y, bytes(_WIDTH))
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
