"""Say in words why one place of a Tetrimino is worse than another (modes/README 10.5)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.matrix import WIDTH
from firmware.players.features import (
    ABOVE_HIGH_POINTS,
    ABOVE_HIGHER_POINTS,
    COVER_POINTS,
    HIGH,
    HIGHER,
    HOLE_POINTS,
    MOST_COVER,
    MOST_READY,
    READY_POINTS,
    SPIN_CW,
    TRANSITION_POINTS,
)
from firmware.players.ground import Ground
from firmware.players.opening import HELD, HELD_I_POINTS, HELD_T_POINTS, Opening
from firmware.players.weights import CHANGES, LANDING, STEPS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from firmware.contracts import Game

_I = const(1)
_T = const(6)
_LEAST = const(40)  # points that a reason makes; a hole makes about 100

# The terms of a place's value
HOLES = const(0)
COVER = const(1)
READY = const(2)
SLOT = const(3)
HEIGHT = const(4)
SHAPE = const(5)
LINES = const(6)
KEPT = const(7)
_TERMS = const(8)

_WORDS = (b"HOLE", b"COVERED", b"GAP BROKEN", b"T-SLOT LOST", b"TOO HIGH", b"UNEVEN", b"TOO FEW LINES", b"I NOT KEPT")


def count_holes(ground: Ground) -> int:
    """Return the empty cells below Blocks of a measured Ground."""
    return sum(ground.heights) - ground.cells


def split_worth(ground: Ground, terms: "list[int]") -> None:
    """Split the worth of a measured Ground into HOLES to SHAPE."""
    rows = ground.rows
    heights = ground.heights
    terms[HOLES] = HOLE_POINTS * count_holes(ground)
    cover = 0
    for x in range(WIDTH):
        if ground.holed >> x & 1:
            cover += min(heights[x] - ground.roofs[x] - 1, MOST_COVER)
    terms[COVER] = COVER_POINTS * cover
    low = min(heights)
    gap = (1 << WIDTH) - 1 ^ 1 << heights.index(low)
    count = 0
    while count < MOST_READY and rows[low + count] == gap:
        count += 1
    terms[READY] = READY_POINTS * count
    terms[SLOT] = ground.fine - terms[READY]
    height = 0
    if ground.top > HIGH:
        height = ABOVE_HIGH_POINTS * (ground.top - HIGH)
        if ground.top > HIGHER:
            height += ABOVE_HIGHER_POINTS * (ground.top - HIGHER)
    terms[HEIGHT] = height
    shape = 0
    for y in range(ground.top):
        shape += CHANGES[rows[y] & 1023] & 63
    shape *= TRANSITION_POINTS
    before = heights[0]
    for here in heights:
        shape += STEPS[here - before]
        before = here
    terms[SHAPE] = shape


class Outcome:
    """Hold the Matrix after the first places of a plan, and the terms of its value.

    spins, tetrises, cleared, wasted: T-Spins with lines, Tetrises, other places with lines, and T without a spin.
    """

    def __init__(self, search: Opening, game: "Game", plan: "Sequence[int]", count: int) -> None:
        """Follow `count` places of a plan; `game` has the first Tetrimino in play."""
        self.terms = terms = [0] * _TERMS
        self.spins = self.tetrises = self.cleared = self.wasted = 0
        self.ground = ground = Ground()
        ground.see(game.matrix)
        search.chain = game.chain > 0
        hold = game.hold
        height = 0
        for i in range(count):
            place = plan[i]
            lines = search.settle(ground, ground, place)
            search.gain = 0
            search.advance(place, lines)
            height += LANDING * search.y
            terms[LINES] += search.gain - LANDING * search.y
            if place & HELD:
                hold = game.next[i - 1] if i else game.piece
            self.count_lines(place, lines)
        search.measure_ground(ground)
        split_worth(ground, terms)
        terms[HEIGHT] += height
        terms[KEPT] = HELD_I_POINTS if hold == _I else HELD_T_POINTS if hold == _T else 0
        self.holes = count_holes(ground)

    def count_lines(self, place: int, lines: int) -> None:
        if lines and place >> 14 & 7 >= SPIN_CW:
            self.spins += 1
        elif lines == 4:
            self.tetrises += 1
        elif lines:
            self.cleared += 1
        self.wasted += (place & 31) // 4 + 1 == _T and place >> 14 & 7 < SPIN_CW


def find_reason(game: "Game", own: "Sequence[int]", best: "Sequence[int]", count: int) -> bytes:
    """Return why plan `own` is worse than plan `best`, in at most 16 capitals.

    The first place decides if it makes a clear difference, else the Matrix after `count` places. game: with the first
    Tetrimino in play.
    """
    search = Opening(1)
    return (
        compare(Outcome(search, game, own, 1), Outcome(search, game, best, 1))
        or compare(Outcome(search, game, own, count), Outcome(search, game, best, count))
        or (b"THINK AHEAD" if count > 1 else b"TOO HIGH")
    )


def compare(mine: Outcome, better: Outcome) -> bytes:
    """Return why `mine` is worse, or nothing if no term makes a clear difference."""
    most = term = whole = 0
    for i in range(_TERMS):
        lost = better.terms[i] - mine.terms[i]
        whole += lost
        if lost > most:
            most = lost
            term = i
    if most < _LEAST or whole <= 0:
        return b""
    holes = mine.holes - better.holes
    if term != SLOT and term != LINES and better.terms[READY] > mine.terms[READY] and holes > 0:
        return b"GAP COVERED"
    if term == HOLES and holes > 1:
        return b"%d HOLES" % holes
    if term == LINES:
        if better.spins > mine.spins:
            return b"T-SPIN MISSED"
        if better.tetrises > mine.tetrises:
            return b"TETRIS MISSED"
        if mine.wasted > better.wasted and mine.cleared <= better.cleared:
            return b"T NOT SPUN"
    return _WORDS[term]
