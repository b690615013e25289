"""Sessions of a linked match: dishonest frames, starts, stops, and when they give up."""

import functools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.link.events import CLEAR, GONE, GUILTY, HOLD, KEPT, LOCK, OUT, RISE, ROUND, SIZES, START, SUM
from firmware.link.members import LIED, LOST, OVER, PAUSED, READY, RUNNING, WAITING
from firmware.link.ring import BEAT, GREETING, HEAD, PLAY, STATES, pass_on
from firmware.match.seat import NOT_YET
from tests.support.handhelds.ring_harness import Side, begin_idle, begun, make_event

AHEAD_MS = 3000


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
        ring, first, second = begin_idle()
        forge(first, PLAY, events)
        ring.wait(100)
        assert second.state == LOST and second.members.accused == 1 << first.me and second.match.time_ms < 60_000

    def test_of_two_a_player_reported_gone_gives_up(self) -> None:
        ring, first, second = begin_idle()
        first.match.events.add(GONE << 4 | second.me, 0)
        ring.wait(100)
        assert second.state == LOST

    @pytest.mark.parametrize("ahead_ms", [0, 1])
    def test_a_report_too_far_ahead_or_past_a_due_event_ends_the_match(self, ahead_ms: int) -> None:
        for due_ms in (0, 1200):
            _ring, first, second = begin_idle()
            seat = first.match.seats[second.me]
            before_ms, seat.due_ms = seat.known_ms, due_ms
            limit_ms = due_ms or first.match.time_ms + AHEAD_MS + 2 * first.ring.trip_ms
            first.mark_known(second.me, limit_ms + ahead_ms)
            assert (first.state, seat.known_ms) == ((LOST, before_ms) if ahead_ms else (RUNNING, limit_ms))
            assert first.members.accused == ahead_ms << second.me

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
        ring, first, _second = begin_idle()
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
        _ring, first, second = begin_idle(3)
        first.rounds[second.me] = 9
        first.apply_event(second.me, make_event(GONE, 10_000_000, 0, 0, low=second.me), 0)
        assert first.match.seats[second.me].out_ms == 0

    def test_a_flood_leaves_room_for_own_frames(self) -> None:
        _ring, first, _second = begin_idle()
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
        _ring, first, _second = begin_idle()
        first.set_state(WAITING, first.ring.back_ms - 60_000)
        first.away = first.ring.present
        first.ring.peers[1 - first.me].heard_ms = first.ring.back_ms
        first.look(first.ring.back_ms)
        assert first.state == LOST and not first.members.accused

    def test_a_session_gives_up_if_the_missing_player_is_unclear(self) -> None:
        """One of three reported another gone; the third neither confirms nor denies."""
        ring, first, _second = begin_idle(3)
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


class TestStates:
    def test_a_request_at_the_wrong_time_does_nothing(self) -> None:
        ring, first, _second = begin_idle()
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
        _ring, first, second = begin_idle()
        run = first.clock.run
        first.ring.peers[second.me].run = run + caller & 31
        first.apply_event(second.me, make_event(START, 0, run + told, number, 0, 0), 0)
        assert first.members.accused == lie << second.me and (first.state == LOST) == lie
        assert (number or (first.clock.run == run + told) == (not lie)) and (told or first.state == RUNNING)

    def test_a_hash_before_the_own_end_is_kept(self) -> None:
        ring, first, second = begin_idle()
        first.apply_event(second.me, make_event(SUM, 0, 1, 2, 3, 4), 0)
        ring.wait(50)
        assert first.state == RUNNING and first.sums[second.me] == 0x04030201

    def test_events_of_an_earlier_round_are_ignored(self) -> None:
        _ring, first, second = begin_idle()
        first.rounds[second.me] = 3
        first.apply_event(second.me, make_event(OUT, 99_999, low=1), 0)
        first.mark_known(second.me, 99_999)
        seat = first.match.seats[second.me]
        assert seat.out_ms == NOT_YET and seat.known_ms < 99_999

    def test_a_paused_player_does_not_start(self) -> None:
        ring, first, _second = begin_idle()
        first.pause(ring.sides[0].now_ms)
        first.start(0, first.match.round, 0)
        assert first.state == PAUSED and not first.clock.counting

    def test_a_waiting_player_learns_that_the_round_is_over(self) -> None:
        ring, first, _second = begin_idle()
        now_ms = ring.sides[0].now_ms
        first.set_state(WAITING, now_ms)
        first.match.ends_ms = 5
        first.match.decide_round()
        first.look(now_ms)
        assert first.state == OVER


def meet_three(seed: int = 1, **rules: Any) -> tuple[Any, Any, int]:
    """Return two sessions of a match of three, and the number of the third player."""
    _ring, first, second = begin_idle(3, seed, **rules)
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
        _ring, first, _second = begin_idle(4)
        others = [number for number in range(4) if number != first.me]
        for number, idle in zip(others, (1, 0, 1), strict=True):
            first.members.accuse(number, idle)
        assert first.members.idle == 1 << others[0] | 1 << others[2]

    def test_a_gone_player_is_reported_once(self) -> None:
        _ring, first, second = begin_idle(3)
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
        ring, first, second = begin_idle(count)
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
