"""The daily game: firmware/modes/README.md, 4."""

import datetime
import random
from pathlib import Path
from typing import Any

import pytest

from firmware.engine.game import AIM_REACHED, Game
from firmware.engine.options import Options
from firmware.finishing import count
from firmware.modes.catalogue import DAILY, make_mode
from firmware.modes.days import FIRST_DAY, LAST_DAY, count_since, is_day, pack_day, unpack_day, write_day
from firmware.modes.listing import list_tables
from firmware.option_table import GAME_FIELDS
from firmware.save import week
from firmware.save.presets import HANDLING
from firmware.save.recorder import Recorder
from firmware.save.recordings.recording import Recording
from firmware.save.scores import find_table, open_table
from firmware.scenes.again import pack
from sim.clock import VirtualClock
from sim.contacts import NoButtons
from sim.daily import describe, sign
from sim.desktop.session import Session
from sim.rules import copy_rules
from tests.support.drill import Drill
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Buzzer, Handheld
from tests.support.handhelds.pauses import DOWN, LEFT, RIGHT, UP, A
from tests.support.variants import DIG
from tools import daily, export

DAY = 20261122
RECORDING = Path(__file__).parents[1] / "recordings" / "modes" / "daily.sky"
BLOB = RECORDING.read_bytes()


def list_days() -> list[int]:
    first = datetime.date(2000, 1, 1)
    return [int((first + datetime.timedelta(days=passed)).strftime("%Y%m%d")) for passed in range(46_751)]


def test_4_1_days_are_dates_and_fit_16_bits() -> None:
    days = list_days()
    assert all(is_day(day) and unpack_day(pack_day(day)) == day for day in days)
    assert (days[0], days[-1]) == (FIRST_DAY, LAST_DAY) and pack_day(LAST_DAY) <= 0xFFFF
    assert write_day(DAY) == b"2026-11-22"


@pytest.mark.parametrize("day", [0, 20260229, 21000229, 20261301, 20260001, 20260100, 20260431, 19991231, 21280101])
def test_4_1_other_numbers_are_not_days(day: int) -> None:
    assert not is_day(day)


def test_4_8_numbers_of_days_have_no_gap() -> None:
    assert [count_since(day) for day in list_days()] == list(range(46_751))


def test_4_2_hundredth_lock_down_completes_the_game() -> None:
    drill = Drill("I", mode=make_mode(DAILY))
    game = drill.game
    for left in range(100, 0, -1):
        assert (game.goal, game.level, game.over) == (left, game.lines // 10 + 1, 0)
        drill.clear(4)
    assert (game.over, game.goal, game.lock_downs, game.lines, game.level) == (AIM_REACHED, 0, 100, 400, 41)
    assert game.mode.result(game) == game.score


def test_4_3_players_choose_only_the_handling() -> None:
    chance = random.Random(4)
    options = Options()
    for name, least, most, _default in GAME_FIELDS:
        setattr(options, name, chance.randint(least, most))
    options.garbage_rows = 0
    game = Game(DAY, options, make_mode(DAILY))
    changed = {name for name, _, _, default in GAME_FIELDS if getattr(options, name) != default}
    assert changed <= {*HANDLING, "aim", "edition"}
    assert (game.level, game.goal, game.animate_us) == (1, 100, 300_000)
    assert game.next == Game(DAY, Options(), make_mode(DAILY)).next, "the same Tetriminos for everyone"


class TestHandheld:
    @staticmethod
    def open_day_menu(today: int = 0) -> Handheld:
        handheld = Handheld(store=[RamStore(4096)], first="menus.title")
        handheld.session.counts_down = False
        handheld.session.seed = None
        machine: Any = handheld.device.machine
        machine.read_day = lambda: today
        handheld.session.variant = handheld.settings.variant = DAILY
        handheld.open("menus.choose_day", ms=0, frames=2)
        return handheld

    def test_4_7_today_is_offered_if_the_machine_knows_the_date(self) -> None:
        handheld = self.open_day_menu(20280229)
        assert handheld.scene.day == 20280229
        assert (handheld.follow(A, frames=2), handheld.game.seed) == ("play.play", 20280229)

    def test_4_7_without_a_clock_the_day_is_set_by_hand_and_kept(self) -> None:
        handheld = self.open_day_menu()
        assert handheld.scene.day == unpack_day(handheld.settings.day) == DAY
        handheld.follow(DOWN, RIGHT, DOWN, RIGHT, DOWN, LEFT, LEFT)
        assert handheld.scene.day == 20271220
        handheld.follow(DOWN, A, frames=2)
        assert handheld.game.seed == unpack_day(handheld.settings.day) == 20271220

    def test_4_7_a_day_past_the_month_becomes_its_last_day(self) -> None:
        handheld = self.open_day_menu(20280131)
        last_buttons = (A, DOWN, DOWN, RIGHT, RIGHT)
        for buttons, day in (((DOWN, DOWN, RIGHT), 20280229), ((UP, LEFT), 20270228), (last_buttons, 20280201)):
            handheld.follow(*buttons)
            assert handheld.scene.day == day

    def test_4_7_playing_again_repeats_the_same_game(self) -> None:
        handheld = self.open_day_menu(DAY)
        handheld.follow(A, frames=2)
        handheld.open("play", ms=0, frames=2)
        assert handheld.game.seed == DAY

    def test_4_5_table_keeps_only_the_best_game_of_a_day(self) -> None:
        handheld = self.open_day_menu(DAY)
        handheld.follow(A, frames=2)
        number = find_table(DAILY, 0)
        for day, score, place in ((DAY, 500, 0), (20261121, 900, 0), (DAY, 400, -1), (DAY, 1200, 0), (77, 9999, -1)):
            game = handheld.game
            game.seed, game.score = day, score
            handheld.session.finish(game, pack(game.options))
            assert handheld.session.placed == ((place, number) if place >= 0 else None)
        table = open_table(handheld.journal, list_tables()[number].kind)
        entries = [table.entry(place) for place in range(table.count)]
        assert [(entry[1], unpack_day(entry[3])) for entry in entries] == [(1200, DAY), (900, 20261121)]
        handheld.go("menus.choose_day")
        handheld.compare_at_rest("choose_day_played")

    def play_days(self, *days: int) -> Handheld:
        handheld = self.open_day_menu(DAY)
        handheld.follow(A, frames=2)
        for day in days:
            game = handheld.game
            game.seed, game.score = day, 100
            count(handheld.journal, DAILY, game, False)
        return handheld

    def test_4_8_a_seed_that_is_no_day_is_not_noted(self) -> None:
        assert week.read(self.play_days(20261122, 77).journal) == [count_since(20261122), 1, 1]

    def test_4_8_the_page_of_the_day_shows_a_week(self) -> None:
        handheld = self.play_days(20261116, 20261118, 20261121, 20261122)
        handheld.go("menus.choose_day")
        handheld.compare_at_rest("choose_day_week")

    def test_4_8_the_result_says_the_days_in_a_row(self) -> None:
        handheld = self.play_days(20261121, 20261122)
        handheld.game.end(AIM_REACHED)
        handheld.open("menus.over", handheld.game, ms=2000, frames=5)
        assert handheld.scene.distances == [b"2 DAYS IN A ROW"]

    def test_4_6_control_c_copies_the_line_in_the_result(self) -> None:
        handheld = self.open_day_menu(DAY)
        handheld.session.remember(lambda: BLOB, "replay.watch")
        handheld.session.variant = DAILY
        handheld.open("menus.over", Recording(BLOB).game(make_mode(DAILY)), frames=2)
        assert copy_rules(handheld.app) == describe(BLOB)
        handheld.session.remember()
        assert copy_rules(handheld.app).startswith("SKY1-")


class TestProof:
    def test_4_6_a_recording_proves_its_line(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert daily.main(["line", str(RECORDING)]) == 0
        line = capsys.readouterr().out.strip()
        assert line.startswith("SKYLINE DAILY 2026-11-22 15012 33 LINES ")
        assert export.main(["verify", line.lower(), str(RECORDING)]) == 0
        assert capsys.readouterr().out == f"proved: {line}\n"

    @pytest.mark.parametrize(
        ("was", "now", "message"),
        [
            ("15012", "15013", "the points is 15013 in the line and 15012 in the recording"),
            ("33 LINES", "34 LINES", "the lines is 34 in the line and 33 in the recording"),
            ("2026-11-22", "2026-11-23", "the day is 2026-11-23 in the line and 2026-11-22 in the recording"),
            ("DAILY", "WEEKLY", "not the line of a daily game"),
        ],
    )
    def test_4_6_a_line_that_differs_from_its_recording_is_refused(self, was: str, now: str, message: str) -> None:
        line = sign(describe(BLOB).rpartition(" ")[0].replace(was, now))
        with pytest.raises(ValueError, match=message):
            daily.verify(line, BLOB)

    def test_4_6_a_damaged_line_is_refused_by_its_check_sum(self, capsys: pytest.CaptureFixture[str]) -> None:
        line = describe(BLOB).replace("15012", "15013")
        assert daily.main(["verify", line, str(RECORDING)]) == 2
        assert capsys.readouterr().err == "tools.daily: the line is damaged: its check sum does not match\n"

    @pytest.mark.parametrize(
        ("variant", "seed", "rows", "changed", "message"),
        [
            (DIG, DAY, 0, "", "not of a daily game"),
            (DAILY, 77, 0, "", "seed 77 is not a day"),
            (DAILY, DAY, 3, "", "Starting Blocks"),
            (DAILY, DAY, 0, "", "ends before the game does"),
            (DAILY, DAY, 0, "das_ms", "before the game does"),  # the handling may change during the game
            (DAILY, DAY, 0, "hold_on", "changes hold_on during the game"),
        ],
    )
    def test_4_6_other_games_are_refused(self, variant: int, seed: int, rows: int, changed: str, message: str) -> None:
        options = Options()
        options.garbage_rows = rows
        recorder = Recorder()
        recorder.begin_game(variant, seed, options)
        if changed:
            recorder.record_edge(LEFT, 1, 100)
            recorder.note_change(changed, 1)
        with pytest.raises(ValueError, match=message):
            describe(recorder.recorded(1000))

    def test_4_7_the_simulator_begins_with_today(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("time.strftime", lambda form: "20300105")
        session = Session(VirtualClock(), NoButtons(), Buzzer(), variant=DAILY)
        session.app.step()
        assert session.app.router.scene.game.seed == 20300105
