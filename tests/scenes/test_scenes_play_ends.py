"""READY and GO before a game, and a curtain after it; any press skips them."""

import pytest

from firmware.modes.catalogue import SPRINT, STANDARD
from firmware.save.journal import SETTINGS, Journal
from firmware.save.recorder import Recorder
from firmware.save.recordings.recording import Recording
from firmware.save.settings import Settings
from firmware.scenes.play_state import READY
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld, lose
from tests.support.handhelds.pauses import START, UP, begin_game
from tests.support.recorded import read

READY_MS, GO_MS = 900, 400


def begin(**arguments: object) -> Handheld:
    """Return a handheld in the second frame after a game was chosen in a menu."""
    handheld = Handheld(first="menus.main", **arguments)  # type: ignore[arg-type]
    handheld.open("play", ms=0, frames=3)
    return handheld


def read_variant(store: list[RamStore]) -> int:
    """Return the mode that the menu would offer first after a power cut."""
    settings = Settings()
    settings.restore(Journal(store).read(SETTINGS))
    return settings.variant


def lose_game(**settings: int) -> Handheld:
    handheld = begin_game(**settings)
    lose(handheld)
    handheld.step(16)  # counts the game
    return handheld


class TestCountdown:
    """The time of a game, and its recording, begin with the game."""

    @pytest.fixture
    def handheld(self) -> Handheld:
        return begin()

    @pytest.fixture
    def resuming(self, handheld: Handheld) -> Handheld:
        handheld.step(50, 40)
        handheld.tap(START, START)
        return handheld

    def test_ready_then_go_then_the_game_begins(self, handheld: Handheld) -> None:
        handheld.compare("play_ready")
        handheld.step(50, READY_MS // 50)
        handheld.compare("play_go")
        handheld.step(50, GO_MS // 50 - 1)
        assert not handheld.scene.is_playing() and (handheld.game.time_ms, handheld.game.piece) == (0, 0)
        handheld.step(50)
        assert handheld.scene.is_playing() and handheld.game.time_ms == 0
        handheld.step(300)
        assert handheld.game.time_ms == 300 and handheld.game.piece

    def test_each_word_sounds(self, handheld: Handheld) -> None:
        for ms, frames, sounds in ((1, 1, True), (50, READY_MS // 50 - 1, False), (50, 1, True)):
            handheld.step(ms, frames)
            assert bool(handheld.buzzer.hz) == sounds

    def test_the_music_begins_with_the_game(self, handheld: Handheld) -> None:
        assert handheld.voice.tune and not handheld.voice.playing
        handheld.step(50, (READY_MS + GO_MS) // 50)
        assert handheld.voice.playing

    def test_the_first_picture_comes_before_the_settings_are_saved(self) -> None:
        store = [RamStore(4096)]
        handheld = Handheld(first="menus.main", store=store)
        handheld.settings.variant = SPRINT
        handheld.context.begin_game()
        handheld.step(16, 2)
        assert handheld.name == "play.play" and any(handheld.picture())
        assert read_variant(store) != SPRINT
        handheld.step()
        assert read_variant(store) == SPRINT

    def test_the_recording_begins_with_the_game(self) -> None:
        recorder = Recorder()
        handheld = begin(recorder=recorder)
        handheld.step(16, 200)
        start_ms = handheld.clock.now_ms - handheld.game.time_ms
        handheld.tap(UP)
        recording = Recording(recorder.recorded(handheld.game.time_ms))
        assert recording.read() and recording.time_ms == handheld.clock.now_ms - 16 - start_ms

    def test_a_restarted_game_counts_down_too(self, handheld: Handheld) -> None:
        handheld.step(50, 40)
        handheld.open("play")
        assert not handheld.scene.is_playing()

    def test_3_2_1_after_a_pause_then_the_game_continues(self, resuming: Handheld) -> None:
        time_ms = resuming.game.time_ms
        resuming.step(50, 2)
        resuming.compare("play_resume_3")
        resuming.step(50, 10)
        resuming.compare("play_resume_2")
        resuming.step(50, 18)
        assert not resuming.scene.is_playing() and resuming.game.time_ms == time_ms
        resuming.step(50, 2)
        assert resuming.scene.is_playing() and 0 < resuming.game.time_ms - time_ms < 100
        assert resuming.scene.view.message == ""

    def test_the_word_stands_over_a_high_stack_that_is_drawn_in_steps(self, handheld: Handheld) -> None:
        handheld.step(50, 40)
        for y in range(12):
            handheld.game.matrix.set_row(y, bytes([8] * 9 + [0]))
        handheld.tap(UP, START)
        assert not handheld.game.piece
        handheld.game.lines = 10
        handheld.tap(START)
        handheld.step(16, 20)
        handheld.compare("play_resume_high")

    def test_restored_and_recorded_games_have_no_countdown(self, handheld: Handheld) -> None:
        assert Handheld().scene.is_playing()
        handheld.open("play", read("lost"), ms=0)
        assert handheld.scene.is_playing()
        handheld = begin()
        handheld.step(50, 40)
        handheld.open("play", handheld.game, ms=0)
        assert handheld.scene.state == 1
        handheld.tap(START)
        assert handheld.scene.state == READY


class TestCurtain:
    @pytest.fixture
    def handheld(self) -> Handheld:
        return lose_game()

    def test_curtain_rises_row_by_row_before_game_over(self, handheld: Handheld) -> None:
        handheld.step(16, 12)
        handheld.compare("play_curtain")
        handheld.step(16, 15)
        assert not handheld.scene.cover, "it takes less than half a second"
        handheld.step(16, 15)
        handheld.compare("play_over")

    @pytest.mark.parametrize("button", range(8))
    def test_any_press_ends_the_curtain_and_does_nothing_else(self, handheld: Handheld, button: int) -> None:
        handheld.step(16, 12)
        handheld.follow(button)
        handheld.compare("play_over")
        assert handheld.name == "play.play"

    def test_large_cells_have_a_curtain(self) -> None:
        handheld = lose_game(large_cells=1)
        handheld.step(16, 12)
        handheld.compare("play_curtain_large")

    def test_no_curtain_with_reduced_motion(self) -> None:
        handheld = lose_game(motion_on=0)
        handheld.step(16, 2)  # the goals are judged
        assert not handheld.scene.cover

    @pytest.mark.parametrize("name", ["lost", "sprint"])
    def test_no_curtain_after_a_recording(self, name: str) -> None:
        handheld = Handheld(recording=read(name))
        while not handheld.game.over:
            handheld.step(1000)
        assert not handheld.scene.cover


class TestLeftOut:
    """The screen leaves out parts that a game does not have."""

    @pytest.mark.parametrize(
        ("variant", "hold_on", "visible"), [(0, 1, True), (0, 0, False), (SPRINT, 1, True), (STANDARD, 1, False)]
    )
    def test_hold_is_left_out_if_it_is_off_or_not_in_the_rules(self, variant: int, hold_on: int, visible: bool) -> None:
        handheld = Handheld(first="menus.main")
        handheld.session.variant = handheld.settings.variant = variant
        handheld.settings.hold_on = hold_on
        handheld.open("play", ms=0, frames=3)
        assert any(handheld.canvas.pixel(x, y) for x in range(17) for y in range(7)) == visible

    def test_top_is_left_out_without_a_best_result(self) -> None:
        handheld = Handheld(first="menus.main")
        for best in (0, 1200):
            handheld.session.best_of = handheld.session.variant << 10 | handheld.settings.aim
            handheld.session.best_result = best
            handheld.open("play", ms=0, frames=3)
            assert any(handheld.canvas.pixel(x, y) for x in range(17, 64) for y in range(7, 16)) == bool(best)
