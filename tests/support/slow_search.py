"""Slow definitions of what a computer player's search finds: the features of rows, and the gain of places.

They share no step with the firmware, which updates most of these by changes.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass

from firmware.engine.matrix import Matrix
from firmware.players import features, opening, weights
from firmware.players.ground import Ground
from firmware.players.opening import HELD
from tests.support.drill import Drill

_T = 6
FULL = 1023


def draw(*lines: str) -> Matrix:
    """Return a Matrix with these rows, the lowest last."""
    return Drill(art="\n".join(lines)).game.matrix


def stack(heights: list[int]) -> list[int]:
    """Return the rows of columns without holes."""
    return [sum(1 << x for x in range(10) if y < heights[x]) for y in range(28)]


def fill(ground: Ground, rows: list[int]) -> None:
    ground.rows[:] = rows
    ground.top = sum(row > 0 for row in rows)
    ground.cells = sum(row.bit_count() for row in rows)


def drop(rows: list[int], piece: list[int]) -> int:
    """Return the landing row of a piece that falls from above all Blocks."""
    y = 28
    while y and not any(rows[y - 1 + i] & row for i, row in enumerate(piece)):
        y -= 1
    return y


@dataclass
class Way:
    """The state after some Tetriminos: rows, Hold, whether the next Tetris is Back-to-Back, and the gain.

    combo: Line Clears in a row; None by the guideline, which does not count them.  rough: the rating only estimates a
    drop here, because of holes or of lines cleared in a stack over eight rows.
    """

    rows: list[int]
    hold: int
    chain: bool
    gain: int = 0
    rough: bool = False
    combo: int | None = None


def walk(way: Way, pieces: Iterable[int], places: Iterable[int]) -> None:
    """Lock the Tetriminos in their places and add their gain by the weights of weights.py."""
    rows, hold, chain = way.rows, way.hold, way.chain
    for current, place in zip(pieces, places, strict=True):
        at, x, how = (place & 31) * 10, place >> 5 & 15, place >> 14 & 7
        if place & HELD:
            current, hold = hold, current
        assert at // 40 + 1 == current
        piece = [row << x for row in features.PROFILES[at + 6 : at + 10]]
        y = place >> 9 & 31 if how else drop(rows, piece)
        for i, row in enumerate(piece):
            assert not rows[y + i] & row
            rows[y + i] |= row
        kept = [row for row in rows if row != FULL]
        lines = len(rows) - len(kept)
        way.rough |= lines > 0 and rows[features.HIGH] > 0
        rows = kept + [0] * lines
        way.rough |= any(rows[high] & ~rows[low] for low in range(28) for high in range(low + 1, 28))
        spin = how >= features.SPIN_CW
        way.gain += weights.LANDING * y + (weights.SPINS if spin else weights.CLEARS)[lines]
        if current == _T and not (spin and lines):
            way.gain += opening._WASTED_T
        if way.combo is not None:
            way.gain += opening._COMBO * way.combo if lines else 0
            way.combo = way.combo + 1 if lines else 0
        if lines:
            strong = spin or lines == 4
            if strong:
                way.gain += opening._BACK_TO_BACK if chain else opening._CHAINED
            elif chain:
                way.gain -= opening._CHAINED
            chain = strong
    way.rows, way.hold, way.chain = rows, hold, chain


def scatter(chance: random.Random) -> list[int]:
    """Return random rows, which may have holes, a well and a slot for a T."""
    heights = [max(0, chance.randint(2, 14) // 2 + chance.randint(-2, 2)) for _ in range(10)]
    rows = stack(heights)
    for _ in range(chance.randrange(4)):
        rows[chance.randrange(6)] &= ~(1 << chance.randrange(10))
    if chance.random() < 0.5:
        well = 1 << chance.randrange(10)
        rows = [FULL ^ well] * chance.randrange(1, 6) + [row & ~well for row in rows]
    if chance.random() < 0.5:
        x, low = chance.randrange(8), chance.randrange(3)
        upper, lower = (chance.choice((FULL, rows[low + i] | 5 << x)) for i in (1, 0))
        rows[low : low + 2] = [lower & ~(2 << x), upper & ~(7 << x)]
        side = x if chance.random() < 0.5 else x + 2
        rows[low + 2 :] = [row & ~(7 << x) for row in rows[low + 2 :]]
        rows[low + 2] |= 1 << side
    kept = [row for row in rows if row not in (0, FULL)][:24]
    return kept + [0] * (28 - len(kept))


def recount(rows: list[int]) -> dict[str, int]:
    """Return the features of rows and their worth, counted cell by cell."""

    def cell(x: int, y: int) -> int:
        return 1 if not 0 <= x < 10 else rows[y] >> x & 1

    heights = [max((y + 1 for y in range(24) if cell(x, y)), default=0) for x in range(10)]
    roofs = [max((y for y in range(heights[x]) if not cell(x, y)), default=-1) for x in range(10)]
    top = max(heights)
    holes = sum(not cell(x, y) for x in range(10) for y in range(heights[x]))
    changes = sum(cell(x, y) != cell(x + 1, y) for y in range(top) for x in range(-1, 10))
    roofed = [x for x in range(10) if roofs[x] >= 0]
    cover = sum(min(heights[x] - roofs[x] - 1, features.MOST_COVER) for x in roofed)
    value = features.TRANSITION_POINTS * changes + features.HOLE_POINTS * holes + features.COVER_POINTS * cover
    value += sum(weights.STEPS[heights[x + 1] - heights[x]] for x in range(9))
    value += features.ABOVE_HIGH_POINTS * max(0, top - features.HIGH)
    value += features.ABOVE_HIGHER_POINTS * max(0, top - features.HIGHER)
    well = heights.index(min(heights))
    ready = 0
    while ready < features.MOST_READY and rows[min(heights) + ready] == FULL ^ 1 << well:
        ready += 1
    best, slot, care_rows = -1, (-1, 0, 0), 0
    for x in range(10):
        y = roofs[x]
        if y > 0 and cell(x, y - 1):
            # The overhang with its hole of one row, the step that the T's stem stands on, and the step behind.
            for away, way in ((1, features.SPIN_CW), (-1, features.SPIN_CCW)):
                if 0 <= x + 2 * away < 10 and (heights[x + away], heights[x + 2 * away]) == (y - 1, y):
                    care_rows |= 3 << y - 1
                    full = int(all(cell(i, y) or abs(i - x - away) < 2 for i in range(10)))
                    full += all(cell(i, y - 1) or i == x + away for i in range(10))
                    if full > best:
                        best, slot = full, (x + away, y, way)
    eaves = [x for x in roofed if any(0 <= i < 10 and heights[i] <= roofs[x] for i in (x - 1, x + 1))]
    return {
        "worth": value + features.READY_POINTS * ready + (weights.SLOTS[best] if best > 0 else 0),
        "care_rows": care_rows,
        "slot": slot[0],
        "slot_row": slot[1] if best >= 0 else -1,
        "slot_way": slot[2] if best >= 0 else -1,
        "holed": sum(1 << x for x in roofed),
        "eaves": sum(1 << x for x in eaves),
    }
