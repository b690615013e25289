"""READY and 3-2-1 swallow no press: what is down at their end is pressed then, and START pauses and restarts."""

import pytest

from firmware.engine.options import AFTER_READY
from firmware.engine.phases import GENERATION
from firmware.modes.catalogue import MARATHON, SPRINT, STANDARD, ZEN
from firmware.save.presets import FAST, GUIDELINE, handle
from firmware.save.recordings.recording import Recording
from firmware.scenes.play_state import PAUSED, READY, START_HELD_MS
from tests.support import recorded
from tests.support.drill import state
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.pauses import DOWN, HOLD, LEFT, RIGHT, START, UP, A, B, open_game, power_on

READY_MS = 1300
FRAME_MS = 10


def begin(preset: int = FAST, variant: int = MARATHON, **settings: int) -> Handheld:
    handheld = power_on()
    handle(handheld.settings, preset)
    handheld.change_settings(**settings)
    open_game(handheld, variant)
    assert handheld.scene.state == READY
    return handheld


def end_countdown(handheld: Handheld) -> None:
    handheld.wait_until(handheld.scene.is_playing, FRAME_MS)


def press(handheld: Handheld, *buttons: int) -> None:
    for button in buttons:
        handheld.move(button, 1, FRAME_MS)


def check_recording(handheld: Handheld) -> None:
    """Check that the recording up to now leads to the game on the screen."""
    recording = Recording(handheld.session.recorder.recorded(handheld.scene.played_ms))
    again, _trace = recorded.play(recording, slice_ms=10_000)
    game = handheld.game
    again.mode, again.now_ms = game.mode, game.now_ms  # they differ
    assert state(again) == state(game)


class TestReady:
    def hold_left(self, held_ms: int) -> Handheld:
        """Return a handheld in the first frame after READY, of which LEFT was down for so long."""
        handheld = begin(arr_ms=0, das_ms=200)
        handheld.step(FRAME_MS, (READY_MS - held_ms) // FRAME_MS)
        press(handheld, LEFT)
        end_countdown(handheld)
        handheld.step(FRAME_MS)
        return handheld

    def test_5_2_a_charged_direction_goes_to_the_wall_at_once(self) -> None:
        handheld = self.hold_left(1000)
        assert handheld.game.x < 1
        check_recording(handheld)

    def test_5_2_a_late_direction_steps_once_and_waits_for_its_delay(self) -> None:
        """The delay of 200 ms began with the press, 60 ms before the game."""
        handheld = self.hold_left(60)
        assert handheld.game.x == 2
        handheld.step(FRAME_MS, 9)
        assert handheld.game.x == 2
        handheld.step(FRAME_MS, 5)
        assert handheld.game.x < 1
        check_recording(handheld)

    def test_the_last_of_two_directions_counts(self) -> None:
        handheld = begin(arr_ms=0)
        press(handheld, LEFT, RIGHT)
        end_countdown(handheld)
        handheld.step(FRAME_MS)
        assert handheld.game.x >= 6 and handheld.game.shift_step == 1
        check_recording(handheld)

    @pytest.mark.parametrize(("button", "facing"), [(A, 1), (B, 3)])
    def test_a_held_rotation_turns_the_first_tetrimino_by_initial_rotation(self, button: int, facing: int) -> None:
        for preset, expected in ((FAST, facing), (GUIDELINE, 0)):
            handheld = begin(preset)
            press(handheld, button)
            end_countdown(handheld)
            handheld.step(FRAME_MS)
            assert handheld.game.facing == expected
            check_recording(handheld)

    def test_a_held_hold_holds_the_first_tetrimino(self) -> None:
        handheld = begin()
        first, second = handheld.game.next[:2]
        press(handheld, HOLD)
        end_countdown(handheld)
        handheld.step(FRAME_MS)
        assert (handheld.game.hold, handheld.game.piece) == (first, second)
        check_recording(handheld)

    @pytest.mark.parametrize("button", range(7))
    def test_a_press_neither_ends_it_nor_counts_once_it_is_released(self, button: int) -> None:
        handheld, other = begin(), begin()
        for each in (handheld, other):
            if each is handheld:
                each.press(button, 30)
            each.step(FRAME_MS, 40)
            assert each.scene.state == READY
            end_countdown(each)
            each.step(FRAME_MS, 30)
        assert handheld.picture() == other.picture() and handheld.game.pressed == 0

    def test_a_held_hard_drop_drops_nothing(self) -> None:
        handheld = begin()
        press(handheld, UP)
        end_countdown(handheld)
        handheld.step(FRAME_MS, 5)
        assert handheld.game.piece and not handheld.game.lock_downs

    def test_the_game_begins_now_and_not_in_the_past(self) -> None:
        handheld = begin()
        handheld.clock.now_ms += 5000  # a late frame
        handheld.step(0, 4)
        assert handheld.scene.is_playing() and (handheld.game.time_ms, handheld.game.phase) == (0, GENERATION)

    def test_start_pauses_and_the_game_can_go_on(self) -> None:
        handheld = begin()
        handheld.move(START, 1)
        handheld.move(START, 0)
        assert handheld.scene.state == PAUSED and handheld.session.has_game()
        handheld.tap(START)
        assert handheld.scene.state == READY
        end_countdown(handheld)
        assert handheld.game.time_ms == 0
        handheld.step(FRAME_MS)
        assert handheld.game.piece
        check_recording(handheld)

    def test_start_held_restarts(self) -> None:
        handheld = begin()
        game = handheld.game
        handheld.move(START, 1)
        handheld.step(FRAME_MS, START_HELD_MS // FRAME_MS + 4)
        assert handheld.game is not game and handheld.game.time_ms < 100

    def test_remapped_buttons_charge_by_their_controls(self) -> None:
        buttons = bytearray(1 << button for button in range(8))
        buttons[LEFT], buttons[A] = buttons[A], buttons[LEFT]
        handheld = begin(arr_ms=0)
        handheld.settings.buttons[:] = buttons
        handheld.context.apply_settings()
        press(handheld, A)
        end_countdown(handheld)
        handheld.step(FRAME_MS)
        assert handheld.game.x < 1 and handheld.game.facing == 0
        handheld.move(A, 0)
        assert not handheld.game.pressed, "the mapping knows that the button is down"

    @pytest.mark.parametrize("variant", [SPRINT, STANDARD, ZEN])
    def test_recordings_of_other_modes_play_alike(self, variant: int) -> None:
        handheld = begin(variant=variant, arr_ms=20)
        press(handheld, LEFT, A)
        end_countdown(handheld)
        handheld.step(FRAME_MS, 60)
        handheld.move(LEFT, 0)
        handheld.tap(UP)
        handheld.step(FRAME_MS, 60)
        check_recording(handheld)

    def test_a_recording_says_its_countdown(self) -> None:
        handheld = begin()
        assert handheld.game.options.edition == AFTER_READY
        assert Handheld(first="play").game.options.edition == 1


class TestAfterAPause:
    @pytest.fixture
    def handheld(self) -> Handheld:
        """Return a handheld in 3-2-1, with a Tetrimino in play."""
        handheld = begin(arr_ms=0, das_ms=100)
        end_countdown(handheld)
        handheld.step(FRAME_MS, 20)
        handheld.tap(START)
        handheld.tap(START)
        assert handheld.scene.state == READY and handheld.game.piece
        return handheld

    def test_a_direction_that_is_held_charges_auto_repeat(self, handheld: Handheld) -> None:
        press(handheld, LEFT)
        end_countdown(handheld)
        handheld.step(FRAME_MS)
        assert handheld.game.x < 1
        check_recording(handheld)
        handheld.move(LEFT, 0)
        assert not handheld.game.pressed

    def test_soft_drop_goes_on(self, handheld: Handheld) -> None:
        press(handheld, DOWN)
        end_countdown(handheld)
        assert handheld.game.soft

    @pytest.mark.parametrize("button", [A, B, HOLD, UP])
    def test_no_held_button_turns_holds_or_drops_the_tetrimino_in_play(self, handheld: Handheld, button: int) -> None:
        game = handheld.game
        before = (game.piece, game.x, game.facing, game.hold, game.lock_downs)
        press(handheld, button)
        end_countdown(handheld)
        handheld.step(FRAME_MS)
        assert (game.piece, game.x, game.facing, game.hold, game.lock_downs) == before

    @pytest.mark.parametrize(("button", "facing"), [(A, 1), (HOLD, 0)])
    def test_it_counts_for_the_next_tetrimino_once_it_is_pressed_again(
        self, handheld: Handheld, button: int, facing: int
    ) -> None:
        """A recording has no edge that presses without acting on the Tetrimino in play."""
        game = handheld.game
        press(handheld, button)
        end_countdown(handheld)
        handheld.step(FRAME_MS)
        assert not game.pressed
        press(handheld, UP)
        handheld.step(FRAME_MS, 60)
        assert game.lock_downs == 1 and (game.facing, game.hold) == (0, 0)
        check_recording(handheld)
        handheld.move(UP, 0)
        handheld.move(button, 0)
        press(handheld, UP, button)
        handheld.step(FRAME_MS, 60)
        assert game.lock_downs == 2 and game.facing == facing and (game.hold > 0) == (button == HOLD)
        check_recording(handheld)

    def test_start_pauses_again(self, handheld: Handheld) -> None:
        handheld.tap(START)
        assert handheld.scene.state == PAUSED

    def test_start_held_restarts(self, handheld: Handheld) -> None:
        game = handheld.game
        handheld.move(START, 1)
        handheld.step(FRAME_MS, START_HELD_MS // FRAME_MS + 4)
        assert handheld.game is not game

    def test_start_held_from_the_pause_on_restarts(self, handheld: Handheld) -> None:
        """Its press resumes; then the countdown sees that it stays down."""
        handheld.tap(START)
        game = handheld.game
        handheld.move(START, 1)
        assert handheld.scene.state == READY
        handheld.step(FRAME_MS, START_HELD_MS // FRAME_MS + 4)
        assert handheld.game is not game
