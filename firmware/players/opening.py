"""Open a line of a ply: rate each place of the next Tetrimino, or of the held one.

A place is a number: at / 10 | x << 5 | y << 9 | way << 14, plus HELD if it is for the held piece. `at` is the index of
its facing in PROFILES, `way` is DROP, a slide or a spin of features.py.
"""

from array import array

from firmware.compat import const
from firmware.engine.matrix import WIDTH
from firmware.engine.profiles import FACINGS, PROFILES
from firmware.players.features import SLIDE_LEFT, SLIDE_RIGHT, SPIN_CW
from firmware.players.ground import Ground
from firmware.players.ply import KEPT_ROWS, OpenedPly, Ply
from firmware.players.rating import SURVEY_COST, PlacementEvaluator
from firmware.players.weights import CLEARS, COLUMNS, LANDING, SPINS

HELD = const(1 << 17)
HOLD_KEY = const(7919)
REPLAY_COST = const(8)

_I = const(1)
_T = const(6)
_T_SOUTH = const(220)  # index of its profile
_T_LAST = const(230)
_SLOT = const(1 << 10)  # a bit above the ten columns
_NONE = const(-1)
_KEY = const((1 << 28) - 1)

# The factor of each row in the hash of a Matrix.
_KEYS = array("H", [((y + 3) * (y + 71) * 977 + y * 5) % 16381 | 1 for y in range(28)])

UNFOLD_COST = const(27)
_SLIDE_COST = const(5)
_BACK_TO_BACK = const(99)
_CHAINED = const(112)  # the next Tetris or T-Spin will be Back-to-Back
_WASTED_T = const(-40)
_COMBO = const(110)  # for each Line Clear in a row before; the best of 20 to 450 by matches of HAWK
HELD_I_POINTS = const(69)
HELD_T_POINTS = const(-18)


class Opening(PlacementEvaluator):
    """Hold one line of a ply while its places are rated.

    uses_hold, spins, slides: kinds of places to search. barred: the number of a Tetrimino that cannot be held, or -1.
    open: the line's index in `ply`, or -1. `after` receives the new lines. opened: kept Matrices and paths of `ply`.
    piece, held, at: the piece being rated, HELD or 0, and its facing. gain, chain: the value of the line so far, and
    whether a Tetris now is Back-to-Back. combo: the Line Clears in a row before, if `modern` is 1, as in the match by
    these rules (modes/README.md, 18); else 0. hold: the piece in Hold after a place.
    """

    def __init__(self, width: int) -> None:
        PlacementEvaluator.__init__(self)
        self.uses_hold = True
        self.spins = True
        self.slides = True
        self.barred = _NONE
        self.queue = bytearray(8)
        self.ply = Ply(width)
        self.after = Ply(width)
        self.opened = OpenedPly(width)
        self.age = 0
        self.open = _NONE
        self.replayed = 0  # number of the Tetrimino that its Matrix gets next
        self.piece = 0
        self.held = 0
        self.gain = 0
        self.chain: int = 0
        self.combo = self.modern = 0
        self.hold = 0
        self.key = 0

    def unfold(self) -> int:
        """Go one step towards the Matrix of the open line; return the cost."""
        ply = self.ply
        if self.replayed < ply.number:
            if self.ground.top > KEPT_ROWS:
                # Garbage has made the line impossible.
                self.open = _NONE
                return REPLAY_COST
            place = self.opened.paths[8 * self.open + (self.replayed & 7)]
            self.replayed += 1
            lines = self.settle(self.ground, self.ground, place)
            self.advance(place, lines)
            return REPLAY_COST
        self.measure_ground(self.ground)
        self.find_fits(self.ground)
        self.opened.keep(self.open, self.ground, self.gain, self.chain | self.combo << 1, self.age)
        if self.key < 0:
            self.key = self.tell(self.ground)
        self.hold = ply.holds[self.open]
        self.held = 0
        self.enter(self.queue[ply.number & 7])
        return UNFOLD_COST

    def enter(self, piece: int) -> None:
        """Begin to rate the places of a piece."""
        self.piece = piece
        self.at = at = (piece - 1) * 40
        self.beyond = at + FACINGS[piece - 1] * 10
        self.spots = self.fit(at)
        self.aside = self.find_aside(at)
        self.base = self.gain + self.ground.worth
        if piece == _T:
            self.base += _WASTED_T
        if self.hold == _I:
            self.base += HELD_I_POINTS
        elif self.hold == _T:
            self.base += HELD_T_POINTS

    def find_aside(self, at: int) -> int:
        """Return the columns with a hole open to the side; after the last facing of a T also a bit for its slot."""
        aside = self.ground.eaves if self.slides else 0
        if at == _T_LAST and self.spins and self.ground.slot >= 0:
            aside |= _SLOT
        return aside

    def turn_on(self, at: int) -> int:
        """Try slides into one column from both sides, or rotate a T into its slot; return the cost."""
        ground = self.ground
        bit = self.aside & -self.aside
        self.aside ^= bit
        if bit == _SLOT:
            self.complete(_T_SOUTH, ground.slot - 1, ground.slot_row - 1, ground.slot_way)
            return SURVEY_COST
        heights = ground.heights
        last = WIDTH - PROFILES[at + 1]
        cost = 1
        x = COLUMNS[bit % 11]
        y = ground.roofs[x]
        if x < last and heights[x + 1] <= y and self.land(at, x + 1) <= y:
            cost += self.slide(at, x, self.y, SLIDE_LEFT)
        x -= WIDTH - 1 - last
        if x > 0 and heights[x + WIDTH - 2 - last] <= y and self.land(at, x - 1) <= y:
            cost += self.slide(at, x, self.y, SLIDE_RIGHT)
        return cost

    def try_hold(self) -> None:
        """Continue with the held piece, or close the line."""
        hold = self.hold
        if self.held or not self.uses_hold or not hold or hold == self.piece or self.ply.number == self.barred:
            self.open = _NONE
        else:
            self.hold = self.piece
            self.held = HELD
            self.enter(hold)

    def slide(self, at: int, x: int, y: int, way: int) -> int:
        """Rate the place under an overhang that a slide along row `y` reaches, if any; return its cost."""
        rows = self.ground.rows
        row_1 = PROFILES[at + 7] << x
        row_2 = PROFILES[at + 8] << x
        row_3 = PROFILES[at + 9] << x
        row_0 = PROFILES[at + 6] << x
        if rows[y] & row_0 or rows[y + 1] & row_1 or rows[y + 2] & row_2 or rows[y + 3] & row_3:
            return _SLIDE_COST
        while y and not (rows[y - 1] & row_0 or rows[y] & row_1 or rows[y + 1] & row_2 or rows[y + 2] & row_3):
            y -= 1
        self.complete(at, x, y, way)
        return SURVEY_COST + _SLIDE_COST

    def settle(self, ground: Ground, before: Ground, place: int) -> int:
        """Set `ground` to `before` (maybe itself) with a piece in a place; return the lines cleared."""
        at = (place & 31) * 10
        x = place >> 5 & 15
        y = place >> 9 & 31
        if not place >> 14 & 7:
            # The Matrix may have changed since the place was found.
            y = before.land(at, x)
        self.y = y
        return ground.fill(at, x, y, before.rows, 0, before.top, before.cells)

    def advance(self, place: int, lines: int) -> None:
        """Add a place just settled to the line's value and Back-to-Back chain."""
        self.gain += self.earn(place, lines)
        if lines:
            self.chain = lines == 4 or place >> 14 & 7 >= SPIN_CW
            self.combo += self.modern
        else:
            self.combo = 0

    def earn(self, place: int, lines: int) -> int:
        """Return the value of a place just settled, without its Matrix."""
        worth = LANDING * self.y + self.reward(lines, place >> 14 & 7 >= SPIN_CW)
        return worth + _WASTED_T if (place & 31) >> 2 == _T - 1 else worth

    def reward(self, lines: int, spin: bool) -> int:
        """Return the value of cleared lines, with the bonus of a Back-to-Back now or next."""
        if not lines:
            return 0
        worth = _COMBO * self.combo
        if spin:
            worth += SPINS[lines] - _WASTED_T
        else:
            worth += CLEARS[lines]
            if lines < 4:
                return worth - _CHAINED if self.chain else worth
        return worth + (_BACK_TO_BACK if self.chain else _CHAINED)

    def tell(self, ground: Ground) -> int:
        """Return a hash of a Matrix."""
        key = 0
        for y in range(ground.top):
            key += ground.rows[y] * _KEYS[y]
        return key & _KEY

    def offer_place(self, value: int, at: int, x: int, y: int, way: int) -> None:
        """Keep a place unless a better line leads to the same Matrix; drop the worst line."""
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
        key ^= self.hold * HOLD_KEY
        place = at // 10 | x << 5 | y << 9 | way << 14 | self.held
        self.least = self.after.insert_line(value, self.open, place, key, self.hold)
