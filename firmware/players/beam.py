"""Look ahead with a rolling beam: what was found for one Tetrimino is kept for the next (places as judge.py has them).

A ply is what was found with so many Tetriminos locked down. Those of it that are worth most are opened, one
after the other: each place of the Tetrimino that comes next, or of the one held, is judged. When a place is
decided upon, whatever does not begin with it is dropped.
"""

from firmware.compat import const
from firmware.engine.profiles import FACINGS, PROFILES
from firmware.players.ground import Ground
from firmware.players.judge import SPIN_CW, SURVEY_COST, Judge
from firmware.players.ply import KEPT_ROWS, Ply

# A place is a number: at / 10 | x << 5 | y << 9 | way << 14, and HELD where it is for the piece that was held.
HELD = const(1 << 17)

_I = const(1)
_T = const(6)
_NONE = const(-1)
_NEVER = const(-(1 << 29))
_ROWS = const(28)
_MOST_ROW = const(24)
_KEY = const((1 << 28) - 1)
_HOLD_KEY = const(7919)

# A row's part in telling Matrices apart.
_KEYS = [((y + 3) * (y + 71) * 977 + y * 5) % 16381 | 1 for y in range(28)]

_TURN_COST = const(10)
_REPLAY_COST = const(8)
_SURVEY_COST = const(22)
_FACING_COST = const(2)

# Lines 0 to 4: by themselves, and for a T-Spin.
_CLEARS = (0, -129, -147, -27, 325)
_SPINS = (0, -84, 548, 674, 0)
_BACK_TO_BACK = const(99)
_CHAINED = const(112)  # the next Tetris or T-Spin will be Back-to-Back
_WASTED_T = const(-40)
_HELD_I = const(69)
_HELD_T = const(-8)
_LANDING = const(-11)


class Beam(Judge):
    """Think about one game, whose Tetriminos are numbered in the order of their generation.

    width: so many of a ply are kept.  uses_hold, spins, slides: what it looks for.
    queue: the Tetriminos known, by their number modulo 8; `known` is the number of the first unknown one.
    root: the Matrix when Tetrimino `first` came into play.  barred: the number of one that cannot be held, or -1.
    """

    def __init__(self, width: int) -> None:
        Judge.__init__(self)
        self.width = width
        self.uses_hold = True
        self.spins = True
        self.slides = True
        self.queue = bytearray(8)
        self.known = 0
        self.root = Ground()
        self.first = 0
        self.root_gain = 0
        self.root_chain = False
        self.barred = _NONE
        self.age = 0
        self.before = Ply(width)  # opened
        self.ply = Ply(width)  # being opened
        self.after = Ply(width)  # being found
        self.open = _NONE  # the one of `ply` that is being opened
        self.opened = 0  # what it was worth
        self.replayed = 0  # the Tetrimino that its Matrix comes to next
        self.piece = 0
        self.held = 0
        self.at = 0
        self.gain = 0
        self.chain = False
        self.hold = 0  # what is held after a place
        self.key = 0
        self.surveyed = False
        self.y = 0

    # -- what there is to think about -----------------------------------------------------------------

    def begin(self, number: int, hold: int, chain: bool) -> None:
        """Begin anew with the Matrix `root`, which sees Tetrimino `number` in play."""
        self.first = number
        self.root_chain = chain
        self.root_gain = 0
        self.age += 1
        ply = self.ply
        ply.clear()
        ply.number = number
        ply.values[0] = 0
        ply.parents[0] = _NONE
        ply.holds[0] = hold
        self.after.clear()
        self.after.number = number + 1
        self.open = _NONE
        self.least = _NEVER

    def is_ready(self, number: int) -> bool:
        """Return whether all is known that it takes to decide upon Tetrimino `number`."""
        return self.ply.number > number or self.open < 0 and self.ply.find_best() < 0

    def choose(self, number: int) -> int:
        """Return the place for Tetrimino `number` that the best of all begins with, or -1 where there is none."""
        ply = self.after
        i = ply.find_best()
        if i < 0:
            ply = self.ply
            i = ply.find_best() if ply.number > number else _NONE
        return self.trace(ply, i, number) if i >= 0 else _NONE

    def trace(self, ply: Ply, i: int, number: int) -> int:
        """Return the place of Tetrimino `number` on the way to one of a ply."""
        if number == ply.number - 1:
            return ply.places[i]
        before = self.ply if ply is self.after else self.before
        return before.paths[8 * ply.parents[i] + (number & 7)]

    def commit(self, number: int, place: int) -> None:
        """Drop what does not begin with this place of Tetrimino `number`."""
        self.sift(number, place, True)
        ply = self.ply
        if ply.number <= number or self.open >= 0 and self.trace(ply, self.open, number) != place:
            self.open = _NONE

    def sift(self, number: int, place: int, wanted: bool) -> None:
        """Keep only what begins, or what does not begin, with a place of Tetrimino `number`."""
        for ply in (self.after, self.ply):
            if ply.number > number:
                for i in range(self.width):
                    if ply.values[i] > _NEVER and (self.trace(ply, i, number) == place) != wanted:
                        self.least = ply.drop(i)
            else:
                ply.clear()

    def has_any(self) -> bool:
        """Return whether anything is left to go on with."""
        return self.open >= 0 or self.after.find_best() >= 0 or self.ply.find_best() >= 0

    def follow(self, matrix, place: int) -> bool:
        """Let `place` be played and `matrix` be what came of it and of garbage; return False where it is not."""
        root = self.root
        spare = self.spare
        lines = self.settle(spare, root, place)
        gain = self.gain
        chain = self.chain
        self.gain = self.root_gain
        self.chain = self.root_chain
        self.advance(place, lines)
        self.root_gain = self.gain
        self.root_chain = self.chain
        self.gain = gain
        self.chain = chain
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
        """Take note that so many rows of garbage rose: what is not a drop moves with them."""
        self.age += 1
        if self.open >= 0:
            self.ply.values[self.open] = self.opened
            self.open = _NONE
        self.after.lift(rows)
        self.ply.lift(rows)
        self.before.lift(rows)

    # -- thinking -------------------------------------------------------------------------------------

    def think(self, units: int) -> int:
        """Spend `units` of thought; return what is left, above 0 where there is nothing to think about."""
        while units > 0:
            if self.open < 0:
                if not self.turn():
                    return units
                units -= _TURN_COST
            elif self.at < 0:
                units -= self.unfold()
            else:
                units = self.sweep(self.at, self.spots, units)
                if not self.spots:
                    units -= self.go_on()
        return units

    def turn(self) -> bool:
        """Go to the next one of the ply, or to the next ply; return False where there is none."""
        ply = self.ply
        i = ply.find_best()
        if i < 0:
            if ply.number + 1 >= self.known or self.after.find_best() < 0:
                return False
            self.ply = self.after
            self.after = self.before
            self.before = ply
            ply = self.ply
            self.after.number = ply.number + 1
            self.after.clear()
            self.least = _NEVER
            i = ply.find_best()
        if ply.number >= self.known:
            return False
        # The best one first: time may be up before the last.
        self.open = i
        self.opened = ply.values[i]
        ply.values[i] = _NEVER
        self.at = _NONE
        parent = ply.parents[i]
        if parent >= 0:
            ply.follow_path(i, self.before, parent)
        if parent >= 0 and self.before.ages[parent] == self.age:
            before = self.before
            place = ply.places[i]
            self.y = place >> 9 & 31
            self.gain = before.gains[parent]
            self.chain = before.chains[parent] > 0
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
            self.key = ply.keys[i] ^ ply.holds[i] * _HOLD_KEY
            self.replayed = ply.number
        else:
            self.key = _NONE
            self.ground.copy(self.root)
            self.gain = self.root_gain
            self.chain = self.root_chain
            self.replayed = self.first
        return True

    def unfold(self) -> int:
        """Go one step towards the Matrix of the one that is being opened; return the cost."""
        ply = self.ply
        if self.replayed < ply.number:
            place = ply.paths[8 * self.open + (self.replayed & 7)]
            self.replayed += 1
            ground = self.spare
            self.spare = self.ground
            self.ground = ground
            lines = self.settle(ground, self.spare, place)
            self.advance(place, lines)
            return _REPLAY_COST
        self.survey(self.ground)
        self.find_fits()
        ply.keep(self.open, self.ground, self.gain, self.chain, self.age)
        if self.key < 0:
            self.key = self.tell(self.ground)
        self.hold = ply.holds[self.open]
        self.held = 0
        self.enter(self.queue[ply.number & 7])
        return _SURVEY_COST

    def enter(self, piece: int) -> None:
        """Begin with the places of a piece."""
        self.piece = piece
        self.at = at = (piece - 1) * 40
        self.spots = self.fit(at)
        self.base = self.gain + self.ground.worth
        if piece == _T:
            self.base += _WASTED_T
        if self.hold == _I:
            self.base += _HELD_I
        elif self.hold == _T:
            self.base += _HELD_T

    def go_on(self) -> int:
        """Go to the next facing, to the piece that is held, or be done; return the cost."""
        cost = _FACING_COST
        if self.slides and self.ground.eaves:
            cost += self.find_slides(self.at)
        self.at += 10
        piece = self.piece
        if self.at == (piece - 1) * 40 + FACINGS[piece - 1] * 10:
            if piece == _T and self.spins and self.ground.slot >= 0:
                self.find_spin()
                cost += SURVEY_COST
            number = self.ply.number
            hold = self.hold
            if self.held or not self.uses_hold or not hold or hold == piece or number == self.barred:
                self.open = _NONE
            else:
                self.hold = piece
                self.held = HELD
                self.enter(hold)
        else:
            self.spots = self.fit(self.at)
        return cost

    def settle(self, ground: Ground, before: Ground, place: int) -> int:
        """Make `ground` what `before` is with a piece locked down in a place; return the lines cleared."""
        at = (place & 31) * 10
        x = place >> 5 & 15
        y = place >> 9 & 31
        if not place >> 14 & 7:
            # The Matrix may not be the one that it was found for.
            y = before.land(at, x)
        self.y = y
        return ground.fill(at, x, y, before.rows, 0, before.top, before.cells)

    def advance(self, place: int, lines: int) -> None:
        """Take note of a place that was settled just now."""
        self.gain += self.earn(place, lines)
        if lines:
            self.chain = lines == 4 or place >> 14 & 7 >= SPIN_CW

    def earn(self, place: int, lines: int) -> int:
        """Return what a place that was settled just now is worth, but for the Matrix that it makes."""
        worth = _LANDING * self.y + self.reward(lines, place >> 14 & 7 >= SPIN_CW)
        return worth + _WASTED_T if (place & 31) >> 2 == _T - 1 else worth

    def reward(self, lines: int, spin: bool) -> int:
        """Return what lines are worth by themselves, and that the next ones will be Back-to-Back or not."""
        if not lines:
            return 0
        if spin:
            worth = _SPINS[lines] - _WASTED_T
        else:
            worth = _CLEARS[lines]
            if lines < 4:
                return worth - _CHAINED if self.chain else worth
        return worth + (_BACK_TO_BACK if self.chain else _CHAINED)

    def tell(self, ground: Ground) -> int:
        """Return a number by which a Matrix can be told from others."""
        key = 0
        for y in range(ground.top):
            key += ground.rows[y] * _KEYS[y]
        return key & _KEY

    def complete(self, at: int, x: int, y: int, way: int) -> None:
        """Judge a place by all of the Matrix that it makes."""
        self.surveyed = True
        Judge.complete(self, at, x, y, way)
        self.surveyed = False

    def take(self, value: int, at: int, x: int, y: int, way: int) -> None:
        """Keep a place, unless the same Matrix was reached better; the worst one gives way."""
        if self.surveyed:
            key = self.tell(self.spare)
        elif self.lines:
            ground = self.ground
            self.spare.fill(at, x, y, ground.rows, 0, ground.top, ground.cells)
            key = self.tell(self.spare)
        else:
            key = self.key
            for i in range(4):
                row = PROFILES[at + 6 + i]
                if not row:
                    break
                key += (row << x) * _KEYS[y + i]
            key &= _KEY
        key ^= self.hold * _HOLD_KEY
        place = at // 10 | x << 5 | y << 9 | way << 14 | self.held
        self.least = self.after.take(value, self.open, place, key, self.hold)
