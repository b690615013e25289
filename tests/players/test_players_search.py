"""The lines of a computer player's search are worth what a slow replay of them is (beam.py)."""

from dataclasses import replace

import pytest

from firmware.engine.matrix import Matrix
from firmware.players import features, opening, weights
from firmware.players.beam import Beam
from tests.support.drill import choose
from tests.support.slow_search import FULL, Way, draw, recount, walk

I, J, L, O, S, T, Z = range(1, 8)  # noqa: E741


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
