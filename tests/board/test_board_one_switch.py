"""One-switch play on the real firmware: its heap, by presses of a single button."""

import functools

import pytest

from tests.support.handhelds.board_console import make_console, watch_heap
from tools.board.player import Player, reads

pytestmark = [pytest.mark.board, pytest.mark.long]

STEP_MS = 600
WAYS = {"marathon": ("MARATHON", "1"), "zen": ("MORE MODES", "ZEN"), "puzzles": ("LEARN", "PUZZLES", "")}


def is_lit(console: Player, word: str) -> bool:
    """Return whether a line of a menu is lit; "" is lit at once."""
    return not word or reads(console.handheld.picture(), word, marked=True)


@pytest.mark.parametrize("name", WAYS)
def test_one_switch_leaves_8_kilobytes_and_a_block_of_4(name: str) -> None:
    console = make_console(one_switch=STEP_MS)
    handheld = console.handheld
    console.tap("L")
    console.run(1)
    with watch_heap(handheld) as figures:
        for word in WAYS[name]:
            console.expect(functools.partial(is_lit, console, word), 30)
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
