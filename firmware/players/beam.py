"""Search ahead with a rolling beam, which keeps the results for one Tetrimino for the next.

A ply holds lines: sequences of places with a given number of Lock Downs. The search opens its best lines in turn: it
rates each place of the next Tetrimino, or of the held one. Once a place is chosen, all lines that do not begin with it
are dropped.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.players.ground import Ground
from firmware.players.opening import HOLD_KEY, UNFOLD_COST, Opening
from firmware.players.ply import KEPT_ROWS, NOBODY, OpenedPly, Ply, raise_places
from firmware.players.weights import NEVER

if TYPE_CHECKING:
    from firmware.contracts import Matrix

_NONE = const(-1)
_TURN_COST = const(10)
_HIGH = const(9)
_MORE_HOLES = const(3)


class Beam(Opening):
    """Search one game, whose Tetriminos are numbered in the order of their generation.

    width: lines kept in a ply. queue: the known Tetriminos, by number modulo 8; `known` is the number of the first
    unknown one. root: the Matrix when Tetrimino `first` came into play; root_gain, root_chain: the score so far, as
    in OpenedPly. before, opened: the kept part of the ply before and of the current one. age: how often garbage rose.
    idle: whether there was nothing to search.
    """

    def __init__(self, width: int) -> None:
        Opening.__init__(self, width)
        self.width = width
        self.known = 0
        self.root = Ground()
        self.first = 0
        self.root_gain = 0
        self.root_chain = 0
        self.before = OpenedPly(width)
        self.value = 0  # of the open line
        self.idle = False

    # -- the lines to search --------------------------------------------------------------------------

    def begin(self, number: int, hold: int, chain: int) -> None:
        """Restart from the Matrix `root` with Tetrimino `number` in play."""
        self.first = number
        self.root_chain = chain
        self.root_gain = 0
        self.age = self.age + 1 & 255
        ply = self.ply
        ply.clear()
        ply.number = number
        ply.values[0] = 0
        ply.parents[0] = NOBODY
        ply.holds[0] = hold
        self.after.clear()
        self.after.number = number + 1
        self.open = _NONE
        self.least = NEVER

    def limit_holes(self) -> None:
        """Allow a place one hole, or more high up, where any place may save the game."""
        self.most_holes = 1 if self.root.top < _HIGH else _MORE_HOLES

    def is_ready(self, number: int) -> bool:
        """Return whether enough is known to choose a place for Tetrimino `number`."""
        return self.ply.number > number or self.open < 0 and self.ply.find_best() < 0

    def choose(self, number: int) -> int:
        """Return the place for Tetrimino `number` that the best line begins with, or -1 if there is none."""
        ply = self.after
        i = ply.find_best()
        if i < 0:
            ply = self.ply
            i = ply.find_best() if ply.number > number else _NONE
        return self.trace(ply, i, number) if i >= 0 else _NONE

    def trace(self, ply: Ply, i: int, number: int) -> int:
        """Return the place of Tetrimino `number` in line `i` of a ply."""
        if number == ply.number - 1:
            return ply.places[i]
        before = self.opened if ply is self.after else self.before
        return before.paths[8 * ply.parents[i] + (number & 7)]

    def commit(self, number: int, place: int) -> None:
        """Drop every line that does not begin with this place of Tetrimino `number`."""
        self.sift(number, place, True)
        ply = self.ply
        if ply.number <= number or self.open >= 0 and self.trace(ply, self.open, number) != place:
            self.open = _NONE

    def sift(self, number: int, place: int, wanted: bool) -> None:
        """Keep only lines that begin, or do not begin, with a place of Tetrimino `number`."""
        self.sift_ply(self.after, number, place, wanted)
        self.sift_ply(self.ply, number, place, wanted)

    def sift_ply(self, ply: Ply, number: int, place: int, wanted: bool) -> None:
        """Filter one ply; clear it if its lines have no place for that Tetrimino."""
        if ply.number <= number:
            ply.clear()
            return
        for i in range(self.width):
            if ply.values[i] > NEVER and (self.trace(ply, i, number) == place) != wanted:
                least = ply.drop(i)
                if ply is self.after:
                    self.least = least

    def has_any(self) -> bool:
        """Return whether any line is left."""
        return self.open >= 0 or self.after.find_best() >= 0 or self.ply.find_best() >= 0

    def follow(self, matrix: "Matrix", place: int) -> bool:
        """Play `place`, and check that `matrix` is the result after garbage; return False if not."""
        root = self.root
        spare = self.spare
        lines = self.settle(spare, root, place)
        gain = self.gain
        chain = self.chain
        combo = self.combo
        self.gain = self.root_gain
        self.chain = self.root_chain & 1
        self.combo = self.root_chain >> 1
        self.advance(place, lines)
        self.root_gain = self.gain
        self.root_chain = self.chain | self.combo << 1
        self.gain = gain
        self.chain = chain
        self.combo = combo
        self.first += 1
        root.see(matrix)
        risen = root.top - spare.top
        if risen < 0:
            return False
        i = spare.top
        while i:
            i -= 1
            if spare.rows[i] != root.rows[i + risen]:
                return False
        if risen:
            self.shift(risen)
        return True

    def shift(self, rows: int) -> None:
        """Account for rising garbage: move up all places but drops."""
        self.age = self.age + 1 & 255
        if self.open >= 0:
            self.ply.values[self.open] = self.value
            self.open = _NONE
        raise_places(self.after.places, rows)
        raise_places(self.ply.places, rows)
        raise_places(self.opened.paths, rows)
        raise_places(self.before.paths, rows)

    # -- thinking -------------------------------------------------------------------------------------

    def think(self, units: int) -> int:
        """Spend `units` of thought; return the unused units: few, or all if there is nothing to search."""
        self.idle = False
        while units > 0:
            if self.open < 0:
                if not self.turn():
                    self.idle = True
                    break
                units -= _TURN_COST
            elif self.at < 0:
                if units < UNFOLD_COST:
                    break
                units -= self.unfold()
            else:
                units = self.sweep(units)
                if self.at != self.beyond:
                    break
                self.try_hold()
        return units

    def turn(self) -> bool:
        """Open the best line of the ply, or of the next ply; return False if there is none."""
        ply = self.ply
        i = ply.find_best()
        if i < 0:
            if ply.number + 1 >= self.known or self.after.find_best() < 0:
                return False
            self.ply = self.after
            self.after = ply
            opened = self.opened
            self.opened = self.before
            self.before = opened
            ply.clear()
            ply.number += 2
            ply = self.ply
            self.least = NEVER
            i = ply.find_best()
        if ply.number >= self.known:
            return False
        # The best line first: time may be up before the last.
        self.open = i
        self.value = ply.values[i]
        ply.values[i] = NEVER
        self.at = _NONE
        parent = ply.parents[i]
        if parent != NOBODY:
            self.opened.follow_path(ply, i, self.before)
        if parent != NOBODY and self.before.ages[parent] == self.age:
            before = self.before
            place = ply.places[i]
            self.y = place >> 9 & 31
            self.gain = before.gains[parent]
            self.chain = before.chains[parent] & 1
            self.combo = before.chains[parent] >> 1
            lines = self.ground.fill(
                (place & 31) * 10,
                place >> 5 & 15,
                self.y,
                before.rows,
                KEPT_ROWS * parent,
                before.tops[parent],
                before.cells[parent],
            )
            self.advance(place, lines)
            self.key = ply.keys[i] ^ ply.holds[i] * HOLD_KEY
            self.replayed = ply.number
        else:
            self.key = _NONE
            self.ground.copy(self.root)
            self.gain = self.root_gain
            self.chain = self.root_chain & 1
            self.combo = self.root_chain >> 1
            self.replayed = self.first
        return True
