"""Standard, "Piece Spawning": the generator, its table of counts, and the expected counts."""

from typing import Any

import pytest

from firmware.engine import events
from firmware.engine.options import Options
from firmware.modes.catalogue import STANDARD
from firmware.modes.standard import Generator
from firmware.modes.standard_pieces import ORDER
from firmware.scenes.menus.over_pieces import find_deviation, find_mean
from tests.support.drill import CODES
from tests.support.kept import start_game

# "starting the generator with an arbitrary seed value of 0 (zero)": total and deviation of each piece index.
SIZES = (70, 700, 7000, 70000)
COUNT_TABLE = """
    0         10    0    100   0    966 -34   9987  -13
    1          5   -5    100   0    994  -6   9975  -25
    2         11    1     91  -9   1007   7  10046   46
    3         12    2    104   4   1003   3   9874 -126
    4         10    0    105   5   1027  27  10058   58
    5         12    2    100   0    994  -6  10004    4
    6         10    0    100   0   1009   9  10056   56
"""
ROWS = [[int(word) for word in line.split()] for line in COUNT_TABLE.strip().split("\n")]


@pytest.fixture(scope="module")
def counts() -> dict[int, list[int]]:
    """Return the totals by piece index after each size."""
    generator = Generator(0)
    totals = [0] * 7
    totals_by_size = {}
    for dealt in range(1, SIZES[-1] + 1):
        totals[ORDER.index(generator.deal())] += 1
        if dealt in SIZES:
            totals_by_size[dealt] = list(totals)
    return totals_by_size


class TestGenerator:
    @pytest.mark.parametrize("size", SIZES)
    @pytest.mark.parametrize("index", range(7))
    def test_total_and_deviation_of_the_table(self, counts: dict[int, list[int]], index: int, size: int) -> None:
        """All 28 numbers, with their 28 deviations."""
        column = 1 + 2 * SIZES.index(size)
        assert ROWS[index][0] == index and counts[size][index] == ROWS[index][column]
        assert counts[size][index] - find_mean(size) == ROWS[index][column + 1]

    @pytest.mark.parametrize("seed", [0, 1, 0xFFFF, 0x10000, 0x12345678, (1 << 30) - 1])
    def test_generator_is_linear_congruential_with_32_bits(self, seed: int) -> None:
        generator = Generator(seed)
        number = seed
        for _ in range(2000):
            number = (1664525 * number + 1013904223) % (1 << 32)
            assert CODES[generator.deal()] == "OISZLJT"[number % 7]
            assert (generator.a, generator.b) == (number >> 16, number & 0xFFFF)

    def test_a_seed_repeats_the_same_game(self) -> None:
        """ "playing the "same game" several times just by specifying an initial ... "seed value""."""
        games: list[Any] = [start_game(seed, STANDARD, Options()) for seed in (7, 7, 8)]
        orders = [bytes(game.next) + bytes(game.deal() for _ in range(30)) for game in games]
        assert orders[0] == orders[1] != orders[2]

    def test_game_deals_the_generators_order_and_counts_its_pieces(self) -> None:
        game: Any = start_game(0, STANDARD, Options())
        generator = Generator(0)
        expected = [0] * 8
        now_ms = 0
        while not game.over:
            now_ms += 250
            if game.advance(now_ms) & (events.GENERATED | events.GAME_OVER):
                expected[generator.deal()] += 1
            assert [game.count(piece) for piece in range(1, 8)] == expected[1:]
        assert sum(expected) == game.lock_downs + 1  # the last piece had no room

    @pytest.mark.parametrize(
        ("pieces", "mean", "deviation"), [(70, 10, 3), (700, 100, 9), (7000, 1000, 29), (70000, 10000, 93)]
    )
    def test_mean_and_deviation_of_the_binomial_distribution(self, pieces: int, mean: int, deviation: int) -> None:
        assert (find_mean(pieces), find_deviation(pieces)) == (mean, deviation)

    @pytest.mark.parametrize("pieces", [0, 1, 3, 4, 10, 11, 69, 1234, 99_999, 30_000_000])
    def test_expectation_is_rounded_to_the_nearest(self, pieces: int) -> None:
        assert find_mean(pieces) == round(pieces / 7) and find_deviation(pieces) == round((pieces * 6 / 49) ** 0.5)
