"""Devices on a ring agree on a match and play it: each computes one game, and all results are equal."""

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
from firmware.match.options import AT_RANDOM, MARKED
from firmware.match.seat import NOT_YET
from tests.support.handhelds.ring_harness import RingHarness, begun, check_by_one_device, set_faults

BUSY_BYTES = 1500  # at most, per second and player
START_MS = 20


class TestOneMatch:
    @pytest.mark.parametrize(
        ("count", "rules"),
        [(2, {}), (2, {"aim": 4, "quicken_s": 5}), (3, {"target": MARKED, "starting": 3})]
        + [(3, {"teams": 0b001, "handicaps": 1}), (4, {"target": AT_RANDOM, "solid": 1})]
        + [(4, {"teams": 0b0110, "aim": 6})],
    )
    @pytest.mark.no_cover
    def test_a_linked_match_equals_one_on_one_device_with_the_same_edges(self, count: int, rules: dict) -> None:
        ring = RingHarness(count, count, **rules)
        ring.finish()
        check_by_one_device(ring, [Options() for _ in ring.sides])

    def test_a_tetrimino_that_locks_out_counts_on_every_device(self) -> None:
        ends = set()
        for seed in range(2, 6):
            ring = RingHarness(2, seed)
            ring.run()
            for side in ring.sides:
                own = side.seat_of(side).game
                ends.add(own.over)
                assert {other.seat_of(side).game.statistics.pieces for other in ring.sides} == {own.statistics.pieces}
        assert LOCK_OUT in ends

    @pytest.mark.parametrize("count", [2, 3, 4])
    def test_all_devices_show_the_same_matrix_hold_and_next(self, count: int) -> None:
        ring = RingHarness(count, 5, armed=True)
        set_faults(ring.lines, delay_ms=1)
        ring.run(lambda: all(side.session and side.match.time_ms > 1500 for side in ring.sides))
        for side in ring.sides:
            side.plays = False
        ring.wait(400)
        for side in ring.sides:
            own = side.seat_of(side)
            for seat in [other.seat_of(side) for other in ring.sides]:
                assert seat.game.hold == own.game.hold
                if seat.out_ms == NOT_YET and not own.game.hit_count and own.game.piece:
                    assert (seat.game.matrix.masks, seat.game.next) == (own.game.matrix.masks, own.game.next)

    @pytest.mark.no_cover
    def test_co_op_lines_count_the_same_on_all_devices(self) -> None:
        winners = set()
        for seed in range(6):
            ring = RingHarness(3, seed, armed=True, aim=3, teams=0b001, quicken_s=0)
            _ends_ms, winner, _hash = ring.finish()
            winners.add(winner)
            assert winner < 0 or len({tuple(side.match.gathered) for side in ring.sides}) == 1
        assert winners - {-1}

    @pytest.mark.parametrize("count", [2, 3, 4])
    @pytest.mark.parametrize("delay_ms", [0, 8, 60])
    @pytest.mark.no_cover
    def test_the_countdown_ends_on_all_devices_within_20_ms(self, count: int, delay_ms: int) -> None:
        for seed in range(1, 4):
            ring = RingHarness(count, seed)
            set_faults(ring.lines, delay_ms=delay_ms, jitter_ms=5)
            ring.run(lambda ring=ring: all(side.zero_ms is not None for side in ring.sides))  # type: ignore[misc]
            zeros = [side.zero_ms or 0 for side in ring.sides]
            assert max(zeros) - min(zeros) <= START_MS

    @pytest.mark.no_cover
    def test_all_devices_agree_on_each_of_three_rounds(self) -> None:
        ring = RingHarness(3, 3, wins=2)
        for number in range(3):
            ring.finish()
            assert {side.match.round for side in ring.sides} == {number}
            assert len({bytes(side.match.wins) for side in ring.sides}) == 1
            ring.start_next_round()

    @pytest.mark.no_cover
    def test_a_busy_match_takes_at_most_1500_bytes_a_second_and_player(self) -> None:
        ring = RingHarness(4, 2, armed=True)
        ring.run(lambda: all(side.session and side.match.time_ms for side in ring.sides))
        before = [line.carried for line in ring.lines]
        begun_ms = ring.now_ms
        ring.run()
        for line, carried in zip(ring.lines, before, strict=True):
            assert (line.carried - carried) * 1000 < BUSY_BYTES * 4 * (ring.now_ms - begun_ms)

    def test_a_player_who_is_out_practises_again_and_again(self) -> None:
        ring = begun(3, plays=False)
        match = ring.sides[0].match
        mine = match.seats[match.me]
        ring.run(lambda: match.input(match.me, HARD_DROP, 1, match.time_ms) or mine.practised > 2)
        assert mine.out_ms != NOT_YET


class TestLateReports:
    @pytest.mark.no_cover
    def test_a_late_attack_counts_on_arrival_and_is_reported(self) -> None:
        late: list[int] = []

        def note_late() -> bool:
            for session in ring.sessions:
                if session and session.ring.waiting:
                    slot = session.ring.slots[session.ring.first & 15]
                    late.extend([slot[HEAD]] if slot[HEAD] >> 4 == LATE else [])
            return all(side.done for side in ring.sides)

        for seed in range(8):
            ring = RingHarness(2, seed, armed=True, quicken_s=0)
            set_faults(ring.lines, delay_ms=FLIGHT_MS + 200)
            ring.run(note_late)
            assert len(ring.results()) == 1
        assert late

    def test_the_end_of_a_round_waits_for_all_reports(self) -> None:
        ring = RingHarness(2, 1)
        set_faults(ring.lines, delay_ms=1500)
        ends_ms, _winner, _hash = ring.finish()
        assert max(side.match.time_ms for side in ring.sides) > ends_ms + 500


class TestPause:
    @pytest.mark.no_cover
    def test_a_pause_stops_all_devices(self) -> None:
        ring = begun(3)
        first = ring.sides[0]
        first.session.pause(first.now_ms)
        ring.wait(200)
        assert ring.states == [PAUSED, WAITING, WAITING]
        assert {session.find_pauser(7) for session in ring.sessions} == {first.match.me}
        stopped_ms = [side.match.time_ms for side in ring.sides]
        ring.wait(70_000)
        assert [side.match.time_ms for side in ring.sides] == stopped_ms
        first.session.resume(first.now_ms)
        ring.run(lambda: all(session.is_running() for session in ring.sessions))
        ring.finish()

    def test_all_clocks_agree_again_after_a_pause(self) -> None:
        ring = begun(3, plays=False)
        second = ring.sides[1]
        second.session.pause(second.now_ms)
        ring.wait(5000)
        second.session.resume(second.now_ms)
        ring.wait(5000)
        zeros = [side.session.read_time_ms(side.now_ms) for side in ring.sides]
        assert max(zeros) - min(zeros) <= START_MS

    def test_a_start_is_delayed_by_the_time_that_a_player_is_behind(self) -> None:
        first = min(begun(3).sessions, key=lambda session: int(session.me))
        moments = []
        for behind_ms in (0, 700):
            for number in (1, 2):
                first.match.seats[number].known_ms = first.match.time_ms - behind_ms * (number == 2)
            first.call_start(1000)
            moments.append(first.clock.moment)
        assert moments[1] - moments[0] == 700

    def test_a_pause_in_the_countdown_stops_the_start(self) -> None:
        ring = RingHarness(2)
        ring.run(lambda: all(session and session.clock.counting for session in ring.sessions))
        second = ring.sides[1]
        second.session.pause(second.now_ms)
        ring.wait(6000)
        assert [side.match.time_ms for side in ring.sides] == [0, 0]
        second.session.resume(second.now_ms)
        ring.finish()


class TestPulledCable:
    @pytest.mark.no_cover
    @pytest.mark.parametrize("count", [2, 3, 4])
    def test_all_stop_within_half_a_second_and_continue_where_they_were(self, count: int) -> None:
        ring = begun(count)
        ring.lines[1].cut = True
        ring.wait(500)
        assert ring.states == [WAITING] * count and any(session.away for session in ring.sessions)
        stopped_ms = [side.match.time_ms for side in ring.sides]
        ring.wait(5000)
        assert [side.match.time_ms for side in ring.sides] == stopped_ms
        ring.lines[1].cut = False
        ring.finish()
        assert LOST not in ring.states

    @pytest.mark.no_cover
    @pytest.mark.parametrize("count", [2, 3])
    def test_after_30_s_the_link_is_lost_for_all(self, count: int) -> None:
        ring = begun(count)
        ring.lines[0].cut = True
        ring.wait(450)
        assert ring.states == [WAITING] * count
        ring.run()
        assert ring.states == [LOST] * count

    @pytest.mark.no_cover
    @pytest.mark.parametrize("place", [0, 1, 2])
    def test_a_player_who_stays_away_is_out_and_the_rest_play_on(self, place: int) -> None:
        ring = begun(3, place)
        ring.lose(place)
        ring.wait(25_000)
        assert [side.session.state for side in ring.living] == [WAITING] * 2
        ring.finish()
        gone = [side.seat_of(ring.sides[place]) for side in ring.living]
        assert all(seat.gone and seat.out_ms != NOT_YET for seat in gone)


class TestLeaving:
    @pytest.mark.no_cover
    @pytest.mark.parametrize("delay_ms", [5, 900])
    def test_of_two_players_the_one_who_stays_wins(self, delay_ms: int) -> None:
        ring = begun(2)
        set_faults(ring.lines, delay_ms=delay_ms)
        leaver, other = ring.sides
        out_ms = leaver.match.time_ms
        leaver.leave()
        ring.wait(2 * delay_ms + 100)
        ((ends_ms, winner, _hash),) = ring.results()
        assert winner == other.match.me and ends_ms - FLIGHT_MS in (out_ms, out_ms + 1)
        assert leaver.match.over and leaver.away
        ring.wait(40_000)
        assert other.session.state == OVER, "the winner does not wait for the other one"

    @pytest.mark.no_cover
    @pytest.mark.parametrize(("count", "place"), [(count, place) for count in (3, 4) for place in range(count)])
    def test_of_three_or_four_players_the_rest_play_on(self, count: int, place: int) -> None:
        ring = begun(count, place)
        leaver = ring.sides[place]
        leaver.leave()
        ring.wait(300)
        assert leaver.away
        ring.wait(1200)
        others = [side for side in ring.sides if side is not leaver]
        assert [side.session.state for side in others] == [RUNNING] * (count - 1)
        ring.finish()
        assert all(side.match.over for side in others)
        assert len({side.seat_of(leaver).out_ms for side in ring.sides}) == 1

    def test_all_may_leave_one_after_the_other(self) -> None:
        ring = begun(4, 2)
        last = ring.sides[3]
        for side in ring.sides[:3]:
            side.leave()
            ring.wait(600)
        _ends_ms, winner, _hash = ring.finish()
        assert winner == last.match.me
        last.leave()
        assert last.session.state == OVER, "nobody is left to inform"

    @pytest.mark.parametrize("count", [2, 3])
    def test_all_may_leave_at_once(self, count: int) -> None:
        ring = begun(count)
        for side in ring.sides:
            side.leave()
        ring.run(lambda: all(side.away for side in ring.sides))
        assert len(ring.results()) <= 1

    def test_a_race_ends_for_all_with_the_first_team_at_its_aim(self) -> None:
        ring = RingHarness(3, 1, armed=True, aim=1, teams=0b001, quicken_s=0)
        ring.run()
        assert {side.match.over for side in ring.sides} == {True} and len(ring.results()) == 1

    @pytest.mark.no_cover
    def test_one_player_alone_plays_on_in_co_op(self) -> None:
        ring = begun(2, 3, aim=30)
        ring.sides[0].leave()
        ring.wait(60_000)
        assert ring.sides[0].away
        ring.run()
        assert ring.sides[1].match.over

    def test_a_player_who_leaves_after_a_round_is_out_of_the_next_one(self) -> None:
        ring = begun(3, 2, wins=2)
        ring.run()
        ring.wait(500)
        leaver = ring.sides[1]
        leaver.leave()
        ring.wait(500)
        ring.start_next_round()
        ring.run()
        others = [side for side in ring.sides if side is not leaver]
        assert {side.seat_of(leaver).out_ms for side in others} == {0}
        assert len({side.match.hash() for side in others}) == 1

    def test_a_leave_heard_in_the_next_round_counts_from_its_start(self) -> None:
        ring = begun(2, 1, wins=2)
        ring.run()
        ring.wait(500)
        for side in ring.sides:
            side.session.make_ready(side.now_ms)
        first, second = sorted(ring.sides, key=lambda side: int(side.match.me))
        ring.run(lambda: first.match.round == 1)
        assert second.match.round == 0
        second.leave()
        ring.wait(200)
        assert first.match.over and first.seat_of(second).out_ms == 0

    @pytest.mark.no_cover
    def test_the_rest_agree_on_a_leave_that_one_device_missed(self) -> None:
        """The cable from the second to the third is out while the first leaves and loses power."""
        ring = begun(3, 4)
        leaver, second, third = ring.sides
        ring.lines[1].cut = True
        leaver.leave()
        ring.wait(3000)
        assert leaver.away
        ring.lose(0)
        ring.lines[1].cut = False
        assert second.seat_of(leaver).gone and not third.seat_of(leaver).gone
        ring.run()
        assert second.seat_of(leaver).out_ms == third.seat_of(leaver).out_ms
        assert second.match.over and second.match.hash() == third.match.hash()


def play(seed: int, faults: dict, cuts: Any = (), dead_ms: int = 0, rules: Any = None, leave_ms: int = 0) -> None:
    """Play a match with faults; check that all results are equal and all other devices lost the link."""
    chance = random.Random(seed)
    ring = RingHarness(2 + seed % 3, seed, armed=chance.random() < 0.6, **rules or {})
    set_faults(ring.lines, **faults)
    count = len(ring.sides)
    for begin_ms, length_ms, place in cuts:
        line = ring.lines[place % count]
        ring.events.append((begin_ms, functools.partial(set_faults, [line], cut=True)))
        ring.events.append((begin_ms + length_ms, functools.partial(set_faults, [line], cut=False)))
    if dead_ms:
        ring.events.append((dead_ms, lambda: ring.lose(seed % count)))
    if leave_ms:
        ring.events.append((leave_ms, ring.sides[(seed + 1) % count].leave))
    ring.run(functools.partial(are_done, ring))
    assert len(ring.results()) <= 1
    if leave_ms:
        ring.wait(leave_ms - ring.now_ms)  # if the leave is still to come
        ring.run(lambda: all(not side.session or side.away or side.session.state != LEFT for side in ring.living))
        ring.wait(2500)  # the winner may still learn of it
        assert len(ring.results()) <= 1
    if not cuts and not dead_ms:
        if leave_ms and faults.keys() & {"loss", "flips"}:
            return  # a farewell of 2 s may not get through
        assert len(ring.results()) == 1
        assert all(side.away or side.session and side.session.state == OVER for side in ring.sides)


def are_done(ring: RingHarness) -> bool:
    """Return True if every device has a result, or is still in the lobby after 30 s."""
    return all(side.done or side.session is None and ring.now_ms > 30_000 for side in ring.living)


lines = {"delay_ms": st.sampled_from((0, 5, 40, 400, 2000)), "jitter_ms": st.sampled_from((0, 30))}
flaws = {"loss": st.just(0.04), "flips": st.just(0.04), "doubles": st.just(0.04)}
cut = st.tuples(st.integers(0, 12_000), st.sampled_from((100, 500, 3000, 35_000, 10**9)), st.integers(0, 3))
rules = {"target": st.integers(0, 2), "quicken_s": st.sampled_from((0, 2, 30)), "aim": st.sampled_from((0, 4, 10))}
rules |= {"teams": st.integers(1, 2), "starting": st.integers(0, 4)}
matches = {
    "seed": st.integers(0, 10**6),
    "faults": st.fixed_dictionaries(lines, optional=flaws),
    "cuts": st.lists(cut, max_size=2),
    "dead_ms": st.sampled_from((0, 0, 0, 300, 3000, 8000)),
    "leave_ms": st.sampled_from((0, 0, 0, 0, 2500, 6000, 9000, 12_000)),
    "rules": st.fixed_dictionaries({}, optional=rules),
}


@pytest.mark.no_cover
@given(**matches)
@settings(max_examples=15)
def test_all_agree_or_say_that_the_link_is_lost(**match: Any) -> None:
    play(**match)


@pytest.mark.long
@given(**matches)
@settings(max_examples=10_000, phases=[Phase.explicit, Phase.reuse, Phase.generate])  # shrinking does not help here
def test_all_agree_or_say_that_the_link_is_lost_in_10_000_matches(**match: Any) -> None:
    play(**match)


JITTER = {"delay_ms": 400, "jitter_ms": 30}

REGRESSIONS: dict[str, dict[str, Any]] = {
    "a leave that a device without power missed": {
        "seed": 3964, "faults": {**JITTER, "doubles": 0.04, "flips": 0.04}, "cuts": [(360, 100, 0), (360, 100, 0)],
        "dead_ms": 3000, "leave_ms": 12_000, "rules": {"starting": 1},
    },
    "a second device gone before it reports the first": {
        "seed": 134735, "faults": {"delay_ms": 0}, "cuts": [(354, 3000, 1)], "dead_ms": 8000,
    },
    "a device with other options ignores the others' match": {
        "seed": 785096, "faults": {"delay_ms": 40, "loss": 0.04, "doubles": 0.04},
        "cuts": [(7557, 3000, 0), (2593, 500, 3)], "rules": {"quicken_s": 0},
    },
    "an old greeting does not bring back old options": {"seed": 2519, "faults": {"delay_ms": 0, "jitter_ms": 0}},
    "a device begins with all who agreed after a silence": {
        "seed": 691400, "faults": {**JITTER, "loss": 0.04, "flips": 0.04}, "cuts": [(9549, 35_000, 1)],
        "rules": {"aim": 10},
    },
    "the survivors decide which events of a gone player count": {
        "seed": 279290, "faults": {"delay_ms": 0, "jitter_ms": 30, "loss": 0.04, "flips": 0.04}, "dead_ms": 8000,
        "rules": {"aim": 4},
    },
    "a leave is sent until all know of it": {
        "seed": 0, "faults": {"delay_ms": 40, "jitter_ms": 30, "loss": 0.04}, "leave_ms": 2500,
    },
}  # fmt: skip


@pytest.mark.no_cover
@pytest.mark.parametrize("name", REGRESSIONS)
def test_regressions_found_by_the_10_000_matches(name: str) -> None:
    play(**REGRESSIONS[name])


@pytest.mark.no_cover
@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("count", [2, 3])
def test_a_cut_at_any_frame_of_the_handshake_begins_no_match(count: int, step: int) -> None:
    for cut_at in range(1, 40, step):
        ring = RingHarness(count, cut_at)
        set_faults(ring.lines[:1], cut_at=cut_at)
        ring.run(functools.partial(are_done, ring))
        assert len(ring.results()) == 0
        assert all(session is None or session.state == LOST for session in ring.sessions)


def test_a_player_left_alone_begins_without_a_round_trip() -> None:
    ring = RingHarness(2, 3, aim=10)
    ring.run(lambda: all(ring.sessions))
    ring.lines[1].cut = True
    ring.sides[0].leave()
    ring.run(lambda: ring.sides[1].match.time_ms > 0)
