"""Computer players rate places as slow definitions do (rating.py, ground.py)."""

import random

from firmware.engine.profiles import FACINGS
from firmware.players import features, opening, weights
from firmware.players.ground import Ground
from firmware.players.rating import PlacementEvaluator
from tests.support.slow_search import FULL, draw, drop, fill, recount, scatter, stack

I = 1  # noqa: E741 - a Tetrimino


def test_a_place_has_the_worth_of_the_matrix_after_it() -> None:
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


def test_features_of_a_matrix_match_a_count_of_its_cells() -> None:
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


def test_rows_of_all_slots_count_and_a_slot_has_a_hole_of_one_row() -> None:
    """Two slots, beside columns 0 and 3; the hole in column 6 has two rows, so it is no slot."""
    matrix = draw("......#...", "..........", "...#....#.", "#.....###.", "...#.####.", "#.#######.")
    rating, ground = PlacementEvaluator(), Ground()
    ground.see(matrix)
    rating.measure_ground(ground)
    assert ground.care_rows == recount(ground.rows)["care_rows"] == 0b111


def test_rows_up_to_the_24th_are_read_and_solid_rows_are_marked() -> None:
    matrix = draw()
    matrix.raise_row(10)
    for y in (1, 23, 26):
        matrix.set_row(y, b"\x08" + bytes(9))
    ground = Ground()
    ground.see(matrix)
    assert [y for y in range(28) if ground.rows[y]] == [0, 1, 23]
    assert (ground.rows[0], ground.rows[1], ground.top, ground.cells) == (2047, 1, 24, 12)


def test_a_drop_lands_on_the_first_block_below_any_cell() -> None:
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


def test_each_matrix_has_one_unique_key() -> None:
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


def test_fitting_columns_leave_at_most_one_hole() -> None:
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
