"""The App: settings at work, buttons as they are set, and a screen that rests."""

from typing import Any

import pytest

from firmware.engine import controls
from firmware.resuming import restore
from firmware.save.recorder import Recorder
from firmware.save.recordings.recording import Recording
from firmware.save.settings_fields import FIELDS
from firmware.view.effects import EffectsView
from firmware.view.layouts.large import LargeView
from sim.library import MODES
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld

A, B = controls.ROTATE_CW, controls.ROTATE_CCW


def power_on(banks: list[RamStore], **arguments: Any) -> Handheld:
    return Handheld(store=banks, **arguments)


class TestSettings:
    def test_2_5_all_of_them_outlive_power_off(self) -> None:
        banks = [RamStore(), RamStore()]
        rows = [("variant", 0, len(MODES) - 1, 0), *FIELDS[1:]]
        app = power_on(banks).app
        for name, least, most, default in rows:
            setattr(app.context.settings, name, least if default != least else most)
        app.context.settings.das_ms = 133
        app.context.settings.buttons[controls.HOLD] = 3 << A
        app.context.save_settings()
        again = power_on(banks).app.context.settings
        for name, least, most, default in rows:
            assert getattr(again, name) == (least if default != least else most), name
        assert (again.das_ms, again.buttons[controls.HOLD]) == (133, 3 << A)

    def test_2_5_they_make_the_next_game(self) -> None:
        handheld = Handheld()
        settings = handheld.settings
        settings.level, settings.next_count, settings.ghost_on, settings.hold_on = 7, 2, 0, 0
        handheld.open("play")
        assert handheld.game.level == 7
        assert (handheld.game.options.next_count, handheld.game.options.hold_on) == (2, 0)
        assert (handheld.scene.view.next_count, handheld.scene.view.show_ghost) == (2, False)

    @pytest.mark.parametrize("blocks", [0, 1, 2])
    def test_blocks_look_as_the_settings_say(self, blocks: int) -> None:
        handheld = Handheld()
        handheld.settings.blocks = blocks
        handheld.context.apply_settings()
        assert handheld.canvas.blocks == blocks
        handheld.settings.reset()
        handheld.context.apply_settings()
        assert handheld.canvas.blocks == 1

    @pytest.mark.parametrize(("large", "view"), [(0, EffectsView), (1, LargeView)])
    def test_2_4_cells_are_as_large_as_set(self, large: int, view: type) -> None:
        handheld = Handheld()
        handheld.settings.large_cells = large
        handheld.settings.motion_on = 0
        handheld.open("play")
        assert type(handheld.scene.view).__name__ == view.__name__
        assert not handheld.scene.view.motion_on

    def test_2_5_5_music_plays_if_it_is_on(self) -> None:
        handheld = Handheld()
        assert handheld.voice.playing
        handheld.settings.music_on = 0
        handheld.voice.stop_tune()
        handheld.open("play")
        assert not handheld.voice.playing

    def test_2_5_5_each_tune_is_another_and_random_is_one_of_them(self) -> None:
        tunes = []
        for tune in range(4):
            handheld = Handheld(now_ms=1000 + tune)
            handheld.settings.tune = tune
            handheld.open("play")
            tunes.append(handheld.voice.tune)
        assert len(set(tunes[:3])) == 3
        assert tunes[3] in tunes[:3]

    def test_13_3_music_goes_faster_with_the_level(self) -> None:
        paces = []
        for level in (1, 5, 6, 10, 11, 15):
            handheld = Handheld(level=level)
            paces.append(handheld.voice.unit_ms)
        assert paces == [8, 8, 7, 7, 6, 6]

    def test_2_5_volumes_and_silence(self) -> None:
        app = Handheld().app
        app.context.settings.music_volume, app.context.settings.effects_volume, app.context.settings.effects_on = (
            2,
            5,
            0,
        )
        app.context.apply_settings()
        assert (app.context.voice.music_volume, app.context.voice.effects_volume) == (2, 0)

    def test_2_5_the_screen_turns_by_half(self) -> None:
        handheld = Handheld()
        handheld.tap(controls.PAUSE)
        upright = handheld.step()
        handheld.settings.turned = 1
        handheld.context.apply_settings()
        handheld.step()
        assert handheld.step() == bytes(int(f"{byte:08b}"[::-1], 2) for byte in reversed(upright))


class TestButtons:
    def test_4_a_control_is_where_it_was_put(self) -> None:
        handheld = Handheld()
        buttons = handheld.settings.buttons
        buttons[controls.HARD_DROP], buttons[controls.LEFT] = 1 << controls.LEFT, 1 << controls.HARD_DROP
        handheld.context.apply_settings()
        handheld.tap(controls.LEFT)
        assert handheld.game.lock_downs == 1

    def test_4_a_chord_holds(self) -> None:
        handheld = Handheld()
        handheld.settings.buttons[controls.HOLD] = 1 << A | 1 << B
        handheld.context.apply_settings()
        now_ms = handheld.clock.now_ms
        handheld.buttons.edges += [(A, 1, now_ms), (B, 1, now_ms + 10), (A, 0, now_ms + 60), (B, 0, now_ms + 70)]
        handheld.step(80)
        assert handheld.game.hold
        assert handheld.game.facing == 0

    @pytest.mark.parametrize("button", [A, controls.PAUSE])
    def test_a_pause_ends_by_the_buttons_themselves_whatever_is_set(self, button: int) -> None:
        handheld = Handheld()
        buttons = handheld.settings.buttons
        buttons[A], buttons[controls.HOLD] = buttons[controls.HOLD], buttons[A]
        handheld.context.apply_settings()
        handheld.tap(controls.PAUSE)
        assert not handheld.scene.is_playing()
        handheld.tap(button)
        assert handheld.scene.is_playing()

    def test_without_a_store_a_game_can_be_continued_until_power_off(self) -> None:
        handheld = Handheld()
        game = handheld.game
        handheld.tap(controls.PAUSE, controls.HARD_DROP, A, A)
        assert handheld.game is game


class TestRest:
    @pytest.fixture
    def menu(self) -> Handheld:
        handheld = Handheld(first="menus.main")
        handheld.settings.dim_s, handheld.settings.sleep_s = 15, 60
        return handheld

    def seconds(self, handheld: Handheld, count: int) -> None:
        handheld.step(100, 10 * count)

    def test_it_dims_and_a_press_brings_the_light_back(self, menu: Handheld) -> None:
        contrast = menu.display.chip.contrast
        self.seconds(menu, 14)
        assert menu.display.chip.contrast == contrast
        self.seconds(menu, 2)
        assert menu.display.chip.contrast < contrast
        menu.tap(controls.SOFT_DROP)
        assert menu.display.chip.contrast == contrast
        assert menu.scene.at == 1

    def test_it_sleeps_and_the_press_that_wakes_it_does_nothing_else(self, menu: Handheld) -> None:
        before = menu.picture()
        self.seconds(menu, 61)
        assert not any(menu.picture())
        menu.tap(controls.SOFT_DROP)
        assert menu.picture() == before
        assert menu.scene.at == 0
        menu.tap(controls.SOFT_DROP)
        assert menu.scene.at == 1

    def test_never_is_never(self, menu: Handheld) -> None:
        menu.settings.dim_s = menu.settings.sleep_s = 0
        contrast = menu.display.chip.contrast
        self.seconds(menu, 400)
        assert any(menu.picture())
        assert menu.display.chip.contrast == contrast

    def test_a_game_that_runs_keeps_it_awake_and_a_pause_does_not(self) -> None:
        handheld = Handheld()
        handheld.settings.sleep_s = 5
        self.seconds(handheld, 8)
        assert any(handheld.picture())
        handheld.press(controls.PAUSE)
        self.seconds(handheld, 8)
        assert not any(handheld.picture())


class TestLastGame:
    def test_a_game_that_was_left_can_be_watched_and_then_continued(self) -> None:
        handheld = Handheld(recorder=Recorder(), store=[RamStore(), RamStore()])
        for button in (controls.LEFT, controls.HARD_DROP, controls.ROTATE_CW, controls.HARD_DROP):
            handheld.press(button, 20)
            handheld.step(300)
        played = handheld.game
        handheld.tap(controls.PAUSE, controls.HARD_DROP, A)
        handheld.open("menus.learn", frames=2)
        handheld.tap(*[controls.SOFT_DROP] * 3, A)
        assert type(handheld.scene).__module__ == "firmware.scenes.play.watch"
        while handheld.scene.line.reading or handheld.scene.playing:
            handheld.step(50)
        watched = handheld.scene.line.game
        assert watched.matrix.rows == played.matrix.rows
        assert watched.time_ms == played.time_ms
        handheld.tap(B)
        handheld.open("play", restore(handheld.context))
        handheld.tap(controls.PAUSE)
        handheld.press(controls.HARD_DROP)
        handheld.step(500)
        handheld.tap(controls.PAUSE)
        again = Recording(handheld.session.last())
        while again.read():
            pass
        assert again.time_ms == handheld.game.time_ms

    def test_before_the_first_game_there_is_none(self) -> None:
        assert Handheld(recorder=Recorder(), first="menus.main").app.session.last is None
