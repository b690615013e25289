"""Guideline B1.3: Line Attacks, Counter Attacks, the Receiving Queue, Broken and Solid Lines."""

import itertools
import random

import pytest

from firmware.engine import events
from firmware.engine.events import COUNTERED, SENT
from firmware.engine.game import TOP_OUT
from firmware.match import tables
from firmware.match.attack import count_lines
from firmware.match.flight import FLIGHT_MS, Flight
from firmware.match.options import DOUBLED, HALVED
from tests.support.arena import Arena, Performance
from tests.support.standings import WELL, make_tetris

# Guideline B1.3.6: from left to right with 0 to 5 lines in the Receiving Queue; S are sent, R remain.
COUNTER_ATTACKS = """
SINGLE                         0   1R  2R  3R  4R  5R
DOUBLE                         1S  0   1R  2R  3R  4R
TRIPLE                         2S  1S  0   1R  2R  3R
TETRIS                         4S  3S  2S  1S  0   1R
T-SPIN                         0   1R  2R  3R  4R  5R
MINI T-SPIN                    0   1R  2R  3R  4R  5R
MINI T-SPIN SINGLE             0   1R  2R  3R  4R  5R
T-SPIN SINGLE                  2S  1S  0   1R  2R  3R
T-SPIN DOUBLE                  4S  3S  2S  1S  0   1R
T-SPIN TRIPLE                  6S  5S  4S  3S  2S  1S
BACK-TO-BACK TETRIS            5S  4S  3S  2S  1S  0
BACK-TO-BACK MINI T-SPIN SINGLE 0  1R  2R  3R  4R  5R
BACK-TO-BACK T-SPIN SINGLE     3S  2S  1S  0   1R  2R
BACK-TO-BACK T-SPIN DOUBLE     5S  4S  3S  2S  1S  0
BACK-TO-BACK T-SPIN TRIPLE     7S  6S  5S  4S  3S  2S
"""
CELLS = [
    (" ".join(words[:-6]), height, cell)
    for words in (line.split() for line in COUNTER_ATTACKS.strip().splitlines())
    for height, cell in enumerate(words[-6:])
]
IN_FLIGHT_MS = FLIGHT_MS - 1


class TestTablesB136:
    @pytest.mark.parametrize(("action", "height", "cell"), CELLS)
    @pytest.mark.no_cover
    def test_b1_3_6_table_of_counter_attacks(self, action: str, height: int, cell: str) -> None:
        performance = Performance(action, height)
        seat = performance.arena.seats[0]
        assert seat.sent - performance.before == int(cell.rstrip("RS")) * cell.endswith("S")
        assert seat.received == int(cell.rstrip("RS")) * cell.endswith("R")
        assert (seat.queued, seat.countered) == (0, height - seat.received)

    @pytest.mark.parametrize(
        ("spun", "lines", "sent", "back_to_back"),
        [(0, 1, 0, 0), (0, 2, 1, 1), (0, 3, 2, 2), (0, 4, 4, 5), (1, 1, 0, 0), (1, 2, 1, 2)]
        + [(2, 1, 2, 3), (2, 2, 4, 5), (2, 3, 6, 7)],
    )
    def test_b1_3_5_table_of_line_attacks(self, spun: int, lines: int, sent: int, back_to_back: int) -> None:
        table = tables.read(tables.GUIDELINE)
        assert [count_lines(table, spun, lines, chain) for chain in (0, 1)] == [sent, back_to_back]


class TestFlight:
    """An attack arrives after 500 ms of the match, to the millisecond."""

    def test_lines_arrive_exactly_after_the_flight(self) -> None:
        arena = Arena()
        arena.wait(1234)
        make_tetris(arena)
        seat = arena.seats[1]
        for ms, queued, coming in ((IN_FLIGHT_MS, 0, 4), (1, 4, 0)):
            arena.wait(ms)
            seat.arrive(arena.t_ms)
            assert (seat.queued, seat.coming.total()) == (queued, coming)

    @pytest.mark.parametrize(("wait_ms", "risen"), [(IN_FLIGHT_MS, 0), (FLIGHT_MS, 4)])
    def test_only_a_lock_down_from_their_arrival_on_meets_the_lines(self, wait_ms: int, risen: int) -> None:
        arena = make_tetris(Arena())
        arena.wait(wait_ms)
        arena.drop(1)
        assert arena.seats[1].received == risen

    def test_a_lock_down_between_two_milliseconds_counts_at_the_next(self) -> None:
        """At level 2, a Soft Drop ends between two milliseconds."""
        arena = Arena(play_level=2)  # 793,000 us a row
        arena.draw(0, WELL)
        arena.deal(0, "I")
        arena.tap(0, "cw", *["right"] * 4)
        arena.match.input(0, 2, 1, 0)
        while not arena.game(0).hit_count:
            arena.wait(1)
        game = arena.game(0)
        assert arena.seats[1].coming.due_ms[0] == arena.t_ms + FLIGHT_MS
        assert (game.time_ms - arena.t_ms, bool(game.time_us)) in ((0, False), (0, True), (-1, True))

    @pytest.mark.no_cover
    def test_one_long_slice_equals_many_short_ones(self) -> None:
        long, short = Arena(starting=6), Arena(starting=6)
        for arena in (long, short):
            make_tetris(arena)
        long.wait(30_000)
        for _ in range(30_000):
            short.wait(1)
        for number in range(2):
            assert long.rows(number) == short.rows(number)
            assert long.game(number).time_us == short.game(number).time_us

    @pytest.mark.parametrize("seed", range(20))
    def test_lines_arrive_by_time_in_any_order_of_sending(self, seed: int) -> None:
        """Attacks of the same moment share one place, so none is lost."""
        chance = random.Random(seed)
        flight = Flight()
        lines_by_ms: dict[int, int] = {}
        for _ in range(60):
            moment_ms, lines = chance.choice(range(100, 1700, 100)), chance.randint(1, 4)
            flight.send(moment_ms, lines)
            lines_by_ms[moment_ms] = lines_by_ms.get(moment_ms, 0) + lines
            assert flight.due_ms[: flight.count] == sorted(lines_by_ms)
            assert list(flight.lines[: flight.count]) == [lines_by_ms[moment] for moment in sorted(lines_by_ms)]
            assert flight.total() == sum(lines_by_ms.values())
            due_ms = [moment for moment in sorted(lines_by_ms) for _ in range(lines_by_ms[moment])]
            assert [flight.find_due(count) for count in range(1, len(due_ms) + 2)] == [*due_ms, -1]
            if chance.random() < 0.1:
                now_ms = chance.randrange(50, 900)
                landed = [lines_by_ms.pop(moment) for moment in list(lines_by_ms) if moment <= now_ms]
                assert flight.land(now_ms) == sum(landed)
                flight.send(1600, 1)  # some lines are always on their way
                lines_by_ms[1600] = lines_by_ms.get(1600, 0) + 1

    def test_with_all_places_taken_lines_arrive_with_earlier_ones(self) -> None:
        """Lines before all places arrive with the first. A link may bring any times, and no line is lost."""
        flight = Flight()
        for moment_ms in range(100, 1700, 100):
            flight.send(moment_ms, 1)
        for moment_ms in (1750, 1650, 250, 50):
            flight.send(moment_ms, 2)
        assert flight.count == 16 and flight.total() == 16 + 8
        assert [flight.land(now_ms) for now_ms in (99, 100, 200, 1500, 1600)] == [0, 3, 3, 13, 5]


class TestReceiving:
    def test_b1_3_3_lines_rise_between_lock_down_and_next_generation(self) -> None:
        arena = Arena(play_generation_ms=200)
        arena.attack(1, 3)
        arena.tap(1, "hard")
        game = arena.game(1)
        assert not game.piece
        arena.wait(0)
        arena.match.advance(arena.t_ms + 1)
        assert len(arena.gaps(1)) == 3 and not game.piece
        arena.wait(200)
        assert game.piece

    def test_attacks_during_a_line_clear_wait_for_the_next_lock_down(self) -> None:
        arena = Arena(play_animate_ms=300)
        arena.draw(0, "#########.")
        arena.deal(0, "I")
        arena.attack(0, 2, 100)
        arena.tap(0, "cw", *["right"] * 4, "hard")
        arena.wait(700)
        assert (arena.seats[0].received, arena.game(0).lines) == (0, 1)
        arena.drop(0)
        assert arena.seats[0].received == 2

    def test_lines_of_all_opponents_rise_together(self) -> None:
        arena = Arena(players=3)
        for number in (0, 1):
            make_tetris(arena, number)
        arena.wait(FLIGHT_MS)
        arena.drop(2)
        assert arena.seats[2].received == 8

    def test_b1_3_4_attack_and_counter_attack_give_events(self) -> None:
        arena = Arena()
        arena.attack(0, 1)
        make_tetris(arena)
        assert arena.seats[0].happened & SENT and arena.seats[0].happened & COUNTERED
        arena.wait(2000)
        arena.seats[1].happened = 0
        arena.drop(1)
        assert arena.seats[1].happened & events.GARBAGE and not arena.seats[1].happened & SENT

    def test_10_block_forced_past_the_buffer_zone_is_a_top_out(self) -> None:
        arena = Arena()
        for y in range(39):
            arena.game(1).matrix.set_row(y, b"\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00")
        arena.attack(1, 1)
        arena.drop(1)
        assert arena.game(1).over == 0 and arena.game(1).matrix.top == 40
        arena.attack(1, 3)
        arena.drop(1)
        assert arena.game(1).over == TOP_OUT
        assert arena.seats[1].received == 2, "the other two lines do not rise"
        assert arena.seats[1].out_ms == 500


class TestLines:
    def raise_portions(self, arena: Arena, number: int, portions: list[int]) -> list[int]:
        gaps: list[int] = []
        for lines in portions:
            arena.attack(number, lines)
            arena.drop(number)
            gaps += arena.gaps(number)[-lines:]
            arena.draw(number, "..........\n" * 39)
        return gaps

    def test_b1_3_2_the_gap_moves_after_every_eight_lines(self) -> None:
        gaps = self.raise_portions(Arena(), 1, [3, 4, 1, 8, 2, 6, 5, 3, 16])
        for first in range(0, 48, 8):
            assert len(set(gaps[first : first + 8])) == 1 and (first == 0 or gaps[first] != gaps[first - 1])
        assert all(0 <= gap < 10 for gap in gaps)

    @pytest.mark.parametrize("seed", range(10))
    def test_b1_3_2_any_column_may_have_the_gap_but_not_twice_in_a_row(self, seed: int) -> None:
        gaps = self.raise_portions(Arena(seed), 1, [8] * 40)[::8]
        assert all(a != b for a, b in itertools.pairwise(gaps)) and len(set(gaps)) > 7

    def test_b1_3_1_all_players_get_identical_lines(self) -> None:
        arena = Arena(players=4, seed=9)
        portions = [20], [5, 15], [1] * 20, [7, 13]
        rows = [self.raise_portions(arena, number, portions[number]) for number in range(4)]
        assert rows[0] == rows[1] == rows[2] == rows[3]

    def test_b1_3_1_lines_in_the_queue_do_not_count_for_the_gap(self) -> None:
        arena = Arena()
        arena.attack(0, 4)
        make_tetris(arena)  # cancels all four
        arena.wait(1000)
        assert self.raise_portions(arena, 0, [8, 8])[7:9] != [10, 10] and arena.seats[0].received == 16
        gaps = self.raise_portions(Arena(), 0, [16])
        assert len(set(gaps[:8])) == 1 and gaps[7] != gaps[8]

    def test_b1_3_1_solid_lines_have_no_gap_and_cannot_be_cleared(self) -> None:
        arena = Arena(solid=1)
        arena.attack(1, 5)
        arena.drop(1, 2)
        assert arena.gaps(1) == [10] * 5 and arena.game(1).lines == 0

    @pytest.mark.parametrize("solid", [0, 1])
    def test_b1_1_2_starting_lines(self, solid: int) -> None:
        arena = Arena(players=3, starting=10, starting_solid=solid, seed=4)
        gaps = arena.gaps(0)
        assert len(gaps) == 10 and arena.gaps(1) == gaps == arena.gaps(2) and (set(gaps) == {10}) == bool(solid)


class TestHandicap:
    def test_halved_attacks_lose_no_line(self) -> None:
        arena = Arena(handicaps=HALVED)
        for _ in range(3):
            make_tetris(arena)
            arena.wait(1000)
        assert arena.seats[0].sent == (4 + 5 + 5) // 2

    def test_doubled_attacks_send_twice_the_lines(self) -> None:
        arena = make_tetris(Arena(handicaps=DOUBLED << 2), 1)
        assert (arena.seats[1].sent, arena.seats[0].coming.total()) == (8, 8)

    def test_a_halved_player_counters_its_own_queue_in_full(self) -> None:
        arena = Arena(handicaps=HALVED)
        arena.attack(0, 3)
        make_tetris(arena)
        assert (arena.seats[0].countered, arena.seats[0].sent) == (3, 0)
