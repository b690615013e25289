"""The rules MODERN of a match: firmware/modes/README.md, 18."""

import itertools
from typing import Any

import pytest

from firmware.engine.extra_rules import ExtraRulesGame
from firmware.engine.game import Game
from firmware.engine.manipulation import FULL_SPIN, MINI_SPIN, NO_SPIN
from firmware.match.options import MatchOptions
from firmware.save.recordings.match_reading import read_options
from firmware.save.recordings.match_recording import MatchPlayer, MatchRecording
from firmware.save.varint import Numbers
from sim.bots.attacks import find_attacks
from tests.support.arena import Arena, clear_rows
from tests.support.handhelds.ring_harness import RingHarness, check_by_one_device
from tests.support.standings import Table, make_tetris, standing

MODERN = 1


@pytest.mark.parametrize(
    ("spin", "sent"),
    [(NO_SPIN, [0, 1, 2, 4]), (MINI_SPIN, [0, 1, 2, 4]), (FULL_SPIN, [2, 4, 6])],
    ids=["none", "mini", "full"],
)
def test_match_rules_18_1_lines_sent_by_spin_and_back_to_back(spin: int, sent: list[int]) -> None:
    attacks = find_attacks("modern")
    assert [attacks.count_lines(spin, lines, 0, 0, False) for lines in range(1, len(sent) + 1)] == sent
    more = [attacks.count_lines(spin, lines, 1, 0, False) - lone for lines, lone in enumerate(sent, 1)]
    assert more == ([0, 0, 0, 1] if spin == NO_SPIN else [1] * len(sent))


def test_match_rules_18_1_a_combo_adds_lines() -> None:
    arena = Arena(rules=MODERN)
    sent = [clear_rows(arena, 1, "#####....#\n") for _ in range(14)]
    assert sent == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5]


def test_match_rules_18_1_an_empty_matrix_sends_ten_more() -> None:
    arena = Arena(rules=MODERN)
    assert [clear_rows(arena, 4), clear_rows(arena, 4)] == [14, 15], "the second is Back-to-Back, with a combo of 0"


def test_match_rules_18_2_an_all_spin_counts_like_a_mini() -> None:
    sent = []
    for turned in (False, True):
        arena = Arena(rules=MODERN)
        arena.draw(0, "##........\n..########\n#..#######\n")
        arena.deal(0, "Z")
        game = arena.game(0)
        assert game.place(7, 0, 0, 2)
        game.turned_last = turned
        game.chain = 1
        game.find_ghost(game.y)
        arena.tap(0, "hard")
        sent.append(arena.seats[0].sent)
    assert sent == [1, 2], "a Double sends one line, a Mini Double one more in a Back-to-Back"


@pytest.mark.parametrize("modern", [0, 1, 2])
def test_match_rules_18_3_all_players_have_the_extra_rules(modern: int) -> None:
    arena = Arena(rules=MODERN, players=3, play_modern=modern, who=0x100)
    for number in range(3):
        assert type(arena.game(number)) is ExtraRulesGame and arena.game(number).options.modern == 7
    assert type(Arena(play_modern=7).game(0)) is Game, "by the guideline nobody has them"


def test_match_rules_18_3_a_half_turn_is_a_turn_of_the_match() -> None:
    for rules, facing in ((0, 0), (MODERN, 2)):
        arena = Arena(rules=rules)
        arena.deal(0, "T")
        for pressed in (1, 0):
            for button in (4, 5):
                arena.match.input(0, button, pressed, 0)
        assert arena.game(0).facing == facing


def test_match_rules_18_4_at_most_eight_lines_rise() -> None:
    arena = Arena(rules=MODERN)
    arena.attack(1, 19)
    risen = []
    for _ in range(4):
        arena.draw(1, "..........\n" * 39)
        arena.drop(1)
        risen.append(arena.seats[1].received)
    assert risen == [8, 16, 19, 19]


def test_match_rules_18_4_no_line_rises_after_a_line_clear() -> None:
    arena = Arena(rules=MODERN)
    arena.attack(0, 6)
    clear_rows(arena, 2, "#####....#\n")
    assert (arena.seats[0].queued, arena.seats[0].received, arena.seats[0].countered) == (5, 0, 1)
    arena.drop(0)
    assert (arena.seats[0].queued, arena.seats[0].received) == (0, 5)


def test_match_rules_18_5_lines_that_rise_together_share_a_gap() -> None:
    arena = Arena(rules=MODERN, seed=3)
    portions = [3, 1, 8, 2, 5]
    gaps = []
    for lines in portions:
        arena.attack(1, lines)
        arena.drop(1)
        gaps.append(arena.gaps(1)[-lines:])
        arena.draw(1, "..........\n" * 39)
    assert all(len(set(each)) == 1 for each in gaps)
    assert all(one[0] != other[0] for one, other in itertools.pairwise(gaps))


def test_match_rules_18_6_co_op_attacks_nobody() -> None:
    arena = Arena(rules=MODERN, aim=40)
    assert clear_rows(arena, 4) == 0 and type(arena.game(0)) is ExtraRulesGame


class TestRecordings187:
    def test_match_rules_a_recording_carries_them(self) -> None:
        table = Table(rules=MODERN)
        for _ in range(2):
            table.play_round(1)
            if not table.match.is_decided():
                table.start_next_round()
        recording = MatchRecording(table.noted.replay())
        player = MatchPlayer(recording)
        player.advance(1 << 28)
        assert player.match.options.rules == MODERN and type(player.match.seats[0].game) is ExtraRulesGame
        player.begin_next()
        player.advance(1 << 28)
        assert standing(player.match) == standing(table.match)

    def test_match_rules_an_older_recording_is_guideline(self) -> None:
        numbers = Numbers(bytearray([3, 2, 0, 0, 0]), False)
        options, _choices = read_options(numbers)
        assert (options.players, options.rules) == (2, 0) == (2, MatchOptions().rules)


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.no_cover) for seed in (4, 7))])
def test_match_rules_18_7_a_linked_match_is_equal_on_both(seed: int) -> None:
    ring = RingHarness(2, seed, rules=MODERN, starting=6, quicken_s=15)
    ring.seat_computers(5, 4)
    ring.finish()
    assert all(seat.received and seat.countered for seat in ring.sides[0].match.seats), "there are attacks"
    assert all(side.match.options.rules == MODERN and not side.match.guilty for side in ring.sides)
    check_by_one_device(ring, [side.match.choices[side.match.me] for side in ring.sides])


@pytest.mark.parametrize(("piece", "most"), [(1, MINI_SPIN), (6, FULL_SPIN)])
def test_match_rules_18_7_the_lines_of_a_far_spin_are_checked(piece: int, most: int) -> None:
    """A spin of another Tetrimino than T is a Mini at most."""
    ring = RingHarness(2, 1, rules=MODERN)
    ring.run(lambda: all(side.session for side in ring.sides))
    match: Any = ring.sides[0].match
    seat = match.seats[1 - match.me]
    lines = {turned: match.modern.count(seat.game, turned, 2, 0) for turned in (MINI_SPIN, FULL_SPIN)}
    assert lines[MINI_SPIN] < lines[FULL_SPIN]
    for turned, sent in lines.items():
        event = bytearray(16)
        event[4], event[7] = piece << 5, sent
        seat.game.chain = 1
        assert bool(seat.find_chains(1, 2, event, 0)) == (turned <= most)


def test_match_rules_guideline_sends_as_before() -> None:
    arena = make_tetris(Arena())
    assert arena.seats[0].sent == 4 and type(arena.game(0)) is Game and arena.match.modern is None
