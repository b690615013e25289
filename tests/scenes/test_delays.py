"""DELAYS: chosen in OPTIONS, shown in pause and result, told before a game begins (modes/README.md, 16)."""

import pytest

from firmware.engine import controls
from firmware.engine.events import GENERATED, LOCKED
from firmware.engine.game import AIM_REACHED
from firmware.engine.options import Options
from firmware.modes import catalogue
from firmware.modes.catalogue import MARATHON, SPRINT, STANDARD, ZEN, make_mode
from firmware.modes.delays import GUIDELINE, NAMES, NONE, OTHER, SHORT, find_delays, set_delays, write_delays
from firmware.save.recordings.recording import Player, Recording
from firmware.scenes.options import game_rules
from tests.support.drill import choose
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.menus import open_at, read_saved
from tests.support.handhelds.pauses import DOWN, RIGHT, START, A, B, begin_game
from tests.support.variants import MASTER
from tools.robot import Robot

QUICK = {"generation_ms": 0, "animate_ms": 0}
PAIRS = {GUIDELINE: (200, 300), SHORT: (100, 150), NONE: (0, 0)}


def count_waiting(blob: bytes) -> tuple[int, int]:
    """Return for how many milliseconds no Tetrimino was in play from the first one on, and the number of Lock Downs."""
    recording = Recording(blob)
    game = recording.game(make_mode(recording.variant))
    player = Player(recording, game)
    waited = 0
    is_out = False
    while not player.finished():
        happened = player.advance(game.time_ms + 1)
        if happened & LOCKED:
            is_out = True
        if happened & GENERATED:
            is_out = False
        waited += is_out and not game.over
    return waited, game.lock_downs


class TestChoice:
    @pytest.mark.parametrize("delays", PAIRS)
    def test_a_choice_is_a_view_over_two_options(self, delays: int) -> None:
        options = Options()
        set_delays(options, delays)
        assert (options.generation_ms, options.animate_ms) == PAIRS[delays] and find_delays(options) == delays

    @pytest.mark.parametrize("other", [(0, 300), (200, 0), (100, 151), (1000, 2000)])
    def test_other_delays_are_shown_by_their_figures(self, other: tuple[int, int]) -> None:
        options = choose(Options(), generation_ms=other[0], animate_ms=other[1])
        assert find_delays(options) == OTHER and write_delays(options) == b"DELAYS %d+%d" % other

    def test_right_goes_from_guideline_to_short_to_none(self) -> None:
        handheld = open_at("options.game_rules", b"DELAYS")
        handheld.compare_at_rest("options_delays")
        for delays in (SHORT, NONE, GUIDELINE):
            handheld.tap(RIGHT)
            settings = handheld.settings
            assert handheld.scene.value(handheld.scene.at) == NAMES[delays] and find_delays(settings) == delays
        handheld.tap(A, A, B)
        assert find_delays(read_saved(handheld)) == NONE

    def test_their_note_counts_the_modes_with_tables_of_their_own(self) -> None:
        modes = sum(b"class 3" in mode for mode in catalogue.read())
        note = next(record[1] for record in game_rules.Scene.records if record[0] == b"DELAYS")
        assert note.count(b"OWN TABLES FOR|%d MODES" % modes) == 2

    def test_delays_of_a_line_are_shown_and_replaced(self) -> None:
        handheld = open_at("options.game_rules", b"DELAYS", generation_ms=80, animate_ms=250)
        handheld.compare_at_rest("options_delays_other")
        handheld.tap(RIGHT)
        assert find_delays(handheld.settings) == GUIDELINE

    @pytest.mark.parametrize(("presses", "delays"), [((), NONE), ((DOWN,), GUIDELINE)])
    def test_fast_has_no_delays_at_the_first_start(self, presses: tuple[int, ...], delays: int) -> None:
        handheld = Handheld(store=[RamStore(4096)], first="setup.handling")
        handheld.step(16, 2)
        handheld.tap(*presses, A)
        assert find_delays(read_saved(handheld)) == delays


class TestShown:
    def test_in_the_pause(self) -> None:
        handheld = begin_game(SPRINT, motion_on=0, **QUICK)
        handheld.tap(START)
        handheld.compare_at_rest("play_pause_delays")
        handheld.tap(DOWN, controls.HARD_DROP)  # draws all again, over nothing (tests/support/placed.py)
        handheld.compare_at_rest("play_pause_delays")

    def test_in_the_result(self) -> None:
        handheld = begin_game(SPRINT, motion_on=0, generation_ms=100, animate_ms=150)
        game = handheld.game
        game.lines, game.time_ms = 40, 31_000
        game.end(AIM_REACHED)
        handheld.open("menus.over", game, ms=2000, frames=3)
        handheld.press(controls.ROTATE_CW)
        handheld.compare_at_rest("over_delays")

    @pytest.mark.parametrize("variant", [MASTER, STANDARD])
    def test_not_where_the_mode_has_times_of_its_own(self, variant: int) -> None:
        plain, quick = begin_game(variant, motion_on=0), begin_game(variant, motion_on=0, **QUICK)
        for handheld in (plain, quick):
            handheld.tap(START)
        assert plain.picture() == quick.picture()

    def test_in_the_menu_before_the_game(self) -> None:
        open_at("menus.main", b"SPRINT", **QUICK).compare_at_rest("main_quick")


class TestPlayed:
    @pytest.mark.slow
    def test_a_sprint_of_the_robot_without_delays_waits_0_ms(self) -> None:
        waited = {}
        for delays in (GUIDELINE, NONE):
            options = Options()
            set_delays(options, delays)
            robot = Robot(7, options, SPRINT, 30)
            waited[delays], lock_downs = count_waiting(robot.play(200))
            assert (robot.game.over, lock_downs) == (AIM_REACHED, robot.game.lock_downs) and lock_downs > 90
        assert waited[NONE] == 0 and waited[GUIDELINE] > 20_000

    @pytest.mark.parametrize("variant", [MARATHON, SPRINT, ZEN])
    def test_a_game_without_delays_is_drawn_and_paused_as_any(self, variant: int) -> None:
        handheld = begin_game(variant, **QUICK)
        for row in range(4):
            handheld.game.matrix.set_row(row, bytes([1] * 10))
        for _ in range(7):
            handheld.tap(controls.HARD_DROP)
            handheld.step(16, 2)
        assert handheld.game.lines and handheld.game.lock_downs > 4
        handheld.tap(START)
        assert handheld.scene.cover
