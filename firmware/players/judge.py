"""Judge the places of a recorded game by the eyes of the best level (modes/README 10)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.profiles import FACINGS, PROFILES
from firmware.players import levels
from firmware.players.features import ANY_HOLES, DROP, SLIDE_LEFT, SPIN_CW
from firmware.players.opening import HELD
from firmware.players.player import Player
from firmware.players.weights import NEVER

if TYPE_CHECKING:
    from firmware.contracts import Game

MOST_PLAN = const(7)
_MOST_COST = const(9999)
_FULL_SPIN = const(2)
_HIGHEST = const(22)  # the search places nothing higher
_NONE = const(-1)

# What the search looks for
_NOTHING = const(0)
_BEST = const(1)
_OWN = const(2)


def read_place(piece: int, facing: int, x: int, y: int) -> int:
    """Return the place of a Tetrimino at `x`, `y` of a Game, as in opening.py, but always as a drop."""
    at = 4 * piece - 4 + facing
    x += PROFILES[10 * at] & 15
    y += PROFILES[10 * at] >> 4
    return 4 * piece - 4 + facing % FACINGS[piece - 1] | x << 5 | y << 9


class Judge(Player):
    """Compare the place chosen for a Tetrimino with the best one found.

    For each Tetrimino call `enter` when it comes into play, `weigh` after its Lock Down, and after both `work` until it
    returns True; the game waits after `enter`. The search behind the chosen place continues as the search for the next
    Tetrimino, which halves the time.

    best, own: both places, as in opening.py, or -1. cost: how much better the best one is. best_plan, own_plan: each
    place and the best ones after it, for `count` Tetriminos.
    """

    def __init__(self) -> None:
        Player.__init__(self, levels.BEST)
        self.best = self.own = self.number = _NONE
        self.best_value = self.cost = self.seeks = self.count = 0
        self.best_plan = [0] * MOST_PLAN
        self.own_plan = [0] * MOST_PLAN
        self.hold = 0

    def enter(self, game: "Game") -> None:
        """Begin to search the best place for the Tetrimino that has just come into play."""
        beam = self.beam
        number = game.lock_downs
        continues = self.own >= 0 and number == self.number + 1 and game.hold == self.hold and not game.held
        self.game = game
        self.number = number
        self.hold = game.hold
        beam.queue[number & 7] = game.piece
        sight = min(self.sight, game.options.next_count)
        for i in range(sight):
            beam.queue[number + 1 + i & 7] = game.next[i]
        self.count = 1 + sight
        beam.known = number + self.count
        beam.spare.see(game.matrix)
        if not continues or beam.spare.rows != beam.root.rows or not beam.has_any():
            beam.root.see(game.matrix)
            beam.barred = number if game.held or not game.options.hold_on else _NONE
            self.search(number, game.chain > 0, 0)
        self.best = self.own = _NONE
        self.cost = 0
        self.seeks = _BEST

    def search(self, number: int, chain: int, gain: int) -> None:
        """Begin a search from the Matrix `root` with Tetrimino `number` in play."""
        beam = self.beam
        beam.limit_holes()
        beam.begin(number, self.hold, chain)
        beam.root_gain = gain

    def weigh(self, placed: int, spun: int, hold: int) -> None:
        """Begin to judge the place `placed`, by read_place; `spun`, `hold`: of the Game after the Lock Down."""
        beam = self.beam
        number = self.number
        if hold != self.hold:
            if not self.hold:
                return  # the first Hold: one Tetrimino less is known
            placed |= HELD
        if self.best < 0 or placed >> 9 & 31 > _HIGHEST:
            return
        way = DROP
        if spun == _FULL_SPIN:
            way = SPIN_CW
        elif beam.root.land((placed & 31) * 10, placed >> 5 & 15) != placed >> 9 & 31:
            way = SLIDE_LEFT
        self.own = own = placed | way << 14
        same = self.is_same()
        if same:
            beam.commit(number, self.best)
        self.hold = hold
        beam.gain = beam.root_gain
        beam.chain = beam.root_chain
        beam.advance(own, beam.settle(beam.root, beam.root, own))
        if same:
            beam.first = number + 1
            beam.root_gain = beam.gain
            beam.root_chain = beam.chain
        else:
            if self.game.options.hold_on:
                beam.barred = _NONE
            self.search(number + 1, beam.chain, beam.gain)
            self.seeks = _OWN

    def is_same(self) -> bool:
        """Return whether both places have the same cells, both or none by a spin, and both or none from Hold."""
        best = self.best
        own = self.own
        if (best ^ own) & (HELD | 511) or (best >> 14 & 7 >= SPIN_CW) != (own >> 14 & 7 >= SPIN_CW):
            return False
        return not (best | own) >> 14 & 7 or not (best ^ own) >> 9 & 31

    def work(self, units: int) -> bool:
        """Spend `units` of thought; return whether the search is finished."""
        if not self.seeks:
            return True
        beam = self.beam
        beam.think(units)
        if not beam.idle:
            return False
        value = max(beam.after.values) if beam.after.number == beam.known else NEVER
        if value == NEVER and beam.most_holes < ANY_HOLES:
            beam.most_holes = ANY_HOLES
            gain = beam.root_gain
            beam.begin(beam.first, self.hold, beam.root_chain)
            beam.root_gain = gain
            return False
        if self.seeks == _BEST:
            place = beam.choose(self.number)
            if place >= 0 and not self.hands.plan(self.game, place):
                beam.sift(self.number, place, False)  # gravity is too fast for it
                return False
            self.best = place
            self.best_value = value
            self.trace_plan(self.best_plan, 0)
        else:
            self.cost = min(max(0, self.best_value - value), _MOST_COST)
            self.own_plan[0] = self.own
            if value == NEVER:
                self.count = 1  # the game ends soon
            self.trace_plan(self.own_plan, 1)
        self.seeks = _NOTHING
        return True

    def trace_plan(self, plan: "list[int]", first: int) -> None:
        """Copy the places of the best line, from the `first` on."""
        after = self.beam.after
        line = after.find_best()
        if line < 0:
            return
        for i in range(first, self.count):
            plan[i] = self.beam.trace(after, line, self.number + i)
