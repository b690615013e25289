"""The App: settings in use, mapped buttons, and a screen that dims and sleeps."""

import pytest

from firmware.app import App
from firmware.device.handheld import Machine
from firmware.resuming import restore
from firmware.save.recorder import Recorder
from firmware.save.recordings.recording import Recording
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.pauses import DOWN, HOLD, LEFT, START, UP, A, B


@pytest.fixture
def handheld() -> Handheld:
    return Handheld()


class TestSettings:
    def test_2_5_settings_apply_to_the_next_game(self, handheld: Handheld) -> None:
        settings = handheld.settings
        settings.level, settings.next_count, settings.ghost_on, settings.hold_on = 7, 2, 0, 0
        handheld.open("play")
        game, view = handheld.game, handheld.scene.view
        assert (game.level, game.options.next_count, game.options.hold_on) == (7, 2, 0)
        assert (view.next_count, view.show_ghost) == (2, False)

    @pytest.mark.parametrize("blocks", [0, 1, 2])
    def test_blocks_have_the_pattern_of_the_settings(self, handheld: Handheld, blocks: int) -> None:
        handheld.settings.blocks = blocks
        handheld.context.apply_settings()
        assert handheld.canvas.blocks == blocks
        handheld.settings.reset()
        handheld.context.apply_settings()
        assert handheld.canvas.blocks == 1

    @pytest.mark.parametrize(("large", "view"), [(0, "EffectsView"), (1, "LargeView")])
    def test_2_4_cells_have_the_size_of_the_settings(self, handheld: Handheld, large: int, view: str) -> None:
        handheld.settings.large_cells, handheld.settings.motion_on = large, 0
        handheld.open("play")
        assert type(handheld.scene.view).__name__ == view and not handheld.scene.view.motion_on

    def test_2_5_5_music_plays_if_it_is_on(self, handheld: Handheld) -> None:
        assert handheld.voice.playing
        handheld.settings.music_on = 0
        handheld.voice.stop_tune()
        handheld.open("play")
        assert not handheld.voice.playing

    def test_2_5_5_each_tune_is_different_and_random_is_one_of_them(self) -> None:
        tunes = []
        for at in range(6):
            handheld = Handheld(now_ms=1000 + at)
            handheld.settings.tune = min(at, 3)
            handheld.open("play")
            tunes.append(handheld.voice.tune)
        assert len(set(tunes[:3])) == 3 and set(tunes[3:]) == set(tunes[:3])

    def test_13_3_music_goes_faster_with_the_level(self) -> None:
        assert [Handheld(level=level).voice.unit_ms for level in (1, 5, 6, 10, 11, 15)] == [8, 8, 7, 7, 6, 6]

    def test_2_5_volumes_and_silence(self, handheld: Handheld) -> None:
        settings = handheld.settings
        settings.music_volume, settings.effects_volume, settings.effects_on = 2, 5, 0
        handheld.context.apply_settings()
        assert (handheld.voice.music_volume, handheld.voice.effects_volume) == (2, 0)

    def test_2_5_the_screen_turns_by_180_degrees(self, handheld: Handheld) -> None:
        handheld.tap(START)
        upright = handheld.step()
        handheld.settings.turned = 1
        handheld.context.apply_settings()
        assert handheld.step(frames=2) == bytes(int(f"{byte:08b}"[::-1], 2) for byte in reversed(upright))


class TestButtons:
    def test_4_a_control_uses_its_assigned_button(self, handheld: Handheld) -> None:
        buttons = handheld.settings.buttons
        buttons[UP], buttons[LEFT] = 1 << LEFT, 1 << UP
        handheld.context.apply_settings()
        handheld.tap(LEFT)
        assert handheld.game.lock_downs == 1

    def test_4_a_chord_of_two_buttons_holds(self, handheld: Handheld) -> None:
        handheld.settings.buttons[HOLD] = 1 << A | 1 << B
        handheld.context.apply_settings()
        now_ms = handheld.clock.now_ms
        handheld.buttons.edges += [(A, 1, now_ms), (B, 1, now_ms + 10), (A, 0, now_ms + 60), (B, 0, now_ms + 70)]
        handheld.step(80)
        assert handheld.game.hold and handheld.game.facing == 0

    @pytest.mark.parametrize("button", [A, START])
    def test_a_pause_ends_with_a_or_start_in_any_mapping(self, handheld: Handheld, button: int) -> None:
        buttons = handheld.settings.buttons
        buttons[A], buttons[HOLD] = buttons[HOLD], buttons[A]
        handheld.context.apply_settings()
        handheld.tap(START)
        assert not handheld.scene.is_playing()
        handheld.tap(button)
        assert handheld.scene.is_playing()

    def test_without_a_store_a_game_can_be_continued_until_power_off(self, handheld: Handheld) -> None:
        game = handheld.game
        handheld.tap(START, UP, A, A)
        assert handheld.game is game


class TestDimming:
    @pytest.fixture
    def menu(self) -> Handheld:
        handheld = Handheld(first="menus.main")
        handheld.settings.dim_s, handheld.settings.sleep_s = 15, 60
        return handheld

    def test_the_screen_dims_and_a_press_restores_the_contrast(self, menu: Handheld) -> None:
        chip = menu.display.chip
        contrast = chip.contrast
        menu.step(100, 140)
        assert chip.contrast == contrast
        menu.step(100, 20)
        assert chip.contrast < contrast
        menu.tap(DOWN)
        assert chip.contrast == contrast and menu.scene.at == 1

    def test_the_screen_sleeps_and_the_waking_press_does_nothing_else(self, menu: Handheld) -> None:
        before = menu.picture()
        menu.step(100, 610)
        assert not any(menu.picture())
        menu.tap(DOWN)
        assert menu.picture() == before and menu.scene.at == 0
        menu.tap(DOWN)
        assert menu.scene.at == 1

    def test_the_screen_stays_on_if_both_times_are_never(self, menu: Handheld) -> None:
        menu.settings.dim_s = menu.settings.sleep_s = 0
        contrast = menu.display.chip.contrast
        menu.step(100, 4000)
        assert any(menu.picture()) and menu.display.chip.contrast == contrast

    def test_a_running_game_keeps_the_screen_on_and_a_pause_does_not(self) -> None:
        handheld = Handheld()
        handheld.settings.sleep_s = 5
        handheld.step(100, 80)
        assert any(handheld.picture())
        handheld.press(START)
        handheld.step(100, 80)
        assert not any(handheld.picture())


class TestLastGame:
    def test_a_game_that_was_left_can_be_watched_and_then_continued(self) -> None:
        handheld = Handheld(recorder=Recorder(), store=[RamStore(), RamStore()])
        for button in (LEFT, UP, A, UP):
            handheld.press(button, 20)
            handheld.step(300)
        played = handheld.game
        handheld.tap(START, UP, A)
        handheld.open("learn.menu", frames=2)
        assert handheld.leads(UP, UP, UP, A) == "replay.watch"
        while handheld.scene.line.reading or handheld.scene.playing:
            handheld.step(50)
        watched = handheld.scene.line.game
        assert (watched.matrix.rows, watched.time_ms) == (played.matrix.rows, played.time_ms)
        handheld.tap(B)
        handheld.open("play", restore(handheld.context))
        handheld.tap(START)
        handheld.press(UP)
        handheld.step(500)
        handheld.tap(START)
        restarted = Recording(handheld.session.last())
        while restarted.read():
            pass
        assert restarted.time_ms == handheld.game.time_ms

    def test_there_is_no_last_game_before_the_first(self) -> None:
        assert Handheld(recorder=Recorder(), first="menus.main").session.last is None


class TestPressAtTheFirstPicture:
    """The game loads while its first picture stands; a press of that time opens the main menu without the title."""

    @pytest.fixture
    def handheld(self) -> Handheld:
        handheld = Handheld(store=[RamStore(4096)], first="menus.title")
        handheld.settings.ready = 1
        handheld.context.save_settings()
        return handheld

    def start(self, handheld: Handheld, *buttons: int) -> str:
        for button in buttons:
            handheld.press(button)
        handheld.app = App(handheld.device, seed=11)
        handheld.step(0)
        return handheld.name

    @pytest.mark.parametrize("buttons", [(A,), (START,), (DOWN, A)])
    def test_a_or_start_leads_past_the_title(self, handheld: Handheld, buttons: tuple[int, ...]) -> None:
        assert self.start(handheld, *buttons) == "menus.main"
        assert handheld.follow(frames=3) == "menus.main"

    @pytest.mark.parametrize("buttons", [(), (DOWN,), (B, HOLD)])
    def test_other_presses_leave_the_title(self, handheld: Handheld, buttons: tuple[int, ...]) -> None:
        assert self.start(handheld, *buttons) == "menus.title"

    def test_the_presses_after_it_belong_to_the_main_menu(self, handheld: Handheld) -> None:
        assert self.start(handheld, A, DOWN, DOWN) == "menus.main"
        handheld.step(frames=3)
        assert handheld.scene.at == 2

    @pytest.mark.parametrize("held", [False, True])
    def test_a_switch_counts_when_it_is_released(self, handheld: Handheld, held: bool) -> None:
        handheld.settings.one_switch = 800
        handheld.context.save_settings()
        handheld.buttons.edges.append((A, 1, handheld.clock.now_ms))
        if not held:
            handheld.buttons.edges.append((A, 0, handheld.clock.now_ms))
        self.start(handheld)
        handheld.move(A, 0, frames=3)
        assert handheld.name == "menus.main"

    def test_a_game_in_progress_is_offered_first(self, handheld: Handheld) -> None:
        handheld.open("play", frames=3)
        handheld.tap(A, START)
        assert self.start(handheld, A) == "play.play"

    def test_the_title_tells_what_a_power_cut_can_lose(self, handheld: Handheld) -> None:
        class Owner(Machine):
            def owns_drive(self) -> bool:
                return True

        handheld.device.machine = Owner()
        self.start(handheld)
        told = handheld.picture()
        self.start(handheld, A)
        assert handheld.picture() == told
