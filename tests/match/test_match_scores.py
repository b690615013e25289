"""Scores against computers by their level (Guideline 11.2: lines sent and received, attack)."""

import pytest

from firmware.engine.options import Options
from firmware.match.match import Match
from firmware.match.options import MatchOptions
from firmware.players.levels import STRONGEST
from firmware.save.journal import VERSUS
from firmware.save.match_scores import LADDER, PIECES, RECEIVED, ROUNDS, SECONDS, SENT, WON, Versus, find_level
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
        again = Versus(buffer[: versus.pack(buffer)])
        counts = {ROUNDS: 2, WON: 1, SENT: 18, RECEIVED: 8, SECONDS: 90, PIECES: 60}
        assert {field: again.field(2, field) for field in counts} == counts
        assert (again.hundredths_a_minute(2), again.hundredths_a_piece(2)) == (1200, 30)
        assert (again.hundredths_a_minute(1), again.hundredths_a_piece(5)) == (0, 0)

    def test_numbers_stay_within_twenty_bits_and_the_record_within_128_bytes(self) -> None:
        seat = make_match(who=0x20).seats[0]
        seat.sent = seat.received = seat.game.lock_downs = 1 << 20
        versus = Versus()
        versus.counts[:] = [(1 << 20) - 1] * LADDER + [STRONGEST]
        for level in range(1, STRONGEST + 1):
            versus.count(level, True, seat, 1 << 20)
        assert max(versus.counts) == (1 << 20) - 1 and versus.pack(bytearray(400)) == 128

    @pytest.mark.parametrize(
        ("record", "total"), [(b"", 0), (b"\x09\x01", 0), (b"\x01\x05", 5), (b"\x01" + b"\x80" * 6, 0)]
    )
    def test_values_missing_in_a_record_are_0(self, record: bytes, total: int) -> None:
        assert sum(Versus(record).counts) == total

    def test_a_round_on_the_handheld_is_counted_and_shown(self) -> None:
        arcade = Arcade(store=[RamStore(4096)])
        arcade.lose_round()
        versus = Versus(arcade.journal.read(VERSUS))
        assert (versus.field(2, ROUNDS), versus.field(2, WON)) == (1, 0) and versus.field(2, PIECES) > 3
        arcade = Arcade("match.menu", store=arcade.banks)
        arcade.follow(UP, A, RIGHT)
        assert arcade.name == "match.scores"
        arcade.compare("scores")
        arcade.follow(LEFT, LEFT, DOWN, B)
        assert arcade.name == "match.menu"
