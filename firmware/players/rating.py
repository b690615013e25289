"""Rate places: where a Tetrimino lands after a drop, and the value of the Matrix with it.

Computer players and the dealer of the worst pieces share this. A drop without a full row is rated by its changes; after
any other place the whole Matrix is measured. Both give the same value, except that the first estimates covered holes.
"""

from firmware.compat import const
from firmware.engine.matrix import WIDTH
from firmware.engine.profiles import PROFILES
from firmware.players.features import DROP, SPIN_CW, MatrixFeatures
from firmware.players.ground import Ground
from firmware.players.weights import CHANGES, COLUMNS, HEIGHTS, LANDING, NEVER, ONES, STEPS, WITHIN

# Costs of steps, in units of 75 us on a board: see test_players_thought.py.
SURVEY_COST = const(19)
LEAST = const(8)  # no step begins with fewer units
DEAR = const(24)  # enough units to begin any step
_SKIP_COST = const(3)
_QUICK_COST = const(3)
_PROBE_COST = const(9)
_TAKE_COST = const(5)
_FACING_COST = const(5)

_FULL = const(1023)
_HIGHEST = const(22)  # no piece is placed higher

_TRANSITION = const(-15)
_HOLE = const(-86)
_OVER = const(-20)  # rough value of a piece that covers a column with a hole
_HIGH = const(8)
_ABOVE_HIGH = const(-150)
_HIGHER = const(12)
_ABOVE_HIGHER = const(-250)
_HOPE = const(400)  # limit of what probe() may still add to a place


class PlacementEvaluator(MatrixFeatures):
    """Rate drops upon `ground`; pass those worth more than `least` to `offer_place` of a subclass.

    most_holes: drops with more holes are skipped. base: the value apart from the piece's place.
    """

    def __init__(self) -> None:
        MatrixFeatures.__init__(self)
        self.ground = Ground()
        self.spare = Ground()
        self.saved = [0] * 12
        self.lines = self.base = self.y = 0
        self.surveyed = False
        self.least = NEVER
        self.at = self.beyond = 0
        self.spots = self.aside = 0

    def offer_place(self, value: int, at: int, x: int, y: int, way: int) -> None:
        """Note a place worth more than `least`; `spare` has its Matrix if `surveyed` is set."""

    def reward(self, lines: int, spin: bool) -> int:
        """Return the value of clearing `lines`, by a T-Spin if `spin`."""
        return 0

    # One method: with steps 3 and 5 as methods of their own, a column takes a board 399 us instead of 275
    # (columns below 10 rows without holes, counted on MicroPython as tools.measure.board does).
    def sweep(self, units: int) -> int:  # noqa: C901
        """Rate drops of a piece, facing by facing, while `units` last; return the remaining units.

        at: index of the facing in PROFILES; the next call continues with it, up to `beyond`. spots: columns still to
        rate; aside: places other than drops, rated after them. Costly steps begin only if `units` suffice.
        """
        profiles = PROFILES
        ground = self.ground
        rows = ground.rows
        heights = ground.heights
        care = ground.care
        care_rows = ground.care_rows
        holed = ground.holed
        least = self.least
        most_holes = self.most_holes
        changes = CHANGES
        steps = STEPS
        columns = COLUMNS
        landing = LANDING
        at = self.at
        spots = self.spots
        width = 0
        while units > LEAST:
            if not spots:  # 1. Without columns left: rate the other places of this facing, then go to the next facing.
                if self.aside and units < DEAR:
                    break
                if self.aside:
                    units -= self.turn_on(at)
                    least = self.least
                    continue
                units -= _FACING_COST
                at += 10
                if at == self.beyond:
                    break
                spots = self.fit(at)
                self.aside = self.find_aside(at)
                width = 0
                continue
            if not width:  # 2. At the first column of a facing: take its profile into local variables.
                width = profiles[at + 1]
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
                within = self.base + WITHIN[at // 10] - 64
                height = HEIGHTS[at // 10]
                highest = _HIGHEST - height
                tall = (1 << height) - 1
                wide = (1 << width) - 1
                last = WIDTH - width
            x = spots & -spots  # 3. Take a column; find the drop's row `y`, its holes, and the steps below it.
            spots ^= x
            x = columns[x % 11]
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
                value = within
                holes = 0
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
                value = within - steps[a - b] - steps[b - value] - steps[value - z]
            if holes > most_holes or y > highest:
                units -= _SKIP_COST
            else:  # 4. Add the steps to both sides, the holes, and the Blocks over older ones.
                if x:
                    new = heights[x - 1]
                    value += steps[y + top - new] - steps[a - new]
                if x < last:
                    new = heights[x + width]
                    value += steps[y + end - new] - steps[z - new]
                value += landing * y
                probed = care >> x & wide or care_rows >> y & tall
                if holes:
                    value += _HOLE * holes
                    # A Block over one hole makes a slot beside it if there is a step behind.
                    if y + low - a == 1 and x > 1 and heights[x - 1] == a - 1 and heights[x - 2] == a:
                        probed = 1
                    elif y + low_end - z == 1 and x + 1 < last and heights[x + width] == z - 1:
                        probed = probed or heights[x + width + 1] == z
                if holed >> x & wide:
                    value += _OVER * ONES[holed >> x & wide]
                units -= _QUICK_COST
                row = rows[y]  # 5. Fill up to four rows: count full ones, and changes between Blocks and empty cells.
                new = row | form_0 << x
                lines: int = new == _FULL  # a bool costs less than a choice of 1 and 0
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
                if lines and (holed or holes):  # 6. Only if holes move with the rows, measure the whole Matrix.
                    units -= SURVEY_COST
                    if units < 0:
                        units += SURVEY_COST + _QUICK_COST
                        spots |= 1 << x
                        break
                    self.complete(at, x, y, DROP)
                    least = self.least
                else:
                    if lines:
                        # Without a hole all columns fall by the same number of rows.
                        value += self.reward(lines, False)
                        probed = 1
                    if count > 31 or count < -31:
                        # A row has become ready for a Tetris, or a ready row is full.
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
                        self.offer_place(value, at, x, y, DROP)
                        least = self.least
        self.at = at
        self.spots = spots
        return units

    def find_aside(self, at: int) -> int:
        """Return a bit for each kind of place of a facing other than drops."""
        return 0

    def turn_on(self, at: int) -> int:
        """Rate the places of one bit of `aside`, and clear the bit; return the cost."""
        return 0

    def rise(self, top: int) -> int:
        """Return the change in value if the Matrix grows to `top`."""
        before = self.ground.top
        worth = _ABOVE_HIGH * (top - (before if before > _HIGH else _HIGH))
        if top > _HIGHER:
            worth += _ABOVE_HIGHER * (top - (before if before > _HIGHER else _HIGHER))
        return worth

    def probe(self, at: int, x: int, y: int) -> int:
        """Return how much a drop changes the value of ready rows and the slot."""
        ground = self.ground
        rows = ground.rows
        heights = ground.heights
        roofs = ground.roofs
        saved = self.saved
        holed = ground.holed
        profiles = PROFILES
        width = profiles[at + 1]
        tall = HEIGHTS[at // 10]
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
        """Rate a place by measuring the whole Matrix after it."""
        spare = self.spare
        ground = self.ground
        lines = spare.fill(at, x, y, ground.rows, 0, ground.top, ground.cells)
        self.measure_ground(spare)
        value = self.base + spare.worth - ground.worth + LANDING * y + self.reward(lines, way >= SPIN_CW)
        if value > self.least:
            self.surveyed = True
            self.offer_place(value, at, x, y, way)
            self.surveyed = False

    def land(self, at: int, x: int) -> int:
        """Return the row where the lowest Mino of a drop lands, and store it as `y`."""
        heights = self.ground.heights
        y = 0
        for i in range(PROFILES[at + 1]):
            row = heights[x + i] - (PROFILES[at + 2 + i] & 15)
            if row > y:
                y = row
        self.y = y
        return y
