"""Sessions of a linked match: dishonest frames, starts, stops, and when they give up."""

import functools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.link.events import CLEAR, GONE, GUILTY, HOLD, KEPT, LATE, LOCK, OUT, RISE, ROUND, SIZES, START, SUM
from firmware.link.members import LIED, LOST, OVER, PAUSED, READY, RUNNING, WAITING
from firmware.link.ring import BEAT, GREETING, HEAD, PLAY, STATES, Least, pass_on
from firmware.match.match import NOBODY
from firmware.match.seat import NOT_YET
from tests.support.handhelds.ring_harness import RingHarness, Side, begun, make_event

AHEAD_MS = 3000


def meet(count: int = 2, seed: int = 1, **rules: Any) -> tuple[RingHarness, Any, Any]:
    """Return a ring with a running match without presses, and two of its sessions."""
    ring = begun(count, seed, plays=False, **rules)
    ring.wait(100)
    return ring, ring.sides[0].session, ring.sides[1].session


def forge(session: Any, kind: int, events: bytes | bytearray = b"") -> None:
    """Send a frame in the name of a session's player."""
    ring = session.ring
    frame = bytearray(64)
    ring.write_head(frame, kind, ring.first + ring.waiting & 255, ring.told_ms)
    frame[3], frame[5] = ring.me << 4, ring.status
    frame[HEAD : HEAD + len(events)] = events
    ring.wire.send(frame, HEAD + len(events))
    ring.wire.push()


class TestLies:
    @pytest.mark.parametrize(
        "events",
        [make_event(ROUND, 0, 9), make_event(GONE, 0, 0, 0, low=7), bytearray(b"\xf0" * 4), make_event(LOCK, 9)[:4]]
        + [make_event(OUT, 0) * 2]
        + [make_event(GONE, 10_000_000, 0, 0, low=0) + make_event(GONE, 10_000_000, 0, 0, low=1)],
    )
    def test_impossible_events_end_a_match_of_two(self, events: bytearray) -> None:
        ring, first, second = meet()
        forge(first, PLAY, events)
        ring.wait(100)
        assert second.state == LOST and second.members.accused == 1 << first.me and second.match.time_ms < 60_000

    def test_of_two_a_player_reported_gone_gives_up(self) -> None:
        ring, first, second = meet()
        first.match.events.add(GONE << 4 | second.me, 0)
        ring.wait(100)
        assert second.state == LOST

    @pytest.mark.parametrize("ahead_ms", [0, 1])
    def test_a_report_too_far_ahead_or_past_a_due_event_ends_the_match(self, ahead_ms: int) -> None:
        for due_ms in (0, 1200):
            _ring, first, second = meet()
            first.match.seats[second.me].due_ms = due_ms
            limit_ms = due_ms or first.match.time_ms + AHEAD_MS + 2 * first.ring.trip_ms
            first.mark_known(second.me, limit_ms + ahead_ms)
            assert first.state == (LOST if ahead_ms else RUNNING)

    def test_reports_after_the_end_change_no_wins(self) -> None:
        ring = begun()
        ring.run()
        session = ring.sides[0].session
        before = bytes(session.match.wins)
        session.mark_known(1 - session.me, session.match.seats[1 - session.me].known_ms + 1000)
        assert session.match.over and session.match.wins == before != bytes(2)

    def test_a_different_hash_of_the_same_round_is_a_lie(self) -> None:
        ring = begun()
        ring.sides[0].match.hash = lambda: 12345
        ring.run()
        ring.wait(500)
        assert LOST in ring.states

    def test_a_device_that_cannot_send_its_events_gives_up(self) -> None:
        ring, first, _second = meet()
        for _ in range(200):
            first.match.events.add(HOLD << 4, 0)
        ring.wait(100)
        assert first.state == LOST

    @pytest.mark.no_cover
    @given(st.binary(min_size=HEAD, max_size=60), st.integers(0, 3))
    @settings(max_examples=40)
    def test_hostile_frames_change_no_result(self, hostile: bytes, kind: int) -> None:
        ring = begun()
        out = ring.sides[0].session.ring
        frame = bytearray(hostile.ljust(64, b"\0"))
        frame[0] = (GREETING, PLAY, BEAT, 9)[kind] << 4
        frame[1:3] = out.key.to_bytes(2, "little")
        out.wire.send(frame, len(hostile))
        out.wire.push()
        ring.wait(600)
        ring.run(lambda: all(side.done for side in ring.sides) or ring.now_ms > 20_000)
        assert len(ring.results()) <= 1

    def test_noise_and_unknown_frames_change_no_result(self) -> None:
        ring = begun()
        for line in ring.lines:
            line.waiting.append((ring.now_ms, ring.sides[0].chance.randbytes(3000)))
        forge(ring.sides[0].session, 9)
        ring.finish()

    def test_a_liar_in_a_pause_is_out_and_the_pause_continues(self) -> None:
        ring = begun(3)
        ring.sessions[0].pause(ring.sides[0].now_ms)
        ring.wait(400)
        liar = ring.sessions[2]
        liar.match.events.add(RISE << 4, liar.match.time_ms, 1)
        ring.wait(400)
        assert ring.states in ([PAUSED, WAITING, LOST], [PAUSED, WAITING, LIED])
        assert [session.members.accused for session in ring.sessions] == [1 << liar.me, 1 << liar.me, 0]
        assert [session.match.guilty for session in ring.sessions[:2]] == [1 << liar.me] * 2

    @pytest.mark.parametrize("event", [make_event(START, 0, 9, 1, 0, 0), make_event(ROUND, 0, 1)])
    @pytest.mark.parametrize("ready", [False, True])
    def test_nobody_begins_a_round_for_a_player_who_is_not_ready(self, event: bytearray, ready: bool) -> None:
        ring = begun(2, wins=2)
        ring.run()
        ring.wait(500)
        first, second = ring.sessions
        if ready:
            first.make_ready(ring.sides[0].now_ms)
        first.ring.peers[second.me].run = 9
        first.apply_event(second.me, event, 0)
        assert (first.match.round, first.members.accused) == ((1, 0) if ready else (0, 1 << second.me))

    @pytest.mark.parametrize("events", ["twice", "forgotten"])
    def test_reports_that_would_split_the_others_are_lies(self, events: str) -> None:
        """A second report of a gone player, and one that drops too many events."""
        first, second, gone = meet_three()
        hashed = first.match.seats[gone].hashed
        for i in range(300):
            hashed.add(i, i)
        known = hashed.count - KEPT - 1 if events == "forgotten" else hashed.count
        report = make_event(GONE, 0, known & 255, known >> 8, low=gone)
        if events == "twice":
            first.apply_event(second.me, report, 0)
            assert (first.state, first.members.known[gone * 3 + second.me]) == (RUNNING, known)
        first.apply_event(second.me, report, 0)
        assert first.state == LIED and not first.members.accused

    def test_a_leave_of_another_round_counts_from_its_beginning(self) -> None:
        _ring, first, second = meet(3)
        first.rounds[second.me] = 9
        first.apply_event(second.me, make_event(GONE, 10_000_000, 0, 0, low=second.me), 0)
        assert first.match.seats[second.me].out_ms == 0

    def test_a_flood_leaves_room_for_own_frames(self) -> None:
        _ring, first, _second = meet()
        wire = first.ring.wire
        for _ in range(99):
            wire.frame[0] = BEAT << 4
            pass_on(wire, 60)
        assert wire.used >= 512 and wire.send(bytearray(64), 60)


class Staller:
    """Hold up a match of three by one trick."""

    def __init__(self, trick: str) -> None:
        self.ring = begun(3, plays=False)
        sides = sorted(self.ring.sides, key=lambda side: int(side.match.me))
        self.liar: Side = sides[0 if trick in ("never starts", "starts late") else 2]
        self.session = self.liar.session
        getattr(self, trick.replace(" ", "_"))()

    def send_state(self, state: int) -> None:
        ring = self.session.ring
        send, send_beat = ring.send, ring.send_beat
        ring.send = lambda time_ms, now_ms, status: send(time_ms, now_ms, state * STATES + status % STATES)
        ring.send_beat = lambda now_ms, status: send_beat(now_ms, state * STATES + status % STATES)

    def always_waits(self) -> None:
        self.send_state(WAITING)

    def pause(self) -> None:
        honest = next(side for side in self.ring.sides if side is not self.liar)
        honest.session.pause(honest.now_ms)
        self.ring.wait(500)
        honest.session.resume(honest.now_ms)

    def never_waits(self) -> None:
        self.send_state(READY)
        self.pause()

    def never_starts(self) -> None:
        self.session.call_start = lambda now_ms: None
        self.pause()

    def starts_late(self) -> None:
        clock = self.session.clock

        def plan(now_ms: int) -> None:
            type(clock).plan_start(clock, now_ms)
            clock.set_start(clock.base_ms, now_ms + 29_000 & 0xFFFF)

        clock.plan_start = plan
        self.pause()
        self.start_again(25_000)

    def starts_out_of_turn(self) -> None:
        self.start_again(500)

    def start_again(self, gap_ms: int) -> None:
        session = self.session
        if session.state < LOST:
            if session.is_running() or session.clock.counting:
                session.call_start(self.liar.now_ms)
            self.ring.events.append((self.ring.now_ms + gap_ms, functools.partial(self.start_again, gap_ms)))


@pytest.mark.no_cover
@pytest.mark.parametrize("trick", ["always waits", "never waits", "never starts", "starts late", "starts out of turn"])
def test_a_player_who_holds_up_a_match_of_three_ends_it_for_all(trick: str) -> None:
    """The others cannot know whether another one deceived that player."""
    stalled = Staller(trick)
    liar = stalled.session.me
    others = [session for session in stalled.ring.sessions if session.me != liar]
    stalled.ring.run(lambda: all(session.state == LIED for session in others), 150_000)
    assert not any(session.members.accused for session in others)


class TestGivingUp:
    def test_a_session_gives_up_after_a_minute_of_waiting(self) -> None:
        _ring, first, _second = meet()
        first.set_state(WAITING, first.ring.back_ms - 60_000)
        first.away = first.ring.present
        first.ring.peers[1 - first.me].heard_ms = first.ring.back_ms
        first.look(first.ring.back_ms)
        assert first.state == LOST and not first.members.accused

    def test_a_session_gives_up_if_the_missing_player_is_unclear(self) -> None:
        """One of three reported another gone; the third neither confirms nor denies."""
        ring, first, _second = meet(3)
        first.members.report_gone((first.me + 1) % 3)
        first.stalls.settled_ms = first.match.find_settled()
        first.stalls.stood_ms = 40_000
        first.look_for_stalls(ring.sides[0].now_ms)
        assert first.state == LIED and not first.members.accused

    def test_a_session_gives_up_if_nobody_calls_a_start(self) -> None:
        ring = begun()
        for side in ring.sides:
            session = side.session
            session.clock.uncertain = False
            session.ring.peers[1 - session.me].run = 9
            session.call_start = lambda now_ms: None
            session.set_state(WAITING, side.now_ms)
        ring.run(lambda: ring.states == [LOST, LOST])


class TestRing:
    def test_a_repeated_play_is_applied_once(self) -> None:
        ring, first, second = meet()
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
        ring, first, second = meet()
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
        ring, first, second = meet()
        first.match.time_ms = second.match.time_ms = 0x030201
        frame = bytearray(11)
        second.ring.write_head(frame, BEAT, first.ring.peers[second.me].expected, 0x030201)
        frame[3], frame[5] = second.me << 4, second.ring.status
        first.apply_frame(frame, first.ring.accept_frame(frame, HEAD, ring.sides[0].now_ms))
        assert first.match.seats[second.me].known_ms == 0x030201

    def test_a_frame_with_an_unknown_player_number_is_ignored(self) -> None:
        ring, first, second = meet()
        frame = bytearray(first.ring.beat)
        frame[3] = 0x30
        first.ring.wire.send(frame, HEAD)
        first.ring.wire.push()
        ring.wait(100)
        assert second.state == RUNNING

    def test_a_frame_of_a_gone_player_does_not_count(self) -> None:
        ring, first, second = meet(3)
        first.ring.drop_player(second.me)
        peer = first.ring.peers[second.me]
        heard_ms = peer.heard_ms
        ring.wait(100)
        assert peer.heard_ms == heard_ms

    def test_a_forged_round_trip_makes_nobody_wait_long(self) -> None:
        out = meet()[1].ring
        for _ in range(50):
            frame = bytearray(out.beat)
            frame[9:11] = (out.back_ms - 60_000 & 0xFFFF).to_bytes(2, "little")
            out.accept_return(frame, out.back_ms)
        assert out.trip_ms <= 10_000

    def test_a_line_too_slow_for_the_events_stops_the_clock(self) -> None:
        ring, first, _second = meet()
        for _ in range(80):
            first.match.events.add(HOLD << 4, first.match.time_ms)
        first.ring.waiting = 16
        first.look(ring.sides[0].now_ms)
        assert first.state == WAITING

    def test_least_follows_a_clock_that_drifts_or_leaps(self) -> None:
        least = Least()
        for now_ms in range(0, 60_000, 100):
            least.add(1000 + now_ms // 1000 & 0xFFFF, now_ms)
        assert 1040 < least.value <= 1059
        least.add(40_000, 80_000)
        assert least.value == 40_000

    def test_the_first_round_trip_counts_whole_and_others_a_quarter(self) -> None:
        out = meet()[1].ring
        out.trips, out.trip_ms = Least(), 100
        frame = bytearray(out.beat)
        for trip_ms, average_ms in ((500, 500), (100, 400)):
            frame[9:11] = (out.back_ms - trip_ms & 0xFFFF).to_bytes(2, "little")
            out.accept_return(frame, out.back_ms)
            assert out.trip_ms == average_ms

    def test_a_beat_is_sent_after_125_ms_of_silence(self) -> None:
        out = meet()[1].ring
        sent_ms = out.sent_ms
        for silent_ms in (124, 125):
            out.send(0, sent_ms + silent_ms, out.status)
            assert (out.sent_ms > sent_ms) == (silent_ms == 125)

    @pytest.mark.parametrize(("trip_ms", "wait_ms"), [(100, 280), (1000, 2080), (9000, 4000)])
    def test_a_play_is_sent_again_after_two_round_trips(self, trip_ms: int, wait_ms: int) -> None:
        _ring, first, _second = meet()
        out = first.ring
        out.trip_ms = trip_ms
        first.match.events.add(HOLD << 4, 0)
        begun_ms = out.sent_ms
        for passed_ms, again_ms in ((0, 0), (wait_ms - 1, 0), (wait_ms, wait_ms)):
            out.send(0, begun_ms + passed_ms, out.status)
            assert out.waiting == 1 and out.again_ms == begun_ms + again_ms

    def test_a_ring_is_open_when_nothing_returns_for_a_second(self) -> None:
        out = meet()[1].ring
        assert [out.is_closed(out.back_ms + passed_ms) for passed_ms in (999, 1000)] == [True, False]

    def test_the_clock_offset_subtracts_the_hops_of_the_frame(self) -> None:
        _ring, first, second = meet()
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
        out = meet()[1].ring
        out.status, out.stopper = before, NOBODY
        for number in (1, 0):
            out.note_stop(number, status)
        assert out.stopper == (1 if stops else NOBODY)


class TestStalls:
    def watch(self, ms: int, running: bool) -> tuple[Any, Any]:
        """Return two sessions of three; the first has watched `ms` of a running or stopped match."""
        _ring, first, second = meet(3)
        stalls = first.stalls
        stalls.held_ms, stalls.stood_ms = [0] * 3, 0
        stalls.settled_ms = first.match.find_settled()
        stalls.checked_ms = first.ring.back_ms - ms
        stalls.watch(first.ring.back_ms, running, not running, 0, NOBODY)
        return first, second

    @pytest.mark.parametrize(("ms", "accused"), [(39_999, False), (40_000, True)])
    def test_a_player_not_ready_for_40_s_is_accused(self, ms: int, accused: bool) -> None:
        _ring, first, second = meet(3)
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
            _ring, first, second = meet(3)
            now_ms = first.ring.back_ms + back_ms
            first.ring.trip_ms, first.stalls.checked_ms = trip_ms, now_ms - 500
            first.stalls.watch(now_ms, False, True, 60_000, second.me)
            assert first.stalls.held_ms[second.me] == held_ms

    @pytest.mark.parametrize(("over_ms", "late"), [(0, False), (1, True)])
    def test_a_start_is_overdue_after_4_s_and_four_round_trips(self, over_ms: int, late: bool) -> None:
        _ring, first, second = meet(3)
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
        first, second, third = meet_three()
        stalls, now_ms = first.stalls, first.ring.back_ms
        assert stalls.find_liars(now_ms) == 0 and stalls.doubted_ms == now_ms
        first.members.reporters[third] = 1 << second.me
        assert stalls.find_liars(now_ms + 59_999) == 0 and stalls.find_liars(now_ms + 60_000) == 1 << second.me


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
        _ring, first, second = meet()
        clock = first.clock
        clock.run, clock.reference = 30, first.me
        assert clock.accept_start(second.me, 30 + ahead) == new
        assert (clock.run, clock.reference) == ((30 + ahead & 31, second.me) if new else (30, first.me))

    @pytest.mark.parametrize(("late_ms", "read_ms"), [(100, 100), (101, 0)])
    def test_a_start_up_to_100_ms_late_takes_effect_in_the_past(self, late_ms: int, read_ms: int) -> None:
        clock, now_ms, time_ms = self.start_in(-late_ms)
        assert clock.read_countdown_ms(now_ms) == 0
        assert clock.read_ms(now_ms) == time_ms + read_ms and not clock.counting

    def start_in(self, ms: int) -> tuple[Any, int, int]:
        """Return a clock with a start in `ms`, the time now, and the time of the match."""
        ring, first, _second = meet()
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
        _ring, first, _second = meet()
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
        _ring, first, second = meet()
        first.clock.run = 4
        first.ring.peers[second.me].run = 4 + further
        first.clock.plan_start(0)
        assert first.clock.run == run


class TestStates:
    def test_a_request_at_the_wrong_time_does_nothing(self) -> None:
        ring, first, _second = meet()
        now_ms = ring.sides[0].now_ms
        first.resume(now_ms)
        first.make_ready(now_ms)
        assert first.begin_round(first.match.round) and first.state == RUNNING
        first.state = OVER
        first.pause(now_ms)
        assert first.state == OVER

    @pytest.mark.parametrize(
        ("told", "caller", "number", "lie"),
        [pytest.param(0, 0, 0, False, id="of the past"), pytest.param(1, 1, 5, True, id="into an impossible round")]
        + [(2, 3, 0, False), (2, 2, 0, False), (2, 1, 0, True), (2, -13, 0, True)],
    )
    def test_a_start_of_a_run_later_than_its_callers_is_a_lie(self, told: int, caller: int, number, lie: bool) -> None:
        """A repeated frame may be from a later run; a start in the past is ignored."""
        _ring, first, second = meet()
        run = first.clock.run
        first.ring.peers[second.me].run = run + caller & 31
        first.apply_event(second.me, make_event(START, 0, run + told, number, 0, 0), 0)
        assert first.members.accused == lie << second.me and (first.state == LOST) == lie
        assert (number or (first.clock.run == run + told) == (not lie)) and (told or first.state == RUNNING)

    def test_a_hash_before_the_own_end_is_kept(self) -> None:
        ring, first, second = meet()
        first.apply_event(second.me, make_event(SUM, 0, 1, 2, 3, 4), 0)
        ring.wait(50)
        assert first.state == RUNNING and first.sums[second.me] == 0x04030201

    def test_a_late_start_does_not_make_the_game_jump(self) -> None:
        ring, first, _second = meet()
        now_ms, time_ms = ring.sides[0].now_ms, first.match.time_ms
        first.start(time_ms, 0, now_ms - 5000 & 0xFFFF)
        first.clock.reference = first.me
        assert first.read_time_ms(now_ms) == time_ms and first.read_time_ms(now_ms + 50) == time_ms + 50

    def test_events_of_an_earlier_round_are_ignored(self) -> None:
        _ring, first, second = meet()
        first.rounds[second.me] = 3
        first.apply_event(second.me, make_event(OUT, 99_999, low=1), 0)
        first.mark_known(second.me, 99_999)
        seat = first.match.seats[second.me]
        assert seat.out_ms == NOT_YET and seat.known_ms < 99_999

    def test_a_paused_player_does_not_start(self) -> None:
        ring, first, _second = meet()
        first.pause(ring.sides[0].now_ms)
        first.start(0, first.match.round, 0)
        assert first.state == PAUSED and not first.clock.counting

    def test_a_waiting_player_learns_that_the_round_is_over(self) -> None:
        ring, first, _second = meet()
        now_ms = ring.sides[0].now_ms
        first.set_state(WAITING, now_ms)
        first.match.ends_ms = 5
        first.match.decide_round()
        first.look(now_ms)
        assert first.state == OVER


def meet_three(seed: int = 1, **rules: Any) -> tuple[Any, Any, int]:
    """Return two sessions of a match of three, and the number of the third player."""
    _ring, first, second = meet(3, seed, **rules)
    return first, second, 3 - first.me - second.me


class TestGone:
    def test_the_lowest_player_left_calls_the_starts(self) -> None:
        ring = begun(3, 2)
        rest = [session for session in ring.sessions if session.me]
        for session in rest:
            session.members.report_gone(0)
        rest[0].members.add_report(rest[1].me, 0, 0, 0)
        assert rest[0].clock.reference == 1 and rest[0].clock.uncertain

    @pytest.mark.parametrize(("more", "lost", "guilty"), [(0, False, False), (1, True, False), (GUILTY, False, True)])
    def test_a_player_with_fewer_events_than_a_finished_one_gives_up(self, more: int, lost: bool, guilty: bool) -> None:
        """GUILTY in place of a count claims no further events."""
        first, second, gone = meet_three(2)
        first.ring.peers[second.me].state = OVER
        first.members.report_gone(gone)
        known = first.members.known[gone * 3 + first.me]
        first.members.add_report(second.me, gone, known + more, 0)
        assert (first.members.lost, first.match.guilty) == (lost, guilty << gone)

    def test_idle_marks_each_player_who_held_up_the_match(self) -> None:
        _ring, first, _second = meet(4)
        others = [number for number in range(4) if number != first.me]
        for number, idle in zip(others, (1, 0, 1), strict=True):
            first.members.accuse(number, idle)
        assert first.members.idle == 1 << others[0] | 1 << others[2]

    def test_a_gone_player_is_reported_once(self) -> None:
        _ring, first, second = meet(3)
        first.match.events.clear()
        for _ in range(2):
            first.members.report_gone(second.me)
        assert first.match.events.used == SIZES[GONE] and not first.ring.present >> second.me & 1

    def test_a_gone_player_is_out_after_the_last_report(self) -> None:
        first, second, gone = meet_three()
        first.members.report_gone(gone)
        assert not first.match.seats[gone].gone
        later_ms = first.match.time_ms + 50
        first.members.add_report(second.me, gone, first.members.known[gone * 3 + first.me], later_ms)
        assert first.match.seats[gone].gone and first.match.seats[gone].out_ms == later_ms + 1

    def test_only_events_of_a_gone_player_that_all_know_count(self) -> None:
        first, second, gone = meet_three()
        for i in range(5):
            first.match.seats[gone].hashed.add(i, i)
        first.members.report_gone(gone)
        first.members.add_report(second.me, gone, 3, 0)
        assert first.match.seats[gone].counted == 3

    @pytest.mark.parametrize(
        ("count", "patience_ms", "open_ring", "reported", "lost"),
        [(3, 10_000, False, True, False), (3, 30_000, False, True, False), (3, 10_000, True, False, True)]
        + [(2, 10_000, False, True, True)],
    )
    def test_a_silent_player_is_reported_or_ends_the_match(self, count, patience_ms, open_ring, reported, lost) -> None:
        """With two players, or with an open ring, the match is lost instead."""
        ring, first, second = meet(count)
        now_ms = ring.sides[0].now_ms
        for silent_ms in (patience_ms - 1, patience_ms):
            first.ring.back_ms = now_ms - silent_ms * open_ring
            first.ring.peers[second.me].heard_ms = now_ms - (20_000 if open_ring else silent_ms)
            first.members.check_absent(1 << second.me, patience_ms, now_ms)
            due = silent_ms == patience_ms
            assert first.members.lost == (lost and due)
            assert count == 2 or (first.members.reporters[second.me] > 0) == (reported and due)

    def test_lines_of_a_gone_player_that_only_some_counted_end_the_match(self) -> None:
        first, second, gone = meet_three(2, aim=9)
        seat = first.match.seats[gone]
        seat.game.cleared = 2
        seat.due_ms = seat.known_ms + 10
        assert seat.apply_event(make_event(CLEAR, seat.due_ms, low=2), 0)
        first.members.report_gone(gone)
        first.members.add_report(second.me, gone, 0, 0)
        assert first.members.lost and not first.match.guilty & GUILTY
