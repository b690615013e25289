"""Find every place where the Tetrimino in play can come to rest, and the fewest presses that lead there.

All positions of a facing are one integer. Bit (y + 3) * 16 + x + 3 stands for the box at (x, y); the Matrix's masks
have the same columns. One operation moves all positions, and a flood takes as many rounds as the farthest place needs
presses. A press is one step to the side or one quarter turn, by the engine's own rotation points. Falling costs
nothing, because the Tetrimino falls by itself and Soft Drop speeds it up.

Places ignore timers: with Extended Placement, a Tetrimino that moves more than fifteen times on the ground may lock
down before the end of its way.
"""

from array import array
from collections.abc import Iterator
from typing import NamedTuple

from firmware.engine.controls import HARD_DROP, LEFT, RIGHT, ROTATE_CCW, ROTATE_CW, SOFT_DROP
from firmware.engine.extra_rules import ALL, HALF_POINTS, STUCK
from firmware.engine.game import Game
from firmware.engine.manipulation import FULL_SPIN, MINI_SPIN, NO_SPIN, Manipulation
from firmware.engine.options import AT_ONCE, HALF_TURNS
from firmware.engine.profiles import FACINGS, PROFILES
from firmware.engine.tables import POINTS, SHAPES

_I, _O, _T = 1, 4, 6
_EDGE = 3  # rows and columns of position (0, 0)
_ROW = 16
_STOP_US = 1000  # a faster Soft Drop cannot stop at a row
_FLOOR = (1 << _EDGE * _ROW) - 1
_SPARE_ROWS = 6  # above the highest Block and the Tetrimino: no rotation leads higher
_MATRIX_ROWS = 43  # with the ceiling
_POINT_5 = 4

Positions = list[int]
"""By facing."""

# piece - 1, facing: column and row of each Mino in its box, the lowest row first.
CELLS = [
    [
        [(bit, row) for row in range(4) for bit in range(4) if SHAPES[piece * 16 + facing * 4 + row] >> bit & 1]
        for facing in range(4)
    ]
    for piece in range(7)
]
# piece - 1, facing: the distance of each Mino's bit from its box's bit.
MINOS = [[[row * _ROW + column for column, row in cells] for cells in facings] for facings in CELLS]


def cells_of(piece: int, facing: int, x: int, y: int) -> frozenset[tuple[int, int]]:
    """Return the columns and rows of a Tetrimino's Minos, its box at (x, y)."""
    return frozenset((x + column, y + row) for column, row in CELLS[piece - 1][facing])


def _points(box: int, facing: int, clockwise: int) -> list[int]:
    """Return by how many bits each rotation point moves a box."""
    at = box * 80 + facing * 20 + clockwise * 10
    return [(POINTS[i + 1] - 2) * _ROW + POINTS[i] - 2 for i in range(at, at + 10, 2)]


# kind of box, facing: for each button the new facing, and its rotation points as numbers of bits.
_TURNS = [
    [
        [(ROTATE_CW, facing + 1 & 3, _points(box, facing, 1)), (ROTATE_CCW, facing + 3 & 3, _points(box, facing, 0))]
        for facing in range(4)
    ]
    for box in range(2)
]
# facing: the points of a half turn, as numbers of bits.
_HALF_TURNS = [
    [(HALF_POINTS[i + 1] - 2) * _ROW + HALF_POINTS[i] - 2 for i in range(facing * 12, facing * 12 + 12, 2)]
    for facing in range(4)
]
# Distances of the corners' bits from the bit of the T's box: lower left and right, upper left and right.
_CORNERS = (0, 2, 2 * _ROW, 2 * _ROW + 2)
_NOSES = ((2, 3), (1, 3), (0, 1), (0, 2))


class Place(NamedTuple):
    """Where the Tetrimino comes to rest.

    facing, x, y: of its box, as in a Game; if several cover the same cells, one with the fewest presses.
    spin: of a Lock Down there, NO_SPIN, MINI_SPIN or FULL_SPIN.  presses: before the Hard Drop.
    """

    facing: int
    x: int
    y: int
    spin: int
    presses: int


class Step(NamedTuple):
    """Fall `rows` rows, then press a button."""

    rows: int
    button: int


class _State(NamedTuple):
    """A position by its facing and its bit, after `number` presses; fifth: see `Round`."""

    facing: int
    bit: int
    number: int
    fifth: bool


class Round(NamedTuple):
    """The positions that a number of presses reaches.

    arrived: after the last press, and a row below `fifth`.  reached: after falling, too, unless fewer presses lead
    there.  turned: arrived by a rotation.  fifth: a T after point 5 and only rotations since; it spins a T-Spin, never
    a Mini.
    """

    arrived: Positions
    reached: Positions
    turned: Positions
    fifth: Positions


def _shift(positions: int, by: int) -> int:
    return positions << by if by >= 0 else positions >> -by


class Places:
    """The places of one Tetrimino in one Matrix; `steps` finds the way to one of them.

    Iterating yields each Place, those with the fewest presses first.
    """

    def __init__(self, game: Manipulation, half_turns: bool = False, spins: int = 0) -> None:
        """Start where the Tetrimino in play is now; raise ValueError if there is none.

        half_turns: find what turns by 180 degrees reach, too (firmware/modes/README.md, 5.2); `steps` cannot follow.
        spins: the option (the same page, 23).
        """
        if not game.piece:
            raise ValueError("no Tetrimino is in play")
        self.piece = game.piece
        rows = max(game.y, game.matrix.top) + _SPARE_ROWS
        masks = array("H", [mask & 0xFFFF for mask in game.matrix.masks[: min(rows + 4, _MATRIX_ROWS)]])
        self._blocks = blocks = int.from_bytes(masks.tobytes(), "little") << _EDGE * _ROW | _FLOOR
        everywhere = (1 << (rows + _EDGE) * _ROW) - 1
        self._free = [
            everywhere & ~(blocks >> a | blocks >> b | blocks >> c | blocks >> d)
            for a, b, c, d in MINOS[self.piece - 1]
        ]
        self._falls = [_find_falls(free) for free in self._free]
        self._resting = [free & ~(free << _ROW) for free in self._free]
        self._turns = _TURNS[self.piece == _I]
        self._half_turns = half_turns
        stuck = self.piece != _O and spins == (STUCK if self.piece == _T else ALL)
        self._spins = self._find_stuck() if stuck else self._find_spins() if self.piece == _T else []
        if not any(rest & (full | mini) for rest, (full, mini) in zip(self._resting, self._spins, strict=False)):
            self._spins = []  # the last movement makes no difference
        self._counts_5 = bool(self._spins) and not stuck
        self._rounds: list[Round] = []
        self._places: list[Place] = []
        self._flood(game)

    def __iter__(self) -> Iterator[Place]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def _flood(self, game: Manipulation) -> None:
        """Press every button at all positions at once, round by round, until a round finds no new position."""
        arrived, turned, fifth = [0] * 4, [0] * 4, [0] * 4
        begin = 1 << (game.y + _EDGE) * _ROW + game.x + _EDGE
        self._start = _State(game.facing, begin, 0, self._counts_5 and game.point_5_used)
        self._start_turned = game.turned_last
        if self._start.fifth:
            fifth[game.facing] = begin
        else:
            arrived[game.facing] = begin
            turned[game.facing] = begin if game.turned_last else 0
        seen, seen_fifth, known = [0] * 4, [0] * 4, [[0] * 4, [0] * 4, [0] * 4]
        while any(arrived) or any(fifth):
            if self._counts_5:
                self._let_fifths_fall(arrived, fifth, seen_fifth)
            self._rounds.append(Round(arrived, self._fall(arrived, seen), turned, fifth))
            self._add_resting_places(known)
            arrived, turned, fifth = self._press_all()

    def _let_fifths_fall(self, arrived: Positions, fifth: Positions, seen: Positions) -> None:
        """Drop known positions from `fifth`, and add to `arrived` what is a row below the others."""
        for facing, positions in enumerate(fifth):
            if positions:
                fifth[facing] = positions = positions & ~seen[facing]
                seen[facing] |= positions
                arrived[facing] |= positions >> _ROW & self._free[facing]

    def _fall(self, arrived: Positions, seen: Positions) -> Positions:
        """Return the new positions of `arrived` and all below them."""
        reached = []
        for facing, positions in enumerate(arrived):
            positions &= ~seen[facing]
            if positions:
                for by, room in self._falls[facing]:
                    positions |= positions >> by & room
                positions &= ~seen[facing]
                seen[facing] |= positions
            reached.append(positions)
        return reached

    def _press_all(self) -> tuple[Positions, Positions, Positions]:
        """Press every button in the last round; return `arrived`, `turned` and `fifth` of the next one."""
        here = self._rounds[-1]
        arrived, turned, fifth = [0] * 4, [0] * 4, [0] * 4
        for facing in range(4):
            positions, fives = here.reached[facing], here.fifth[facing]
            both = positions | fives
            if both:
                arrived[facing] |= (both << 1 | both >> 1) & self._free[facing]
                if self.piece != _O:
                    self._turn_all(facing, positions, arrived, turned, fifth)
                    if fives:  # point 5 stays used
                        self._turn_all(facing, fives, fifth, fifth, fifth)
                    if self._half_turns:
                        self._turn_half(facing, positions, arrived, turned)
                        if fives:
                            self._turn_half(facing, fives, fifth, fifth)
        return arrived, turned, fifth

    def _turn_all(self, facing: int, positions: int, arrived: Positions, turned: Positions, point_5: Positions) -> None:
        """Turn `positions` both ways into `arrived` and `turned`; where point 5 counts, it leads to `point_5`."""
        for _button, other, points in self._turns[facing]:
            room = self._free[other]
            left = positions
            for i, by in enumerate(points):
                there = (left << by if by >= 0 else left >> -by) & room
                if there:
                    if i == _POINT_5 and self._counts_5:
                        point_5[other] |= there
                    else:
                        arrived[other] |= there
                        turned[other] |= there
                    left ^= there >> by if by >= 0 else there << -by
                if not left:
                    break

    def _turn_half(self, facing: int, positions: int, arrived: Positions, turned: Positions) -> None:
        """Turn `positions` by 180 degrees; point 5 stays used (Guideline 9.1.1)."""
        other = facing ^ 2
        for by in _HALF_TURNS[facing]:
            there = _shift(positions, by) & self._free[other]
            arrived[other] |= there
            turned[other] |= there
            positions ^= _shift(there, -by)

    def _find_stuck(self) -> list[tuple[int, int]]:
        """Return T-Spins and Minis as `_find_spins` does: what cannot move is a T-Spin of a T, a Mini of another."""
        found = []
        for free in self._free:
            stuck = free & ~(free << 1 | free >> 1 | free << _ROW | free >> _ROW)
            found.append((stuck, 0) if self.piece == _T else (0, stuck))
        return found

    def _find_spins(self) -> list[tuple[int, int]]:
        """Return, by facing, where a rotated T is a T-Spin and where a Mini (Guideline 9.1)."""
        corners = [self._blocks >> by for by in _CORNERS]
        found = []
        for a, b in _NOSES:
            nose_a, nose_b = corners[a], corners[b]
            tail_a, tail_b = (corners[i] for i in range(4) if i not in (a, b))
            full = nose_a & nose_b & (tail_a | tail_b)
            found.append((full, (nose_a | nose_b) & tail_a & tail_b & ~full))
        return found

    def _add_resting_places(self, known: list[Positions]) -> None:
        here = self._rounds[-1]
        for facing, resting in enumerate(self._resting):
            positions = here.reached[facing] & resting
            if not self._spins:
                if positions:
                    self._add_places(facing, positions, NO_SPIN, known)
                continue
            full, mini = self._spins[facing]
            turned, fifth = here.turned[facing] & resting, here.fifth[facing] & resting
            plain = (positions | fifth) & ~(full | mini) | self._find_moved(facing) & resting
            self._add_places(facing, plain, NO_SPIN, known)
            if turned or fifth:
                self._add_places(facing, turned & mini, MINI_SPIN, known)
                self._add_places(facing, turned & full | fifth & (full | mini), FULL_SPIN, known)

    def _find_moved(self, facing: int) -> int:
        """Return the positions of the last round whose last movement is a side step or a fall."""
        here = self._rounds[-1]
        there = (here.reached[facing] | here.fifth[facing]) >> _ROW & self._free[facing]
        if len(self._rounds) == 1:
            return there | here.arrived[facing] & ~here.turned[facing]
        before = self._rounds[-2]
        both = before.reached[facing] | before.fifth[facing]
        return there | (both << 1 | both >> 1) & self._free[facing]

    def _add_places(self, facing: int, positions: int, spin: int, known: list[Positions]) -> None:
        """Add a Place for each of these positions whose cells no known Place covers."""
        at = ((self.piece - 1) * 4 + facing) * 10
        by = (PROFILES[at] >> 4) * _ROW + (PROFILES[at] & 15)
        twin = facing % FACINGS[self.piece - 1]
        left = positions << by & ~known[spin][twin]
        known[spin][twin] |= left
        presses = len(self._rounds) - 1
        while left:
            bit = left & -left
            left ^= bit
            y, x = divmod(bit.bit_length() - 1 - by, _ROW)
            self._places.append(Place(facing, x - _EDGE, y - _EDGE, spin, presses))

    def steps(self, place: Place) -> list[Step]:
        """Return the steps to one of these places; the last one is the Hard Drop.

        Raise ValueError for any other place, and after a search with half turns.
        """
        if place not in self._places or self._half_turns:
            raise ValueError(f"{place} cannot be reached")
        bit = 1 << (place.y + _EDGE) * _ROW + place.x + _EDGE
        for by_turn, fifth in ((False, False), (True, False), (True, True)):
            if self._find_spin(place.facing, bit, by_turn, fifth) == place.spin:
                way = self._trace(_State(place.facing, bit, place.presses, fifth), by_turn)
                if way:
                    return way
        raise AssertionError(f"no way to {place}")

    def steps_into(self, cells: frozenset[tuple[int, int]]) -> list[Step]:
        """Return the steps to the place that covers these cells, the one with the best spin; empty if there is none."""
        fit = [place for place in self if cells_of(self.piece, *place[:3]) == cells]
        return self.steps(max(fit, key=lambda place: place.spin)) if fit else []

    def _find_spin(self, facing: int, bit: int, by_turn: bool, fifth: bool) -> int:
        """Return the spin of a Lock Down at a position: by_turn, fifth: how it was reached."""
        if self._spins and by_turn:
            full, mini = self._spins[facing]
            if full & bit or mini & bit and fifth:
                return FULL_SPIN
            if mini & bit:
                return MINI_SPIN
        return NO_SPIN

    def _trace(self, state: _State, by_turn: bool) -> list[Step]:
        """Return a way to a state that ends in a turn if `by_turn`, else not; empty if there is none."""
        way: list[Step] = []
        button, rows, last = HARD_DROP, 0, True
        while not (state == self._start and (not last or by_turn == self._start_turned)):
            fit = (
                (pressed, before)
                for pressed, before in self._parents(state)
                if not last or by_turn == (pressed in (ROTATE_CW, ROTATE_CCW))
            )
            pressed, state = next(fit, (HARD_DROP, state))
            last = False
            if pressed == HARD_DROP:
                return []
            if pressed == SOFT_DROP:
                rows += 1
            else:
                way.append(Step(rows if way else 0, button))
                button, rows = pressed, 0
        way.append(Step(rows if way else 0, button))
        return way[::-1]

    def _parents(self, state: _State) -> Iterator[tuple[int, _State]]:
        """Yield each button and the state from which it leads to `state`; a row of Soft Drop comes last."""
        facing, bit, number, fifth = state
        if number and not fifth:
            for button, there in ((RIGHT, bit >> 1), (LEFT, bit << 1)):
                yield from ((button, source) for source in self._find_states(facing, there, number - 1))
        if number:
            yield from self._turned_parents(state)
        if not fifth:
            yield from ((SOFT_DROP, source) for source in self._find_states(facing, bit << _ROW, number))

    def _find_states(self, facing: int, bit: int, number: int) -> Iterator[_State]:
        """Yield the states of a round in which the Tetrimino is there: without rotation point 5 so far, and with it."""
        for positions, fifth in ((self._rounds[number].reached, False), (self._rounds[number].fifth, True)):
            if positions[facing] & bit:
                yield _State(facing, bit, number, fifth)

    def _turned_parents(self, state: _State) -> Iterator[tuple[int, _State]]:
        """Yield each rotation and the state from which it leads to `state`."""
        facing, bit, number, fifth = state
        for other in range(4):
            for button, leads, points in self._turns[other] if self.piece != _O else []:
                for i, by in enumerate(points if leads == facing else []):
                    there = _shift(bit, -by)
                    if any(_shift(there, one) & self._free[facing] for one in points[:i]):
                        continue  # an earlier point fits there
                    for source in self._find_states(other, there, number - 1):
                        if fifth == (self._counts_5 and (source.fifth or i == _POINT_5)):
                            yield button, source


def _find_falls(free: int) -> list[tuple[int, int]]:
    """Return falls by 1, 2, 4 ... rows, each with the positions where such a fall may end."""
    falls = []
    by = _ROW
    while free:
        falls.append((by, free))
        free &= free >> by
        by *= 2
    return falls


def play_steps(game: Game, steps: list[Step], gap_ms: int = 0) -> list[tuple[int, int, int]]:
    """Play these steps, with Soft Drop for rows; return the edges: button, pressed, time in ms.

    gap_ms: how long each button stays down; the Tetrimino falls meanwhile, so check where it came to rest.
    If Soft Drop is too fast to stop at a row, the Tetrimino falls by itself.
    The game changes (see snapshot.py). Raise ValueError if the Tetrimino falls too fast for the steps.
    """
    edges = []
    factor = game.options.soft_factor
    soft = factor < AT_ONCE and game.interval_us // factor >= _STOP_US

    def edge(button: int, pressed: int) -> None:
        edges.append((button, pressed, game.now_ms))
        game.input(button, pressed, game.now_ms)

    row = game.y
    turned = (0, 0)
    for step in steps:
        row -= step.rows
        if step.rows and game.y > row:
            if soft:
                edge(SOFT_DROP, 1)
            while game.piece and game.y > row:
                game.advance(game.now_ms + max(1, -(-game.fall_us // 1000)))
            if soft:
                edge(SOFT_DROP, 0)
        if step.button in (ROTATE_CW, ROTATE_CCW):
            if turned == (ROTATE_CW + ROTATE_CCW - step.button, game.now_ms) and game.options.modern & HALF_TURNS:
                game.advance(game.now_ms + 1)  # both in one millisecond would be a half turn
            turned = step.button, game.now_ms
        if game.y != row and (step.rows or not gap_ms):
            raise ValueError(f"at level {game.level} it falls too fast to stop at row {row}")
        edge(step.button, 1)
        row = game.y
        if gap_ms and step.button != HARD_DROP:
            game.advance(game.now_ms + gap_ms)
        edge(step.button, 0)
    return edges
