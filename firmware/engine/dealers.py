"""Deal Tetriminos otherwise than from the bag (firmware/modes/README.md, 20); imported only if the player chose it."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.randomizer import Bag

if TYPE_CHECKING:
    from firmware.engine.game import Game

# The values of the option `deal`; 0 is the bag of the guideline.
DOUBLE_BAG = const(1)
TWO_BAGS = const(2)
HISTORY = const(3)
MEMORYLESS = const(4)

_PIECES = const(7)
_FIRST = const(4)  # as the place in a history: nothing was dealt yet
_ROLLS = const(6)


class Dealer(Bag):
    """Deal by the option of a game.

    order: as a Bag has it; of DOUBLE_BAG and TWO_BAGS two such orders; of HISTORY the last four. left: of TWO_BAGS how
    many are left in the first bag, plus 8 times those in the second; of HISTORY the place in `order` that is next.
    """

    def __init__(self, game: "Game") -> None:
        Bag.__init__(self, game.random)
        self.kind = kind = game.options.deal
        if kind < HISTORY:
            self.order = self.order + self.order
        elif kind == HISTORY:
            self.order = bytearray(b"\x07\x07\x05\x05")  # Z, Z, S, S
            self.left = _FIRST

    def deal(self) -> int:
        """Return the next Tetrimino, 1..7."""
        random = self.random
        order = self.order
        left = self.left
        if self.kind == DOUBLE_BAG:
            self.left = left or 2 * _PIECES
            return Bag.deal(self)
        if self.kind == TWO_BAGS:
            shift = random.below(2) * 3
            first = shift and _PIECES  # of the chosen bag
            last = first + (left >> shift & 7 or _PIECES) - 1
            pick = first + random.below(last - first + 1)
            piece = order[pick]
            order[pick] = order[last]
            order[last] = piece
            self.left = left & 56 >> shift | last - first << shift
            return piece
        if left == _FIRST:
            self.left = 1
            order[0] = piece = b"\x01\x02\x03\x06"[random.below(4)]  # no S, Z or O
            return piece
        piece = 1 + random.below(_PIECES)
        if self.kind == HISTORY:
            recent = 0
            for old in order:  # a board has no `in` for this
                recent |= 1 << old
            rolls = 1
            while rolls < _ROLLS and recent >> piece & 1:
                piece = 1 + random.below(_PIECES)
                rolls += 1
            order[left] = piece
            self.left = left + 1 & 3
        return piece


def begin(game: "Game") -> None:
    """Give a game the dealer of its option, unless its mode has one of its own."""
    if type(game.dealer) is Bag:
        game.dealer = Dealer(game)
