"""Each control has buttons of its own: one or two that are wired, and no other control's."""

import itertools
import random

import pytest

from firmware.save.buttons import CONTROLS, TARGET, find_buttons, fit, give, read, reset, write
from firmware.save.settings import Settings

ALL = 0xFF
NO_HOLD = 0xBF
NO_START = 0x7F
SIX = 0x3F
WIRED = (ALL, 0x1FF, NO_HOLD, NO_START, SIX)
SINGLES = [1 << button for button in range(8)]
CHORDS = [1 << one | 1 << other for one, other in itertools.combinations(range(8), 2)]


def list_masks(settings: Settings) -> list[int]:
    return [read(settings, control) for control in range(CONTROLS)]


def is_sound(settings: Settings, wired: int) -> bool:
    """Return whether no two controls share buttons, and each has one or two; only TARGET may lack a wire."""
    masks = list_masks(settings)
    wires = [mask for mask in masks[:TARGET] if mask & ~wired]
    return len({*masks}) == CONTROLS and all(mask in SINGLES + CHORDS for mask in masks) and not wires


@pytest.mark.parametrize("wired", WIRED)
def test_a_control_without_its_button_has_a_chord_by_default(wired: int) -> None:
    settings = Settings()
    fit(settings, wired)
    assert is_sound(settings, wired)
    assert list_masks(settings) == [find_buttons(control, wired) for control in range(CONTROLS)]
    assert list_masks(settings)[6:] == [
        0x40 if wired & 0x40 else 0x30,
        0x80 if wired & 0x80 else 0x03,
        0xC0,
    ]


def test_a_control_swaps_with_the_one_that_had_the_buttons() -> None:
    settings = Settings()
    give(settings, TARGET, 0x40)
    assert read(settings, TARGET) == 0x40 and read(settings, 6) == 0xC0
    give(settings, 6, 0x40)
    assert list_masks(settings) == list_masks(Settings())


@pytest.mark.parametrize("stride", [17, pytest.param(1, marks=pytest.mark.every)])
@pytest.mark.parametrize("wired", [ALL, SIX])
def test_two_assignments_and_a_reset_leave_each_control_buttons_of_its_own(wired: int, stride: int) -> None:
    """Of all pairs: any buttons for any two controls, then one of them is reset."""
    masks = [mask for mask in SINGLES + [0x30, 0x03, 0x0C, 0xC0] if not mask & ~wired]
    pairs = itertools.product(itertools.product(range(CONTROLS), masks), repeat=2)
    for (one, first), (other, second) in itertools.islice(pairs, 0, None, stride):
        settings = Settings()
        reset(settings, wired)
        give(settings, one, first)
        give(settings, other, second)
        give(settings, one, find_buttons(one, wired))
        before = list_masks(settings)
        fit(settings, wired)
        assert is_sound(settings, wired) and read(settings, one) == find_buttons(one, wired)
        assert wired == SIX or list_masks(settings) == before, "with all buttons the page's own choices need no repair"


@pytest.mark.parametrize("count", [200, pytest.param(2000, marks=pytest.mark.every)])
@pytest.mark.parametrize("wired", WIRED)
def test_saved_buttons_of_any_kind_are_repaired(wired: int, count: int) -> None:
    draw = random.Random(wired)
    for _ in range(count):
        settings = Settings()
        for control in range(CONTROLS):
            write(settings, control, draw.choice([0, draw.randrange(256), *SINGLES]))
        fit(settings, wired)
        assert is_sound(settings, wired)
        before = list_masks(settings)
        fit(settings, wired)
        assert list_masks(settings) == before


def test_a_control_with_its_usual_buttons_keeps_them() -> None:
    settings = Settings()
    write(settings, TARGET, 0x40)  # as Hold
    fit(settings, ALL)
    assert list_masks(settings) == list_masks(Settings())
    write(settings, 2, 0x40)
    write(settings, 3, 0x40)
    fit(settings, ALL)
    assert list_masks(settings) == list_masks(Settings())


def test_reset_gives_all_their_usual_buttons() -> None:
    settings = Settings()
    give(settings, 0, 0x80)
    give(settings, TARGET, 0x30)
    reset(settings, NO_HOLD)
    assert list_masks(settings) == [*SINGLES[:6], 0x30, 0x80, 0xC0]
