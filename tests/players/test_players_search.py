"""The search of computer players rates places and keeps lines as slow definitions do (rating.py, beam.py, ply.py)."""

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace

import pytest

from firmware.engine.matrix import Matrix
from firmware.engine.profiles import FACINGS
from firmware.players import features, opening, weights
from firmware.players.beam import Beam
from firmware.players.ground import Ground
from firmware.players.opening import HELD
from firmware.players.ply import Ply, raise_places
from firmware.players.rating import PlacementEvaluator
from tests.support.drill import Drill, choose

I, J, L, O, S, T, Z = range(1, 8)  # noqa: E741
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


def make_beam(queue: list[int], hold: int, matrix: Matrix | None = None, chain: int = 0, **settings: int) -> Beam:
    """Return a beam ready to search a Matrix with these Tetriminos and one in Hold."""
    beam = choose(Beam(8), **settings)
    beam.queue[: len(queue)] = bytes(queue)
    beam.known = len(queue)
    beam.root.see(matrix or draw("###..#####", "####.#####"))
    beam.begin(0, hold, chain)
    return beam


def think(beam: Beam, units: int = 400) -> None:
    beam.idle = False
    while not beam.idle:
        beam.think(units)


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


# One pass by the definitions, as `recount`.
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
        if current == T and not (spin and lines):
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


def compare(beam: Beam, begun: Way) -> int:
    """Check the values of a beam against replays from its root; return how many were not rough."""
    compared = 0
    for i, value in enumerate(beam.after.values):
        if value > weights.NEVER:
            numbers = range(beam.first, beam.after.number)
            places = [beam.trace(beam.after, i, number) for number in numbers]
            way = replace(begun, rows=[*beam.root.rows, *[0] * 8])
            walk(way, [beam.queue[number & 7] for number in numbers], places)
            assert beam.after.holds[i] == way.hold
            if not way.rough or places[-1] >> 14 & 7:
                seen = recount(way.rows)["worth"]
                assert value == way.gain + seen + {I: opening.HELD_I_POINTS, T: opening.HELD_T_POINTS}.get(way.hold, 0)
                compared += 1
    return compared


QUEUES = [[T, S, Z, L, J], [I, O, T, I, S], [J, T, T, O, I], [L, I, J, S, T]]
CASES = {
    "flat": (("..........",), I, False),
    "stairs": (("#.........", "##........", "###.......", "####......"), T, False),
    "tetrises": ((*["#########."] * 8,), I, True),
    "slot": (("##........", "#...######", "##.#######"), T, True),
    "overhang": (("########..", "#######...", "########.."), O, False),
}


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


# One pass by the definitions, so that it shares no step with the firmware, which updates most of these by changes.
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


class TestRating:
    def test_a_place_has_the_worth_of_the_matrix_after_it(self) -> None:
        """This holds without holes; the cover of holes is only estimated."""

        class OfferLog(PlacementEvaluator):
            offers: dict[tuple[int, int, int], int]

            def offer_place(self, value: int, at: int, x: int, y: int, way: int) -> None:
                self.offers[at, x, y] = value

        rating = OfferLog()
        chance = random.Random(1)
        compared = 0
        for _ in range(60):
            ground = rating.ground
            rows = stack([max(0, min(9, 5 + chance.randint(-3, 3))) for _ in range(9)] + [chance.randint(0, 9)])
            fill(ground, [row for row in rows if row != FULL] + [0] * rows.count(FULL))
            rating.measure_ground(ground)
            rating.find_fits(ground)
            assert not ground.holed
            rating.offers = {}
            rating.base, rating.least = ground.worth, weights.NEVER
            for piece in range(7):
                rating.at = piece * 40
                rating.beyond = rating.at + FACINGS[piece] * 10
                rating.spots = rating.fit(rating.at)
                rating.sweep(9999)
            for (at, x, y), value in dict(rating.offers).items():
                rating.complete(at, x, y, features.DROP)
                if not rating.spare.holed:
                    assert rating.offers[at, x, y] == value
                    compared += 1
        assert compared > 1000

    def test_features_of_a_matrix_match_a_count_of_its_cells(self) -> None:
        """Holes, eaves, slots, and their worth by the weights of weights.py."""
        chance = random.Random(3)
        rating, ground = PlacementEvaluator(), Ground()
        slots = ready = 0
        for _ in range(600):
            rows = scatter(chance)
            fill(ground, rows)
            rating.measure_ground(ground)
            expected = recount(rows)
            if expected["slot"] < 0:
                del expected["slot_row"], expected["slot_way"]  # undefined without a slot
            assert {name: getattr(ground, name) for name in expected} == expected
            slots += ground.slot >= 0 and ground.fine > 0
            ready += ground.slot < 0 and ground.fine > 0
        assert slots > 60 and ready > 60

    def test_rows_of_all_slots_count_and_a_slot_has_a_hole_of_one_row(self) -> None:
        """Two slots, beside columns 0 and 3; the hole in column 6 has two rows, so it is no slot."""
        matrix = draw("......#...", "..........", "...#....#.", "#.....###.", "...#.####.", "#.#######.")
        rating, ground = PlacementEvaluator(), Ground()
        ground.see(matrix)
        rating.measure_ground(ground)
        assert ground.care_rows == recount(ground.rows)["care_rows"] == 0b111

    def test_rows_up_to_the_24th_are_read_and_solid_rows_are_marked(self) -> None:
        matrix = draw()
        matrix.raise_row(10)
        for y in (1, 23, 26):
            matrix.set_row(y, b"\x08" + bytes(9))
        ground = Ground()
        ground.see(matrix)
        assert [y for y in range(28) if ground.rows[y]] == [0, 1, 23]
        assert (ground.rows[0], ground.rows[1], ground.top, ground.cells) == (2047, 1, 24, 12)

    def test_a_drop_lands_on_the_first_block_below_any_cell(self) -> None:
        chance = random.Random(4)
        rating = PlacementEvaluator()
        ground = rating.ground
        for _ in range(20):
            rows = scatter(chance)
            fill(ground, rows)
            rating.measure_ground(ground)
            for at in range(0, 280, 10):
                for x in range(11 - features.PROFILES[at + 1]):
                    y = drop([*rows, *[0] * 8], [row << x for row in features.PROFILES[at + 6 : at + 10]])
                    assert ground.land(at, x) == rating.land(at, x) == y

    def test_each_matrix_has_one_unique_key(self) -> None:
        rating = opening.Opening(80)
        rating.ground.rows[0], rating.ground.top = 0b11, 1
        rating.key = rating.tell(rating.ground)
        rating.hold, rating.open = I, 0
        keys = set()
        for at in (3 * 40, 5 * 40):  # an O and a T
            for x in range(2, 8):
                rating.offer_place(x, at, x, 0, features.DROP)
                rating.spare.fill(at, x, 0, rating.ground.rows, 0, 1, 2)
                key = rating.tell(rating.spare) ^ I * opening.HOLD_KEY
                assert key in rating.after.keys
                keys.add(key)
        assert len(keys) == 12

    def test_fitting_columns_leave_at_most_one_hole(self) -> None:
        rating = PlacementEvaluator()
        chance = random.Random(2)
        for _ in range(50):
            rating.ground.heights[:] = heights = [chance.randint(0, 6) for _ in range(10)]
            rating.find_fits(rating.ground)
            for at in range(0, 280, 10):
                if at % 40 // 10 < FACINGS[at // 40]:
                    profile = features.PROFILES[at : at + 10]
                    found = 0
                    for x in range(11 - profile[1]):
                        gaps = [heights[x + i] - (profile[2 + i] & 15) for i in range(profile[1])]
                        y = max(*gaps, 0)
                        if sum(y - gap for gap in gaps) <= 1:
                            found |= 1 << x
                    assert rating.fit(at) & (1 << 11 - profile[1]) - 1 == found


class TestBeam:
    @pytest.mark.parametrize("combo", [None, 0, 3])
    @pytest.mark.parametrize("case", CASES)
    def test_lines_of_a_ply_have_the_worth_of_a_replay(self, case: str, combo: int | None) -> None:
        """The replay counts lines, T-Spins, Back-to-Back, combos, wasted Ts, rows, Hold and the Matrix."""
        lines, hold, chain = CASES[case]
        compared = 0
        for queue in QUEUES:
            beam = make_beam(queue, hold, draw(*lines), chain | (combo or 0) << 1, modern=int(combo is not None))
            while not beam.idle:
                beam.think(400)
                compared += compare(beam, Way([], hold, chain, combo=combo))
        assert compared > (25 if combo else 50)  # combos lead to lines that the rating only estimates

    @pytest.mark.parametrize("combo", [None, 1])
    @pytest.mark.parametrize("risen", [0, 1, 3])
    @pytest.mark.parametrize("case", ["stairs", "tetrises", "slot"])
    def test_lines_after_a_played_place_have_the_worth_of_a_replay(
        self, case: str, risen: int, combo: int | None
    ) -> None:
        """The search continues after the place, with or without new garbage."""
        lines, hold, chain = CASES[case]
        compared = 0
        for queue in QUEUES:
            beam = make_beam(queue, hold, draw(*lines), chain | (combo or 0) << 1, modern=int(combo is not None))
            think(beam)
            way = Way([*beam.root.rows, *[0] * 8], hold, chain, combo=combo)
            for number, piece in enumerate([I, Z, O, S]):
                place = beam.choose(number)
                beam.commit(number, place)
                walk(way, [beam.queue[number & 7]], [place])
                for _ in range(risen):
                    way.rows.insert(0, FULL ^ 1 << 9)
                matrix = draw()
                for y, row in enumerate(way.rows[:24]):
                    matrix.set_row(y, bytes(8 * (row >> x & 1) for x in range(10)))
                assert beam.follow(matrix, place) and beam.has_any()
                beam.queue[number + 5 & 7] = piece
                beam.known += 1
                think(beam)
                assert beam.after.number == beam.known
                compared += compare(beam, replace(way, rough=False))
        assert compared > 5

    @pytest.mark.parametrize("slices", [[1], [7], [500], [60, 3, 200]])
    def test_slices_change_neither_cost_nor_result_of_a_search(self, slices: list[int]) -> None:
        """The cost leaves out the unused units of each slice."""
        found = []
        for units in ([60], slices):
            beam = make_beam([T, S, Z, L, J], O)
            cost = unused = turn = 0
            while not beam.idle:
                given = units[turn % len(units)]
                turn += 1
                cost += given + unused
                unused = beam.think(given + unused)
                cost -= unused
            found.append((cost, beam.choose(0), sorted(beam.after.values)))
        assert found[0] == found[1] and found[0][0] > 5000

    def test_places_that_garbage_makes_impossible_are_given_up(self) -> None:
        """Places found in a Matrix of 17 rows are replayed in one of 24."""
        matrix = draw()
        for _ in range(17):
            matrix.raise_row(9)
        beam = make_beam([T, S, Z, L, J], O, matrix, most_holes=features.ANY_HOLES)
        while beam.ply.number < 3:
            beam.think(60)
        for _ in range(7):
            matrix.raise_row(0)
        beam.root.see(matrix)
        beam.shift(7)
        think(beam, 100)
        assert beam.ply.number >= 3


class TestPly:
    def test_a_better_line_replaces_the_worst_or_the_one_with_its_key(self) -> None:
        ply = Ply(2)
        assert ply.find_best() == -1 and ply.insert_line(50, 1, 2, 3, 4) == weights.NEVER
        assert ply.insert_line(70, 5, 6, 7, 1) == 50
        assert ply.insert_line(50, 9, 9, 3, 9) == 50 and ply.parents[0] == 1, "the same key needs a higher value"
        assert ply.insert_line(60, 8, 9, 3, 2) == 60 and ply.find_best() == 1
        assert (ply.parents[0], ply.places[0], ply.keys[0], ply.holds[0]) == (8, 9, 3, 2)
        assert ply.insert_line(65, 1, 1, 8, 1) == 65 and sorted(ply.keys) == [7, 8]

    def test_a_dropped_line_is_replaced_first(self) -> None:
        ply = Ply(2)
        ply.insert_line(50, 1, 2, 3, 4)
        ply.insert_line(70, 5, 6, 7, 1)
        assert ply.drop(1) == weights.NEVER and ply.find_best() == 0 and ply.keys[1] == -1
        ply.insert_line(10, 2, 2, 7, 2)
        assert ply.values == [50, 10]
        ply.clear()
        assert ply.values == [weights.NEVER] * 2 and ply.keys == [-1] * 2 and ply.worst == 0

    def test_garbage_raises_places_of_spins_and_slides(self) -> None:
        dropped, spun = 5 | 3 << 5 | 2 << 9, 5 | 3 << 5 | features.SPIN_CW << 14
        slid = 5 | 3 << 5 | features.SLIDE_LEFT << 14
        places = [dropped, spun | 2 << 9, spun | 22 << 9, slid | 2 << 9]
        raise_places(places, 3)
        assert places == [dropped, spun | 5 << 9, spun | 24 << 9, slid | 5 << 9]


def test_held_flag_is_above_all_bits_of_a_place() -> None:
    assert HELD > 27 | 9 << 5 | 31 << 9 | features.SPIN_CCW << 14
