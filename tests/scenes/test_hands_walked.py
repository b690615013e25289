"""What random walks with chords, taps shorter than a frame, naps and all options have found."""

from types import SimpleNamespace
from typing import Any

import pytest

from firmware.modes.catalogue import MARATHON
from firmware.save.recorder import Recorder
from firmware.scenes.play_state import READY
from firmware.scenes.replay.practise_hints import Adviser
from firmware.view.canvas import Canvas
from firmware.view.minos import MINOS
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.pauses import DOWN, START, UP, A

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
    """Return a handheld in READY."""
    store = [RamStore() for _ in range(banks)]
    handheld = Handheld(first="menus.legal", recorder=Recorder(), store=store, wired=wired)
    for name, value in settings.items():
        setattr(handheld.settings, name, value)
    handheld.context.apply_settings()
    handheld.settings.variant = handheld.session.variant = variant
    handheld.open("play", frames=3)
    assert handheld.scene.state == READY
    return handheld


def leave(handheld: Handheld) -> None:
    """Leave a game by the last line of its pause."""
    handheld.tap(START)
    handheld.follow(UP, A, frames=4)
    assert handheld.name == "menus.main"


def pick(handheld: Handheld, line: bytes) -> None:
    while handheld.scene.lines[handheld.scene.at] != line:
        handheld.tap(DOWN)
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
        assert handheld.name == "menus.scores" and not handheld.scene.again


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
        adviser: Any = Adviser.__new__(Adviser)
        adviser.canvas, adviser.way, adviser.fresh = Canvas(), way, True
        adviser.hint = SimpleNamespace(is_known=False)
        adviser.mark = None
        adviser.draw()
        assert not any(adviser.canvas.pixel(x, y) for x in range(22) for y in range(16))
        assert any(adviser.canvas.pixel(x, y) for x in range(22, 64) for y in range(8, 16))
