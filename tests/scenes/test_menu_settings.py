"""The menus that change settings: each offered value, the samples that move, the questions and the buttons."""

import pytest

from firmware.engine import controls
from tests.support.handhelds.menus import (
    DOWN,
    LEFT,
    MENUS,
    MS,
    RIGHT,
    START,
    UP,
    A,
    B,
    Console,
    find_class,
    list_records,
    open_at,
)
from tests.support.records import packed

CHOICES = [name for name in MENUS if list_records(name)]


class TestSettings:
    @pytest.mark.parametrize("name", CHOICES)
    def test_each_offered_value_is_saved_and_restored(self, name: str) -> None:
        console = Console(name)
        scene, settings = console.scene, console.settings
        for _line, _note, setting, values, words in list_records(name):
            assert words == MS or scene.get(setting) in values
            assert words in (None, MS) or len(words) == len(values)
            for value in values:
                scene.set(setting, value)
                saved = packed(settings)
                scene.set(setting, values[0])
                settings.restore(saved)
                assert scene.get(setting) == value, "a value out of its range becomes the default"

    @pytest.mark.parametrize("name", CHOICES)
    def test_every_offered_value_is_reached_by_left_and_right(self, name: str) -> None:
        console = Console(name)
        records = find_class(name).records
        for line, record in enumerate(records):
            if record in list_records(name) and record[4] != MS:  # test_handling.py has those
                _line, _note, setting, values, _words = record
                seen = {console.scene.get(setting)}
                for button in [RIGHT] * len(values) + [LEFT] * len(values):
                    console.tap(button)
                    if getattr(console.scene, "taking", False):
                        console.tap(button)  # one switch asks again
                    seen.add(console.scene.get(setting))
                assert seen == set(values), setting
            console.tap(DOWN)
            assert console.scene.at == (line + 1) % len(records)

    def test_every_rule_of_the_guideline_can_be_set(self) -> None:
        """Guideline 2.5.1 to 2.5.6."""
        offered = {record[2] for name in ("options.game_rules", "options.sound") for record in list_records(name)}
        assert offered >= {
            *("next_count", "hold_on", "ghost_on", "lock_rule", "goal_rule"),
            *("music_on", "music_volume", "tune", "effects_on", "effects_volume"),
        }

    @pytest.mark.parametrize("button", [RIGHT, A])
    def test_numbers_wrap_around_like_words(self, button: int) -> None:
        console = Console("options.game_rules")
        console.tap(button)
        assert console.settings.next_count == 1
        console.tap(LEFT)
        assert console.settings.next_count == 6
        console.tap(DOWN, DOWN, DOWN, LEFT)
        assert console.settings.lock_rule == 2

    def test_a_change_of_brightness_is_seen_at_once(self) -> None:
        handheld = open_at("options.display", b"LIGHT")
        handheld.tap(LEFT)
        assert handheld.display.chip.contrast == 175

    def test_reset_asks_once(self) -> None:
        console = Console("options.device")
        settings = console.settings
        settings.das_ms, settings.buttons[0] = 100, 3
        console.tap(UP, UP, A)
        assert settings.das_ms == 100
        console.tap(A)
        assert settings.das_ms == 300 and settings.buttons[0] == 1

    @pytest.mark.parametrize("button", [LEFT, RIGHT, DOWN, UP])
    def test_any_other_button_cancels_the_question(self, button: int) -> None:
        console = Console("options.device")
        console.settings.das_ms = 100
        console.tap(UP, UP, A, button)
        assert not console.scene.asked and console.settings.das_ms == 100


class TestHandlingSample:
    @pytest.mark.parametrize(("das_ms", "arr_ms"), [(300, 55), (100, 0), (500, 120)])
    def test_sample_crosses_in_the_time_of_the_delay_and_the_repeats(self, das_ms: int, arr_ms: int) -> None:
        """Guideline 5.2: one step, the delay, then step after step."""
        console = Console("options.handling")
        settings = console.settings
        settings.das_ms, settings.arr_ms = das_ms, arr_ms
        places: dict[int, int] = {}
        start = console.clock.now_ms
        for _ in range(4000):
            console.step(1)
            places.setdefault(console.scene.place, console.clock.now_ms - start)
            if console.scene.place == 9:
                break
        assert places[9] - places[1] == das_ms + 7 * arr_ms

    def test_soft_drop_shows_its_pace(self) -> None:
        console = Console("options.handling")
        console.tap(DOWN, DOWN, DOWN)
        times: dict[int, int] = {}
        for _ in range(2000):
            console.step(1)
            times.setdefault(console.scene.place, console.clock.now_ms)
        assert times[3] - times[2] == 1000 // 20


class TestButtons:
    DEFAULTS = (1, 2, 4, 8, 16, 32, 64, 128)

    @pytest.fixture
    def console(self) -> Console:
        return Console("options.controls")

    def test_control_swaps_buttons_with_the_one_pressed_next(self, console: Console) -> None:
        console.tap(A, controls.HOLD)
        buttons = console.settings.buttons
        assert (buttons[controls.LEFT], buttons[controls.HOLD]) == (1 << 6, 1 << 0)

    @pytest.mark.parametrize(("line", "pressed"), [(controls.HOLD, (A, B)), (controls.LEFT, (A, B, START))])
    def test_a_control_takes_a_chord_of_two(self, console: Console, line: int, pressed: tuple[int, ...]) -> None:
        console.tap(*[DOWN] * line, A)
        console.tap_together(*pressed)
        console.step(frames=len(pressed))  # a frame takes one press
        assert console.settings.buttons[line] == 3 << 4 and console.scene.value(line) == b"A+B"

    def test_the_press_that_picked_the_line_is_not_assigned(self, console: Console) -> None:
        console.hold(A, 10)
        assert console.scene.taking

    def test_the_next_press_in_the_frame_of_the_pick_is_the_controls(self, console: Console) -> None:
        console.tap(UP, UP)
        console.tap_together(A, controls.HOLD)
        console.step(16, 3)
        assert console.settings.target_buttons == 1 << controls.HOLD and console.scene.at == 8

    def test_a_picked_control_waits_five_seconds_for_a_press(self, console: Console) -> None:
        console.tap(A)
        console.step(100, 48)
        assert console.scene.taking
        console.step(100, 4)
        assert not console.scene.taking and tuple(console.settings.buttons) == self.DEFAULTS

    def test_every_control_keeps_its_own_buttons_after_any_press(self, console: Console) -> None:
        for line in range(8):
            for button in range(8):
                console.tap(A, button)
                assert len(set(console.settings.buttons)) == 8
            assert console.scene.at == line
            console.tap(DOWN)

    def test_reset_restores_all_buttons(self, console: Console) -> None:
        console.tap(A, START, UP, A)
        assert tuple(console.settings.buttons) == self.DEFAULTS

    def test_menus_ignore_the_mapping(self, console: Console) -> None:
        console.tap(A, DOWN)  # now the button of DOWN moves left
        console.tap(DOWN)
        assert console.scene.at == 1
