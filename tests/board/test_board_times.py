"""Times of the deployed game on the real firmware: power-on, loading, frames. test_board_waits.py has all others."""

from pathlib import Path

import pytest

from tests.support.handhelds.board_console import ONE, THREE, bench, each_uf2, make_console
from tools.board.nvm import make_nvm
from tools.board.player import Player
from tools.measure.waits.watching import Waits

pytestmark = pytest.mark.board
ONE_FRAME_MS = 1000 / 60
LONGEST_S = 0.3  # a longer wait must show LOADING


def describe_frames(taken: list[float], limit_ms: float) -> str:
    late = sum(each > limit_ms for each in taken)
    mean = sum(taken) / len(taken)
    return f"{len(taken)} frames, mean {mean:.2f} ms, longest {max(taken):.1f} ms, {late} later than {limit_ms:.1f} ms"


@each_uf2
def test_first_picture_comes_within_1_6_seconds_of_power_on(uf2: Path | None) -> None:
    passed_s = Player(bench(uf2).switch_on(make_nvm(), fast=False)).to_picture()
    print(f"TIME first picture {passed_s:.3f} s")
    assert passed_s <= 1.6


@pytest.mark.long
@pytest.mark.parametrize(
    ("versus", "mean_ms", "longest_ms"), [(ONE, 6, ONE_FRAME_MS), (THREE, 20, 20)], ids=["one", "three"]
)
def test_frames_against_computers_are_in_time(versus: dict[int, int], mean_ms: float, longest_ms: float) -> None:
    console = make_console(versus)
    console.start_versus()
    console.run(0.6)  # skip the first second of play
    taken = [1000 * each.busy_s for each in console.play_frames(20, 7)]
    print("FRAMES", describe_frames(taken, longest_ms))
    assert sum(taken) / len(taken) <= mean_ms
    assert max(taken) <= longest_ms


@pytest.mark.long
def test_no_frame_of_the_rewind_in_zen_is_late() -> None:
    console = make_console()
    console.to_menu()
    console.choose("MORE MODES")
    console.run(1)
    console.choose("ZEN")
    console.run(5)
    console.taps("U" * 8, after_s=0.5)
    console.handheld.press("C")
    console.run(0.3)
    console.tap("S", after_s=1)  # the first press loads the rewind
    before, start_s = console.handheld.picture(), console.handheld.time_s
    console.taps("LLLRR", after_s=0.2)
    taken = [1000 * each.busy_s for each in console.handheld.frames(start_s)]

    print("REWIND", describe_frames(taken, ONE_FRAME_MS))
    assert console.handheld.picture() != before
    assert max(taken) <= ONE_FRAME_MS, describe_frames(taken, ONE_FRAME_MS)


def test_a_game_after_power_on_shows_loading_while_it_loads() -> None:
    console = make_console()
    console.to_menu()
    console.choose("MARATHON", after_s=0.4)
    waits = Waits(console.handheld)
    waits.begin("the wait")
    passed_s = waits.press("A")
    print(f"LOAD {passed_s:.3f} s, {waits.longest}")
    assert waits.longest["the wait"].seconds <= LONGEST_S
