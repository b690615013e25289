"""One-switch play on the real firmware: its heap, by presses of a single button."""

from pathlib import Path

import pytest

from tests.support.handhelds.board_console import bench, each_uf2, make_console, watch_heap
from tools.board import prepared
from tools.board.player import Player
from tools.measure.room import sets

pytestmark = [pytest.mark.board, pytest.mark.long]

STEP_MS = 600
WAYS = {"marathon": ("MARATHON", "1"), "zen": ("MORE MODES", "ZEN"), "puzzles": ("LEARN", "PUZZLES", "")}


@pytest.mark.parametrize("name", WAYS)
def test_one_switch_leaves_8_kilobytes_and_a_block_of_4(name: str) -> None:
    console = make_console(one_switch=STEP_MS)
    handheld = console.handheld
    console.tap("L")
    console.run(1)
    with watch_heap(handheld) as figures:
        for word in WAYS[name]:
            console.press_when_lit(word)
            console.run(1.25)
        console.run(3)
        figures.note("begin")
        for _ in range(14):
            console.tap("L")
            console.run(1.4)
            console.check()
        figures.note("play")
        console.tap("L", hold_s=2.2)
        console.run(1)
        figures.note("pause")
    assert console.shows("PAUSE") or name == "puzzles"
    figures.check()


@each_uf2
def test_one_switch_leaves_the_fattest_match_8_kilobytes(uf2: Path | None) -> None:
    """Nothing of it is refused, and a hold of the switch pauses it, although its map of buttons has no START."""
    handheld = bench(uf2).switch_on(prepared.read_choices((*sets.FATTEST, f"one_switch={STEP_MS}")))
    with watch_heap(handheld) as figures:
        console = Player(handheld, figures.watch.run)
        console.to_title()
        for word in ("", "VERSUS", "START"):
            console.press_when_lit(word)
        figures.skip()
        console.expect(lambda: console.is_ready, 8)
        console.run(2)
        figures.note("start")
        console.tap("L", hold_s=2.2)
        console.expect(lambda: console.shows("PAUSE"), 3)
        figures.note("pause")
    console.check()
    figures.check()
