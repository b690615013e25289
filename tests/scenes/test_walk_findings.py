"""What random walks with chords, taps shorter than a frame, naps and all options have found."""

from types import SimpleNamespace
from typing import Any

import pytest

from firmware import one_switch
from firmware.device.chords import Chords
from firmware.modes.catalogue import FINESSE, MARATHON, SPRINT, ZEN
from firmware.nine_buttons import connect
from firmware.save.journal import SUSPENDED
from firmware.save.recorder import Recorder
from firmware.scenes.again import HELD_MS
from firmware.scenes.play_state import OVER, PAUSED, READY
from firmware.scenes.replay.practise_hints import Adviser
from firmware.view.minos import MINOS
from tests.support.flash import RamStore
from tests.support.handhelds.arcade import Arcade
from tests.support.handhelds.handheld import Handheld, lose
from tests.support.handhelds.pauses import DOWN, HOLD, LEFT, RIGHT, START, UP, A, B, begin_game, open_game
from tests.support.results import Console, ended, fill_table

OUTLINE = 33  # in MINOS


def play(variant: int = MARATHON, banks: int = 2, wired: int = 255, **settings: int) -> Handheld:
    """Return a handheld in a game with one Lock Down."""
    handheld = begin(variant, banks, wired, **settings)
    handheld.wait_until(handheld.scene.is_playing)
    handheld.step(frames=30)
    handheld.tap(UP)
    handheld.step(frames=40)
    return handheld


def begin(variant: int, banks: int = 2, wired: int = 255, **settings: int) -> Handheld:
    store = [RamStore() for _ in range(banks)]
    handheld = Handheld(first="menus.legal", recorder=Recorder(), store=store, wired=wired)
    handheld.change_settings(**settings)
    handheld.context.apply_settings()
    open_game(handheld, variant)
    assert handheld.scene.state == READY
    return handheld


def leave(handheld: Handheld) -> None:
    """Leave a game by the last line of its pause."""
    handheld.tap(START)
    handheld.follow(UP, A, frames=4)
    assert handheld.name == "menus.main"


def pick(handheld: Handheld, line: bytes) -> None:
    handheld.go_down_to(line)
    handheld.follow(A, frames=3)


class TestStart:
    def test_a_tap_of_start_behind_many_presses_restarts_nothing(self) -> None:
        """A frame takes one press, so that the release of START may wait longer than a hold."""
        handheld = play()
        lose(handheld)
        handheld.step(frames=80)
        game, now_ms = handheld.game, handheld.clock.now_ms
        buttons = [START, LEFT, RIGHT, DOWN, UP, HOLD]
        handheld.buttons.edges += [(button, 1, now_ms + i) for i, button in enumerate(buttons)]
        handheld.buttons.edges += [(button, 0, now_ms + 60) for button in buttons]
        handheld.step(HELD_MS // 4, 20)
        assert handheld.session.played and getattr(handheld.scene, "game", game) is game

    def test_a_tap_of_start_before_a_slow_save_restarts_nothing(self) -> None:
        handheld = play()
        game = handheld.game
        handheld.move(START, 1)
        now_ms = handheld.clock.now_ms
        handheld.buttons.edges += [(A + i % 2, 1 - i // 2, now_ms + i) for i in range(4)] + [(START, 0, now_ms + 60)]
        handheld.step(800)
        handheld.step(frames=5)
        assert handheld.game is game and handheld.game.time_ms

    def test_start_that_wakes_the_screen_begins_no_round(self) -> None:
        arcade = Arcade(WINS=1)
        arcade.settings.sleep_s, arcade.settings.dim_s = 3, 0
        arcade.lose_round(80)
        arcade.step(100, 60)
        assert arcade.app.idling.asleep
        for _ in range(2):
            assert (arcade.match.round, arcade.scene.state) == (0, OVER)
            arcade.move(START, 1, frames=3)
            arcade.move(START, 0, frames=3)
        assert arcade.match.round == 1, "the second press begins it"

    def test_a_restart_leaves_no_save_of_the_game_before(self) -> None:
        handheld = play()
        handheld.tap(START)
        assert len(handheld.journal.read(SUSPENDED))
        handheld.follow(DOWN, A, frames=4)
        assert handheld.scene.state == READY
        assert not Handheld(first="menus.legal", store=handheld.banks).session.has_game(), "after a power cut"

    def test_scores_from_the_main_menu_are_no_end_of_a_game(self) -> None:
        handheld = play()
        lose(handheld)
        handheld.step(frames=80)
        handheld.follow(A, frames=80)
        handheld.follow(B, frames=3)
        handheld.follow(B, frames=3)
        pick(handheld, b"SCORES")
        assert handheld.follow(A, frames=3) == "menus.scores" and not handheld.scene.again


class TestButtons:
    @pytest.mark.parametrize("gap_ms", [0, 8])
    def test_no_direction_stays_down_as_zen_goes_on(self, gap_ms: int) -> None:
        """HOLD goes up and LEFT down in one frame; with half turns a mapping has both."""
        handheld = play(ZEN, modern=2)
        handheld.move(HOLD, 1, frames=5)
        handheld.move(START, 1, frames=2)
        handheld.move(START, 0, frames=9)
        assert handheld.scene.state == PAUSED
        now_ms = handheld.clock.now_ms
        handheld.buttons.edges += [(HOLD, 0, now_ms + 1), (LEFT, 1, now_ms + 1 + gap_ms)]
        handheld.step(frames=4)
        assert handheld.game.pressed == 1 << LEFT
        handheld.move(LEFT, 0, frames=4)
        assert handheld.scene.is_playing() and not handheld.game.pressed

    def test_a_tap_and_a_held_button_are_no_held_pause(self) -> None:
        """Six buttons pause by LEFT with RIGHT; held, this restarts."""
        handheld = play(wired=63)
        game, now_ms = handheld.game, handheld.clock.now_ms
        handheld.buttons.edges += [(RIGHT, 1, now_ms), (RIGHT, 0, now_ms + 9), (LEFT, 1, now_ms + 25)]
        handheld.step(frames=60)
        assert handheld.game is game and handheld.scene.state == PAUSED and handheld.scene.start_ms < 0

    def test_a_chord_that_is_held_is_a_held_pause(self) -> None:
        masks = bytearray(1 << button for button in range(8))
        masks[START] = 1 << LEFT | 1 << RIGHT
        chords = Chords(masks)
        for button in (LEFT, RIGHT):
            chords.press(button, button * 20)
        assert chords.pressed == 1 << START

    def test_rewind_in_a_countdown_of_zen_means_nothing(self) -> None:
        """Its ninth button presses HOLD and START; held in a countdown or at the end it would restart."""
        handheld = begin(ZEN, wired=511)
        told: list[Any] = []
        connect(SimpleNamespace(connect=told.append), handheld.router)
        has_meaning = told[0]
        assert not has_meaning()
        handheld.wait_until(handheld.scene.is_playing)
        assert has_meaning()
        handheld.step(frames=40)
        handheld.scene.take_back(1)
        assert handheld.scene.state == PAUSED and has_meaning()
        handheld.scene.halt(OVER, None)
        assert not has_meaning()

    def test_a_ninth_button_knows_puzzles(self) -> None:
        """NineKeys asks at each poll, and a puzzle has a panel instead of a cover."""
        handheld = Handheld(first="menus.title", wired=511)
        told: list[Any] = []
        connect(SimpleNamespace(connect=told.append), handheld.router)
        handheld.open("learn.puzzle_play", 3, frames=4)
        assert told[0]()
        handheld.tap(START)
        assert handheld.scene.state == PAUSED and not told[0]()


class TestSwitch:
    def connected(self) -> Arcade:
        arcade = Arcade(first="menus.title")
        arcade.settings.one_switch = 1000
        arcade.context.apply_settings()
        one_switch.connect(arcade.context)
        arcade.open("match.play", frames=60)
        return arcade

    @pytest.mark.parametrize("frames", [2, 40])
    def test_start_pauses_a_match_once_and_restarts_none(self, frames: int) -> None:
        arcade = self.connected()
        match = arcade.match
        arcade.move(START, 1, frames=frames)
        arcade.move(START, 0, frames=50)
        assert arcade.match is match and arcade.scene.state == PAUSED and not arcade.scene.cover.asked

    def test_a_replay_of_a_match_has_the_switch(self) -> None:
        arcade = self.connected()
        arcade.move(START, 1, frames=2)
        arcade.move(START, 0, frames=2)
        arcade.router.watch(arcade.session.watcher, None, "learn.menu")
        arcade.step(frames=200)
        assert arcade.name == "match.watch" and arcade.scene.playing
        arcade.move(UP, 1, frames=10)
        arcade.move(UP, 0, frames=2)
        assert not arcade.scene.playing, "any button is A"


class TestOtherModes:
    def test_finesse_asks_before_a_game_in_progress_is_lost(self) -> None:
        handheld = play()
        leave(handheld)
        pick(handheld, b"LEARN")
        pick(handheld, b"FINESSE")
        assert handheld.name == "learn.menu" and handheld.scene.notes[handheld.scene.at].startswith(b"PRESS AGAIN")
        handheld.follow(A, frames=3)
        assert handheld.name == "learn.finesse"

    def test_finesse_that_begins_again_is_no_line_of_the_main_menu(self) -> None:
        handheld = begin(FINESSE)
        handheld.settings.variant = SPRINT
        handheld.wait_until(handheld.scene.is_playing)
        handheld.tap(START)
        handheld.follow(DOWN, A, frames=3)
        assert handheld.name == "learn.finesse" and handheld.settings.variant == SPRINT

    def test_without_a_store_a_game_goes_on_in_its_own_mode(self) -> None:
        handheld = play(banks=0)
        leave(handheld)
        handheld.session.choose_variant(SPRINT)  # its page of levels was opened and left again
        pick(handheld, b"CONTINUE")
        assert handheld.scene.state == PAUSED and handheld.session.variant == MARATHON
        handheld.tap(START)
        handheld.wait_until(handheld.scene.is_playing)


class TestPictures:
    @pytest.mark.parametrize("blocks", [0, 1, 2])
    def test_every_look_of_blocks_shows_the_step_of_a_lesson_as_outlines(self, blocks: int) -> None:
        handheld = Handheld(first="menus.title")
        handheld.settings.blocks = blocks
        handheld.context.apply_settings()
        handheld.open("learn.puzzle_play", 0, frames=4)
        view = handheld.scene.view
        assert view.shown and view.target
        assert view.matrix.minos[5 * OUTLINE :][:5] == MINOS[5 * OUTLINE :][:5]

    @pytest.mark.parametrize("way", [b"A A", b"C A >> <", b"C A A >> <"])
    def test_presses_of_a_hint_leave_the_hold_queue_alone(self, way: bytes) -> None:
        handheld = begin_game()
        adviser = Adviser(handheld.scene)
        adviser.way = way
        canvas = handheld.canvas
        canvas.clear()
        adviser.draw()
        assert not any(canvas.pixel(x, y) for x in range(22) for y in range(16))
        assert any(canvas.pixel(x, y) for x in range(22, 64) for y in range(8, 16))

    @pytest.mark.parametrize("score", [10_000_001, 1_000_000_000])
    def test_a_large_difference_to_the_best_result_is_not_cut(self, score: int) -> None:
        console = Console()
        fill_table(console, 0, [1])
        console.session.finish(ended(score=score), 1)
        console.open("menus.over", ended(score=score))
        console.step(1000)
        console.tap(A)
        assert console.scene.distances == [b"+%d BEST" % (score - 1)]
