"""A device believes an event of another player only if the rules allow it (firmware/link/players.py)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware.link.events import CLEAR, GUILTY, HOLD, LATE, OUT, RISE, SIZES
from firmware.link.linked import LinkedMatch
from firmware.match.seat import NOT_YET
from firmware.save.recordings.match_recording import MatchRecording
from tests.support.handhelds.far_player import change, cover, drop, drop_i, fill, lock, make_match, report, send
from tests.support.handhelds.ring_harness import begun, make_event

MATCHES = Path(__file__).parents[1] / "matches"
I, O, T = 1, 4, 6  # noqa: E741 - Tetriminos
Step = tuple[Callable[[Any], bool], bool]
"""A call on the seat of another player, and whether its event is believed."""


CASES: dict[str, tuple[int, dict[str, int], list[Step]]] = {
    "upon Blocks": (0, {}, [(lock(3, -1, O), True), (lock(3, -1, O), False)]),
    "that floats": (0, {}, [(lock(3, 0, O), False)]),
    "out of reach": (0, {}, [(cover, True), (lock(3, -1, O), False)]),
    "when OUT is due": (0, {}, [(change(due_ms=500), True), (drop(500), False)]),
    "above the Skyline": (20, {}, [(drop(10, 3, O), False)]),
    **{
        f"that does not fit at {x}, {y} {forged}": (0, {}, [(lock(x, y, 2, **forged), False)])
        for x, y, forged in [
            (3, -3, {}), (3, 50, {}), (-3, 0, {}), (9, 0, {}), (13, 0, {}), (200, 0, {}), (3, 38, {}),
            (3, -1, {"told": 7}), (3, -1, {"hold": 5}),
        ]
    },
    "200 ms after the last one": (0, {}, [(drop(1000), True), (drop(1199), False), (drop(1200), True)]),
    "500 ms after a Line Clear": (4, {}, [(drop_i(lines=(4, 0, 0)), True), (drop(1499), False), (drop(1500), True)]),
    "before the last one": (0, {}, [(drop(9000), True), (change(entered_ms=0), True), (drop(8999), False)]),
    "before the known time": (0, {}, [(change(known_ms=1000), True), (drop(999), False), (drop(1000), True)]),
    "one Hold for each Lock Down": (
        0, {}, [(report(HOLD, 10), True), (report(HOLD, 10), False), (drop(20), True), (report(HOLD, 300), True)],
    ),
    "after OUT": (0, {}, [(report(OUT, 10, low=1), True), (drop(20), False)]),
    **{f"RISE {rows} without a queue": (0, {}, [(report(RISE, 10, rows), False)]) for rows in (0, 1, 41, 255)},
    **{
        f"CLEAR {lines} of nothing": (0, {"aim": 40}, [(report(CLEAR, 10, low=lines), False)])
        for lines in (0, 1, 5, 15)
    },
    **{
        f"CLEAR {lines} at {time_ms}": (4, {"aim": 40}, [
            (drop_i(), True), (report(HOLD, 1600), False), (report(CLEAR, time_ms, low=lines), good),
            *([(report(CLEAR, 1300, low=4), False)] if good else []),
        ])
        for lines, time_ms, good in [(4, 1300, True), (3, 1300, False), (4, 1299, False)]
    },
    **{
        f"{rows} rows cleared: {lines}": (rows, {}, [(drop_i(lines=lines), good)])
        for rows, lines, good in [
            (4, (4, 0, 0), True), (4, (5, 0, 0), False), (4, (3, 1, 0), True), (4, (3, 0, 0), False),
            (4, (0, 4, 9), True), (4, (1, 3, 9), False), (4, (0, 5, 0), False), (3, (2, 0, 0), True),
            (2, (1, 0, 0), True), (1, (0, 0, 0), True), (1, (1, 0, 0), False), (0, (0, 0, 9), True),
            (0, (0, 1, 9), False),
        ]
    },
    "lines sent in co-op": (4, {"aim": 40}, [(drop_i(lines=(4, 0, 0)), False)]),
    **{
        f"RISE {rows} of 3 at {time_ms}": (0, {}, [
            (drop(1000, lines=(0, 0, 3)), True), (report(RISE, time_ms, rows), good),
            *([(report(RISE, 1000, 1), False)] if good else []),
        ])
        for rows, time_ms, good in [(3, 1000, True), (2, 1000, False), (3, 1001, False)]
    },
    "due lines that do not rise": (
        0, {}, [(drop(1000, lines=(0, 0, 3)), True), (drop(1200), False), (report(HOLD, 1300), False)],
    ),
    "lines that rise after a Top Out": (
        19, {}, [(drop(1000, 1, lines=(0, 0, 30)), True), (report(RISE, 1000, 30), False)],
    ),
    **{
        f"{queued} of 3 lines queued after half a minute": (0, {}, [
            (send(500, 3), True), (drop(33_000), True), (send(33_500, 9), True), (drop(65_000), True),
            (drop(66_000, 4, lines=(0, 0, queued)), queued == 3),
        ])
        for queued in (0, 2, 3)
    },
    **{
        f"an attack on {targets:03b}": (4, rules, [(drop_i(lines=(4, 0, 0), to=targets), good)])
        for targets, rules, good in [
            (5, {}, True), (4, {"target": 1}, True), (5, {"target": 1}, False), (2, {}, False), (8, {}, False),
            (4, {"teams": 6}, False),
        ]
    },
    **{
        f"LATE {lines} from player {sender}": (0, {"teams": 6}, [(report(LATE, 10, lines, low=sender), good)])
        for lines, sender, good in [(1, 0, True), (0, 0, False), (1, 1, False), (1, 2, False), (1, 3, False)]
    },
}  # fmt: skip


def test_the_garbage_of_a_round_is_collected_before_the_next_one() -> None:
    match, _seat = make_match()
    freed: list[bool] = []
    match.collect = lambda: freed.append(not match.seats)
    match.set_up(1)
    assert freed == [True] and len(match.seats) == 2


class TestBelief:
    @pytest.mark.parametrize("name", CASES)
    def test_events_are_believed_only_if_the_rules_allow_them(self, name: str) -> None:
        rows, rules, steps = CASES[name]
        _match, seat = make_match(3, **rules)
        fill(seat, rows)
        for tell, believed in steps:
            assert tell(seat) == believed

    @pytest.mark.parametrize(("to", "mark"), [(0b001, 0), (0b100, 2), (0b1000, 3), (0, 1)])
    def test_the_mark_of_a_remote_player_is_on_its_last_target(self, to: int, mark: int) -> None:
        """Lines without a target leave the mark on their sender, as on the sender's own device."""
        _match, seat = make_match(4, target=1)
        fill(seat, 4)
        assert drop_i(lines=(4, 0, 0), to=to)(seat) and seat.mark == mark

    def test_lines_cleared_in_co_op_count_once(self) -> None:
        match, seat = make_match(aim=40)
        fill(seat, 4)
        for tell in (drop_i(), *(report(CLEAR, 1300, low=lines) for lines in (3, 4, 4))):
            tell(seat)
        assert match.gathering[0].total() == 4

    def test_all_lines_of_the_queue_rise(self) -> None:
        _match, seat = make_match()
        assert drop(1000, lines=(0, 0, 3))(seat) and seat.queued == 3 and report(RISE, 1000, 3)(seat)
        assert (seat.queued, seat.received) == (0, 3) and seat.game.matrix.masks[2] & 0x1FF8

    @pytest.mark.parametrize(
        ("first", "second", "sent", "believed"), [(4, 4, 5, True), (4, 4, 4, False), (2, 4, 5, False)]
    )
    def test_a_back_to_back_sends_one_more(self, first: int, second: int, sent: int, believed: bool) -> None:
        _match, seat = make_match()
        fill(seat, first)
        assert drop_i(1000, (4 if first == 4 else 1, 0, 0))(seat)
        seat.game.matrix.masks[:4] = [0xE007] * 4
        seat.game.matrix.top = 0
        fill(seat, second)
        assert drop_i(2000, (sent, 0, 0))(seat) == believed

    @pytest.mark.parametrize(
        ("corners", "sent", "accepted_lines"),
        [(b"\x08\x08\x08\0", 0, {4}), (b"\x08\x08\x08\0", 3, {5}), (b"\x08\0\x08\x08", 0, {4, 5})]
        + [(b"\x08\0\x08\x08", 3, {5}), (b"\0\0\x08\x08", 0, {4}), (b"\0\0\x08\x08", 3, set())],
    )
    def test_the_lines_sent_decide_whether_a_t_was_a_spin(self, corners: bytes, sent: int, accepted_lines) -> None:
        """A Single breaks a Back-to-Back; a T-Spin or Mini T-Spin does not."""
        low_left, low_right, high_left, high_right = corners
        told = set()
        for lines in (4, 5):
            _match, seat = make_match()
            matrix = seat.game.matrix
            matrix.set_row(0, bytes((0, 0, low_left, 0, low_right, 0, 0, 0, 0, 0)))
            matrix.set_row(1, b"\x08\x08\0\0\0\x08\x08\x08\x08\x08")
            matrix.set_row(2, bytes((0, 0, high_left, 0, high_right, 0, 0, 0, 0, 0)))
            seat.game.chain = 2
            if lock(2, 0, T, 2, 1000, (sent, 0, 0))(seat):
                fill(seat, 4)
                if drop_i(2000, (lines, 0, 0))(seat):
                    told.add(lines)
        assert told == accepted_lines

    @pytest.mark.parametrize("why", [RISE, OUT])
    def test_after_a_top_out_only_out_is_believed(self, why: int) -> None:
        _match, seat = make_match()
        fill(seat, 19)
        assert drop(1000, 1, lines=(0, 0, 30))(seat)
        rows = 41 - seat.game.matrix.top
        assert report(RISE, 1000, rows)(seat) and seat.queued == 30 - rows
        assert seat.due_ms == 1000 and not drop(1300)(seat) and report(why, 1000, 1, low=3)(seat) == (why == OUT)
        assert (seat.due_ms == 0) == (why == OUT)

    def test_out_is_due_if_the_next_tetrimino_has_no_room(self) -> None:
        """After a Hold the Tetrimino from the Hold Queue needs the room."""
        _match, seat = make_match()
        fill(seat, 19)
        seat.hand.next[:] = b"\x02" * 6
        assert drop(1000, 3, O)(seat) and seat.due_ms == 1200 and not drop(1300)(seat)
        assert report(HOLD, 1300)(seat) and seat.due_ms == 1200
        seat.hand.piece = I
        seat.game.held = False
        seat.game.matrix.set_row(20, bytes(10))
        assert report(HOLD, 1300)(seat) and seat.due_ms == 0

    def test_owed_lines_are_unchecked_once_a_player_is_gone(self) -> None:
        match, seat = make_match(3)
        seat.coming.send(500, 3)
        assert drop(33_000)(seat) and match.seats[2].apply_event(make_event(LATE, 10, 1, low=1), 0)
        assert match.remove_player(2, 1, 33_100) and drop(66_000, 4)(seat)
        match.player_left = False
        seat.owed, seat.owed_ms = 3, 0
        assert not drop(67_000, 7)(seat)

    @pytest.mark.parametrize("kind", ["countered", "risen", "late"])
    @pytest.mark.parametrize(("sent", "parted", "found"), [(0, False, 1), (3, False, 1), (4, False, -1), (0, True, -1)])
    def test_nobody_counters_or_receives_more_lines_than_were_sent(self, kind: str, sent: int, parted, found) -> None:
        match, seat = make_match()
        if sent:
            seat.coming.send(500, sent)
        match.player_left = parted
        if kind == "late":
            assert report(LATE, 1000, 4)(seat)
        elif kind == "risen":
            assert drop(1000, lines=(0, 0, 4))(seat) and report(RISE, 1000, 4)(seat)
        else:
            fill(seat, 4)
            assert drop_i(1000, (0, 4, 0))(seat)
        seat.known_ms = 2000
        assert match.find_overdrawn() == -1, "this device has not reached that time"
        match.time_ms = 1500
        assert match.find_overdrawn() == found

    def test_a_round_has_at_most_the_events_that_a_report_can_count(self) -> None:
        _match, seat = make_match()
        seat.hashed.count = GUILTY - 2
        assert drop(1000)(seat) and not drop(2000)(seat)

    @pytest.mark.parametrize(("ahead_ms", "late"), [(100, False), (0, True), (-100, True)])
    @pytest.mark.parametrize("out", [False, True])
    def test_late_lines_arrive_now_and_are_reported_unless_out(self, ahead_ms: int, late: bool, out: bool) -> None:
        match = begun().sides[0].match
        mine = match.seats[match.me]
        mine.out_ms = match.time_ms if out else NOT_YET
        before = mine.hashed.count
        mine.accept_lines(1 - match.me, match.time_ms + ahead_ms, 4)
        if late and out:
            assert not mine.coming.count and not match.events.used
            return
        assert mine.coming.due_ms[0] == match.time_ms + max(ahead_ms, 0)
        assert (match.events.used, mine.hashed.count - before) == ((SIZES[LATE], 1) if late else (0, 0))
        assert not late or match.events.buffer[0] == LATE << 4 | 1 - match.me and match.events.buffer[4] == 4

    def test_a_remote_players_lines_tetriminos_and_attacks_add_up(self) -> None:
        _match, seat = make_match()
        for time_ms, sent in ((1000, 4), (2000, 5), (3000, 5)):
            fill(seat, 4)
            assert drop_i(time_ms, (sent - 1, 1, 0))(seat)
        game = seat.game
        assert (game.lines, game.lock_downs, game.statistics.pieces) == (12, 3, 3)
        assert (seat.sent, seat.countered) == (11, 3)

    def test_rows_that_top_a_player_out_are_reported_before_out(self) -> None:
        match, _seat = make_match()
        match.advance(100)
        mine = match.seats[0]
        mine.received = 3
        mine.end(mine.game)
        rise, out = SIZES[RISE], SIZES[OUT]
        assert match.events.used == rise + out
        assert (match.events.buffer[0], match.events.buffer[4]) == (RISE << 4, 3)
        assert match.events.buffer[rise] >> 4 == OUT and mine.hashed.count == 2
        mine.report_rise(mine.game)
        assert match.events.used == rise + out, "each row is reported once"


def relay(matches: list[Any]) -> None:
    """Deliver the events of each match to all others at once; all must be believed."""
    for match in matches:
        at = 0
        while at < match.events.used:
            for other in matches:
                assert other is match or other.over or other.apply_event(match.me, match.events.buffer, at)
            at += SIZES[match.events.buffer[at] >> 4]
        match.events.clear()
    for match in matches:
        known_ms = match.read_known_ms()
        for other in matches:
            if other is not match:
                seat = other.seats[match.me]
                assert other.over or other.mark_known(match.me, max(seat.known_ms, known_ms), 1 << 23) < 0


def pass_time(matches: list[Any], time_ms: int) -> None:
    while matches[0].time_ms < time_ms and not all(match.over for match in matches):
        for match in matches:
            match.advance(min(time_ms, match.time_ms + 100))
        relay(matches)


@pytest.mark.no_cover
@pytest.mark.parametrize(("name", "spun"), [("two", 1), ("three", 5)])
def test_events_of_computer_players_are_believed(name: str, spun: int) -> None:
    """They spin, counter and keep a Back-to-Back, unlike random players."""
    recording = MatchRecording((MATCHES / f"{name}.sky").read_bytes())
    players = range(recording.options.players)
    matches: list[Any] = [LinkedMatch(recording.seed, recording.options, recording.choices, i) for i in players]
    spins = 0
    while recording.read():
        if recording.next_round:
            pass_time(matches, 1 << 22)
            for match in matches:
                match.begin_round(match.round + 1)
            continue
        pass_time(matches, recording.time_ms)
        mine = matches[recording.number]
        mine.input(recording.number, recording.button, recording.pressed, recording.time_ms)
        game = mine.seats[recording.number].game
        spins += bool(mine.events.used and game.hit_count and game.spun)
        relay(matches)
    pass_time(matches, 1 << 22)
    assert all(match.over for match in matches) and len({match.hash() for match in matches}) == 1
    assert spins >= spun and sum(seat.countered for seat in matches[0].seats)
