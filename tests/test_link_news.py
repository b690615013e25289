"""What may come over a wire from somebody who has the key of a match, and says what cannot be (firmware/link)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.link.news import CLEAR, GONE, HOLD, LATE, LOCK, OUT, RISE, ROUND, START, SUM, Chronicle, News
from firmware.link.ring import BEAT, GREETING, HEAD, PLAY, Least
from firmware.link.roster import LOST, OVER, PAUSED, RUNNING, WAITING
from firmware.link.seats import FarSeat
from firmware.match.seat import IN
from tests.circle import Circle


def begun(count: int = 2, seed: int = 1, **rules: int) -> Circle:
    circle = Circle(count, seed, **rules)  # type: ignore[arg-type]
    circle.run(lambda: all(side.keeper and side.match.time_ms > 300 for side in circle.sides))
    return circle


def far(circle: Circle) -> tuple[Any, FarSeat]:
    """Return the match of the first side, and in it a seat of somebody else."""
    match: Any = circle.sides[0].match
    return match, match.seats[1 - match.me]


def event(kind: int, time_ms: int, *rest: int, low: int = 0) -> bytearray:
    return bytearray([kind << 4 | low, time_ms & 255, time_ms >> 8 & 255, time_ms >> 16, *rest])


def at(seat: FarSeat) -> int:
    return int(seat.game.time_ms) + 10


def lock_event(
    seat: FarSeat, x: int, y: int, piece: int = 0, facing: int = 0, hold: int = -1, time_ms: int = 0
) -> bytearray:
    hand = seat.hand
    packed = (piece or hand.piece) << 5 | facing << 3 | (hand.hold if hold < 0 else hold)
    return event(LOCK, time_ms or at(seat), packed, x + 3, y + 3, 0, 0, 0)


def frame_of(keeper: Any) -> bytearray:
    """Return the head of a play of a side, with room for news behind."""
    keeper.head(keeper.beat, PLAY, 0, 0)
    return keeper.beat[:HEAD] + bytearray(64 - HEAD)


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
        _match, seat = far(begun())
        for _ in range(2):
            seat.hand.piece = 4
            taken = seat.take(lock_event(seat, 3, 5), 0)
        assert not taken

    def test_a_lock_down_before_the_last_one(self) -> None:
        _match, seat = far(begun())
        assert seat.take(lock_event(seat, 3, 5, time_ms=9000), 0)
        assert not seat.take(lock_event(seat, 3, 9, time_ms=8999), 0)

    def test_anything_after_being_out(self) -> None:
        _match, seat = far(begun())
        assert seat.take(event(OUT, at(seat), low=1), 0)
        assert not seat.take(lock_event(seat, 3, 5), 0)

    @pytest.mark.parametrize("rows", [0, 41, 255])
    def test_lines_that_no_queue_holds(self, rows: int) -> None:
        _match, seat = far(begun())
        assert not seat.take(event(RISE, at(seat), rows), 0)

    @pytest.mark.parametrize("lines", [0, 5, 15])
    def test_a_clear_of_no_lines(self, lines: int) -> None:
        _match, seat = far(begun())
        assert not seat.take(event(CLEAR, at(seat), low=lines), 0)

    def test_a_side_that_hears_such_a_thing_gives_up(self) -> None:
        circle = begun()
        first: Any = circle.sides[0].keeper
        first.news.add(OUT << 4, 0)
        first.news.add(OUT << 4, 0)
        circle.wait(200)
        assert circle.sides[1].keeper and circle.sides[1].keeper.state == LOST

    @pytest.mark.parametrize(
        "news",
        [
            event(ROUND, 0, 9),
            event(GONE, 0, 0, 0, low=7),
            bytearray(b"\xf0" * 4),
            event(LOCK, 9)[:4],
        ],
    )
    def test_news_of_what_no_match_has(self, news: bytearray) -> None:
        circle = begun()
        first: Any = circle.sides[0].keeper
        frame = frame_of(first)
        frame[4] = first.first + first.waiting & 255
        frame[3] = first.me << 4
        frame[HEAD : HEAD + len(news)] = news
        first.wire.send(frame, HEAD + len(news))
        first.wire.push()
        circle.wait(100)
        assert circle.sides[1].keeper and circle.sides[1].keeper.state == LOST

    def test_that_the_one_here_is_gone(self) -> None:
        circle = begun()
        first, second = (side.keeper for side in circle.sides)
        assert first and second
        first.news.add(GONE << 4 | second.me, 0)
        circle.wait(100)
        assert second.state == LOST

    def test_that_somebody_leaves_at_a_moment_that_is_not_to_come_soon(self) -> None:
        """Else this one would play on to that moment at once."""
        circle = begun()
        first, second = (side.keeper for side in circle.sides)
        assert first and second
        first.news.add(GONE << 4 | first.me, 10_000_000)
        circle.wait(100)
        assert second.match.time_ms < 60_000

    def test_a_frame_of_a_kind_that_no_link_has(self) -> None:
        circle = begun()
        first: Any = circle.sides[0].keeper
        frame = frame_of(first)
        frame[0] = 9 << 4
        first.wire.send(frame, HEAD)
        first.wire.push()
        circle.run()
        assert len(circle.results()) == 1

    def test_what_is_told_when_a_round_is_over_wins_nothing(self) -> None:
        circle = begun(2, 1)
        circle.run()
        keeper: Any = circle.sides[0].keeper
        other = 1 - keeper.me
        before = bytes(keeper.match.wins)
        keeper.know(other, keeper.match.seats[other].known_ms + 1000)
        assert keeper.match.over and keeper.match.wins == before != bytes(2)

    def test_another_hash_of_the_same_round(self) -> None:
        circle = begun(2, 1)
        first: Any = circle.sides[0].match
        first.hash = lambda: 12345
        circle.run()
        circle.wait(500)
        assert LOST in [side.keeper.state for side in circle.sides if side.keeper]

    def test_more_news_than_can_wait(self) -> None:
        circle = begun()
        first: Any = circle.sides[0].keeper
        for _ in range(200):
            first.news.add(HOLD << 4, 0)
        circle.wait(100)
        assert first.state == LOST

    @pytest.mark.no_cover
    @given(st.binary(min_size=HEAD, max_size=60), st.integers(0, 3))
    @settings(max_examples=40)
    def test_hostile_frames_harm_nobody(self, hostile: bytes, kind: int) -> None:
        circle = begun()
        keeper: Any = circle.sides[0].keeper
        frame = bytearray(64)
        frame[: len(hostile)] = hostile
        frame[0] = (GREETING, PLAY, BEAT, 9)[kind] << 4
        frame[1] = keeper.key & 255
        frame[2] = keeper.key >> 8
        keeper.wire.send(frame, len(hostile))
        keeper.wire.push()
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
        assert mine.coming.due_ms[0] == match.time_ms + 100 and not match.news.used

    def test_late_lines_enter_now_and_that_is_told(self) -> None:
        circle = begun()
        match: Any = circle.sides[0].match
        mine = match.seats[match.me]
        before = mine.chronicle.count
        mine.enter(1 - match.me, match.time_ms - 100, 4)
        assert mine.coming.due_ms[0] == match.time_ms
        assert match.news.bytes[0] == LATE << 4 | 1 - match.me and match.news.bytes[4] == 4
        assert mine.chronicle.count == before + 1

    def test_late_lines_of_one_who_is_out_are_nothing(self) -> None:
        circle = begun()
        match: Any = circle.sides[0].match
        mine = match.seats[match.me]
        mine.out_ms = match.time_ms
        mine.enter(1 - match.me, match.time_ms - 100, 4)
        assert not mine.coming.count and not match.news.used


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
    news = News()
    while not news.lost:
        news.add(LOCK << 4, 0)
    assert news.used <= len(news.bytes)


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


class TestRing:
    def test_what_comes_twice_is_taken_once(self) -> None:
        circle = begun()
        for side in circle.sides:
            side.plays = False
        circle.wait(100)
        first: Any = circle.sides[0].keeper
        second: Any = circle.sides[1].keeper
        count = second.match.seats[first.me].chronicle.count
        first.news.add_number(LATE << 4 | second.me, first.match.time_ms, 1)
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
        first: Any = circle.sides[0].keeper
        second: Any = circle.sides[1].keeper
        seat = second.match.seats[first.me]
        count, expected = seat.chronicle.count, second.expected[first.me]
        late = event(LATE, at(seat), 1)
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
        first: Any = circle.sides[0].keeper
        second: Any = circle.sides[1].keeper
        frame = bytearray(first.beat)
        first.head(frame, BEAT, 0, 0)
        frame[3] = 0x30
        first.wire.send(frame, HEAD)
        first.wire.push()
        circle.wait(100)
        assert second.state == RUNNING

    def test_a_frame_of_one_who_is_gone(self) -> None:
        circle = begun(3)
        first: Any = circle.sides[0].keeper
        gone = next(i for i in range(3) if i != first.me)
        first.needed &= ~(1 << gone)
        heard_ms = first.heard_ms[gone]
        circle.wait(100)
        assert first.heard_ms[gone] == heard_ms

    def test_a_line_much_too_slow_for_what_is_played_stops_the_clock(self) -> None:
        circle = begun()
        first: Any = circle.sides[0].keeper
        for _ in range(80):
            first.news.add(HOLD << 4, first.match.time_ms)
        first.waiting = 16
        first.look(circle.sides[0].clock(circle.now_ms))
        assert first.state == WAITING


class TestKeeper:
    def test_what_makes_no_sense_now_does_nothing(self) -> None:
        circle = begun()
        first: Any = circle.sides[0].keeper
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
        first: Any = circle.sides[0].keeper
        old = event(START, 0, first.run, 0, 0, 0)
        run = first.run
        first.hear(1 - first.me, old, 0)
        assert first.run == run and first.state == RUNNING

    def test_a_sum_before_the_own_end_waits(self) -> None:
        circle = begun()
        first: Any = circle.sides[0].keeper
        first.hear(1 - first.me, event(SUM, 0, 1, 2, 3, 4), 0)
        circle.wait(50)
        assert first.state == RUNNING and first.sums[1 - first.me] == 0x04030201

    def test_a_start_told_too_late_makes_nobodys_game_leap(self) -> None:
        circle = begun()
        first: Any = circle.sides[0].keeper
        now_ms = circle.sides[0].clock(circle.now_ms)
        time_ms = first.match.time_ms
        first.start(time_ms, 0, now_ms - 5000 & 0xFFFF)
        first.reference = first.me
        assert first.read_time_ms(now_ms) == time_ms
        assert first.read_time_ms(now_ms + 50) == time_ms + 50

    def test_a_start_into_a_round_that_cannot_be(self) -> None:
        circle = begun()
        first: Any = circle.sides[0].keeper
        first.start(0, 5, 0)
        assert first.state == LOST

    def test_news_of_a_round_before_are_old(self) -> None:
        circle = begun()
        first: Any = circle.sides[0].keeper
        other = 1 - first.me
        first.rounds[other] = 3
        first.hear(other, event(OUT, 99_999, low=1), 0)
        first.know(other, 99_999)
        assert first.match.seats[other].out_ms == IN and first.match.seats[other].known_ms < 99_999

    def test_one_who_waits_for_ever_gives_up(self) -> None:
        circle = begun()
        for side in circle.sides:
            assert side.keeper
            side.keeper.mixed = False
            side.keeper.runs[1 - side.keeper.me] = 9
            side.keeper.call_start = lambda now_ms: None  # type: ignore[method-assign]
            side.keeper.change(WAITING, side.clock(circle.now_ms))
        circle.run(lambda: all(side.keeper and side.keeper.state == LOST for side in circle.sides))

    def test_who_paused_meanwhile_does_not_start(self) -> None:
        circle = begun()
        first: Any = circle.sides[0].keeper
        first.pause(circle.sides[0].clock(circle.now_ms))
        first.start(0, first.match.round, 0)
        assert first.state == PAUSED and not first.counting

    def test_one_who_waits_may_hear_that_the_round_is_over(self) -> None:
        circle = begun()
        first: Any = circle.sides[0].keeper
        now_ms = circle.sides[0].clock(circle.now_ms)
        first.change(WAITING, now_ms)
        first.match.ends_ms = 5
        first.match.judge()
        first.look(now_ms)
        assert first.state == OVER


class TestGone:
    def test_the_next_one_calls_the_start_where_the_first_is_gone(self) -> None:
        circle = begun(3, 2)
        rest = [side.keeper for side in circle.sides if side.keeper and side.match.me]
        for keeper in rest:
            keeper.say_gone(0)
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
        assert seat.take(event(CLEAR, at(seat), low=2), 0)
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

    def test_who_knew_less_than_one_who_is_through_gives_up(self) -> None:
        circle = begun(3, 2)
        first: Any = circle.sides[0].keeper
        rest = [i for i in range(3) if i != first.me]
        first.states[rest[0]] = OVER
        first.say_gone(rest[1])
        first.note_gone(rest[0], rest[1], 0, 0)
        assert first.state == LOST

    def test_lines_of_a_gone_player_that_some_counted(self) -> None:
        circle = begun(3, 2, aim=9)
        first: Any = circle.sides[0].keeper
        rest = [i for i in range(3) if i != first.me]
        seat = first.match.seats[rest[1]]
        assert seat.take(event(CLEAR, at(seat), low=2), 0)
        first.say_gone(rest[1])
        first.note_gone(rest[0], rest[1], 0, 0)
        assert first.state == LOST
