"""The Python stack of the real firmware in the deepest calls that tests/budgets/test_call_depth.py allows."""

from pathlib import Path

import pytest

from tests.support.handhelds.board_console import ONE, each_uf2, make_console
from tools.board.heap import fill_stack, measure_stack
from tools.board.player import Player

pytestmark = pytest.mark.board
MOST_BYTES = 1280


def measure(console: Player, button: str, seconds: float) -> int:
    """Press a button; return the most bytes that calls took of the stack of 2 KB."""
    fill_stack(console.handheld.machine.chip)
    console.tap(button, after_s=seconds)
    console.check()
    taken, whole = measure_stack(console.handheld.machine.chip)
    assert whole == 2048
    return taken


@each_uf2
def test_the_pause_of_a_game_leaves_a_third_of_the_stack(uf2: Path | None) -> None:
    console = make_console(uf2=uf2)
    console.start_game()
    taken = {"pause": measure(console, "S", 0.5), "RESUME": measure(console, "A", 3), "again": measure(console, "S", 1)}
    console.go_down_to("TRAIN")
    taken["TRAIN"] = measure(console, "A", 4)
    assert not console.shows("PAUSE")
    print("STACK", taken)
    assert max(taken.values()) <= MOST_BYTES


@pytest.mark.long
@each_uf2
def test_the_pause_of_a_match_leaves_a_third_of_the_stack(uf2: Path | None) -> None:
    console = make_console(ONE, uf2=uf2)
    console.start_versus()
    taken = {
        "pause": measure(console, "S", 1.2),
        "RESUME": measure(console, "A", 3),
        "again": measure(console, "S", 1.2),
    }
    console.go_down_to("RESTART")
    taken["RESTART?"] = measure(console, "A", 0.5)  # a second press would begin with a new stack
    print("STACK", taken)
    assert max(taken.values()) <= MOST_BYTES
