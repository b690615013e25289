"""One-switch play on the real firmware: its heap, by presses of a single button."""

import pytest

from tests.support.handhelds.board_console import make_console, watch_heap
from tools.board.player import reads

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
            console.expect(lambda word=word: reads(handheld.picture(), word, marked=True) or not word, 30)
            console.tap("L")
            console.run(1.5)
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
