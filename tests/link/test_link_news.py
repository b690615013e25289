"""What may come over a wire from somebody who has the key of a match, and says what cannot be (firmware/link)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.engine.options import Options
from firmware.link.events import (
    CLEAR,
    GONE,
    HOLD,
    LATE,
    LOCK,
    OUT,
    RISE,
    ROUND,
    SIZES,
    START,
    SUM,
    Chronicle,
    EventQueue,
)
from firmware.link.linked import LinkedMatch
from firmware.link.members import LOST, OVER, PAUSED, RUNNING, WAITING
from firmware.link.players import FarSeat
from firmware.link.ring import BEAT, GREETING, HEAD, PLAY, Least
from firmware.match.options import MatchOptions
from firmware.match.seat import IN
from firmware.save.recordings.match_recording import MatchRecording
from tests.support.handhelds.ring_harness import RingHarness

MATCHES = Path(__file__).parents[1] / "matches"


def begun(count: int = 2, seed: int = 1, **rules: Any) -> RingHarness:
    circle = RingHarness(count, seed, **rules)
    circle.run(lambda: all(side.session and side.match.time_ms > 300 for side in circle.sides))
    return circle


def far(circle: RingHarness) -> tuple[Any, FarSeat]:
    """Return the match of the first side, and in it a seat of somebody else."""
    match: Any = circle.sides[0].match
    return match, match.seats[1 - match.me]


def event(kind: int, time_ms: int, *rest: int, low: int = 0) -> bytearray:
    return bytearray([kind << 4 | low, time_ms & 255, time_ms >> 8 & 255, time_ms >> 16, *rest])


def fresh(count: int = 2, **rules: int) -> tuple[Any, Any]:
    """Return a match that begins, and in it the seat of player 1, who plays elsewhere."""
    options = MatchOptions()
    options.players = count
    for name, value in rules.items():
        setattr(options, name, value)
    match: Any = LinkedMatch(5, options, [Options() for _ in range(count)], 0)
    return match, match.seats[1]


def at(seat: FarSeat) -> int:
    return max(int(seat.game.time_ms), seat.known_ms, seat.game.entered_ms) + 10


def drop(
    seat: FarSeat, time_ms: int, x: int = 0, facing: int = 0, piece: int = 0, rest: bytes = bytes(3), targets: int = 0
) -> bool:
    """Tell that the Tetrimino in play, or another that is put into the hand, fell in a column; return what is said."""
    game = seat.game
    if piece:
        seat.hand.piece = piece
    game.place(seat.hand.piece, x, 30, facing)
    y = game.ghost_y
    game.piece = 0
    told = lock_event(seat, x, y, facing=facing, time_ms=time_ms)
    told[7:10] = rest
    told[0] |= targets
    return seat.take(told, 0)


def prepare(seat: FarSeat, rows: int, gap: int = 0) -> None:
    """Fill the lowest rows but for a column."""
    for y in range(rows):
        seat.game.matrix.set_row(y, bytes(8 * (x != gap) for x in range(10)))


def lock_event(
    seat: FarSeat, x: int, y: int, piece: int = 0, facing: int = 0, hold: int = -1, time_ms: int = 0
) -> bytearray:
    hand = seat.hand
    packed = (piece or hand.piece) << 5 | facing << 3 | (hand.hold if hold < 0 else hold)
    return event(LOCK, time_ms or at(seat), packed, x + 3, y + 3, 0, 0, 0)


def frame_of(session: Any) -> bytearray:
    """Return the head of a play of a side, with room for news behind."""
    session.head(session.beat, PLAY, 0, 0)
    return session.beat[:HEAD] + bytearray(64 - HEAD)


class TestWhatCannotBe:
    @pytest.mark.no_cover
    @pytest.mark.parametrize(
        ("x", "y", "changes"),
        [
            (3, -3, {}),
            (3, 50, {}),
            (-3, 0, {}),
            (9, 0, {}),
            (13, 0, {}),
            (200, 0, {}),
            (3, 0, {"piece": 8 - 1}),
            (3, 0, {"hold": 5}),
            (3, 38, {}),
        ],
    )
    def test_a_lock_down_that_does_not_fit(self, x: int, y: int, changes: dict[str, int]) -> None:
        _match, seat = far(begun(2, 4))
        seat.hand.piece = 2
        seat.hand.hold = 0
        assert not seat.take(lock_event(seat, min(x, 252), min(y, 252), **changes), 0)

    def test_a_lock_down_upon_blocks(self) -> None:
        _match, seat = fresh()
        for taken in (True, False):
            seat.hand.piece = 4
            assert seat.take(lock_event(seat, 3, -1, time_ms=at(seat)), 0) == taken

    def test_a_lock_down_that_floats(self) -> None:
        _match, seat = fresh()
        seat.hand.piece = 4
        assert not seat.take(lock_event(seat, 3, 0), 0)

    def test_a_lock_down_above_the_skyline(self) -> None:
        _match, seat = fresh()
        prepare(seat, 20)
        assert not drop(seat, 10, 3, piece=4)

    def test_a_lock_down_before_its_tetrimino_comes(self) -> None:
        """200 ms after the last one."""
        _match, seat = fresh()
        assert drop(seat, 1000)
        assert not drop(seat, 1199)
        assert drop(seat, 1200)

    def test_a_lock_down_before_the_lines_of_the_last_one_are_gone(self) -> None:
        """500 ms after it."""
        _match, seat = fresh()
        prepare(seat, 4)
        assert drop(seat, 1000, -2, 1, 1, bytes([4, 0, 0])) and seat.game.lines == 4
        assert not drop(seat, 1499)
        assert drop(seat, 1500)

    def test_a_lock_down_before_the_last_one(self) -> None:
        _match, seat = fresh()
        assert drop(seat, 9000)
        seat.game.entered_ms = 0
        assert not drop(seat, 8999)

    def test_what_happened_before_a_moment_until_which_all_was_told(self) -> None:
        _match, seat = fresh()
        seat.known_ms = 1000
        assert not drop(seat, 999)
        assert drop(seat, 1000)

    def test_two_holds_with_one_tetrimino(self) -> None:
        _match, seat = fresh()
        assert seat.take(event(HOLD, 10), 0)
        assert not seat.take(event(HOLD, 10), 0)
        assert drop(seat, 20)
        assert seat.take(event(HOLD, at(seat)), 0)

    def test_anything_after_being_out(self) -> None:
        _match, seat = fresh()
        assert seat.take(event(OUT, at(seat), low=1), 0)
        assert not drop(seat, at(seat))

    @pytest.mark.parametrize("rows", [0, 1, 41, 255])
    def test_lines_that_no_queue_holds(self, rows: int) -> None:
        _match, seat = fresh()
        assert not seat.take(event(RISE, 10, rows), 0)

    @pytest.mark.parametrize("lines", [0, 1, 5, 15])
    def test_a_clear_of_no_lines(self, lines: int) -> None:
        _match, seat = fresh(aim=40)
        assert not seat.take(event(CLEAR, 10, low=lines), 0)

    @pytest.mark.parametrize(("lines", "time_ms", "taken"), [(4, 1300, True), (3, 1300, False), (4, 1299, False)])
    def test_lines_for_the_team_that_were_not_cleared(self, lines: int, time_ms: int, taken: bool) -> None:
        match, seat = fresh(aim=40)
        prepare(seat, 4)
        assert drop(seat, 1000, -2, 1, 1)
        assert not seat.take(event(HOLD, 1600), 0), "first it tells of the lines"
        assert seat.take(event(CLEAR, time_ms, low=lines), 0) == taken
        assert match.gathering[0].total() == 4 * taken
        assert not taken or not seat.take(event(CLEAR, 1300, low=4), 0), "once is enough"

    @pytest.mark.parametrize(
        ("piece", "rows", "rest", "taken"),
        [
            (1, 4, (4, 0, 0), True),
            (1, 4, (5, 0, 0), False),
            (1, 4, (3, 1, 0), True),
            (1, 4, (3, 0, 0), False),
            (1, 4, (0, 4, 9), True),
            (1, 4, (1, 3, 9), False),
            (1, 4, (0, 5, 0), False),
            (1, 3, (2, 0, 0), True),
            (1, 2, (1, 0, 0), True),
            (1, 1, (0, 0, 0), True),
            (1, 1, (1, 0, 0), False),
            (1, 0, (0, 0, 9), True),
        ],
    )
    def test_lines_sent_and_countered_follow_from_those_cleared(
        self, piece: int, rows: int, rest: tuple[int, ...], taken: bool
    ) -> None:
        _match, seat = fresh()
        prepare(seat, rows)
        assert drop(seat, 1000, -2, 1, piece, bytes(rest)) == taken

    @pytest.mark.parametrize(
        ("first", "second", "sent", "taken"), [(4, 4, 5, True), (4, 4, 4, False), (2, 4, 5, False)]
    )
    def test_a_back_to_back_sends_one_more(self, first: int, second: int, sent: int, taken: bool) -> None:
        _match, seat = fresh()
        prepare(seat, first)
        assert drop(seat, 1000, -2, 1, 1, bytes([4 if first == 4 else 1, 0, 0]))
        seat.game.matrix.masks[:4] = [0xE007] * 4
        seat.game.matrix.top = 0
        prepare(seat, second)
        assert drop(seat, 2000, -2, 1, 1, bytes([sent, 0, 0])) == taken

    @pytest.mark.parametrize(
        ("corners", "sent", "chained"),
        [
            (b"\x08\x08\x08\0", 0, {4}),
            (b"\x08\x08\x08\0", 3, {5}),
            (b"\x08\0\x08\x08", 0, {4, 5}),
            (b"\x08\0\x08\x08", 3, {5}),
            (b"\0\0\x08\x08", 0, {4}),
            (b"\0\0\x08\x08", 3, set()),
        ],
    )
    def test_a_t_between_blocks_may_have_been_turned_there_or_not(
        self, corners: bytes, sent: int, chained: set[int]
    ) -> None:
        """A Single breaks a Back-to-Back, a T-Spin and a Mini T-Spin do not: what it sends may tell which it was."""
        low_left, low_right, high_left, high_right = corners
        told = set()
        for lines in (4, 5):
            _match, seat = fresh()
            game = seat.game
            game.matrix.set_row(0, bytes((0, 0, low_left, 0, low_right, 0, 0, 0, 0, 0)))
            game.matrix.set_row(1, b"\x08\x08\0\0\0\x08\x08\x08\x08\x08")
            game.matrix.set_row(2, bytes((0, 0, high_left, 0, high_right, 0, 0, 0, 0, 0)))
            game.chain = 2
            seat.hand.piece = 6
            single = lock_event(seat, 2, 0, facing=2, time_ms=1000)
            single[7] = sent
            if seat.take(single, 0):
                prepare(seat, 4)
                if drop(seat, 2000, -2, 1, 1, bytes([lines, 0, 0])):
                    told.add(lines)
        assert told == chained

    def test_nothing_is_sent_where_lines_are_cleared_together(self) -> None:
        _match, seat = fresh(aim=40)
        prepare(seat, 4)
        assert not drop(seat, 1000, -2, 1, 1, bytes([4, 0, 0]))

    @pytest.mark.parametrize("targets", [4, 5])
    def test_an_attack_on_two_where_there_is_one_target(self, targets: int) -> None:
        _match, seat = fresh(3, target=1)
        prepare(seat, 4)
        assert drop(seat, 1000, -2, 1, 1, bytes([4, 0, 0]), targets) == (targets == 4)

    @pytest.mark.parametrize(("rows", "time_ms", "taken"), [(3, 1000, True), (2, 1000, False), (3, 1001, False)])
    def test_all_lines_of_the_queue_rise_at_once(self, rows: int, time_ms: int, taken: bool) -> None:
        _match, seat = fresh()
        assert drop(seat, 1000, rest=bytes([0, 0, 3]))
        assert seat.queued == 3
        assert seat.take(event(RISE, time_ms, rows), 0) == taken
        if taken:
            assert (seat.queued, seat.received, seat.game.matrix.masks[2] & 0x1FF8) != (0, 3, 0)
            assert seat.queued == 0 and not seat.take(event(RISE, 1000, 1), 0)

    def test_lines_that_are_due_and_do_not_rise(self) -> None:
        _match, seat = fresh()
        assert drop(seat, 1000, rest=bytes([0, 0, 3]))
        assert not drop(seat, 1200) and not seat.take(event(HOLD, 1300), 0)

    @pytest.mark.parametrize("why", [RISE, OUT])
    def test_who_is_topped_out_says_so_before_anything_else(self, why: int) -> None:
        _match, seat = fresh()
        prepare(seat, 19)
        assert drop(seat, 1000, 1, rest=bytes([0, 0, 30]))
        rows = 41 - seat.game.matrix.top
        assert seat.take(event(RISE, 1000, rows), 0) and seat.queued == 30 - rows
        assert seat.due_ms == 1000
        assert not drop(seat, 1300)
        assert seat.take(event(why, 1000, 1, low=3), 0) == (why == OUT)
        assert (seat.due_ms == 0) == (why == OUT)

    def test_lines_that_rise_after_a_top_out(self) -> None:
        _match, seat = fresh()
        prepare(seat, 19)
        assert drop(seat, 1000, 1, rest=bytes([0, 0, 30]))
        assert not seat.take(event(RISE, 1000, 30), 0)

    def test_a_tetrimino_that_has_no_room_to_come(self) -> None:
        """OUT is due when it comes, unless it was held before: then the one that comes instead is asked for."""
        _match, seat = fresh()
        prepare(seat, 20)
        seat.game.matrix.set_row(20, bytes(3) + b"\x08" * 4 + bytes(3))
        seat.game.matrix.set_row(19, bytes(10))
        seat.hand.next[:] = b"\x02" * 6
        assert drop(seat, 1000, 7, piece=4)
        assert seat.due_ms == 1200
        assert not drop(seat, 1300, 0)
        assert seat.take(event(HOLD, 1300), 0) and seat.due_ms == 1200
        seat.hand.piece = 1
        seat.game.held = False
        seat.game.matrix.set_row(20, bytes(10))
        assert seat.take(event(HOLD, 1300), 0) and seat.due_ms == 0

    @pytest.mark.parametrize(("told_ms", "state"), [(1200, RUNNING), (1201, LOST)])
    def test_time_that_goes_on_where_out_was_due(self, told_ms: int, state: int) -> None:
        circle = begun()
        session: Any = circle.sides[0].session
        seat = session.match.seats[1 - session.me]
        seat.due_ms = 1200
        session.know(1 - session.me, told_ms)
        assert session.state == state

    @pytest.mark.parametrize(("ahead_ms", "state"), [(60_000, RUNNING), (60_001, LOST)])
    def test_who_knows_of_tomorrow(self, ahead_ms: int, state: int) -> None:
        circle = begun()
        session: Any = circle.sides[0].session
        session.know(1 - session.me, session.match.time_ms + ahead_ms)
        assert session.state == state

    @pytest.mark.parametrize(("queued", "taken"), [(0, False), (2, False), (3, True)])
    def test_lines_that_were_sent_half_a_minute_ago_are_in_the_queue(self, queued: int, taken: bool) -> None:
        _match, seat = fresh()
        seat.coming.send(500, 3)
        assert drop(seat, 33_000)  # from here on they are owed
        seat.coming.send(33_500, 9)
        assert drop(seat, 65_000)
        assert drop(seat, 66_000, 4, rest=bytes([0, 0, queued])) == taken

    def test_of_one_who_is_gone_nobody_knows_whom_its_lines_reached(self) -> None:
        match, seat = fresh(3)
        seat.coming.send(500, 3)
        assert drop(seat, 33_000)
        assert match.seats[2].take(event(LATE, 10, 1, low=1), 0)
        assert match.lose(2, 1, 33_100)
        assert drop(seat, 66_000, 4)
        match.parted = False
        seat.owed, seat.owed_ms = 3, 0
        assert not drop(seat, 67_000, 7)

    @pytest.mark.parametrize(("sent", "parted", "found"), [(0, False, 1), (3, False, 1), (4, False, -1), (0, True, -1)])
    def test_more_lines_countered_than_were_sent(self, sent: int, parted: bool, found: int) -> None:
        match, seat = fresh()
        prepare(seat, 4)
        if sent:
            seat.coming.send(500, sent)
        match.parted = parted
        assert drop(seat, 1000, -2, 1, 1, bytes([0, 4, 0]))
        seat.known_ms = 2000
        assert match.find_greedy() == -1, "here it is not yet that late"
        match.time_ms = 1500
        assert match.find_greedy() == found

    def test_a_side_that_hears_such_a_thing_gives_up(self) -> None:
        circle = begun()
        first: Any = circle.sides[0].session
        first.events.add(OUT << 4, 0)
        first.events.add(OUT << 4, 0)
        circle.wait(200)
        assert circle.sides[1].session and circle.sides[1].session.state == LOST

    @pytest.mark.parametrize(
        "events",
        [
            event(ROUND, 0, 9),
            event(GONE, 0, 0, 0, low=7),
            bytearray(b"\xf0" * 4),
            event(LOCK, 9)[:4],
        ],
    )
    def test_news_of_what_no_match_has(self, events: bytearray) -> None:
        circle = begun()
        first: Any = circle.sides[0].session
        frame = frame_of(first)
        frame[4] = first.first + first.waiting & 255
        frame[3] = first.me << 4
        frame[HEAD : HEAD + len(events)] = events
        first.wire.send(frame, HEAD + len(events))
        first.wire.push()
        circle.wait(100)
        assert circle.sides[1].session and circle.sides[1].session.state == LOST

    def test_that_the_one_here_is_gone(self) -> None:
        circle = begun()
        first, second = (side.session for side in circle.sides)
        assert first and second
        first.events.add(GONE << 4 | second.me, 0)
        circle.wait(100)
        assert second.state == LOST

    def test_that_somebody_leaves_at_a_moment_that_is_not_to_come_soon(self) -> None:
        """Else this one would play on to that moment at once."""
        circle = begun()
        first, second = (side.session for side in circle.sides)
        assert first and second
        first.events.add(GONE << 4 | first.me, 10_000_000)
        circle.wait(100)
        assert second.match.time_ms < 60_000

    def test_a_frame_of_a_kind_that_no_link_has(self) -> None:
        circle = begun()
        first: Any = circle.sides[0].session
        frame = frame_of(first)
        frame[0] = 9 << 4
        first.wire.send(frame, HEAD)
        first.wire.push()
        circle.run()
        assert len(circle.results()) == 1

    def test_what_is_told_when_a_round_is_over_wins_nothing(self) -> None:
        circle = begun(2, 1)
        circle.run()
        session: Any = circle.sides[0].session
        other = 1 - session.me
        before = bytes(session.match.wins)
        session.know(other, session.match.seats[other].known_ms + 1000)
        assert session.match.over and session.match.wins == before != bytes(2)

    def test_another_hash_of_the_same_round(self) -> None:
        circle = begun(2, 1)
        first: Any = circle.sides[0].match
        first.hash = lambda: 12345
        circle.run()
        circle.wait(500)
        assert LOST in [side.session.state for side in circle.sides if side.session]

    def test_more_news_than_can_wait(self) -> None:
        circle = begun()
        first: Any = circle.sides[0].session
        for _ in range(200):
            first.events.add(HOLD << 4, 0)
        circle.wait(100)
        assert first.state == LOST

    @pytest.mark.no_cover
    @given(st.binary(min_size=HEAD, max_size=60), st.integers(0, 3))
    @settings(max_examples=40)
    def test_hostile_frames_harm_nobody(self, hostile: bytes, kind: int) -> None:
        circle = begun()
        session: Any = circle.sides[0].session
        frame = bytearray(64)
        frame[: len(hostile)] = hostile
        frame[0] = (GREETING, PLAY, BEAT, 9)[kind] << 4
        frame[1] = session.key & 255
        frame[2] = session.key >> 8
        session.wire.send(frame, len(hostile))
        session.wire.push()
        circle.wait(600)
        circle.run(lambda: all(side.done for side in circle.sides) or circle.now_ms > 20_000)
        assert len(circle.results()) <= 1

    def test_noise_harms_nobody(self) -> None:
        circle = begun()
        for line in circle.lines:
            line.waiting.append((circle.now_ms, circle.sides[0].chance.randbytes(3000)))
        circle.run()
        assert len(circle.results()) == 1


class TestLate:
    def test_lines_that_come_in_time_enter_at_their_moment(self) -> None:
        circle = begun()
        match: Any = circle.sides[0].match
        mine = match.seats[match.me]
        mine.enter(1 - match.me, match.time_ms + 100, 4)
        assert mine.coming.due_ms[0] == match.time_ms + 100 and not match.events.used

    def test_late_lines_enter_now_and_that_is_told(self) -> None:
        circle = begun()
        match: Any = circle.sides[0].match
        mine = match.seats[match.me]
        before = mine.chronicle.count
        mine.enter(1 - match.me, match.time_ms - 100, 4)
        assert mine.coming.due_ms[0] == match.time_ms
        assert match.events.bytes[0] == LATE << 4 | 1 - match.me and match.events.bytes[4] == 4
        assert mine.chronicle.count == before + 1

    def test_late_lines_of_one_who_is_out_are_nothing(self) -> None:
        circle = begun()
        match: Any = circle.sides[0].match
        mine = match.seats[match.me]
        mine.out_ms = match.time_ms
        mine.enter(1 - match.me, match.time_ms - 100, 4)
        assert not mine.coming.count and not match.events.used


class TestChronicle:
    def test_what_came_after_can_be_forgotten(self) -> None:
        one, other = Chronicle(), Chronicle()
        for i in range(10):
            one.fold(i)
            one.close(100 * i)
            if i < 6:
                other.fold(i)
                other.close(100 * i)
        one.cut_after(599)
        assert (one.value, one.count) == (other.value, other.count)
        one.cut_after(600)
        assert one.count == 6

    def test_all_can_be_forgotten(self) -> None:
        chronicle = Chronicle()
        chronicle.fold(1)
        chronicle.close(5)
        chronicle.cut(0)
        assert chronicle.value == chronicle.count == 0

    def test_hashes_stay_small_numbers(self) -> None:
        chronicle = Chronicle()
        for i in range(1000):
            chronicle.fold(i * 7919 & 0xFFFFFF)
            assert chronicle.value < 1 << 30


def test_news_that_do_not_fit_are_lost_and_noted() -> None:
    events = EventQueue()
    while not events.lost:
        events.add(LOCK << 4, 0)
    assert events.used <= len(events.bytes)


def test_a_clock_that_drifts_is_followed() -> None:
    least = Least()
    for now_ms in range(0, 60_000, 100):
        least.see(1000 + now_ms // 1000 & 0xFFFF, now_ms)
    assert 1040 < least.value <= 1059


def test_a_clock_that_leaps_is_followed() -> None:
    least = Least()
    least.see(100, 0)
    least.see(40_000, 20_000)
    assert least.value == 40_000


def relay(matches: list[Any]) -> None:
    """Tell all what each has to tell, at once, and have it believed."""
    for match in matches:
        at = 0
        while at < match.events.used:
            for other in matches:
                assert other is match or other.over or other.take(match.me, match.events.bytes, at)
            at += SIZES[match.events.bytes[at] >> 4]
        match.events.used = 0
    for match in matches:
        known_ms = match.read_known_ms()
        for other in matches:
            if other is not match:
                seat = other.seats[match.me]
                assert seat.out_ms != IN or not 0 < seat.due_ms < known_ms
                seat.known_ms = max(seat.known_ms, known_ms)
                other.judge()
    assert all(match.over or match.find_greedy() < 0 for match in matches)


def pass_time(matches: list[Any], time_ms: int) -> None:
    """Let time pass on all devices alike."""
    while matches[0].time_ms < time_ms and not all(match.over for match in matches):
        for match in matches:
            match.advance(min(time_ms, match.time_ms + 100))
        relay(matches)


@pytest.mark.no_cover
@pytest.mark.parametrize(("name", "spun"), [("two", 1), ("three", 5)])
def test_what_computers_play_is_believed(name: str, spun: int) -> None:
    """They spin, counter and keep a Back-to-Back, as no random player does."""
    recording = MatchRecording((MATCHES / f"{name}.sky").read_bytes())
    players = range(recording.options.players)
    matches: list[Any] = [LinkedMatch(recording.seed, recording.options, recording.choices, i) for i in players]
    spins = 0
    while recording.read():
        if recording.next_round:
            pass_time(matches, 1 << 22)
            for match in matches:
                match.begin(match.round + 1)
            continue
        pass_time(matches, recording.time_ms)
        mine = matches[recording.number]
        mine.input(recording.number, recording.button, recording.pressed, recording.time_ms)
        game = mine.seats[recording.number].game
        spins += bool(mine.events.used and game.hit_count and game.spun)
        relay(matches)
    pass_time(matches, 1 << 22)
    assert all(match.over for match in matches)
    assert len({match.hash() for match in matches}) == 1
    assert spins >= spun and sum(seat.countered for seat in matches[0].seats)


class TestAccused:
    def test_who_lies_in_a_pause_is_out_and_the_pause_goes_on(self) -> None:
        circle = begun(3)
        sessions: list[Any] = [side.session for side in circle.sides]
        sessions[0].pause(circle.sides[0].clock(circle.now_ms))
        circle.wait(400)
        sessions[2].events.add_number(RISE << 4, sessions[2].match.time_ms, 1)
        circle.wait(400)
        liar = sessions[2].me
        assert [session.state for session in sessions] == [PAUSED, WAITING, LOST]
        assert [session.wrong for session in sessions] == [1 << liar, 1 << liar, 0]
        assert [session.match.guilty for session in sessions[:2]] == [1 << liar] * 2

    def test_one_who_waits_for_a_minute_while_another_comes_and_goes_gives_up(self) -> None:
        circle = begun()
        first: Any = circle.sides[0].session
        now_ms = circle.sides[0].clock(circle.now_ms)
        first.change(WAITING, now_ms - 60_000)
        first.away = first.needed
        first.look_for_absent(0, now_ms)
        assert first.state == LOST and not first.wrong

    def test_who_cannot_tell_whom_all_wait_for_gives_up(self) -> None:
        """One of three said that another is gone, the third never says anything to that."""
        circle = begun(3)
        first: Any = circle.sides[0].session
        first.say_gone((first.me + 1) % 3)
        now_ms = circle.sides[0].clock(circle.now_ms)
        first.look_for_idle(now_ms)
        first.stood_ms = 40_000
        first.look_for_idle(now_ms)
        assert first.state == LOST and not first.wrong

    def test_of_a_team_one_of_whom_lied_the_other_one_wins(self) -> None:
        match, seat = fresh(4, teams=0b1010)
        for number in (0, 2):
            match.seats[number].out_ms = 1000
        assert match.lose(seat.number, 1 << 15, 900)
        for other in match.seats[1:]:
            other.known_ms = 9000
        match.time_ms = 9000
        match.shaken = True
        match.judge()
        assert match.over and match.winner == 1 and match.guilty == 2


class TestRing:
    def test_what_comes_twice_is_taken_once(self) -> None:
        circle = begun()
        for side in circle.sides:
            side.plays = False
        circle.wait(100)
        first: Any = circle.sides[0].session
        second: Any = circle.sides[1].session
        count = second.match.seats[first.me].chronicle.count
        first.events.add_number(LATE << 4 | second.me, first.match.time_ms, 1)
        first.send(first.match.time_ms, circle.sides[0].clock(circle.now_ms))
        slot = first.slots[first.first & 15]
        for _ in range(3):
            first.transmit(slot, 0, circle.sides[0].clock(circle.now_ms))
        first.wire.push()
        circle.wait(100)
        assert second.match.seats[first.me].chronicle.count == count + 1

    def test_what_comes_before_its_turn_is_dropped_and_not_passed_on(self) -> None:
        circle = begun()
        for side in circle.sides:
            side.plays = False
        circle.wait(100)
        first: Any = circle.sides[0].session
        second: Any = circle.sides[1].session
        seat = second.match.seats[first.me]
        count, expected = seat.chronicle.count, second.expected[first.me]
        late = event(LATE, at(seat) + 1000, 1)
        frame = bytearray(64)
        for ahead in (1, 0):
            first.head(frame, PLAY, expected + ahead & 255, 0)
            frame[3] = first.me << 4
            frame[HEAD : HEAD + len(late)] = late
            second.wire.frame[: len(frame)] = frame
            sent = second.wire.used
            second.take(second.wire.frame, HEAD + len(late), circle.sides[1].clock(circle.now_ms))
            assert (seat.chronicle.count > count, second.wire.used > sent) == (not ahead, not ahead)

    def test_a_frame_of_a_number_that_no_player_has(self) -> None:
        circle = begun()
        first: Any = circle.sides[0].session
        second: Any = circle.sides[1].session
        frame = bytearray(first.beat)
        first.head(frame, BEAT, 0, 0)
        frame[3] = 0x30
        first.wire.send(frame, HEAD)
        first.wire.push()
        circle.wait(100)
        assert second.state == RUNNING

    def test_a_frame_of_one_who_is_gone(self) -> None:
        circle = begun(3)
        first: Any = circle.sides[0].session
        gone = next(i for i in range(3) if i != first.me)
        first.needed &= ~(1 << gone)
        heard_ms = first.heard_ms[gone]
        circle.wait(100)
        assert first.heard_ms[gone] == heard_ms

    def test_a_line_much_too_slow_for_what_is_played_stops_the_clock(self) -> None:
        circle = begun()
        first: Any = circle.sides[0].session
        for _ in range(80):
            first.events.add(HOLD << 4, first.match.time_ms)
        first.waiting = 16
        first.look(circle.sides[0].clock(circle.now_ms))
        assert first.state == WAITING


class TestKeeper:
    def test_what_makes_no_sense_now_does_nothing(self) -> None:
        circle = begun()
        first: Any = circle.sides[0].session
        now_ms = circle.sides[0].clock(circle.now_ms)
        first.resume(now_ms)
        first.make_ready(now_ms)
        assert first.state == RUNNING
        first.begin(first.match.round)
        assert first.state == RUNNING
        first.state = OVER
        first.pause(now_ms)
        assert first.state == OVER

    def test_a_start_of_the_past_is_ignored(self) -> None:
        circle = begun()
        first: Any = circle.sides[0].session
        old = event(START, 0, first.run, 0, 0, 0)
        run = first.run
        first.hear(1 - first.me, old, 0)
        assert first.run == run and first.state == RUNNING

    def test_a_sum_before_the_own_end_waits(self) -> None:
        circle = begun()
        first: Any = circle.sides[0].session
        first.hear(1 - first.me, event(SUM, 0, 1, 2, 3, 4), 0)
        circle.wait(50)
        assert first.state == RUNNING and first.sums[1 - first.me] == 0x04030201

    def test_a_start_told_too_late_makes_nobodys_game_leap(self) -> None:
        circle = begun()
        first: Any = circle.sides[0].session
        now_ms = circle.sides[0].clock(circle.now_ms)
        time_ms = first.match.time_ms
        first.start(time_ms, 0, now_ms - 5000 & 0xFFFF)
        first.reference = first.me
        assert first.read_time_ms(now_ms) == time_ms
        assert first.read_time_ms(now_ms + 50) == time_ms + 50

    def test_a_start_into_a_round_that_cannot_be(self) -> None:
        circle = begun()
        first: Any = circle.sides[0].session
        first.hear(1 - first.me, event(START, 0, first.run + 1 & 31, 5, 0, 0), 0)
        assert first.state == LOST and first.wrong == 1 << 1 - first.me

    def test_news_of_a_round_before_are_old(self) -> None:
        circle = begun()
        first: Any = circle.sides[0].session
        other = 1 - first.me
        first.rounds[other] = 3
        first.hear(other, event(OUT, 99_999, low=1), 0)
        first.know(other, 99_999)
        assert first.match.seats[other].out_ms == IN and first.match.seats[other].known_ms < 99_999

    def test_one_who_waits_for_ever_gives_up(self) -> None:
        circle = begun()
        for side in circle.sides:
            assert side.session
            side.session.mixed = False
            side.session.runs[1 - side.session.me] = 9
            side.session.call_start = lambda now_ms: None  # type: ignore[method-assign]  # no side may propose a start
            side.session.change(WAITING, side.clock(circle.now_ms))
        circle.run(lambda: all(side.session and side.session.state == LOST for side in circle.sides))

    def test_who_paused_meanwhile_does_not_start(self) -> None:
        circle = begun()
        first: Any = circle.sides[0].session
        first.pause(circle.sides[0].clock(circle.now_ms))
        first.start(0, first.match.round, 0)
        assert first.state == PAUSED and not first.counting

    def test_one_who_waits_may_hear_that_the_round_is_over(self) -> None:
        circle = begun()
        first: Any = circle.sides[0].session
        now_ms = circle.sides[0].clock(circle.now_ms)
        first.change(WAITING, now_ms)
        first.match.ends_ms = 5
        first.match.judge()
        first.look(now_ms)
        assert first.state == OVER


def clear_two(seat: FarSeat) -> None:
    """Have lines of a player elsewhere counted."""
    seat.game.cleared = 2
    seat.due_ms = at(seat)
    assert seat.take(event(CLEAR, seat.due_ms, low=2), 0)


class TestGone:
    def test_the_next_one_calls_the_start_where_the_first_is_gone(self) -> None:
        circle = begun(3, 2)
        rest = [side.session for side in circle.sides if side.session and side.match.me]
        for session in rest:
            session.say_gone(0)
        rest[0].note_gone(rest[1].me, 0, 0, 0)
        assert rest[0].reference == 1 and rest[0].mixed

    def test_all_forget_what_one_of_them_does_not_know(self) -> None:
        match, seat = far(begun(3, 2))
        known = seat.chronicle.count
        seat.take(event(LATE, at(seat), 1, low=0), 0)
        seat.take(event(OUT, at(seat), low=1), 0)
        assert match.lose(seat.number, known, match.time_ms + 100)
        assert seat.out_ms == match.time_ms + 100 and seat.gone

    def test_lines_that_were_counted_cannot_be_taken_back(self) -> None:
        match, seat = far(begun(3, 2, aim=9))
        known = seat.chronicle.count
        clear_two(seat)
        assert not match.lose(seat.number, known, match.time_ms + 100)

    def test_one_who_was_out_before_stays_out_since_then(self) -> None:
        match, seat = far(begun(3, 2))
        out_ms = at(seat)
        seat.take(event(OUT, out_ms, low=1), 0)
        assert match.lose(seat.number, seat.chronicle.count, out_ms + 5000)
        assert seat.out_ms == out_ms

    def test_after_the_end_nothing_changes(self) -> None:
        circle = begun(2, 1)
        circle.run()
        match, seat = far(circle)
        before = match.hash()
        assert match.lose(seat.number, 0, 5)
        assert match.hash() == before

    @pytest.mark.parametrize("more", [0, 1])
    def test_who_knew_less_than_one_who_is_through_gives_up(self, more: int) -> None:
        circle = begun(3, 2)
        first: Any = circle.sides[0].session
        rest = [i for i in range(3) if i != first.me]
        first.states[rest[0]] = OVER
        first.say_gone(rest[1])
        known = first.known[rest[1] * 3 + first.me]
        first.note_gone(rest[0], rest[1], known + more, 0)
        assert (first.state == LOST) == (more > 0)

    def test_lines_of_a_gone_player_that_some_counted(self) -> None:
        circle = begun(3, 2, aim=9)
        first: Any = circle.sides[0].session
        rest = [i for i in range(3) if i != first.me]
        seat = first.match.seats[rest[1]]
        clear_two(seat)
        first.say_gone(rest[1])
        first.note_gone(rest[0], rest[1], 0, 0)
        assert first.state == LOST
