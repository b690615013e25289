"""Statistics of all games: kept through power-off, and shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.engine import controls
from firmware.engine.game import Game
from firmware.finishing import count
from firmware.modes.catalogue import MARATHON
from firmware.save.journal import NUMBERS, Journal
from firmware.save.life import FIELDS, Life
from firmware.save.varint import Numbers
from firmware.scenes.again import pack
from tests.support.records import packed
from tests.support.results import Console, ended, make_life

RIGHT, B = controls.RIGHT, controls.ROTATE_CCW
LONGEST_BYTES = 93
GAMES = 20  # finesse is kept for the last 20 games


def list_numbers(life: Life) -> list[int]:
    return [getattr(life, name) for name in FIELDS] + list(life.finesse[: life.kept])


class TestSums:
    def test_a_game_adds_to_the_sums_and_to_the_best(self) -> None:
        life = make_life(ended(score=1000), ended(score=500))
        assert (life.games, life.seconds, life.lines, life.pieces) == (2, 624, 174, 500)
        assert (life.tetrises, life.t_spins, life.minis, life.back_to_backs) == (8, 68, 22, 6)
        assert (life.best_score, life.best_lines, life.best_seconds, life.best_combo) == (1000, 87, 312, 6)
        assert life.best_pps == 80 and list(life.finesse[:2]) == [90, 90]

    def test_a_game_without_a_lock_down_does_not_count(self) -> None:
        assert list_numbers(make_life(Game(1))) == [0] * len(FIELDS)

    @pytest.mark.parametrize(("ms", "best_pps"), [(59_999, 0), (60_000, 416)])
    def test_a_game_under_a_minute_has_no_pace(self, ms: int, best_pps: int) -> None:
        assert make_life(ended(ms=ms)).best_pps == best_pps

    def test_the_finesse_of_the_last_20_games_is_kept(self) -> None:
        life = make_life(*(ended(faults=faults) for faults in range(0, 250, 10)))
        assert list(life.finesse) == [100 - 4 * i for i in range(5, 25)]

    def test_a_game_by_ars_has_no_finesse(self) -> None:
        game = ended()
        game.options.kicks = 2
        assert make_life(game).kept == 0

    def test_numbers_stay_small_integers_on_a_board(self) -> None:
        life = Life()
        life.seconds = life.lines = (1 << 30) - 2
        life.add_game(ended())
        assert life.seconds == life.lines == (1 << 30) - 1


class TestRecord:
    @pytest.mark.no_cover
    @given(st.lists(st.integers(0, 2**30 - 1), min_size=len(FIELDS), max_size=len(FIELDS)), st.binary(max_size=GAMES))
    def test_packed_statistics_are_restored(self, values: list[int], finesse: bytes) -> None:
        life = Life()
        for name, value in zip(FIELDS, values, strict=True):
            setattr(life, name, value)
        life.kept = len(finesse)
        life.finesse[: len(finesse)] = finesse
        assert list_numbers(Life(packed(life))) == list_numbers(life) and len(packed(life)) <= LONGEST_BYTES

    def test_a_record_with_more_fields_or_games_is_read(self) -> None:
        buffer = bytearray(100)
        writer = Numbers(buffer, True)
        for number in (1, len(FIELDS) + 2, *range(1, len(FIELDS) + 3), GAMES + 1):
            writer.walk(number)
        writer.items(bytearray(range(GAMES + 1)), GAMES + 1)
        life = Life(bytes(buffer[: writer.at]))
        assert list_numbers(life) == [*range(1, len(FIELDS) + 1), *range(GAMES)]

    @pytest.mark.parametrize(
        ("damaged", "games"),
        [(b"", 0), (b"\x09\x01\x05", 0), (b"\x01", 0), (b"\x01\x03\x07", 7), (b"\x01\x01" + b"\xff" * 6, 0)],
    )
    def test_a_damaged_record_gives_only_the_fields_before_the_damage(self, damaged: bytes, games: int) -> None:
        assert list_numbers(Life(damaged)) == [games, *[0] * (len(FIELDS) - 1)]


class TestHandheld:
    def test_the_numbers_outlive_power_off(self) -> None:
        console = Console(ended())
        count(console.session.journal, MARATHON, ended(score=9), False)
        assert Life(Journal(list(console.device.store)).read(NUMBERS)).games == 2

    def test_a_failed_store_loses_only_the_numbers(self) -> None:
        console = Console(ended(), broken=True)
        assert (console.name, console.scene.game.score) == ("menus.over", 45_210)
        assert Life(console.journal.read(NUMBERS)).games == 0

    def test_right_turns_the_pages_of_the_statistics_and_b_leads_back(self) -> None:
        console = Console()
        for score in (20_000, 99_740, 5_000):
            game = ended(score=score, faults=score // 1000)
            console.session.finish(game, pack(game.options))
            count(console.session.journal, MARATHON, game, False)
        console.session.played = False
        console.open("menus.lifetime_statistics", ms=0, frames=2)
        for picture in ("numbers_all", "numbers_best", "numbers_finesse"):
            console.compare(picture)
            console.tap(RIGHT)
        assert (console.name, console.scene.at) == ("menus.lifetime_statistics", 0)
        console.follow(B)
        assert console.name == "menus.score_list" and console.scene.lines[console.scene.at] == b"STATISTICS"

    def test_screen_without_any_game(self) -> None:
        console = Console()
        console.open("menus.lifetime_statistics", 2)
        console.compare("numbers_none")
