"""Rate a whole Matrix."""

from firmware.compat import const
from firmware.engine.matrix import WIDTH
from firmware.engine.profiles import PROFILES
from firmware.players.ground import Ground
from firmware.players.weights import CHANGES, COLUMNS, SLOTS, STEPS

DROP = const(0)
SLIDE_LEFT = const(1)  # after a drop one column to the right
SLIDE_RIGHT = const(2)
SPIN_CW = const(3)  # a T at rest whose last rotation is clockwise
SPIN_CCW = const(4)

_FULL = const(1023)
_NONE = const(-1)

TRANSITION_POINTS = const(-15)
HOLE_POINTS = const(-86)
COVER_POINTS = const(-15)
MOST_COVER = const(6)
READY_POINTS = const(70)
MOST_READY = const(4)
ANY_HOLES = const(40)  # as `most_holes`: more than one place makes
HIGH = const(8)
ABOVE_HIGH_POINTS = const(-150)
HIGHER = const(12)
ABOVE_HIGHER_POINTS = const(-250)


class MatrixFeatures:
    """Derive the features and the value of a Matrix from its rows.

    care, care_rows, slot, slot_row, slot_way: last results of `refine`, as in a Ground. fits: by height of a step
    plus 4, the mask of columns with this step to the next one. most_holes: limit for holes of a drop.
    """

    def __init__(self) -> None:
        self.care = 0
        self.care_rows = 0
        self.slot = _NONE
        self.slot_row = 0
        self.slot_way = 0
        self.fits = [0] * 9
        self.most_holes = 1

    # One method each for a whole Matrix and for its slots: a call for each row would take a board 10 us more.
    def measure_ground(self, ground: Ground) -> None:
        """Set all features of `ground`, and its value, from its rows."""
        rows = ground.rows
        heights = ground.heights
        roofs = ground.roofs
        changes = CHANGES
        columns = COLUMNS
        # `seen`: the columns that have a Block in this row or above. From the top down, so that each column's first
        # Block gives its height, and its first hole its roof, without a look at every cell.
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
                    above = heights[x] - y - 1
                    cover += above if above < MOST_COVER else MOST_COVER
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
        worth = TRANSITION_POINTS * count + HOLE_POINTS * (sum(heights) - ground.cells) + COVER_POINTS * cover
        steps = STEPS
        before = heights[0]
        for height in heights:
            worth += steps[height - before]
            before = height
        if ground.top > HIGH:
            worth += ABOVE_HIGH_POINTS * (ground.top - HIGH)
            if ground.top > HIGHER:
                worth += ABOVE_HIGHER_POINTS * (ground.top - HIGHER)
        ground.fine = fine = self.refine(ground, ground.holed)
        ground.care = self.care
        ground.care_rows = self.care_rows
        ground.slot = self.slot
        ground.slot_row = self.slot_row
        ground.slot_way = self.slot_way
        ground.worth = worth + fine

    def refine(self, ground: Ground, holed: int) -> int:
        """Return the value of Tetris-ready rows and of a slot for a T-Spin; note their places."""
        rows = ground.rows
        heights = ground.heights
        y = end = min(heights)
        care = 1 << heights.index(y)
        gap = _FULL ^ care
        end += MOST_READY
        fine = 0
        while rows[y] == gap and y < end:
            fine += READY_POINTS
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
                x = COLUMNS[bit % 11]
                y = roofs[x]
                if y and rows[y - 1] & bit:
                    # A hole one row high between Blocks: a T-Spin slot is beside it if there is a step behind the slot.
                    if x < 8 and heights[x + 1] < y:
                        care |= 6 << x
                        if heights[x + 1] == y - 1 and heights[x + 2] == y:
                            care_rows |= 3 << y - 1
                            filled = (rows[y] | 7 << x == _FULL) + (rows[y - 1] | 2 << x == _FULL)
                            if filled > best:
                                best = filled
                                self.slot = x + 1
                                self.slot_row = y
                                self.slot_way = SPIN_CW
                    if x > 1 and heights[x - 1] < y:
                        care |= 3 << x - 2
                        if heights[x - 1] == y - 1 and heights[x - 2] == y:
                            care_rows |= 3 << y - 1
                            filled = (rows[y] | 7 << x - 2 == _FULL) + (rows[y - 1] | 1 << x - 1 == _FULL)
                            if filled > best:
                                best = filled
                                self.slot = x - 1
                                self.slot_row = y
                                self.slot_way = SPIN_CCW
            if best > 0:
                fine += SLOTS[best]
        self.care = care
        self.care_rows = care_rows
        return fine

    def find_fits(self, ground: Ground) -> None:
        """Fill `fits` with the steps from column to column."""
        fits = self.fits
        heights = ground.heights
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
        """Return the mask of the columns where a drop of a facing makes at most one hole.

        at: index of the facing in PROFILES.
        """
        profiles = PROFILES
        width = profiles[at + 1]
        if width == 1 or self.most_holes > 1:
            return (2 << WIDTH - width) - 1
        fits = self.fits
        low = (profiles[at + 3] & 15) + 4
        step = low - (profiles[at + 2] & 15)
        if width == 2:
            return fits[step] | fits[step - 1] | fits[step + 1]
        if width == 3:
            low = (profiles[at + 4] & 15) + 8 - low
            level = fits[low]
            found = fits[step] & (level | fits[low - 1]) >> 1
            return found | fits[step - 1] & fits[low + 1] >> 1 | fits[step + 1] & level >> 1
        level = fits[4]
        down = fits[3]
        up = fits[5]
        return level & level >> 1 & (level | down) >> 2 | (
            up & level >> 1 & level >> 2 | down & up >> 1 & level >> 2 | level & down >> 1 & up >> 2
        )
