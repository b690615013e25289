"""Times of the deployed game on the real firmware: power-on, loading, frames, new games."""

from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.save.match_choices import LEVELS, OPPONENTS
from tests.support.handhelds.board_console import ONE, THREE, deployed, each_uf2, find_uf2, make_console
from tools.board.handheld import make_handheld
from tools.board.player import Player, loading, make_nvm

pytestmark = pytest.mark.board
ONE_FRAME_MS = 1000 / 60
LONGEST_S = 0.3  # a longer wait must show LOADING


def frames_ms(console: Player, from_s: float, to_s: float | None = None) -> list[float]:
    """Return the busy times of the frames that began between two moments."""
    return [1000 * each.busy_s for each in console.handheld.frames(from_s) if to_s is None or each.start_s < to_s]


def describe_frames(taken: list[float], limit_ms: float) -> str:
    """Return the mean, the longest and the number of frames over the limit."""
    late = sum(each > limit_ms for each in taken)
    mean = sum(taken) / len(taken)
    return f"{len(taken)} frames, mean {mean:.2f} ms, longest {max(taken):.1f} ms, {late} later than {limit_ms:.1f} ms"


@each_uf2
def test_first_picture_comes_within_1_6_seconds_of_power_on(uf2: Path | None) -> None:
    handheld = make_handheld(uf2 or find_uf2(), deployed(), nvm=make_nvm(), fast=False)
    handheld.run(4)
    handheld.power_off()
    handheld.power_on()
    assert handheld.run_until(lambda: handheld.is_lit and any(handheld.picture()), 6)
    print(f"TIME first picture {handheld.time_s:.3f} s")
    assert handheld.time_s <= 1.6


@pytest.mark.long
def test_a_game_begins_within_0_3_seconds_of_its_level() -> None:
    console = make_console()
    console.to_menu()
    console.run(2)
    console.choose("MARATHON", after_s=0.6)
    assert console.shows("LEVEL")
    console.run(1)
    _word_s, passed_s = console.time_load("A")
    print(f"TIME new game {passed_s:.3f} s")
    assert passed_s <= 0.3


@pytest.mark.long
def test_another_game_begins_within_0_3_seconds_of_the_result() -> None:
    console = make_console(effects_on=0, music_on=0)
    console.start_game()
    for _ in range(2):
        console.top_out()
    console.run(5)
    console.tap("A", after_s=2)
    for _ in range(12):  # confirm the initials of a high score
        if console.shows("A RETRY", small=True) or console.shows("RESTART"):
            break
        console.tap("A", after_s=0.8)
    else:
        console.fail("there is no AGAIN")

    _word_s, passed_s = console.time_load("A")

    print(f"TIME another game {passed_s:.3f} s")
    assert passed_s <= 0.3


@pytest.mark.long
@pytest.mark.parametrize(
    ("versus", "mean_ms", "longest_ms"), [(ONE, 6, ONE_FRAME_MS), (THREE, 20, 20)], ids=["one", "three"]
)
def test_frames_against_computers_are_in_time(versus: dict[int, int], mean_ms: float, longest_ms: float) -> None:
    console = make_console(versus)
    console.start_versus()
    console.run(0.6)  # skip the first second of play
    start_s = console.handheld.time_s
    console.play(20, 7, lambda: console.has_result or console.shows("PRACTICE"))
    taken = frames_ms(console, start_s, console.handheld.time_s - 2.5)
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
    taken = frames_ms(console, start_s)

    print("REWIND", describe_frames(taken, ONE_FRAME_MS))
    assert console.handheld.picture() != before
    assert max(taken) <= ONE_FRAME_MS, describe_frames(taken, ONE_FRAME_MS)


def check_stills(console: Player, button: str, until: Callable[[], bool]) -> None:
    """Press a button; fail if a still picture but the first stands over 0.3 s and is not LOADING."""
    stills = console.stills(button, until, 8)
    print("LOAD", ", ".join(f"{still.seconds:.3f} s {'LOADING' if still.is_loading else 'else'}" for still in stills))
    silent = [still for still in stills[1:] if still.seconds > LONGEST_S and not still.is_loading]
    if sum(still.seconds for still in stills) > LONGEST_S:
        assert any(still.is_loading for still in stills), "nothing said LOADING"
    assert not silent, ", ".join(f"for {still.seconds:.3f} s from {still.start_s:.2f} s on" for still in silent)
    assert stills[0].seconds <= 0.5, f"what was there before stood for {stills[0].seconds:.2f} s"


@pytest.mark.parametrize("versus", [ONE, pytest.param({OPPONENTS: 2, LEVELS: 4}, marks=pytest.mark.long)])
def test_versus_shows_loading_until_play_begins(versus: dict[int, int]) -> None:
    console = make_console(versus)
    console.open_versus()
    seen_loading = set()

    def is_play() -> bool:
        seen_loading.add(console.is_loading)
        return True in seen_loading and not console.is_loading and not console.is_dark

    check_stills(console, "A", is_play)


@pytest.mark.long
def test_continue_shows_loading_until_the_match_is_there() -> None:
    console = make_console(ONE)
    console.start_versus()
    console.play(3, 1)
    console.tap("S", after_s=1.2)
    console.handheld.power_off()
    console.handheld.power_on()
    console.to_title()
    check_stills(console, "A", lambda: console.shows("PAUSE"))


def test_a_game_after_power_on_shows_loading_while_it_loads() -> None:
    console = make_console()
    console.to_menu()
    console.choose("MARATHON", after_s=0.4)
    before = console.handheld.picture()
    check_stills(console, "A", lambda: console.handheld.picture() not in (before, loading()))
