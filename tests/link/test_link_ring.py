"""The parts of a session: the ring of frames, the clock of the match, and the watch for stalls."""

from typing import Any

import pytest

from firmware.link.events import HOLD, LATE
from firmware.link.members import OVER, PAUSED, RUNNING, WAITING
from firmware.link.ring import BEAT, HEAD, PLAY, STATES, Least
from firmware.match.match import NOBODY
from tests.support.handhelds.ring_harness import begin_idle, make_event


class TestRing:
    def test_a_repeated_play_is_applied_once(self) -> None:
        ring, first, second = begin_idle()
        out, seat, now_ms = first.ring, second.match.seats[first.me], ring.sides[0].now_ms
        count = seat.hashed.count
        first.match.events.add(LATE << 4 | second.me, first.match.time_ms, 1)
        seat.coming.send(0, 1)
        out.send(first.match.time_ms, now_ms, out.status)
        for _ in range(3):
            out.transmit(out.slots[out.first & 15], 0, now_ms)
        out.wire.push()
        ring.wait(100)
        assert seat.hashed.count == count + 1

    def test_an_early_play_is_dropped_and_not_passed_on(self) -> None:
        ring, first, second = begin_idle()
        seat = second.match.seats[first.me]
        count, expected = seat.hashed.count, second.ring.peers[first.me].expected
        wire = second.ring.wire
        frame = bytearray(64)
        for ahead in (1, 0):
            first.ring.write_head(frame, PLAY, expected + ahead & 255, 0)
            frame[3] = first.me << 4
            frame[HEAD : HEAD + 5] = make_event(LATE, seat.known_ms + 100, 1, low=second.me)
            wire.frame[:] = frame
            sent = wire.used
            if second.ring.accept_frame(wire.frame, HEAD + 5, ring.sides[1].now_ms):
                second.apply_frame(wire.frame, HEAD + 5)
            assert (seat.hashed.count > count, wire.used > sent) == (not ahead, not ahead)

    def test_the_known_time_in_a_frame_has_three_bytes(self) -> None:
        ring, first, second = begin_idle()
        first.match.time_ms = second.match.time_ms = 0x030201
        frame = bytearray(11)
        second.ring.write_head(frame, BEAT, first.ring.peers[second.me].expected, 0x030201)
        frame[3], frame[5] = second.me << 4, second.ring.status
        first.apply_frame(frame, first.ring.accept_frame(frame, HEAD, ring.sides[0].now_ms))
        assert first.match.seats[second.me].known_ms == 0x030201

    def test_a_frame_with_an_unknown_player_number_is_ignored(self) -> None:
        ring, first, second = begin_idle()
        frame = bytearray(first.ring.beat)
        frame[3] = 0x30
        first.ring.wire.send(frame, HEAD)
        first.ring.wire.push()
        ring.wait(100)
        assert second.state == RUNNING

    def test_a_frame_of_a_gone_player_does_not_count(self) -> None:
        ring, first, second = begin_idle(3)
        first.ring.drop_player(second.me)
        peer = first.ring.peers[second.me]
        heard_ms = peer.heard_ms
        ring.wait(100)
        assert peer.heard_ms == heard_ms

    def test_a_forged_round_trip_makes_nobody_wait_long(self) -> None:
        out = begin_idle()[1].ring
        for _ in range(50):
            frame = bytearray(out.beat)
            frame[9:11] = (out.back_ms - 60_000 & 0xFFFF).to_bytes(2, "little")
            out.accept_return(frame, out.back_ms)
        assert out.trip_ms <= 10_000

    def test_a_line_too_slow_for_the_events_stops_the_clock(self) -> None:
        ring, first, _second = begin_idle()
        for _ in range(80):
            first.match.events.add(HOLD << 4, first.match.time_ms)
        first.ring.waiting = 16
        first.look(ring.sides[0].now_ms)
        assert first.state == WAITING

    def test_the_first_round_trip_counts_whole_and_others_a_quarter(self) -> None:
        out = begin_idle()[1].ring
        out.trips, out.trip_ms = Least(), 100
        frame = bytearray(out.beat)
        for trip_ms, average_ms in ((500, 500), (100, 400)):
            frame[9:11] = (out.back_ms - trip_ms & 0xFFFF).to_bytes(2, "little")
            out.accept_return(frame, out.back_ms)
            assert out.trip_ms == average_ms

    def test_a_beat_is_sent_after_125_ms_of_silence(self) -> None:
        out = begin_idle()[1].ring
        sent_ms = out.sent_ms
        for silent_ms in (124, 125):
            out.send(0, sent_ms + silent_ms, out.status)
            assert (out.sent_ms > sent_ms) == (silent_ms == 125)

    @pytest.mark.parametrize(("trip_ms", "wait_ms"), [(100, 280), (1000, 2080), (9000, 4000)])
    def test_a_play_is_sent_again_after_two_round_trips(self, trip_ms: int, wait_ms: int) -> None:
        _ring, first, _second = begin_idle()
        out = first.ring
        out.trip_ms = trip_ms
        first.match.events.add(HOLD << 4, 0)
        begun_ms = out.sent_ms
        for passed_ms, again_ms in ((0, 0), (wait_ms - 1, 0), (wait_ms, wait_ms)):
            out.send(0, begun_ms + passed_ms, out.status)
            assert out.waiting == 1 and out.again_ms == begun_ms + again_ms

    def test_a_ring_is_open_when_nothing_returns_for_a_second(self) -> None:
        out = begin_idle()[1].ring
        assert [out.is_closed(out.back_ms + passed_ms) for passed_ms in (999, 1000)] == [True, False]

    def test_the_clock_offset_subtracts_the_hops_of_the_frame(self) -> None:
        _ring, first, second = begin_idle()
        out, peer = first.ring, first.ring.peers[second.me]
        peer.clock.value, out.trips.value, peer.hops, out.length = 1000, 90, 1, 3
        assert out.read_offset_ms(second.me) == 970 and out.read_offset_ms(first.me) == 0
        peer.clock.value = 10
        assert out.read_offset_ms(second.me) == 0x10000 - 20

    @pytest.mark.parametrize(
        ("before", "status", "stops"),
        [(RUNNING, WAITING * STATES, True), (RUNNING, PAUSED * STATES, True), (RUNNING, OVER * STATES, False)]
        + [(RUNNING, WAITING * STATES + 1, False), (WAITING * STATES, PAUSED * STATES, False)],
    )
    def test_the_first_player_to_wait_or_pause_stops_the_clock(self, before: int, status: int, stops: bool) -> None:
        out = begin_idle()[1].ring
        out.status, out.stopper = before, NOBODY
        for number in (1, 0):
            out.note_stop(number, status)
        assert out.stopper == (1 if stops else NOBODY)


@pytest.mark.parametrize(
    "told",
    [
        [(50, 0, 50), (40, 100, 40), (60, 5000, 40), (70, 5001, 40), (90, 10_001, 40), (80, 10_002, 70)],
        pytest.param([(5, 0, 5), (0xFFFE, 0, 0xFFFE), (3, 0, 0xFFFE)], id="across the end of 16 bits"),
    ],
)
def test_least_is_the_least_value_of_five_to_ten_seconds(told: list[tuple[int, int, int]]) -> None:
    least = Least()
    for value, now_ms, found in told:
        least.add(value, now_ms)
        assert least.value == found


class TestClock:
    @pytest.mark.parametrize(("ahead", "new"), [(0, False), (1, True), (15, True), (16, False), (31, False)])
    def test_a_run_is_new_up_to_15_ahead(self, ahead: int, new: bool) -> None:
        _ring, first, second = begin_idle()
        clock = first.clock
        clock.run, clock.reference = 30, first.me
        assert clock.accept_start(second.me, 30 + ahead) == new
        assert (clock.run, clock.reference) == ((30 + ahead & 31, second.me) if new else (30, first.me))

    @pytest.mark.parametrize(("late_ms", "read_ms"), [(100, 100), (101, 0)])
    def test_a_start_up_to_100_ms_late_takes_effect_in_the_past(self, late_ms: int, read_ms: int) -> None:
        clock, now_ms, time_ms = self.start_in(-late_ms)
        assert clock.read_countdown_ms(now_ms) == 0
        assert clock.read_ms(now_ms) == time_ms + read_ms and not clock.counting
        assert clock.read_ms(now_ms + 50) == time_ms + read_ms + 50, "the game goes on from there"

    def start_in(self, ms: int) -> tuple[Any, int, int]:
        """Return a clock with a start in `ms`, the time now, and the time of the match."""
        ring, first, _second = begin_idle()
        now_ms, time_ms = ring.sides[0].now_ms, first.match.time_ms
        first.clock.reference = first.me
        first.clock.set_start(time_ms, now_ms + ms & 0xFFFF)
        first.clock.count_down()
        return first.clock, now_ms, time_ms

    def test_a_countdown_stands_until_its_moment(self) -> None:
        clock, now_ms, time_ms = self.start_in(500)
        assert clock.read_ms(now_ms) == time_ms and clock.read_countdown_ms(now_ms) == 500
        assert clock.read_ms(now_ms + 500) == time_ms and clock.counting
        assert clock.read_ms(now_ms + 501) == time_ms + 1 and not clock.counting

    @pytest.mark.parametrize(
        ("run", "over", "time_ms", "trip_ms", "lead_ms"),
        [(0, False, 0, 10, 3020), (1, False, 0, 10, 3020), (1, False, 417, 10, 1520)]
        + [(1, True, 417, 10, 3020), (1, False, 417, 14_500, 30_000)],
    )
    def test_the_lead_of_a_start_depends_on_round_trip_and_time_played(
        self, run: int, over: bool, time_ms: int, trip_ms: int, lead_ms: int
    ) -> None:
        _ring, first, _second = begin_idle()
        clock, match = first.clock, first.match
        match.time_ms = time_ms
        clock.run, match.over, first.ring.trip_ms, clock.uncertain = run, over, trip_ms, True
        for peer in first.ring.peers:
            peer.run = run
        match.seats[1 - first.me].known_ms = match.time_ms
        clock.plan_start(1000)
        assert (clock.moment, clock.base_ms) == (1000 + lead_ms, 0 if over else match.time_ms)
        assert clock.run == run + 1 and not clock.uncertain

    @pytest.mark.parametrize(("further", "run"), [(0, 5), (3, 8), (15, 20), (16, 5)])
    def test_a_called_start_has_a_newer_run_than_anybody_present(self, further: int, run: int) -> None:
        _ring, first, second = begin_idle()
        first.clock.run = 4
        first.ring.peers[second.me].run = 4 + further
        first.clock.plan_start(0)
        assert first.clock.run == run


class TestStalls:
    def watch(self, ms: int, running: bool) -> tuple[Any, Any]:
        """Return two sessions of three; the first has watched `ms` of a running or stopped match."""
        _ring, first, second = begin_idle(3)
        stalls = first.stalls
        stalls.held_ms, stalls.stood_ms = [0] * 3, 0
        stalls.settled_ms = first.match.find_settled()
        stalls.checked_ms = first.ring.back_ms - ms
        stalls.watch(first.ring.back_ms, running, not running, 0, NOBODY)
        return first, second

    @pytest.mark.parametrize(("ms", "accused"), [(39_999, False), (40_000, True)])
    def test_a_player_not_ready_for_40_s_is_accused(self, ms: int, accused: bool) -> None:
        _ring, first, second = begin_idle(3)
        stalls = first.stalls
        stalls.checked_ms = first.ring.back_ms - ms
        found = stalls.watch(first.ring.back_ms, False, True, 4001 + 4 * first.ring.trip_ms, second.me)
        assert found == (accused << second.me) and stalls.held_ms[second.me] == ms

    def test_held_up_time_shrinks_while_the_clock_runs(self) -> None:
        first, second = self.watch(0, True)
        stalls = first.stalls
        for passed_ms, held_ms in ((400, 600), (400, 200), (400, 0)):
            stalls.held_ms[second.me] = stalls.held_ms[second.me] or 1000
            stalls.checked_ms = first.ring.back_ms - passed_ms
            stalls.watch(first.ring.back_ms, True, False, 0, NOBODY)
            assert stalls.held_ms[second.me] == held_ms

    def test_a_slow_or_open_ring_counts_against_nobody(self) -> None:
        for trip_ms, back_ms, held_ms in ((999, 999, 500), (1000, 999, 0), (999, 1000, 0)):
            _ring, first, second = begin_idle(3)
            now_ms = first.ring.back_ms + back_ms
            first.ring.trip_ms, first.stalls.checked_ms = trip_ms, now_ms - 500
            first.stalls.watch(now_ms, False, True, 60_000, second.me)
            assert first.stalls.held_ms[second.me] == held_ms

    @pytest.mark.parametrize(("over_ms", "late"), [(0, False), (1, True)])
    def test_a_start_is_overdue_after_4_s_and_four_round_trips(self, over_ms: int, late: bool) -> None:
        _ring, first, second = begin_idle(3)
        overdue_ms = 4000 + 4 * first.ring.trip_ms + over_ms
        first.ring.stopper = NOBODY
        assert first.stalls.find_holder(overdue_ms, second.me) == (second.me if late else NOBODY)
        assert first.stalls.find_holder(overdue_ms, NOBODY) == (first.clock.reference if late else NOBODY)

    def test_missing_events_count_only_while_the_clock_runs(self) -> None:
        for running, stood_ms in ((True, 700), (False, 0)):
            stalls = self.watch(700, running)[0].stalls
            assert stalls.stood_ms == stood_ms
            stalls.forgive()
            assert stalls.stood_ms == 0

    @pytest.mark.parametrize(("held_ms", "slow"), [(29_999, False), (30_000, True)])
    def test_a_player_is_slow_after_30_s(self, held_ms: int, slow: bool) -> None:
        first, second = self.watch(0, True)
        first.stalls.held_ms[second.me] = held_ms
        assert first.stalls.is_slow(second.me) == slow
        first.stalls.held_ms[second.me] = 0
        first.stalls.stood_ms = held_ms
        first.stalls.settled_ms = first.match.seats[second.me].known_ms
        assert first.stalls.is_slow(second.me) == slow
        first.stalls.settled_ms -= 1
        assert not first.stalls.is_slow(second.me)

    @pytest.mark.parametrize(("stood_ms", "stuck"), [(39_999, False), (40_000, True)])
    def test_a_match_is_stuck_after_40_s_without_events(self, stood_ms: int, stuck: bool) -> None:
        stalls = self.watch(0, True)[0].stalls
        stalls.stood_ms = stood_ms
        assert stalls.is_stuck() == stuck

    def test_reporting_a_present_player_gone_is_a_lie_after_a_minute(self) -> None:
        _ring, first, second = begin_idle(3)
        third = 3 - first.me - second.me
        stalls, now_ms = first.stalls, first.ring.back_ms
        assert stalls.find_liars(now_ms) == 0 and stalls.doubted_ms == now_ms
        first.members.reporters[third] = 1 << second.me
        assert stalls.find_liars(now_ms + 59_999) == 0 and stalls.find_liars(now_ms + 60_000) == 1 << second.me
