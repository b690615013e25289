"""Presses before the first frame count, on the real firmware."""

from pathlib import Path

import pytest

from tests.support.handhelds.board_console import ONE, each_uf2, make_console

pytestmark = pytest.mark.board

EARLY_S = [1.53, 1.6, 1.7, 1.9]  # the first picture comes at 1.53 s, the first frame at 1.94 s


@pytest.mark.parametrize("press_s", EARLY_S)
def test_a_press_before_the_first_frame_counts(press_s: float) -> None:
    console = make_console()
    handheld = console.handheld
    handheld.restart()
    start_s = handheld.time_s
    handheld.run_until(lambda: handheld.time_s >= start_s + press_s, 4)
    console.tap("A")
    console.run(2.5)
    assert console.shows("MARATHON")


@each_uf2
def test_a_press_held_over_a_restart_is_not_doubled(uf2: Path | None) -> None:
    """START of a match restarts the program with an empty heap: the match does not pause at once, but later."""
    console = make_console(ONE, uf2)
    console.open_versus()
    console.handheld.press("S")
    console.expect(lambda: console.is_loading, 2)
    console.expect(lambda: console.is_ready, 8)
    console.run(1)
    assert not console.shows("PAUSE")
    console.handheld.release("S")
    console.run(0.3)
    assert not console.shows("PAUSE")
    console.tap("S", after_s=1.5)
    assert console.shows("PAUSE")
