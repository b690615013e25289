"""Presses before the first frame count, on the real firmware."""

import pytest

from tests.support.handhelds.board_console import boot, make_console
from tools.board.player import make_nvm, reads

pytestmark = pytest.mark.board

EARLY_S = [1.35, 1.4, 1.45, 1.5, 1.55, 1.6, 1.65, 1.7, 1.75, 1.8, 1.85, 1.9, 1.95]


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
    print("EARLY", press_s, reads(handheld.picture(), "SKYLINE"), reads(handheld.picture(), "PRESS A"))
    assert console.shows("MARATHON")
