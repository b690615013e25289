"""Presses before the first frame count, on the real firmware."""

import pytest

from tests.support.handhelds.board_console import make_console

pytestmark = pytest.mark.board

EARLY_S = [1.53, 1.6, 1.7, 1.9]  # the first picture comes at 1.53 s, the first frame at 1.94 s


@pytest.mark.parametrize("press_s", EARLY_S)
def test_a_press_before_the_first_frame_counts(press_s: float) -> None:
    console = make_console()
    handheld = console.handheld
    handheld.power_off()
    handheld.power_on()
    start_s = handheld.time_s
    handheld.run_until(lambda: handheld.time_s >= start_s + press_s, 4)
    console.tap("A")
    console.run(2.5)
    assert console.shows("MARATHON")
