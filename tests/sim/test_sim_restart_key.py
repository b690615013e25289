"""R on a PC is START held, in play and where a game has ended. Gamepads press in the order of meaning."""

import pytest

from firmware.engine.controls import HARD_DROP, LEFT, PAUSE, ROTATE_CW
from firmware.modes.catalogue import MARATHON
from firmware.scenes.play_state import READY
from sim.contacts import HOLD_POLLS, Contacts
from sim.desktop.gamepad import Gamepads
from sim.desktop.keyboard import RESTART_HELD_MS, Keyboard
from sim.scenes import can_restart
from tests.support.handhelds.handheld import Handheld, lose
from tests.support.polling import poll


@pytest.mark.parametrize(("at_menu", "restarts"), [(False, False), (False, True), (True, True)])
def test_r_is_start_that_has_been_held(at_menu: bool, restarts: bool) -> None:
    contacts = Contacts()
    contacts.at_menu, contacts.restarts = at_menu, restarts
    keyboard = Keyboard(contacts)
    keyboard.press("KeyR", 1000)
    assert poll(contacts) == [(PAUSE, 1, 1000 - RESTART_HELD_MS)]
    keyboard.release("KeyR", 1020)
    assert [poll(contacts) for _ in range(HOLD_POLLS)] == [[]] * (HOLD_POLLS - 1) + [[(PAUSE, 0, 1020)]]


def test_r_does_nothing_in_other_menus() -> None:
    contacts = Contacts()
    contacts.at_menu = True
    Keyboard(contacts).press("KeyR", 1000)
    assert poll(contacts) == []


def test_a_tap_of_r_between_two_polls_does_nothing() -> None:
    contacts = Contacts()
    keyboard = Keyboard(contacts)
    keyboard.press("KeyA", 990)
    keyboard.press("KeyR", 1000)
    keyboard.release("KeyR", 1008)
    assert poll(contacts) == [(ROTATE_CW, 1, 990)]
    keyboard.press("KeyR", 1100)
    assert poll(contacts) == [(PAUSE, 1, 1100 - RESTART_HELD_MS)]


@pytest.mark.parametrize("by_ear", [0, 2])  # by ear START waits for its chord
@pytest.mark.parametrize("frames", [1, 2, 3, 9])
@pytest.mark.parametrize("place", ["READY", "play", "pause", "3-2-1"])
def test_a_tap_of_r_that_a_poll_sees_restarts(place: str, frames: int, by_ear: int) -> None:
    handheld = Handheld(10 * RESTART_HELD_MS, first="menus.main", wired=511)
    handheld.settings.by_ear = by_ear
    handheld.context.apply_settings()
    contacts = Contacts()
    keyboard = Keyboard(contacts)
    handheld.device.buttons = contacts
    handheld.session.variant = handheld.settings.variant = MARATHON
    handheld.open("play", frames=30)
    if place != "READY":
        handheld.wait_until(handheld.scene.is_playing)
    for _ in range(("READY", "play", "pause", "3-2-1").index(place) - 1):
        contacts.tap(PAUSE, handheld.clock.now_ms)
        handheld.step(frames=8)
    game = handheld.game
    keyboard.press("KeyR", handheld.clock.now_ms)
    handheld.step(frames=frames)
    keyboard.release("KeyR", handheld.clock.now_ms)
    handheld.step(frames=8)
    assert handheld.scene.state == READY and handheld.game is not game


def test_r_means_something_in_play_and_after_a_game() -> None:
    handheld = Handheld(first="menus.main")
    assert not can_restart(handheld.scene)
    handheld.open("menus.choose_level", frames=2)
    assert not can_restart(handheld.scene)
    handheld.open("menus.scores", frames=2)
    assert not can_restart(handheld.scene)
    handheld.open("play", frames=3)
    assert can_restart(handheld.scene)
    lose(handheld)
    handheld.open("menus.over", handheld.game)
    assert can_restart(handheld.scene)


def test_left_and_up_of_a_gamepad_in_one_poll_move_before_they_drop() -> None:
    contacts = Contacts()
    gamepads = Gamepads(contacts)
    for button in ("dpup", "dpleft"):
        gamepads.move_button(0, button, True, 1000)
    assert [edge[:2] for edge in poll(contacts)] == [(LEFT, 1), (HARD_DROP, 1)]
