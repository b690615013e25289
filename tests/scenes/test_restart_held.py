"""START held begins again wherever a game has ended; test_begin_again.py and test_presses.py have each place and time.

In a pause it asks if a best result would be lost, and the same press again confirms.
"""

import pytest

from firmware.modes.catalogue import MARATHON
from firmware.modes.listing import list_tables
from firmware.save.scores import LETTERS, open_table
from firmware.scenes.again import HELD_MS
from firmware.scenes.play_state import PLAYING, READY, REST_MS
from tests.support.handhelds.handheld import Handheld, lose
from tests.support.handhelds.pauses import DOWN, HOLD, LEFT, RIGHT, START, UP, A, B, go_on, open_game, power_on

FRAME_MS = 10
LONG_FRAMES = HELD_MS // FRAME_MS + 2


def end_game() -> Handheld:
    """Return a handheld in the frame in which a game with a place in the table has ended."""
    handheld = power_on()
    open_game(handheld)
    handheld.wait_until(handheld.scene.is_playing, FRAME_MS)
    lose(handheld)
    assert handheld.game.over and handheld.session.placed
    return handheld


def plays_anew(handheld: Handheld, seed: int) -> bool:
    return handheld.name == "play.play" and handheld.scene.is_playing() and handheld.game.seed != seed


@pytest.mark.parametrize("name", ["play.play", "menus.over", "menus.scores_initials", "menus.scores"])
def test_a_tap_of_start_goes_on_when_it_is_released(name: str) -> None:
    handheld = end_game()
    seed = handheld.game.seed
    handheld.step(FRAME_MS, 110)
    go_on(handheld, name)
    handheld.move(START, 1, FRAME_MS)
    handheld.step(FRAME_MS, 3)
    assert handheld.name == name and not plays_anew(handheld, seed)
    handheld.move(START, 0, FRAME_MS)
    handheld.step(FRAME_MS, 2)
    assert handheld.name != name or name == "menus.over", "the congratulation is a page of its own"


def test_the_last_initials_sign_the_place() -> None:
    handheld = end_game()
    go_on(handheld, "menus.scores_initials")
    handheld.tap(DOWN)
    handheld.move(START, 1, FRAME_MS)
    handheld.step(FRAME_MS, LONG_FRAMES)
    kind = next(choice.kind for choice in list_tables() if choice.variant == MARATHON)
    assert open_table(handheld.journal, kind).entry(0)[0] == bytes([LETTERS[1], LETTERS[0], LETTERS[0]])
    assert handheld.settings.initials == 1


@pytest.mark.parametrize("name", ["play.play", "menus.over", "menus.scores_initials", "menus.scores"])
def test_no_scene_opens_under_a_start_that_is_down(name: str) -> None:
    handheld = end_game()
    seed = handheld.game.seed
    handheld.step(FRAME_MS, 110)
    go_on(handheld, name)
    handheld.step(FRAME_MS, 110)
    handheld.move(START, 1, FRAME_MS)
    handheld.tap(A)
    assert handheld.name == name
    handheld.step(FRAME_MS, LONG_FRAMES)
    assert plays_anew(handheld, seed)


def test_the_result_that_comes_by_itself_waits_for_start() -> None:
    handheld = end_game()
    seed = handheld.game.seed
    handheld.step(FRAME_MS, 4 * REST_MS // FRAME_MS - 5)
    handheld.move(START, 1, FRAME_MS)
    handheld.step(FRAME_MS, LONG_FRAMES)
    assert plays_anew(handheld, seed)


def test_a_game_in_progress_is_not_lost_in_the_table() -> None:
    handheld = end_game()
    handheld.step(FRAME_MS, 110)
    go_on(handheld, "menus.over")
    handheld.step(FRAME_MS, 110)
    handheld.tap(A)
    handheld.follow(B, frames=2)
    assert handheld.name == "menus.main"
    handheld.open("play", frames=3)
    handheld.wait_until(handheld.scene.is_playing, FRAME_MS)
    handheld.tap(START)
    handheld.open("menus.scores", frames=2)
    handheld.move(START, 1, FRAME_MS)
    handheld.step(FRAME_MS, LONG_FRAMES)
    assert handheld.name == "menus.score_list" and handheld.session.has_game()


def test_the_table_from_the_menu_begins_nothing() -> None:
    handheld = Handheld(first="menus.main")
    handheld.open("menus.scores", frames=2)
    handheld.move(START, 1, FRAME_MS)
    handheld.step(FRAME_MS, LONG_FRAMES)
    assert handheld.name == "menus.score_list"


EIGHT_BUTTONS, SIX_BUTTONS = 255, 63
# The buttons that are START, by what is wired.
STARTS = [((START,), EIGHT_BUTTONS), ((HOLD,), EIGHT_BUTTONS), ((LEFT, RIGHT), SIX_BUTTONS)]


@pytest.mark.parametrize("counts_down", [False, True])
@pytest.mark.parametrize(("keys", "wired"), STARTS, ids=["START", "C", "LEFT with RIGHT"])
def test_start_held_again_in_a_pause_confirms_its_question(
    keys: tuple[int, ...], wired: int, counts_down: bool
) -> None:
    handheld = power_on(now_ms=10_000, wired=wired)
    if keys == (HOLD,):
        masks = handheld.settings.buttons
        masks[START], masks[HOLD] = masks[HOLD], masks[START]
    handheld.context.apply_settings()
    handheld.session.counts_down = counts_down
    open_game(handheld)
    handheld.wait_until(handheld.scene.is_playing, FRAME_MS)
    handheld.step(FRAME_MS, 30)
    handheld.tap(UP)
    game = handheld.game
    game.score, game.time_ms = 5_000, 60_000  # the best result so far

    def press(frames: int) -> None:
        for key in keys:
            handheld.move(key, 1, FRAME_MS)
        handheld.step(FRAME_MS, frames)
        for key in keys:
            handheld.move(key, 0, FRAME_MS)
        handheld.step(FRAME_MS, 5)

    press(70)
    assert handheld.scene.cover.asked and handheld.game is game
    press(5)
    assert handheld.scene.state == (READY if counts_down else PLAYING), "a tap resumes"
    handheld.wait_until(handheld.scene.is_playing, FRAME_MS)
    handheld.step(FRAME_MS, 10)
    press(70)
    assert handheld.scene.cover.asked and handheld.game is game
    press(70)
    assert handheld.game is not game
