"""Turning one switch on asks for a second press of the same button (firmware/modes/README.md, 14.1)."""

from typing import Any

import pytest

from firmware.engine.controls import HARD_DROP, HOLD, LEFT, PAUSE, RIGHT, ROTATE_CCW, ROTATE_CW, SOFT_DROP
from firmware.one_switch import OneSwitch
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.menus import read_saved

A, B = ROTATE_CW, ROTATE_CCW
TURNS_ON = (A, RIGHT, LEFT, PAUSE)
ALL = (LEFT, RIGHT, SOFT_DROP, HARD_DROP, A, B, HOLD, PAUSE)


def begin() -> Handheld:
    """Return a handheld on the page EASIER, at the line 1 KEY, which is off."""
    handheld = Handheld(store=[RamStore(4096)], first="menus.title")
    handheld.open("options.access", frames=2)
    handheld.tap(SOFT_DROP)
    assert handheld.scene.lines[handheld.scene.at] == b"1 KEY"
    return handheld


def wait(handheld: Handheld, seconds: float) -> None:
    handheld.step(16, int(seconds * 1000) // 16)


@pytest.mark.parametrize("button", TURNS_ON)
def test_the_same_button_again_keeps_the_switch(button: int) -> None:
    handheld = begin()
    handheld.tap(button)
    chosen = handheld.settings.one_switch
    assert chosen
    wait(handheld, 7)
    assert read_saved(handheld).one_switch == 0, "it may still go back"
    handheld.tap(button)
    assert handheld.settings.one_switch == chosen, "the press does nothing else"
    wait(handheld, 20)
    assert handheld.settings.one_switch == read_saved(handheld).one_switch == chosen


@pytest.mark.parametrize(
    ("button", "other"), [(button, other) for button in TURNS_ON for other in ALL if other != button]
)
def test_any_other_button_turns_it_off_and_does_nothing_else(button: int, other: int) -> None:
    handheld = begin()
    handheld.tap(button, other)
    wait(handheld, 2)
    assert handheld.settings.one_switch == read_saved(handheld).one_switch == 0
    assert handheld.name == "options.access" and handheld.scene.lines[handheld.scene.at] == b"1 KEY"


def test_after_eight_seconds_it_is_off_again() -> None:
    handheld = begin()
    handheld.tap(A)
    handheld.compare_at_rest("options_access_trying")
    wait(handheld, 7.5)
    assert handheld.settings.one_switch
    wait(handheld, 1)
    assert handheld.settings.one_switch == 0
    handheld.tap(B)
    handheld.step(16, 4)
    buttons: Any = handheld.context.device.buttons
    assert handheld.name == "options.options" and not isinstance(buttons, OneSwitch)


def test_a_held_direction_is_no_second_press() -> None:
    handheld = begin()
    handheld.hold(RIGHT, 200)
    wait(handheld, 6)
    assert handheld.settings.one_switch == 0


def test_another_speed_of_a_kept_switch_asks_nothing() -> None:
    handheld = begin()
    handheld.tap(A, A, RIGHT)
    kept = handheld.settings.one_switch
    wait(handheld, 10)
    assert handheld.settings.one_switch == kept > 0
    handheld.tap(B)
    handheld.step(16, 4)
    assert isinstance(handheld.context.device.buttons, OneSwitch)
