"""Issue 17: devices in a ring agree on a match and play it; each computes one game, all have the same match."""

from __future__ import annotations

import functools
import random
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from firmware.engine.controls import HARD_DROP
from firmware.engine.game import LOCK_OUT
from firmware.engine.options import Options
from firmware.link.events import LATE
from firmware.link.members import LEFT, LOST, OVER, PAUSED, RUNNING, WAITING
from firmware.link.ring import HEAD
from firmware.match.flight import FLIGHT_MS
from firmware.match.match import Match
from firmware.match.options import AT_RANDOM, MARKED
from firmware.match.seat import IN
from tests.support.handhelds.ring_harness import RingHarness, spoil

BUSY_BYTES = 1500  # a second and player, at most
START_MS = 20


def sessions(circle: RingHarness) -> list[Any]:
    return [side.session for side in circle.sides]


def begun(count: int = 2, seed: int = 1, **rules: Any) -> RingHarness:
    """Return a circle whose match runs for a moment."""
    circle = RingHarness(count, seed, **rules)
    circle.run(lambda: all(side.session and side.match.time_ms > 300 for side in circle.sides))
    return circle


def play_alone(circle: RingHarness) -> Match:
    """Play everybody's edges on one device."""
    lobby = circle.sides[0].lobby
    match = Match(lobby.seed, circle.sides[0].match.options, [Options() for _ in circle.sides])
    edges = sorted((edge for side in circle.sides for edge in side.edges), key=lambda edge: edge[0])
    for t_ms, number, button, pressed in edges:
        match.input(number, button, pressed, t_ms)
    match.advance(10_000_000)
    return match


class TestOneMatch:
    @pytest.mark.parametrize(
        ("count", "rules"),
        [
            (2, {}),
            (2, {"aim": 4, "quicken_s": 5}),
            (3, {"target": MARKED, "starting": 3}),
            (3, {"teams": 0b001, "handicaps": 1}),
            (4, {"target": AT_RANDOM, "solid": 1}),
            (4, {"teams": 0b0110, "aim": 6}),
        ],
    )
    @pytest.mark.no_cover
    def test_it_is_the_match_that_one_device_plays_from_the_same_edges(self, count: int, rules: dict) -> None:
        circle = RingHarness(count, count, **rules)
        circle.run()
        assert len(circle.results()) == 1
        alone = play_alone(circle)
        for side in circle.sides:
            match = side.match
            assert (match.ends_ms, match.winner) == (alone.ends_ms, alone.winner)
            assert [seat.out_ms for seat in match.seats] == [seat.out_ms for seat in alone.seats]
            assert [seat.sent for seat in match.seats] == [seat.sent for seat in alone.seats]
            assert [seat.received for seat in match.seats] == [seat.received for seat in alone.seats]
            own = match.seats[match.me].game
            assert own.matrix.masks == alone.seats[match.me].game.matrix.masks

    def test_a_tetrimino_that_locks_out_counts_on_every_handheld(self) -> None:
        ends = set()
        for seed in range(4):
            circle = RingHarness(2, seed)
            circle.run()
            for side in circle.sides:
                own = side.match.seats[side.match.me].game
                ends.add(own.over)
                for other in circle.sides:
                    assert other.match.seats[side.match.me].game.statistics.pieces == own.statistics.pieces
        assert LOCK_OUT in ends

    @pytest.mark.parametrize("count", [2, 3, 4])
    def test_everybody_sees_everybodys_matrix_hold_and_next(self, count: int) -> None:
        circle = RingHarness(count, 5, armed=True)
        spoil(circle.lines, delay_ms=1)
        circle.run(lambda: all(side.session and side.match.time_ms > 1500 for side in circle.sides))
        for side in circle.sides:
            side.plays = False
        circle.wait(400)
        for side in circle.sides:
            for seat in side.match.seats:
                own = circle.sides[[s.match.me for s in circle.sides].index(seat.number)].match.seats[seat.number]
                assert seat.game.hold == own.game.hold
                if seat.out_ms == IN and not own.game.hit_count and own.game.piece:
                    assert seat.game.matrix.masks == own.game.matrix.masks
                    assert seat.game.next == own.game.next

    @pytest.mark.no_cover
    def test_attacks_go_round(self) -> None:
        sent = received = 0
        for seed in range(6):
            circle = RingHarness(3, seed, armed=True, quicken_s=0)
            circle.run()
            assert len(circle.results()) == 1
            match = circle.sides[0].match
            sent += sum(seat.sent for seat in match.seats)
            received += sum(seat.received for seat in match.seats)
        assert sent > 10 and received > 10

    @pytest.mark.no_cover
    def test_lines_cleared_together_are_everybodys(self) -> None:
        winners = set()
        for seed in range(6):
            circle = RingHarness(3, seed, armed=True, aim=3, teams=0b001, quicken_s=0)
            circle.run()
            ((_ends_ms, winner, _hash),) = circle.results()
            winners.add(winner)
            gathered = {tuple(side.match.gathered) for side in circle.sides}
            assert winner < 0 or len(gathered) == 1
        assert winners - {-1}

    @pytest.mark.parametrize("count", [2, 3, 4])
    @pytest.mark.parametrize("delay_ms", [0, 8, 60])
    @pytest.mark.no_cover
    def test_the_countdown_ends_on_all_within_20_ms(self, count: int, delay_ms: int) -> None:
        worst_ms = 0
        for seed in range(3):
            circle = RingHarness(count, seed)
            spoil(circle.lines, delay_ms=delay_ms, jitter_ms=5)
            circle.run(functools.partial(have_begun, circle))
            zeros = [side.zero_ms or 0 for side in circle.sides]
            worst_ms = max(worst_ms, max(zeros) - min(zeros))
        assert worst_ms <= START_MS

    def test_names_and_options_are_everybodys(self) -> None:
        circle = RingHarness(3)
        circle.run(lambda: circle.sides[0].session is not None)
        lobbies = [side.lobby for side in circle.sides]
        assert len({tuple(bytes(member.name) for member in lobby.members) for lobby in lobbies}) == 1
        assert len({lobby.me.wish for lobby in lobbies}) == len({lobby.digest() for lobby in lobbies}) == 1

    @pytest.mark.no_cover
    def test_rounds_follow_each_other(self) -> None:
        circle = RingHarness(3, 3, wins=2)
        for number in range(3):
            circle.run()
            assert len(circle.results()) == 1
            assert {side.match.round for side in circle.sides} == {number}
            assert len({bytes(side.match.wins) for side in circle.sides}) == 1
            circle.go_on()

    @pytest.mark.no_cover
    def test_a_busy_match_takes_at_most_1500_bytes_a_second_and_player(self) -> None:
        circle = RingHarness(4, 2, armed=True)
        circle.run(lambda: all(side.session and side.match.time_ms for side in circle.sides))
        before = [line.carried for line in circle.lines]
        begun_ms = circle.now_ms
        circle.run()
        for line, carried in zip(circle.lines, before, strict=True):
            assert (line.carried - carried) * 1000 < BUSY_BYTES * 4 * (circle.now_ms - begun_ms)

    def test_who_is_out_practises_as_often_as_that_ends(self) -> None:
        circle = begun(3)
        for side in circle.sides:
            side.plays = False
        match: Any = circle.sides[0].match
        mine = match.seats[match.me]

        def practised() -> bool:
            match.input(match.me, HARD_DROP, 1, match.time_ms)
            return mine.practised > 2

        circle.run(practised)
        assert mine.out_ms != IN


class TestLateNews:
    @pytest.mark.no_cover
    def test_an_attack_that_comes_late_enters_when_it_comes_and_all_note_that(self) -> None:
        late: set[int] = set()
        for seed in range(8):
            circle = RingHarness(2, seed, armed=True, quicken_s=0)
            spoil(circle.lines, delay_ms=FLIGHT_MS + 200)
            told: list[list[int]] = [[], []]
            circle.run(functools.partial(note_late, circle, told))
            assert len(circle.results()) == 1
            late |= {head for heads in told for head in heads}
        assert late

    def test_the_end_waits_for_the_news(self) -> None:
        circle = RingHarness(2, 1)
        spoil(circle.lines, delay_ms=1500)
        circle.run()
        ((ends_ms, _winner, _hash),) = circle.results()
        assert max(side.match.time_ms for side in circle.sides) > ends_ms + 500


class TestPause:
    @pytest.mark.no_cover
    def test_a_pause_is_everyones(self) -> None:
        circle = begun(3)
        first = sessions(circle)[0]
        first.pause(circle.sides[0].clock(circle.now_ms))
        circle.wait(200)
        assert [session.state for session in sessions(circle)] == [PAUSED, WAITING, WAITING]
        assert all(session.is_paused() for session in sessions(circle))
        stood = [side.match.time_ms for side in circle.sides]
        circle.wait(70_000)
        assert [side.match.time_ms for side in circle.sides] == stood
        first.resume(circle.sides[0].clock(circle.now_ms))
        circle.run(lambda: all(session.state == RUNNING and not session.counting for session in sessions(circle)))
        circle.run()
        assert len(circle.results()) == 1

    def test_all_clocks_are_one_again_after_it(self) -> None:
        circle = begun(3)
        for side in circle.sides:
            side.plays = False
        sessions(circle)[1].pause(circle.sides[1].clock(circle.now_ms))
        circle.wait(5000)
        sessions(circle)[1].resume(circle.sides[1].clock(circle.now_ms))
        circle.wait(3000)
        zeros = []
        for side in circle.sides:
            assert side.session
            clock_ms = side.clock(circle.now_ms)
            zeros.append(side.session.read_time_ms(clock_ms))
        assert max(zeros) - min(zeros) <= START_MS

    def test_who_is_behind_has_the_time_to_catch_up(self) -> None:
        """The start is called for so much later, for that one begins earlier."""
        circle = begun(3)
        first = min(sessions(circle), key=lambda session: session.me)
        behind = first.match.seats[2]
        called = []
        for behind_ms in (0, 700):
            for seat in first.match.seats[1:]:
                seat.known_ms = first.match.time_ms
            behind.known_ms -= behind_ms
            first.call_start(1000)
            called.append(first.moment)
        assert called[1] - called[0] == 700

    def test_a_pause_while_it_counts_down_stops_the_start(self) -> None:
        circle = RingHarness(2)
        circle.run(lambda: all(session and session.counting for session in sessions(circle)))
        sessions(circle)[1].pause(circle.sides[1].clock(circle.now_ms))
        circle.wait(6000)
        assert [side.match.time_ms for side in circle.sides] == [0, 0]
        sessions(circle)[1].resume(circle.sides[1].clock(circle.now_ms))
        circle.run()
        assert len(circle.results()) == 1


class TestPulledCable:
    @pytest.mark.no_cover
    def test_all_stop_within_half_a_second_and_go_on_where_they_were(self) -> None:
        for count in (2, 3, 4):
            circle = begun(count)
            circle.lines[1].cut = True
            circle.wait(500)
            assert all(session.state == WAITING for session in sessions(circle))
            assert any(session.away for session in sessions(circle))
            stood = [side.match.time_ms for side in circle.sides]
            circle.wait(5000)
            assert [side.match.time_ms for side in circle.sides] == stood
            circle.lines[1].cut = False
            circle.run()
            assert len(circle.results()) == 1
            assert all(session.state != LOST for session in sessions(circle))

    @pytest.mark.no_cover
    def test_after_30_s_the_link_is_lost_for_all(self) -> None:
        for count in (2, 3):
            circle = begun(count)
            circle.lines[0].cut = True
            circle.run()
            assert [session.state for session in sessions(circle)] == [LOST] * count

    def test_who_stays_away_is_out_and_the_rest_plays_on(self) -> None:
        for place in range(3):
            circle = begun(3, place)
            circle.lose(place)
            circle.wait(25_000)
            assert all(side.session and side.session.state == WAITING for side in circle.living)
            circle.run()
            assert len(circle.results()) == 1
            for side in circle.living:
                gone = side.match.seats[circle.sides[place].match.me]
                assert gone.gone and gone.out_ms != IN

    @pytest.mark.no_cover
    def test_who_is_gone_stays_out_in_the_next_round(self) -> None:
        circle = begun(4, 2, wins=2)
        circle.lose(1)
        circle.run()
        circle.sides = circle.living
        circle.go_on()
        circle.run()
        assert len(circle.results()) == 1

    def test_one_way_alone_cut_stops_both(self) -> None:
        circle = begun(2)
        circle.lines[0].cut = True
        circle.wait(450)
        assert [session.state for session in sessions(circle)] == [WAITING, WAITING]


class TestLeaving:
    @pytest.mark.no_cover
    @pytest.mark.parametrize("delay_ms", [5, 900])
    def test_of_two_the_other_one_wins_and_both_know(self, delay_ms: int) -> None:
        circle = begun(2)
        spoil(circle.lines, delay_ms=delay_ms)
        leaver, other = circle.sides
        out_ms = leaver.match.time_ms
        leaver.leave()
        circle.wait(2 * delay_ms + 100)
        ((ends_ms, winner, _hash),) = circle.results()
        assert winner == other.match.me and ends_ms - FLIGHT_MS in (out_ms, out_ms + 1)
        assert leaver.match.over and leaver.away
        circle.wait(40_000)
        assert other.session and other.session.state == OVER, "who has won does not miss the other one"

    @pytest.mark.no_cover
    @pytest.mark.parametrize("count", [3, 4])
    def test_of_three_and_four_the_others_play_on(self, count: int) -> None:
        for place in range(count):
            circle = begun(count, place)
            leaver = circle.sides[place]
            leaver.leave()
            circle.wait(300)
            assert leaver.away
            circle.wait(1200)
            others = [side for side in circle.sides if side is not leaver]
            assert [side.session and side.session.state for side in others] == [RUNNING] * (count - 1)
            circle.run()
            assert len(circle.results()) == 1
            assert all(side.match.over for side in others)
            assert len({side.match.seats[leaver.match.me].out_ms for side in circle.sides}) == 1

    def test_all_may_leave_one_after_the_other(self) -> None:
        circle = begun(4, 2)
        for side in circle.sides[:3]:
            side.leave()
            circle.wait(600)
        circle.run()
        ((_ends_ms, winner, _hash),) = circle.results()
        assert winner == circle.sides[3].match.me
        circle.sides[3].leave()
        assert circle.sides[3].session and circle.sides[3].session.state == OVER, "there is nobody to be told"

    @pytest.mark.parametrize("count", [2, 3])
    def test_all_may_leave_at_once(self, count: int) -> None:
        circle = begun(count)
        for side in circle.sides:
            side.leave()
        circle.run(lambda: all(side.away for side in circle.sides))
        assert len(circle.results()) <= 1

    @pytest.mark.no_cover
    def test_what_all_clear_together_one_alone_plays_on(self) -> None:
        circle = begun(2, 3, aim=30)
        circle.sides[0].leave()
        circle.wait(60_000)
        assert circle.sides[0].away
        circle.run()
        assert circle.sides[1].match.over

    @pytest.mark.no_cover
    def test_nobody_waits_for_the_word_of_a_player_who_left(self) -> None:
        """The first has had no power for long; the second says so just before it hears that the third leaves."""
        play(
            seed=3964,
            faults={"delay_ms": 400, "jitter_ms": 30, "doubles": 0.04, "flips": 0.04},
            cuts=[(360, 100, 0), (360, 100, 0)],
            dead_ms=3000,
            leave_ms=12_000,
            rules={"starting": 1},
        )

    def test_who_leaves_after_a_round_is_out_of_the_next_one(self) -> None:
        circle = begun(3, 2, wins=2)
        circle.run()
        circle.wait(500)
        leaver = circle.sides[1]
        leaver.leave()
        circle.wait(500)
        circle.go_on()
        circle.run()
        others = [side for side in circle.sides if side is not leaver]
        assert {side.match.seats[leaver.match.me].out_ms for side in others} == {0}
        assert len({side.match.hash() for side in others}) == 1

    def test_loss_heard_of_a_round_late_eliminates_from_the_start(self) -> None:
        circle = begun(2, 1, wins=2)
        circle.run()
        circle.wait(500)
        for side, session in zip(circle.sides, sessions(circle), strict=True):
            session.make_ready(side.clock(circle.now_ms))
        first, second = sorted(circle.sides, key=lambda side: side.match.me)
        circle.run(lambda: first.match.round == 1)
        assert second.match.round == 0
        second.leave()
        circle.wait(200)
        assert first.match.over and first.match.seats[second.match.me].out_ms == 0

    @pytest.mark.no_cover
    def test_one_who_did_not_hear_of_it_makes_all_agree_anew(self) -> None:
        """The cable from the second to the third is out while the first leaves, and then has no power."""
        circle = begun(3, 4)
        leaver, second, third = (side.match for side in circle.sides)
        circle.lines[1].cut = True
        circle.sides[0].leave()
        circle.wait(3000)
        assert circle.sides[0].away
        circle.lose(0)
        circle.lines[1].cut = False
        assert second.seats[leaver.me].gone and not third.seats[leaver.me].gone
        circle.run()
        assert len({match.seats[leaver.me].out_ms for match in (second, third)}) == 1
        assert second.over and second.hash() == third.hash()


def play(
    seed: int, faults: dict[str, float], cuts: list[tuple[int, int, int]], dead_ms: int, rules: dict, leave_ms: int = 0
) -> None:
    """Play one match under all that may happen: who has a result has the same, everybody else says that it is lost."""
    chance = random.Random(seed)
    circle = RingHarness(2 + seed % 3, seed, armed=chance.random() < 0.6, **rules)
    spoil(circle.lines, **faults)
    count = len(circle.sides)
    for begin_ms, length_ms, place in cuts:
        line = circle.lines[place % count]
        circle.at(begin_ms, functools.partial(spoil, [line], cut=True))
        circle.at(begin_ms + length_ms, functools.partial(spoil, [line], cut=False))
    if dead_ms:
        circle.at(dead_ms, lambda: circle.lose(seed % count))
    if leave_ms:
        circle.at(leave_ms, circle.sides[(seed + 1) % count].leave)
    circle.run(functools.partial(are_done, circle))
    assert len(circle.results()) <= 1
    if leave_ms:
        circle.wait(leave_ms - circle.now_ms)  # where that is still to come
        circle.run(
            lambda: all(side.session is None or side.away or side.session.state != LEFT for side in circle.living)
        )
        circle.wait(2500)  # who has won may still be told
        assert len(circle.results()) <= 1
    if not cuts and not dead_ms:
        if leave_ms and faults.keys() & {"loss", "flips"}:
            return  # a line may be too bad for what is told only so long
        assert len(circle.results()) == 1
        assert all(side.away or side.session and side.session.state == OVER for side in circle.sides)


def note_late(circle: RingHarness, told: list[list[int]]) -> bool:
    """Note who tells of late lines; return whether the match is over."""
    for side, heads in zip(circle.sides, told, strict=True):
        if side.session and side.session.waiting:
            slot = side.session.slots[side.session.first & 15]
            if slot[HEAD] >> 4 == LATE:
                heads.append(slot[HEAD])
    return all(side.done for side in circle.sides)


def have_begun(circle: RingHarness) -> bool:
    return all(side.zero_ms is not None for side in circle.sides)


def are_done(circle: RingHarness) -> bool:
    return all(side.done or is_alone(side) for side in circle.living)


def is_alone(side: Any) -> bool:
    """Return whether a side says in its lobby that somebody is missing."""
    return side.session is None and side.circle.now_ms > 30_000


rules_of_match = st.fixed_dictionaries(
    {},
    optional={
        "target": st.integers(0, 2),
        "quicken_s": st.sampled_from((0, 2, 30)),
        "aim": st.sampled_from((0, 4, 10)),
        "teams": st.integers(1, 2),
        "starting": st.integers(0, 4),
    },
)
faults_of_lines = st.fixed_dictionaries(
    {"delay_ms": st.sampled_from((0, 5, 40, 400, 2000)), "jitter_ms": st.sampled_from((0, 30))},
    optional={"loss": st.just(0.04), "flips": st.just(0.04), "doubles": st.just(0.04)},
)
cuts_of_lines = st.lists(
    st.tuples(st.integers(0, 12_000), st.sampled_from((100, 500, 3000, 35_000, 10**9)), st.integers(0, 3)), max_size=2
)
matches = {
    "seed": st.integers(0, 10**6),
    "faults": faults_of_lines,
    "cuts": cuts_of_lines,
    "dead_ms": st.sampled_from((0, 0, 0, 300, 3000, 8000)),
    "leave_ms": st.sampled_from((0, 0, 0, 0, 2500, 6000, 9000, 12_000)),
    "rules": rules_of_match,
}


@pytest.mark.no_cover
@given(**matches)
@settings(max_examples=15)
def test_all_agree_or_say_that_the_link_is_lost(**match: Any) -> None:
    play(**match)


@pytest.mark.long
@given(**matches)
@settings(max_examples=10_000, phases=[Phase.explicit, Phase.reuse, Phase.generate])  # what shrinks here tells no more
def test_all_agree_or_say_that_the_link_is_lost_in_10_000_matches(**match: Any) -> None:
    play(**match)


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("count", [2, 3])
def test_a_cut_at_any_frame_of_the_handshake(count: int, step: int) -> None:
    for cut_at in range(1, 40, step):
        circle = RingHarness(count, cut_at)
        spoil(circle.lines[:1], cut_at=cut_at)
        circle.run(functools.partial(are_done, circle))
        assert len(circle.results()) == 0
        assert all(side.session is None or side.session.state == LOST for side in circle.sides)


@pytest.mark.no_cover
def test_two_who_go_one_after_the_other() -> None:
    """Found by the 10,000: the second is away before it could say that the first is."""
    play(134735, {"delay_ms": 0}, [(354, 3000, 1)], 8000, {})


def test_one_who_still_wants_other_options_does_not_begin_with_them() -> None:
    """Found by the 10,000: the key of the others' match was that of another match, which one of them began."""
    faults = {"delay_ms": 40, "loss": 0.04, "doubles": 0.04}
    play(785096, faults, [(7557, 3000, 0), (2593, 500, 3)], 0, {"quicken_s": 0})


@pytest.mark.no_cover
def test_greeting_sent_before_the_options_changed_is_ignored() -> None:
    """Found by the 10,000: one who had heard it last wanted what nobody else did, and was left behind in the lobby."""
    play(2519, {"delay_ms": 0, "jitter_ms": 0}, [], 0, {})


def test_one_who_agreed_to_a_match_begins_it_with_all_of_them() -> None:
    """Found by the 10,000: the frame that told of the match came when somebody had not been heard for too long."""
    play(691400, {"delay_ms": 400, "jitter_ms": 30, "loss": 0.04, "flips": 0.04}, [(9549, 35_000, 1)], 0, {"aim": 10})


def test_events_of_a_gone_player_count_as_the_last_survivors_know_them() -> None:
    """Found by the 10,000: one counted the word of a third who then went too, the other one did not."""
    play(279290, {"delay_ms": 0, "jitter_ms": 30, "loss": 0.04, "flips": 0.04}, [], 8000, {"aim": 4})


def test_last_player_left_before_the_start_begins_without_an_answer() -> None:
    """Found by the 10,000: that one waited for ever to know how long a round trip is."""
    circle = RingHarness(2, 3, aim=10)
    circle.run(lambda: all(side.session for side in circle.sides))
    circle.lines[1].cut = True
    circle.sides[0].leave()
    circle.run(lambda: circle.sides[1].match.time_ms > 0)


def test_that_one_left_is_told_until_all_have_heard_of_it() -> None:
    """Found by the 10,000: with two that was told once."""
    faults = {"delay_ms": 40, "jitter_ms": 30, "loss": 0.04}
    play(0, faults, [], 0, {}, 2500)


def test_what_was_taken_back_of_one_who_is_gone_cannot_be_had_again() -> None:
    circle = begun(3)
    match = circle.sides[0].match
    number = (match.me + 1) % 3
    assert match.lose(number, 0, 200) and match.lose(number, 0, 100)
    assert match.seats[number].out_ms == 100
    assert not match.lose(number, 1, 100)


def test_who_was_out_by_itself_stays_so_when_it_is_gone() -> None:
    circle = begun(3)
    circle.sides[0].plays = False
    match = circle.sides[1].match
    seat: Any = match.seats[circle.sides[0].match.me]
    circle.run(lambda: seat.out_ms != IN or seat.shared.over)
    out_ms, count = seat.out_ms, seat.chronicle.count
    for _ in range(2):
        assert match.lose(seat.number, count, out_ms + 700)
        assert seat.out_ms == out_ms and seat.chronicle.count == count
