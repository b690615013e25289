"""The pause, by button edges; and the question before a game in progress ends."""

import sys

import pytest

from firmware.engine import controls
from firmware.modes.catalogue import FINESSE, MARATHON, SPRINT, STANDARD, WORST
from firmware.resuming import restore
from firmware.save.journal import MATCH, SUSPENDED, Journal
from firmware.save.presets import HANDLING
from firmware.save.recorder import Recorder
from firmware.save.recordings.recording import Recording
from tests.support import recorded
from tests.support.drill import state
from tests.support.flash import BrokenStore, RamStore
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.pauses import AGAIN, DOWN, LEFT, OPTIONS, RIGHT, START, UP, A, B, choose, paused, play
from tests.support.variants import TEST_SPEC

PAGES = ("options.handling", "options.sound", "options.display", "options.controls")


class TestPause:
    @pytest.fixture
    def handheld(self) -> Handheld:
        return paused(3)

    def test_13_1_6_pause_hides_matrix_and_queues(self, handheld: Handheld) -> None:
        handheld.compare("play_pause")
        other = paused(3, seed=12)
        assert other.game.matrix.rows != handheld.game.matrix.rows
        other.game.score = handheld.game.score
        other.tap(DOWN, UP)
        assert other.picture() == handheld.picture()

    @pytest.mark.parametrize("buttons", [(A,), (B,), (START,), (DOWN, DOWN, START), (UP, B), (controls.HOLD,)])
    def test_a_on_line_1_and_start_and_b_anywhere_continue(self, handheld: Handheld, buttons: tuple[int, ...]) -> None:
        game, time_ms = handheld.game, handheld.game.time_ms
        handheld.step(16, 100)
        handheld.tap(*buttons)
        assert handheld.scene.is_playing() and handheld.game is game and game.time_ms - time_ms <= 16
        handheld.step()
        assert game.time_ms - time_ms <= 32

    def test_the_picture_after_a_pause_is_the_one_before(self, handheld: Handheld) -> None:
        handheld.tap(START)
        handheld.step(16, 60)
        handheld.press(START)
        before = bytes(handheld.picture())
        handheld.step(0)
        assert handheld.picture() != before
        handheld.press(START)
        assert handheld.step(0) == before

    @pytest.mark.parametrize(("broken", "is_saved"), [("", True), ("write", False)])
    def test_the_line_menu_says_whether_the_game_is_saved(self, broken: str, is_saved: bool) -> None:
        banks = [BrokenStore(), BrokenStore()]
        handheld = Handheld(first="menus.legal", store=banks)
        handheld.session.counts_down = False
        handheld.open("play")
        play(handheld, 1)
        banks[0].broken = banks[1].broken = broken
        handheld.tap(START, UP)
        assert handheld.scene.cover.lines[handheld.scene.cover.at] == b"MENU"
        note = handheld.scene.cover.notes[handheld.scene.cover.at]
        assert (note.startswith(b"THE GAME IS KEPT"), b"IS NOT SAVED" in note) == (is_saved, not is_saved)
        assert (len(Journal([RamStore(bank.image) for bank in banks]).read(SUSPENDED)) > 0) == is_saved

    def test_presses_in_a_pause_do_not_change_the_game(self, handheld: Handheld) -> None:
        before = state(handheld.game)
        handheld.tap(DOWN, UP, DOWN, LEFT, RIGHT, UP, A)
        assert state(handheld.game) == before

    def test_buttons_held_over_a_pause_do_nothing_until_pressed_again(self, handheld: Handheld) -> None:
        now_ms = handheld.clock.now_ms
        handheld.buttons.edges += [(LEFT, 1, now_ms), (DOWN, 1, now_ms), (UP, 1, now_ms), (UP, 0, now_ms)]
        handheld.step()
        handheld.tap(START)
        game, x, used = handheld.game, handheld.game.x, handheld.session.recorder.used
        handheld.step(16, 30)
        assert (game.x, game.soft, game.shift_step) == (x, False, 0)
        now_ms = handheld.clock.now_ms
        handheld.buttons.edges += [(LEFT, 0, now_ms), (DOWN, 0, now_ms)]
        handheld.step()
        # Releases of buttons that the game does not hold are not recorded.
        assert handheld.session.recorder.used == used
        handheld.move(RIGHT, 1, 400)
        assert game.x > x

    def test_modules_of_the_pause_are_dropped_in_play(self, monkeypatch: pytest.MonkeyPatch) -> None:
        modules = {f"firmware.scenes.{name}" for name in ("play.pause", "menu", "play.stop")}
        for name in modules:
            monkeypatch.delitem(sys.modules, name, raising=False)
            monkeypatch.delattr(name, raising=False)
        handheld = Handheld()
        handheld.tap(START)
        assert modules <= set(sys.modules)
        handheld.tap(START)
        assert handheld.scene.cover is None and not modules & set(sys.modules)

    def test_the_pause_of_a_recorded_game_has_only_resume_and_menu(self) -> None:
        handheld = Handheld(recording=recorded.read("lost"))
        handheld.step(1000)
        handheld.tap(START)
        assert handheld.scene.cover.lines == (b"RESUME", b"MENU") and choose(handheld, 1) == "menus.main"


class TestAgain:
    def test_again_restarts_a_short_game_at_once(self) -> None:
        handheld = paused(9)
        seed = handheld.game.seed
        choose(handheld, AGAIN)
        assert handheld.scene.is_playing() and handheld.game.time_ms < 100 and handheld.game.seed != seed

    def test_again_asks_in_a_longer_game_and_a_second_press_confirms(self) -> None:
        handheld = paused(12)
        game = handheld.game
        choose(handheld, AGAIN)
        assert handheld.game is game
        handheld.compare("play_pause_again")
        handheld.follow(A, frames=2)
        assert handheld.game is not game and handheld.scene.is_playing()

    @pytest.mark.parametrize("variant", [MARATHON, SPRINT, FINESSE])
    def test_start_held_for_half_a_second_restarts_at_once(self, variant: int) -> None:
        handheld = paused(9, variant)
        handheld.tap(START)
        game = handheld.game
        handheld.hold(START, 31)
        handheld.step(16, 60)
        assert handheld.game is game and not handheld.scene.is_playing()
        handheld.tap(START)
        handheld.hold(START, 36)
        assert handheld.scene.is_playing() and handheld.game is not game and handheld.session.variant == variant

    def test_start_released_in_the_frame_of_the_pause_keeps_the_pause(self) -> None:
        handheld = paused(9)
        handheld.tap(START, START)
        handheld.step(16, 60)
        assert not handheld.scene.is_playing()

    def hold_start(self, handheld: Handheld) -> bool:
        game = handheld.game
        handheld.tap(START)
        handheld.hold(START, 40)
        return handheld.game is not game

    @pytest.mark.parametrize(("best", "begins"), [(0, False), (100, False), (5000, True)])
    def test_start_held_asks_if_the_points_are_a_new_best(self, best: int, begins: bool) -> None:
        handheld = paused(12)
        handheld.session.best_of, handheld.session.best_result = MARATHON << 10, best
        handheld.game.score = 1000
        assert self.hold_start(handheld) == begins
        if not begins:
            handheld.compare("play_pause_hold")
            handheld.follow(A, frames=2)
            assert handheld.scene.is_playing() and handheld.game.time_ms < 100

    @pytest.mark.parametrize(
        ("goal", "best_s", "begins"),
        [(21, 0, True), (20, 0, False), (20, 23, True), (20, 25, False), (10, 15, True), (10, 17, False)],
    )
    def test_start_held_asks_if_half_a_sprint_is_at_a_record_pace(self, goal: int, best_s: int, begins: bool) -> None:
        handheld = paused(12, SPRINT)
        handheld.session.best_of, handheld.session.best_result = SPRINT << 10, best_s * 1000
        handheld.game.goal = goal
        assert self.hold_start(handheld) == begins

    def test_start_held_only_pauses_a_recording(self) -> None:
        handheld = Handheld()
        handheld.open("play", recorded.read("lost"), ms=0)
        handheld.hold(START, 60)
        assert handheld.scene.recording and not handheld.scene.is_playing()

    @pytest.mark.parametrize("button", [DOWN, UP])
    def test_another_press_cancels_the_question(self, button: int) -> None:
        handheld = paused(12)
        choose(handheld, AGAIN)
        handheld.tap(button)
        assert not handheld.scene.cover.asked and handheld.scene.cover.value(AGAIN) == b""

    def test_again_uses_the_options_of_the_game_not_later_settings(self) -> None:
        handheld = paused(1, SPRINT)
        options, settings = handheld.game.options, handheld.settings
        options.aim, options.level, options.garbage_rows = 20, 7, 4
        settings.aim, settings.level, settings.variant = 0, 1, MARATHON
        choose(handheld, AGAIN)
        game = handheld.game
        assert (handheld.session.variant, game.goal, game.level, game.matrix.top) == (SPRINT, 20, 7, 4)

    def test_the_restarted_game_is_the_one_in_progress(self) -> None:
        handheld = paused(3)
        choose(handheld, AGAIN)
        game = handheld.game
        handheld.tap(START)
        handheld.follow(UP, A, frames=2)
        handheld.follow(A)
        assert (handheld.game.seed, handheld.game.score) == (game.seed, game.score)


class TestOptions:
    @pytest.fixture
    def handheld(self) -> Handheld:
        handheld = paused(5)
        choose(handheld, OPTIONS)
        return handheld

    def test_options_of_the_pause_are_the_most_wanted_pages(self, handheld: Handheld) -> None:
        handheld.compare("play_pause_options")
        handheld.tap(B)
        assert (handheld.scene.cover.heading, handheld.scene.cover.at) == (b"PAUSE", OPTIONS)

    @pytest.mark.parametrize(("at", "name"), list(enumerate(PAGES)))
    def test_each_leads_back_to_the_pause(self, handheld: Handheld, at: int, name: str) -> None:
        game = handheld.game
        assert choose(handheld, at) == name
        handheld.follow(B, frames=2)
        assert (handheld.name, handheld.game, handheld.scene.is_playing()) == ("play.play", game, False)
        assert handheld.buzzer.hz == 0

    def test_sound_changes_at_once(self, handheld: Handheld) -> None:
        choose(handheld, 1)
        handheld.follow(A, B, frames=2)
        assert (handheld.settings.music_on, handheld.voice.music_volume) == (0, 0)

    def test_larger_cells_show_at_once(self, handheld: Handheld) -> None:
        game = handheld.game
        choose(handheld, 2)
        handheld.go_down_to(b"CELLS")
        handheld.follow(A, B, frames=2)
        handheld.tap(A)
        assert (
            handheld.game is game and handheld.scene.is_playing() and type(handheld.scene.view).__name__ == "LargeView"
        )

    def test_a_button_that_was_swapped_moves_at_once(self, handheld: Handheld) -> None:
        choose(handheld, 3)
        handheld.tap(A, RIGHT)
        handheld.step(16, 4)
        handheld.follow(B, frames=2)
        handheld.tap(A)
        x = handheld.game.x
        handheld.tap(RIGHT)
        assert handheld.game.x < x

    def set_fast(self, handheld: Handheld) -> None:
        choose(handheld, 0)
        handheld.follow(RIGHT, B, frames=2)
        handheld.tap(A)
        assert (handheld.settings.das_ms, handheld.settings.arr_ms) == (133, 10)

    def test_handling_changes_at_once(self, handheld: Handheld) -> None:
        self.set_fast(handheld)
        assert all(getattr(handheld.game.options, name) == getattr(handheld.settings, name) for name in HANDLING)
        x = handheld.game.x
        handheld.move(LEFT, 1, 140)
        assert handheld.game.x <= x - 2

    @pytest.mark.parametrize("slice_ms", [1, 16, 1000])
    def test_the_recording_contains_the_changes(self, handheld: Handheld, slice_ms: int) -> None:
        self.set_fast(handheld)
        play(handheld, 8)
        handheld.tap(START)
        choose(handheld, OPTIONS)
        choose(handheld, 0)
        handheld.follow(DOWN, RIGHT, RIGHT, B, frames=2)
        handheld.tap(A)
        play(handheld, 8)
        handheld.tap(START)
        recording = Recording(handheld.session.last())
        for _ in range(2):  # the second time after a rewind
            recording.rewind()
            assert recording.options.das_ms == 300
            game, _trace = recorded.play(recording, slice_ms)
            theirs, ours = state(handheld.game), state(game)
            assert {name for name in ours if ours[name] != theirs[name]} <= {"now_ms", "events", "mode"}
        assert (game.options.das_ms, game.options.arr_ms) == (135, 10)

    def test_game_continued_from_a_recording_uses_the_players_handling(self) -> None:
        handheld = Handheld(first="menus.legal", recorder=Recorder())
        handheld.settings.das_ms = 83
        handheld.open("replay.watch", recorded.read("fast"), frames=200)
        while handheld.scene.line.reading:
            handheld.step()
        handheld.step(100, 50)
        handheld.follow(START, frames=2)
        assert handheld.game.options.das_ms == 83

    def test_without_a_change_the_recording_stays_as_it_was(self, handheld: Handheld) -> None:
        before = handheld.session.last()
        choose(handheld, 0)
        handheld.follow(B, frames=2)
        assert handheld.session.last() == before and before[3] == 1

    @pytest.mark.parametrize("variant", [STANDARD, TEST_SPEC])
    def test_standard_games_show_their_pieces(self, variant: int) -> None:
        handheld = paused(2, variant)
        if variant == STANDARD:
            handheld.compare("play_pause_standard")
        assert choose(handheld, 3) == "menus.over_pieces"
        assert (handheld.follow(A, frames=2), handheld.scene.is_playing()) == ("play.play", False)


class TestGameInProgress:
    """A new game asks before it replaces the game in progress."""

    @pytest.fixture
    def handheld(self) -> Handheld:
        handheld = paused(5)
        assert handheld.follow(UP, A, frames=2) == "menus.main"
        return handheld

    def test_play_asks_and_continue_resumes_the_game(self, handheld: Handheld) -> None:
        score = restore(handheld.context).score  # type: ignore[union-attr]
        assert choose(handheld, 1) == "menus.continue_or_new"
        handheld.compare("continue_or_new")
        assert (handheld.follow(A), handheld.game.score) == ("play.play", score)

    @pytest.mark.parametrize("kind", [SUSPENDED, MATCH])
    def test_a_save_that_cannot_be_read_is_told_and_kept(self, handheld: Handheld, kind: int) -> None:
        journal = handheld.journal
        journal.payload[:2] = later = b"\x7f\x01"  # as a later version may begin it
        assert journal.append(kind, len(later))
        assert choose(handheld, 0) == "menus.main"
        handheld.compare("main_unreadable")
        assert bytes(journal.read(kind)) == later
        assert choose(handheld, 1) == "menus.continue_or_new", "a new game asks before it replaces the save"

    def test_new_game_leads_to_the_chosen_line(self, handheld: Handheld) -> None:
        choose(handheld, 1)
        handheld.tap(DOWN)
        handheld.compare("continue_or_new_1")
        assert choose(handheld, 0) == "menus.choose_level"

    def test_back_leads_to_the_line_it_came_from(self, handheld: Handheld) -> None:
        choose(handheld, 1)
        assert (handheld.follow(B), handheld.scene.at) == ("menus.main", 1)

    def test_the_worst_piece_asks_too(self, handheld: Handheld) -> None:
        handheld.open("against.menu", frames=2)
        assert choose(handheld, 3) == "menus.continue_or_new" and handheld.follow(B) == "against.menu"
        choose(handheld, 0)
        assert (choose(handheld, 1), handheld.session.variant) == ("menus.choose_level", WORST)

    def test_without_a_game_in_progress_nothing_is_asked(self) -> None:
        handheld = Handheld(first="menus.main")
        assert handheld.follow(A) == "menus.choose_level"
        handheld.open("against.menu", frames=2)
        assert choose(handheld, 3) == "menus.choose_level"
