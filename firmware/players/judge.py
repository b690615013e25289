"""Judge places: where a Tetrimino comes to lie by a drop, and what the Matrix is worth with it there.

Shared by computer players and by whoever deals against the player. A drop that makes no full row is judged by
what it changes; after any other change the whole Matrix is surveyed. Both give the same.
"""

from firmware.compat import const
from firmware.engine.profiles import PROFILES
from firmware.players.ground import Ground

DROP = const(0)
SLIDE_LEFT = const(1)  # after a drop one column to the right
SLIDE_RIGHT = const(2)
SPIN_CW = const(3)  # a T at rest is turned, at last clockwise
SPIN_CCW = const(4)

NEVER = const(-99999)

# What thoughts take, in units of THOUGHT_FUEL: see tests/test_players_thought.py.
SURVEY_COST = const(19)
_ENTRY_COST = const(5)
_SKIP_COST = const(3)
_QUICK_COST = const(3)
_SLIDE_COST = const(5)
_PROBE_COST = const(9)
_TAKE_COST = const(5)

_FULL = const(1023)
_WIDTH = const(10)
_HIGHEST = const(22)  # nothing is put higher
_MOST_HOLES = const(1)  # a drop that makes more is not looked at
_NONE = const(-1)
_T_SOUTH = const(220)  # its profile

_TRANSITION = const(-21)
_HOLE = const(-70)
_COVER = const(-15)
_MOST_COVER = const(6)
_OVER = const(-20)  # about what a piece adds to the cover of a column
_READY = const(70)
_MOST_READY = const(4)
_HIGH = const(10)
_ABOVE_HIGH = const(-297)
_HIGHER = const(15)
_ABOVE_HIGHER = const(-112)
_LANDING = const(-11)
_HOPE = const(150)  # what transitions and more may still add to a place
_SLOTS = (0, 231, 530)  # with none, one or both of its rows full but for the T

# What a step from one column to the next is worth, by its height: also by a negative one, counted from the end.
_STEPS = [4 * min(i, 64 - i) - 3 * min(i, 64 - i) * min(i, 64 - i) for i in range(64)]


# The column of a bit, by its remainder.
_COLUMNS = b"\0\0\1\x08\2\4\x09\7\3\6\5"


def count_ones() -> bytearray:
    """Return how many Blocks each row has."""
    ones = bytearray(_FULL + 1)
    for row in range(1, _FULL + 1):
        ones[row] = ones[row >> 1] + (row & 1)
    return ones


_ONES = count_ones()


def make_changes() -> bytearray:
    """Return how often each row changes between Block and empty from wall to wall; nothing for an empty row."""
    changes = bytearray(_FULL + 1)
    for row in range(1, _FULL + 1):
        walled = row << 1 | 0x801
        count = 0
        for x in range(_WIDTH + 1):
            count += walled >> x & 1 ^ walled >> x + 1 & 1
        # Beyond 63: all but one of its Blocks are there.
        changes[row] = count + 64 if _ONES[row] == _WIDTH - 1 else count
    return changes


_CHANGES = make_changes()


# Of each facing: what the steps upon itself are worth, more 64; how many rows it has.
_WITHIN = bytearray(28)
_HEIGHTS = bytearray(28)
for _i in range(28):
    _WITHIN[_i] = 64
    for _x in range(PROFILES[10 * _i + 1] - 1):
        _WITHIN[_i] += _STEPS[(PROFILES[10 * _i + 2 + _x] >> 4) - (PROFILES[10 * _i + 3 + _x] >> 4)]
    for _x in range(4):
        _HEIGHTS[_i] += PROFILES[10 * _i + 6 + _x] > 0


class Judge:
    """Judge drops upon `ground`; what is worth more than `least` is handed to `take`, which subclasses have.

    base: what has nothing to do with where the piece comes to lie.  spots: the columns that `sweep` has not come to.
    """

    def __init__(self) -> None:
        self.ground = Ground()
        self.spare = Ground()
        self.saved = [0] * 12
        self.lines = 0
        self.base = 0
        self.least = NEVER
        self.fits = [0] * 9
        self.spots = 0
        self.y = 0
        self.care = 0
        self.care_rows = 0
        self.slot = _NONE
        self.slot_row = 0
        self.slot_way = 0

    def take(self, value: int, at: int, x: int, y: int, way: int) -> None:
        """Note a place that is worth more than `least`."""

    def reward(self, lines: int, spin: bool) -> int:
        """Return what so many lines are worth by themselves, and what else changes by them."""
        return 0

    # -- all of a Matrix --------------------------------------------------------------------------

    def survey(self, ground: Ground) -> None:
        """See what follows from the rows."""
        rows = ground.rows
        heights = ground.heights
        roofs = ground.roofs
        changes = _CHANGES
        columns = _COLUMNS
        seen = holed = count = cover = 0
        y = ground.top
        while y:
            y -= 1
            row = rows[y] & _FULL
            count += changes[row] & 63
            new = row & ~seen
            if new:
                seen |= new
                while new:
                    bit = new & -new
                    heights[columns[bit % 11]] = y + 1
                    new ^= bit
            new = seen & ~(row | holed)
            if new:
                holed |= new
                while new:
                    bit = new & -new
                    x = columns[bit % 11]
                    roofs[x] = y
                    new ^= bit
                    y = heights[x] - roofs[x] - 1
                    cover += y if y < _MOST_COVER else _MOST_COVER
                    y = roofs[x]
        new = _FULL ^ seen
        while new:
            bit = new & -new
            heights[columns[bit % 11]] = 0
            new ^= bit
        ground.holed = holed
        eaves = 0
        while holed:
            bit = holed & -holed
            holed ^= bit
            x = columns[bit % 11]
            y = roofs[x]
            if x and heights[x - 1] <= y or x < 9 and heights[x + 1] <= y:
                eaves |= bit
        ground.eaves = eaves
        worth = _TRANSITION * count + _HOLE * (sum(heights) - ground.cells) + _COVER * cover
        steps = _STEPS
        before = heights[0]
        for height in heights:
            worth += steps[height - before]
            before = height
        if ground.top > _HIGH:
            worth += _ABOVE_HIGH * (ground.top - _HIGH)
            if ground.top > _HIGHER:
                worth += _ABOVE_HIGHER * (ground.top - _HIGHER)
        ground.fine = fine = self.refine(ground, ground.holed)
        ground.care = self.care
        ground.care_rows = self.care_rows
        ground.slot = self.slot
        ground.slot_row = self.slot_row
        ground.slot_way = self.slot_way
        ground.worth = worth + fine

    def refine(self, ground: Ground, holed: int) -> int:
        """Return what rows ready for a Tetris and a slot are worth; note where they are."""
        rows = ground.rows
        heights = ground.heights
        y = end = min(heights)
        care = 1 << heights.index(y)
        gap = _FULL ^ care
        end += _MOST_READY
        fine = 0
        while rows[y] == gap and y < end:
            fine += _READY
            y += 1
        if not fine:
            care = 0
        care_rows = 0
        self.slot = _NONE
        if holed:
            roofs = ground.roofs
            best = _NONE
            while holed:
                bit = holed & -holed
                holed ^= bit
                x = _COLUMNS[bit % 11]
                y = roofs[x]
                if y and rows[y - 1] & bit:
                    # Blocks with a hole of one row between: a slot is beside it, with a step behind.
                    if x < 8 and heights[x + 1] < y:
                        care |= 6 << x
                        if heights[x + 1] == y - 1 and heights[x + 2] == y:
                            care_rows |= 3 << y - 1
                            end = (rows[y] | 7 << x == _FULL) + (rows[y - 1] | 2 << x == _FULL)
                            if end > best:
                                best = end
                                self.slot = x + 1
                                self.slot_row = y
                                self.slot_way = SPIN_CW
                    if x > 1 and heights[x - 1] < y:
                        care |= 3 << x - 2
                        if heights[x - 1] == y - 1 and heights[x - 2] == y:
                            care_rows |= 3 << y - 1
                            end = (rows[y] | 7 << x - 2 == _FULL) + (rows[y - 1] | 1 << x - 1 == _FULL)
                            if end > best:
                                best = end
                                self.slot = x - 1
                                self.slot_row = y
                                self.slot_way = SPIN_CCW
            if best > 0:
                fine += _SLOTS[best]
        self.care = care
        self.care_rows = care_rows
        return fine

    # -- places -----------------------------------------------------------------------------------

    def find_fits(self) -> None:
        """Note where the steps from column to column are how high, for `fit`."""
        fits = self.fits
        heights = self.ground.heights
        for i in range(9):
            fits[i] = 0
        bit = 0
        before = 0
        for height in heights:
            step = height - before + 4
            if 0 <= step <= 8:
                fits[step] |= bit
            before = height
            bit = bit << 1 if bit else 1

    def fit(self, at: int) -> int:
        """Return the mask of the columns where the drop of one facing makes one hole at most."""
        profiles = PROFILES
        width = profiles[at + 1]
        if width == 1:
            return _FULL
        fits = self.fits
        low = (profiles[at + 3] & 15) + 4
        step = low - (profiles[at + 2] & 15)
        if width == 2:
            return fits[step] | fits[step - 1] | fits[step + 1]
        if width == 3:
            low = (profiles[at + 4] & 15) + 8 - low
            level = fits[low]
            return fits[step] & (level | fits[low - 1]) >> 1 | fits[step - 1] & fits[low + 1] >> 1 | fits[step + 1] & level >> 1
        level = fits[4]
        down = fits[3]
        up = fits[5]
        return level & level >> 1 & (level | down) >> 2 | (
            up & level >> 1 & level >> 2 | down & up >> 1 & level >> 2 | level & down >> 1 & up >> 2
        )

    def sweep(self, at: int, spots: int, units: int) -> int:
        """Judge the drops of one facing while `units` last; return what is left of them.

        at: where the profile of the facing begins.  spots: the mask of its leftmost columns; the rest is left in `spots`.
        """
        profiles = PROFILES
        width = profiles[at + 1]
        ground = self.ground
        rows = ground.rows
        heights = ground.heights
        care = ground.care
        care_rows = ground.care_rows
        holed = ground.holed
        base = self.base
        least = self.least
        changes = _CHANGES
        steps = _STEPS
        low = profiles[at + 2] & 15
        low_1 = profiles[at + 3] & 15
        low_2 = profiles[at + 4] & 15
        low_end = profiles[at + 1 + width] & 15
        top = profiles[at + 2] >> 4
        end = profiles[at + 1 + width] >> 4
        lows = low + low_1 + low_2
        form_0 = profiles[at + 6]
        form_1 = profiles[at + 7]
        form_2 = profiles[at + 8]
        form_3 = profiles[at + 9]
        within = _WITHIN[at // 10] - 64
        height = _HEIGHTS[at // 10]
        tall = (1 << height) - 1
        wide = (1 << width) - 1
        beyond = _WIDTH - width
        units -= _ENTRY_COST
        while spots and units > 0:
            x = spots & -spots
            spots ^= x
            x = _COLUMNS[x % 11]
            a = heights[x]
            y = a - low
            if width == 3:
                b = heights[x + 1]
                z = heights[x + 2]
                if b - low_1 > y:
                    y = b - low_1
                if z - low_2 > y:
                    y = z - low_2
                value = within - steps[a - b] - steps[b - z]
                holes = 3 * y + lows - a - b - z
            elif width == 2:
                z = heights[x + 1]
                if z - low_1 > y:
                    y = z - low_1
                value = within - steps[a - z]
                holes = 2 * y + lows - a - z
            elif width == 1:
                z = a
                value = holes = 0
            else:
                b = heights[x + 1]
                if b > y:
                    y = b
                value = heights[x + 2]
                if value > y:
                    y = value
                z = heights[x + 3]
                if z > y:
                    y = z
                holes = 4 * y - a - b - value - z
                value = -steps[a - b] - steps[b - value] - steps[value - z]
            if holes > _MOST_HOLES or y + height > _HIGHEST:
                units -= _SKIP_COST
            else:
                if x:
                    new = heights[x - 1]
                    value += steps[y + top - new] - steps[a - new]
                if x < beyond:
                    new = heights[x + width]
                    value += steps[y + end - new] - steps[z - new]
                value += base + _LANDING * y
                probed = care >> x & wide or care_rows >> y & tall
                if holes:
                    value += _HOLE * holes
                    # A Block over one hole makes a slot beside it where there is a step behind.
                    if y + low - a == 1 and x > 1 and heights[x - 1] == a - 1 and heights[x - 2] == a:
                        probed = 1
                    elif y + low_end - z == 1 and x + 1 < beyond and heights[x + width] == z - 1:
                        probed = probed or heights[x + width + 1] == z
                if holed >> x & wide:
                    value += _OVER * _ONES[holed >> x & wide]
                units -= _QUICK_COST
                row = rows[y]
                new = row | form_0 << x
                lines = new == _FULL
                count = changes[new] - changes[row]
                if form_1:
                    row = rows[y + 1]
                    new = row | form_1 << x
                    lines += new == _FULL
                    count += changes[new] - changes[row]
                    if form_2:
                        row = rows[y + 2]
                        new = row | form_2 << x
                        lines += new == _FULL
                        count += changes[new] - changes[row]
                        if form_3:
                            row = rows[y + 3]
                            new = row | form_3 << x
                            lines += new == _FULL
                            count += changes[new] - changes[row]
                if lines and (holed or holes):
                    units -= SURVEY_COST
                    self.complete(at, x, y, DROP)
                    least = self.least
                else:
                    if lines:
                        # Without a hole all columns fall alike.
                        value += self.reward(lines, False)
                        probed = 1
                    if count > 31 or count < -31:
                        # A row has become ready, or was so and is full.
                        count = (count + 32 & 63) - 32
                        probed = 1
                    value += _TRANSITION * count
                    new = y + height
                    if new > _HIGH and new > ground.top:
                        value += self.rise(new - lines)
                    if probed and value + _HOPE > least:
                        units -= _PROBE_COST
                        value += self.probe(at, x, y)
                    if value > least:
                        units -= _TAKE_COST
                        self.lines = lines
                        self.take(value, at, x, y, DROP)
                        least = self.least
        self.spots = spots
        return units

    def rise(self, top: int) -> int:
        """Return what it is worth that the Matrix grows to `top`."""
        before = self.ground.top
        worth = _ABOVE_HIGH * (top - (before if before > _HIGH else _HIGH))
        if top > _HIGHER:
            worth += _ABOVE_HIGHER * (top - (before if before > _HIGHER else _HIGHER))
        return worth

    def probe(self, at: int, x: int, y: int) -> int:
        """Return how much finer the Matrix is with a drop that makes no full row."""
        ground = self.ground
        rows = ground.rows
        heights = ground.heights
        roofs = ground.roofs
        saved = self.saved
        holed = ground.holed
        profiles = PROFILES
        width = profiles[at + 1]
        tall = _HEIGHTS[at // 10]
        for i in range(tall):
            saved[i] = row = rows[y + i]
            rows[y + i] = row | profiles[at + 6 + i] << x
        for i in range(width):
            span = profiles[at + 2 + i]
            saved[4 + i] = height = heights[x]
            saved[8 + i] = roofs[x]
            bottom = y + (span & 15)
            if bottom > height:
                roofs[x] = bottom - 1
                holed |= 1 << x
            heights[x] = y + (span >> 4)
            x += 1
        fine = self.refine(ground, holed)
        for i in range(tall):
            rows[y + i] = saved[i]
        x -= width
        for i in range(width):
            heights[x + i] = saved[4 + i]
            roofs[x + i] = saved[8 + i]
        return fine - ground.fine

    def complete(self, at: int, x: int, y: int, way: int) -> None:
        """Judge a place by all of the Matrix that it makes."""
        spare = self.spare
        ground = self.ground
        lines = spare.fill(at, x, y, ground.rows, 0, ground.top, ground.cells)
        self.survey(spare)
        value = self.base + spare.worth - ground.worth + _LANDING * y + self.reward(lines, way >= SPIN_CW)
        if value > self.least:
            self.take(value, at, x, y, way)

    def land(self, at: int, x: int) -> int:
        """Return the row where the lowest Mino of a drop comes to lie, and note it as `y`."""
        heights = self.ground.heights
        y = 0
        for i in range(PROFILES[at + 1]):
            row = heights[x + i] - (PROFILES[at + 2 + i] & 15)
            if row > y:
                y = row
        self.y = y
        return y

    def find_slides(self, at: int) -> int:
        """Judge the places of one facing that a step to the side leads to, under an overhang; return the cost."""
        ground = self.ground
        heights = ground.heights
        eaves = ground.eaves
        last = _WIDTH - PROFILES[at + 1]
        cost = 0
        while eaves:
            x = eaves & -eaves
            eaves ^= x
            x = _COLUMNS[x % 11]
            y = ground.roofs[x]
            if x < last and heights[x + 1] <= y and self.land(at, x + 1) <= y:
                cost += self.slide(at, x, self.y, SLIDE_LEFT)
            x -= _WIDTH - 1 - last
            if x > 0 and heights[x + _WIDTH - 2 - last] <= y and self.land(at, x - 1) <= y:
                cost += self.slide(at, x, self.y, SLIDE_RIGHT)
        return cost

    def slide(self, at: int, x: int, y: int, way: int) -> int:
        """Judge the place under an overhang that a slide along row `y` leads to, if there is one; return its cost."""
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

    def find_spin(self) -> None:
        """Judge the T that is turned into the slot."""
        ground = self.ground
        if ground.slot >= 0:
            self.complete(_T_SOUTH, ground.slot - 1, ground.slot_row - 1, ground.slot_way)

