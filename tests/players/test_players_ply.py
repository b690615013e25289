"""A ply keeps the best lines of a search, and lets garbage raise their places (ply.py)."""

from firmware.players import features, weights
from firmware.players.opening import HELD
from firmware.players.ply import Ply, raise_places


def test_a_better_line_replaces_the_worst_or_the_one_with_its_key() -> None:
    ply = Ply(2)
    assert ply.find_best() == -1 and ply.insert_line(50, 1, 2, 3, 4) == weights.NEVER
    assert ply.insert_line(70, 5, 6, 7, 1) == 50
    assert ply.insert_line(50, 9, 9, 3, 9) == 50 and ply.parents[0] == 1, "the same key needs a higher value"
    assert ply.insert_line(60, 8, 9, 3, 2) == 60 and ply.find_best() == 1
    assert (ply.parents[0], ply.places[0], ply.keys[0], ply.holds[0]) == (8, 9, 3, 2)
    assert ply.insert_line(65, 1, 1, 8, 1) == 65 and sorted(ply.keys) == [7, 8]


def test_a_dropped_line_is_replaced_first() -> None:
    ply = Ply(2)
    ply.insert_line(50, 1, 2, 3, 4)
    ply.insert_line(70, 5, 6, 7, 1)
    assert ply.drop(1) == weights.NEVER and ply.find_best() == 0 and ply.keys[1] == -1
    ply.insert_line(10, 2, 2, 7, 2)
    assert ply.values == [50, 10]


def test_a_cleared_ply_has_no_lines() -> None:
    ply = Ply(2)
    ply.insert_line(50, 1, 2, 3, 4)
    ply.clear()
    assert ply.values == [weights.NEVER] * 2 and ply.keys == [-1] * 2 and ply.worst == 0


def test_garbage_raises_places_of_spins_and_slides() -> None:
    dropped, spun = 5 | 3 << 5 | 2 << 9, 5 | 3 << 5 | features.SPIN_CW << 14
    slid = 5 | 3 << 5 | features.SLIDE_LEFT << 14
    places = [dropped, spun | 2 << 9, spun | 22 << 9, slid | 2 << 9]
    raise_places(places, 3)
    assert places == [dropped, spun | 5 << 9, spun | 24 << 9, slid | 5 << 9]


def test_held_flag_is_above_all_bits_of_a_place() -> None:
    assert HELD > 27 | 9 << 5 | 31 << 9 | features.SPIN_CCW << 14
