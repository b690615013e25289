"""What the devices of a match settle: its lines, its hash, and what counts of a player who is gone (firmware/link)."""

from typing import Any

import pytest

from firmware.link.events import CLEAR, GUILTY, KEPT, LATE, OUT
from firmware.match.flight import FLIGHT_MS
from firmware.match.match import NOBODY
from firmware.match.seat import NOT_YET
from tests.support.handhelds.far_player import NONE, drop_i, fill, make_match, report


class TestJudging:
    def test_the_own_game_is_final_until_1_ms_ago_or_the_end(self) -> None:
        match, _seat = make_match()
        for time_ms, ends_ms, known_ms in ((500, NOT_YET, 499), (500, 501, 499), (500, 500, 500), (501, 500, 501)):
            match.time_ms, match.ends_ms = time_ms, ends_ms
            assert match.read_known_ms() == known_ms

    def test_a_match_is_settled_up_to_the_least_report(self) -> None:
        match, _seat = make_match(3)
        for known, settled_ms in (((700, 300), 300), ((300, 700), 300), ((700, 800), 499)):
            match.time_ms = 500
            match.seats[1].known_ms, match.seats[2].known_ms = known
            assert match.find_settled() == settled_ms

    def test_lines_go_to_all_targets_except_their_sender(self) -> None:
        match, _seat = make_match(3)
        match.carry_lines(1, 0b111, 900, 3)
        assert [seat.coming.count for seat in match.seats] == [1, 0, 1]
        assert match.seats[2].coming.sent == 3 and match.reached == 0b100

    def test_the_hash_depends_on_round_winner_end_wins_and_events(self) -> None:
        match, _seat = make_match()
        match.ends_ms = 1000
        seen = {match.hash()}
        for name, value in (("round", 1), ("winner", 1), ("ends_ms", 1001)):
            before = getattr(match, name)
            setattr(match, name, value)
            seen.add(match.hash())
            setattr(match, name, before)
        for number in range(2):
            match.wins[number] += 1
            seen.add(match.hash())
            match.seats[number].hashed.add(1, 1)
            seen.add(match.hash())
        assert len(seen) == 8


class TestGone:
    def make_far_seat(self, **rules: int) -> tuple[Any, Any]:
        """Return a match of three, and the seat of a remote player who has cleared two lines."""
        match, seat = make_match(3, **rules)
        match.time_ms = 5000
        fill(seat, 2)
        assert drop_i(1000, NONE if rules else (1, 0, 0))(seat)
        return match, seat

    def test_events_of_a_gone_player_that_one_device_lacks_are_dropped(self) -> None:
        match, seat = self.make_far_seat()
        known = seat.hashed.count
        assert report(LATE, 2100, 1)(seat) and report(OUT, 2200, low=1)(seat)
        assert match.remove_player(1, known, 5100) and seat.out_ms == 5100 and seat.gone

    def test_counted_lines_cannot_be_taken_back(self) -> None:
        match, seat = self.make_far_seat(aim=9)
        known = seat.hashed.count
        assert report(CLEAR, seat.due_ms, low=2)(seat) and not match.remove_player(1, known, 5100)

    def test_dropped_events_cannot_be_restored(self) -> None:
        match, seat = self.make_far_seat()
        assert match.remove_player(1, 0, 200) and match.remove_player(1, 0, 100) and seat.out_ms == 100
        assert not match.remove_player(1, 1, 100)

    @pytest.mark.parametrize("events", [0, 1])
    def test_only_a_gone_player_with_events_may_have_sent_lines(self, events: int) -> None:
        match, _seat = make_match(3)
        if events:
            assert report(LATE, 10, 1)(match.seats[1])
        assert match.remove_player(1, events, 100) and match.player_left == (events > 0)

    @pytest.mark.parametrize(("number", "time_ms"), [(0, 300 + FLIGHT_MS), (1, 200)])
    def test_only_the_own_leave_advances_the_match(self, number: int, time_ms: int) -> None:
        match, _seat = make_match(3)
        match.time_ms = 200
        assert match.remove_player(number, 0, 300) and match.time_ms == time_ms

    @pytest.mark.parametrize(
        ("added", "dropped", "kept"), [(KEPT, KEPT, True), (KEPT, KEPT + 1, False), (KEPT - 1, KEPT + 1, False)]
    )
    def test_as_many_events_as_are_remembered_can_be_dropped(self, added: int, dropped: int, kept: bool) -> None:
        match, seat = self.make_far_seat()
        for i in range(added):
            seat.hashed.add(i, 2000)
        assert match.remove_player(1, seat.hashed.count - dropped, 5000) == kept

    def test_leaving_keeps_the_time_of_an_earlier_top_out(self) -> None:
        match, seat = self.make_far_seat()
        assert report(OUT, 2200, low=1)(seat)
        for _ in range(2):
            assert match.remove_player(1, seat.hashed.count, 7200) and seat.out_ms == 2200

    def test_a_liar_who_plays_longest_wins_nothing(self) -> None:
        match, seat = make_match(2)
        match.seats[0].out_ms = 800
        assert match.remove_player(seat.number, GUILTY, 900)
        seat.known_ms = match.time_ms = 9000
        match.must_decide = True
        match.decide_round()
        assert match.over and match.winner == NOBODY and list(match.wins) == [0, 0]

    def test_a_liars_team_can_still_win_without_the_liar(self) -> None:
        match, seat = make_match(4, teams=0b1010)
        for number in (0, 2):
            match.seats[number].out_ms = 1000
        assert match.remove_player(seat.number, GUILTY, 900)
        for other in match.seats[1:]:
            other.known_ms = 9000
        match.time_ms = 9000
        match.must_decide = True
        match.decide_round()
        assert match.over and match.winner == 1 and match.guilty == 2
        before = match.hash()
        assert match.remove_player(seat.number, 0, 5) and match.hash() == before, "a result never changes"
