"""Guideline B1.1.2, B1.2: targets, teams, results, co-op, Practice."""

import pytest

from firmware.engine import events
from firmware.engine.game import BLOCK_OUT, LOCK_OUT
from firmware.engine.options import Options
from firmware.match.fields import FIELDS, check
from firmware.match.flight import FLIGHT_MS
from firmware.match.match import NOBODY, Match
from firmware.match.options import AT_RANDOM, MARKED, MatchOptions
from firmware.match.seat import NOT_YET
from tests.support.arena import Arena
from tests.support.standings import make_tetris

TOWER = "....##....\n" * 19


def knock_out(arena: Arena, number: int, wait_ms: int = 0) -> Arena:
    """Knock a player out by a Lock Out of the next Tetrimino; then let time pass."""
    arena.draw(number, "...####...\n" + TOWER)
    arena.deal(number, "O")
    arena.tap(number, "hard")
    if wait_ms:
        arena.wait(wait_ms)
    return arena


def find_coming(arena: Arena) -> list[int]:
    return [seat.coming.total() for seat in arena.seats]


def is_won(arena: Arena, winner: int, *wins: int) -> bool:
    """Return whether team `winner` has won the round, and the first teams have won `wins` rounds each."""
    return arena.match.over and arena.match.winner == winner and list(arena.match.wins)[: len(wins)] == [*wins]


class TestTargets:
    def test_everybody_gets_the_same_lines(self) -> None:
        arena = make_tetris(Arena(players=4))
        assert find_coming(arena) == [0, 4, 4, 4] and arena.seats[0].sent == 4

    def test_team_mates_get_no_lines(self) -> None:
        arena = make_tetris(Arena(players=4, teams=0b1010), 1)
        assert find_coming(arena) == [4, 0, 4, 0]

    def test_random_target_sends_an_attack_to_a_single_opponent(self) -> None:
        arena = Arena(players=4, target=AT_RANDOM, quicken_s=0)
        hits = [0, 0, 0, 0]
        for _ in range(60):
            make_tetris(arena)
            reached = [number for number, seat in enumerate(arena.seats) if seat.coming.total()]
            assert len(reached) == 1
            hits[reached[0]] += 1
            arena.wait(600)
            for number in range(1, 4):
                arena.seats[number].arrive(arena.t_ms)
                arena.seats[number].queued = 0
                arena.draw(number, "..........\n" * 20)
        assert hits[0] == 0 and min(hits[1:]) >= 10

    def test_b1_1_2_the_target_mark_goes_round_the_opponents(self) -> None:
        arena = Arena(players=4, teams=0b0001, target=MARKED)
        for mark in (1, 2, 3, 1, 2):
            assert (arena.seats[0].mark, arena.seats[1].mark) == (mark, 0)
            arena.tap(0, "target")
        arena.tap(1, "target")
        assert arena.seats[1].mark == 0, "team-mates are left out"

    def test_b1_1_2_an_attack_goes_to_the_marked_opponent(self) -> None:
        arena = Arena(players=3, target=MARKED)
        arena.tap(0, "target")
        make_tetris(arena)
        assert find_coming(arena) == [0, 0, 4]

    def test_the_mark_leaves_a_player_once_known_to_be_out(self) -> None:
        arena = knock_out(Arena(players=3, target=MARKED), 1, FLIGHT_MS - 1)
        make_tetris(arena)
        assert find_coming(arena) == [0, 4, 0], "the news is still on its way"
        arena.wait(1)
        make_tetris(arena)
        assert arena.seats[2].coming.total() == 4 and arena.seats[0].mark == 2

    def test_an_attack_at_the_end_of_the_match_reaches_nobody(self) -> None:
        arena = knock_out(Arena(target=MARKED), 1)
        arena.draw(0, "#########.\n" * 4)
        arena.deal(0, "I")
        arena.tap(0, "cw", *["right"] * 4)
        game = arena.game(0)
        game.sink(game.y - game.ghost_y)
        game.land()
        arena.wait(FLIGHT_MS)
        assert arena.match.over and game.hit_count == 4
        assert arena.seats[1].coming.total() == 0 and arena.seats[0].mark == 0


class TestResults:
    @pytest.mark.parametrize("starting", [0, 10])
    def test_last_player_wins_500_ms_after_the_second_last_is_out(self, starting: int) -> None:
        arena = Arena(players=3, starting=starting)
        arena.wait(100)
        knock_out(arena, 0)
        assert arena.seats[0].game.over in (LOCK_OUT, BLOCK_OUT) and arena.seats[0].out_ms == 100
        arena.wait(2000)
        assert not arena.match.over and arena.match.ends_ms == NOT_YET
        knock_out(arena, 2)
        assert arena.match.ends_ms == 2100 + FLIGHT_MS and not arena.match.over
        arena.wait(5000)
        assert is_won(arena, 1, 0, 1, 0) and arena.match.time_ms == 2100 + FLIGHT_MS and arena.match.is_decided()

    def test_nothing_moves_after_the_end(self) -> None:
        arena = knock_out(Arena(), 0, 600)
        rows = arena.rows(1)
        arena.tap(1, "hard")
        arena.wait(60_000)
        assert arena.rows(1) == rows and arena.match.time_ms == FLIGHT_MS

    def test_the_player_who_is_out_later_wins_even_before_the_news(self) -> None:
        arena = knock_out(knock_out(Arena(), 0, 400), 1, 400)
        assert is_won(arena, 1) and arena.match.time_ms == FLIGHT_MS

    @pytest.mark.parametrize("order", [(0, 1), (1, 0)])
    def test_nobody_wins_if_both_are_out_at_the_same_moment(self, order: tuple[int, int]) -> None:
        arena = Arena(wins=2)
        for number in order:
            knock_out(arena, number)
        arena.wait(1000)
        assert is_won(arena, NOBODY, 0, 0)

    def test_a_team_has_lost_when_all_its_players_are_out(self) -> None:
        arena = knock_out(knock_out(Arena(players=4, teams=0b0110), 0, 10), 1, 1000)
        assert not arena.match.over and is_won(knock_out(arena, 3, 1000), 1, 0, 1)

    @pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
    def test_the_last_of_four_wins_in_any_order(self, order: tuple[int, int, int]) -> None:
        arena = Arena(players=4)
        for number in order:
            knock_out(arena, number, 10)
        arena.wait(1000)
        assert is_won(arena, 3)

    def test_the_first_with_two_rounds_wins_the_match(self) -> None:
        arena = Arena(wins=2)
        pieces = []
        for number, loser in enumerate((0, 1, 0)):
            arena.t_ms = 0
            pieces.append(bytes(arena.game(0).next))
            assert bytes(arena.game(1).next) == pieces[-1], "all get the same Tetriminos"
            knock_out(arena, loser, 1000)
            assert arena.match.over and arena.match.is_decided() == (number == 2)
            if number < 2:
                arena.match.begin_round(number + 1)
        assert list(arena.match.wins) == [1, 2] and len(set(pieces)) == 3, "each round has other Tetriminos"

    @pytest.mark.parametrize(("wait_ms", "level"), [(9_999, 3), (10_000, 4), (59_999, 8), (119_999, 14), (500_000, 15)])
    def test_b1_2_1_the_level_rises_with_time(self, wait_ms: int, level: int) -> None:
        arena = Arena(quicken_s=10, play_level=3)
        game = arena.game(0)
        game.time_ms = wait_ms
        arena.tap(0, "hard")
        assert game.level == level

    def test_b1_2_1_a_higher_level_gives_an_event(self) -> None:
        arena = Arena(quicken_s=1)
        arena.wait(1000)
        arena.drop(0)
        assert arena.seats[0].happened & events.LEVEL_UP and arena.game(0).level == 2


class TestTogether:
    """Guideline B1.2.2."""

    def clear(self, arena: Arena, *numbers: int) -> None:
        for number in numbers:
            make_tetris(arena, number)
            arena.wait(300)

    def test_co_op_has_no_attacks(self) -> None:
        arena = Arena(aim=40)
        self.clear(arena, 0)
        assert arena.seats[1].coming.total() == 0 and arena.seats[0].sent == 0

    def test_all_lines_count_and_the_end_comes_500_ms_later(self) -> None:
        arena = Arena(aim=40, players=3)
        self.clear(arena, *[0, 1, 2] * 3)
        cleared_ms = arena.t_ms
        arena.wait(FLIGHT_MS)
        assert arena.match.gathered[0] == 36 and not arena.match.over and arena.match.ends_ms == NOT_YET
        self.clear(arena, 0)
        assert arena.match.ends_ms == cleared_ms + 2 * FLIGHT_MS + 300
        arena.wait(5000)
        assert is_won(arena, 0) and arena.match.gathered[0] == 40

    def test_co_op_has_only_one_round(self) -> None:
        arena = Arena(aim=4, wins=3)
        assert not arena.match.is_decided()
        make_tetris(arena, 0)
        make_tetris(arena, 1)
        arena.wait(5000)
        assert arena.match.over and arena.match.is_decided()

    def test_the_team_that_is_first_wins(self) -> None:
        arena = Arena(aim=8, players=4, teams=0b1100)
        self.clear(arena, 0, 2, 3, 1)
        arena.wait(5000)
        assert arena.match.winner == 1

    def test_nobody_wins_if_both_teams_finish_at_the_same_moment(self) -> None:
        arena = make_tetris(Arena(aim=4, teams=0b01), 0)
        make_tetris(arena, 1)
        arena.wait(5000)
        assert is_won(arena, NOBODY)

    def test_co_op_is_lost_when_all_are_out(self) -> None:
        arena = knock_out(Arena(aim=40), 0, 1000)
        assert not arena.match.over and is_won(knock_out(arena, 1, FLIGHT_MS), NOBODY)

    def test_one_team_plays_on_after_the_other_is_out(self) -> None:
        arena = knock_out(Arena(aim=4, teams=0b01), 0, 2000)
        assert not arena.match.over
        self.clear(arena, 1)
        arena.wait(1000)
        assert is_won(arena, 0) and arena.seats[1].team == 0


class TestPractice:
    """Guideline B1.2.3."""

    def test_practice_begins_at_once_on_the_current_level(self) -> None:
        arena = Arena(players=3, quicken_s=2)
        arena.wait(5000)
        arena.drop(0)
        level = arena.game(0).level
        knock_out(arena, 0)
        arena.wait(0)
        arena.wait(1)
        practice = arena.seats[0].practice
        assert practice.level == level == 3 and practice.piece
        arena.tap(0, "hard")
        assert practice.lock_downs == 1 and arena.game(0).over

    def test_practice_uses_the_options_of_its_player(self) -> None:
        arena = Arena(players=3)
        arena.match.choices[0].das_ms = 123
        knock_out(arena, 0, 1)
        assert arena.seats[0].practice.options is arena.match.choices[0]

    @pytest.mark.parametrize("rules", [{"players": 3}, {"players": 2, "aim": 20}])
    def test_practice_uses_the_spare_game_of_the_match(self, rules: dict[str, int]) -> None:
        arena = Arena(**rules)
        (spare,) = arena.match.games
        assert spare.matrix is None  # a new game would find no block in a board's heap
        assert knock_out(arena, 0, 1).seats[0].practice is spare and spare.matrix and not arena.match.games

    def test_practice_gives_events(self) -> None:
        arena = knock_out(Arena(players=3), 0, 1)
        arena.seats[0].happened = 0
        arena.wait(20_000)  # until a Tetrimino has fallen and locked down
        assert arena.seats[0].happened & events.LOCKED

    def test_practice_attacks_nobody(self) -> None:
        arena = knock_out(Arena(players=3), 0, 1)
        practice = arena.seats[0].practice
        for y in range(4):
            practice.matrix.set_row(y, b"\x01" * 9 + b"\x00")
        practice.enter(1)
        arena.tap(0, "cw", *["right"] * 4, "hard")
        arena.wait(400)
        assert practice.lines == 4 and arena.seats[1].coming.total() == 0 and not arena.seats[0].sent

    def test_practice_restarts_each_time_it_ends(self) -> None:
        arena = knock_out(Arena(players=3), 0)
        for _ in range(60):
            arena.wait(200)
            arena.tap(0, "hard")
        assert arena.seats[0].practised >= 3 and arena.game(0).lock_downs == 1 and arena.seats[0].out_ms == 0

    def test_practice_is_the_same_in_any_time_slices(self) -> None:
        def play(slice_ms: int) -> tuple:
            arena = knock_out(Arena(players=3, play_level=15), 0)
            while arena.t_ms < 60_000:
                arena.wait(slice_ms)
            seat = arena.seats[0]
            return seat.practised, seat.practice_ms, seat.practice.lock_downs, bytes(seat.practice.matrix.rows[0])

        assert play(500) == play(1000) == play(60_000) == play(20)

    def test_no_practice_if_the_round_ends_with_that_player(self) -> None:
        arena = knock_out(Arena(players=2), 0, 1)
        assert arena.seats[0].practice is None
        arena.wait(600)
        assert arena.match.over and not arena.seats[0].practised

    def test_no_practice_if_two_of_three_are_out_at_once(self) -> None:
        def play(slice_ms: int) -> list[int]:
            arena = knock_out(knock_out(Arena(players=3), 0), 1)
            while arena.t_ms < 450:
                arena.wait(slice_ms)
            return [seat.practised for seat in arena.seats]

        assert play(1) == play(450) == [0, 0, 0]

    def test_a_computer_does_not_practise(self) -> None:
        arena = knock_out(Arena(players=3, who=0x005), 0, 1000)
        arena.tap(0, "hard")
        assert arena.seats[0].practice is None


class TestOptions:
    @pytest.mark.parametrize("field", FIELDS, ids=lambda field: field[0])
    def test_each_field_has_its_range(self, field: tuple[str, int, int, int]) -> None:
        for value in (field[1] - 1, field[2] + 1):
            options = MatchOptions()
            setattr(options, field[0], value)
            with pytest.raises(ValueError, match=f"option {field[0]} is {value}"):
                check(options)

    @pytest.mark.parametrize(("players", "teams"), [(2, 3), (2, 4), (3, 7), (3, 8), (4, 15 & ~1 | 1)])
    def test_a_team_needs_a_player(self, players: int, teams: int) -> None:
        options = MatchOptions()
        options.players, options.teams = players, teams
        with pytest.raises(ValueError, match="teams is"):
            check(options)

    def test_the_options_of_a_players_games_are_checked_too(self) -> None:
        bad_options = Options()
        bad_options.level = 16
        with pytest.raises(ValueError, match="level is 16"):
            Match(1, MatchOptions(), [Options(), bad_options])
