"""Scores against computers by their level (Guideline 11.2: lines sent and received, attack)."""

import pytest

from firmware.engine.options import Options
from firmware.match.match import Match
from firmware.match.options import MatchOptions
from firmware.save.journal import VERSUS
from firmware.save.match_scores import FIELDS, PIECES, RECEIVED, ROUNDS, SECONDS, SENT, WON, Versus, find_level
from tests.support.drill import choose
from tests.support.flash import RamStore
from tests.support.handhelds.arcade import DOWN, LEFT, RIGHT, UP, A, Arcade, B


def make_match(**options: int) -> Match:
    chosen = choose(MatchOptions(), **options)
    return Match(1, chosen, [Options() for _ in range(chosen.players)])


class TestScores:
    @pytest.mark.parametrize(
        ("options", "level"),
        [({"who": 0x30}, 3), ({"players": 4, "who": 0x2510}, 5), ({"players": 3, "who": 0x250, "teams": 0b100}, 2)]
        + [({"who": 0}, 0), ({"who": 0x11}, 0), ({"who": 0x30, "aim": 40}, 0), ({"who": 0x90}, 0)],
    )
    def test_the_level_is_that_of_the_best_opponent(self, options: dict[str, int], level: int) -> None:
        assert find_level(make_match(**options), 0) == level

    def test_rounds_add_up_and_are_restored(self) -> None:
        seat = make_match(who=0x20).seats[0]
        seat.sent, seat.received, seat.game.lock_downs = 9, 4, 30
        versus = Versus()
        for won, seconds in ((True, 60), (False, 30)):
            versus.count(2, won, seat, seconds)
        buffer = bytearray(400)
        again = Versus()
        again.restore(buffer[: versus.pack(buffer)])
        counts = {ROUNDS: 2, WON: 1, SENT: 18, RECEIVED: 8, SECONDS: 90, PIECES: 60}
        assert {field: again.field(2, field) for field in counts} == counts
        assert (again.hundredths_a_minute(2), again.hundredths_a_piece(2)) == (1200, 30)
        assert (again.hundredths_a_minute(1), again.hundredths_a_piece(5)) == (0, 0)

    def test_numbers_and_records_stay_within_their_limits(self) -> None:
        seat = make_match(who=0x20).seats[0]
        seat.sent = seat.received = 1 << 20
        versus = Versus()
        for level in (*range(1, 6), *range(1, 6)):
            versus.count(level, True, seat, 1 << 20)
        assert versus.field(5, SENT) == (1 << 20) - 1 and versus.pack(bytearray(400)) <= 91 + 2 * FIELDS

    @pytest.mark.parametrize("record", [b"", b"\x09\x01", b"\x01\x05", b"\x01\x80\x80\x80\x80\x80\x80"])
    def test_values_missing_in_a_record_are_0(self, record: bytes) -> None:
        versus = Versus()
        versus.restore(record)
        assert sum(versus.counts) == (5 if record == b"\x01\x05" else 0)

    def test_a_round_on_the_handheld_is_counted_and_shown(self) -> None:
        arcade = Arcade(store=[RamStore(4096)])
        arcade.lose_round()
        versus = Versus()
        versus.restore(arcade.journal.read(VERSUS))
        assert (versus.field(2, ROUNDS), versus.field(2, WON)) == (1, 0) and versus.field(2, PIECES) > 3
        arcade = Arcade("match.menu", store=arcade.banks)
        arcade.follow(UP, A, RIGHT)
        assert arcade.name == "match.scores"
        arcade.compare("scores")
        arcade.follow(LEFT, LEFT, DOWN, B)
        assert arcade.name == "match.menu"
