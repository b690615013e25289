"""Every scene by buttons on the real firmware, twice in one session, and anything pressed anywhere."""

from __future__ import annotations

import random
import zlib

import pytest

from firmware.view.art import FONT_5X7
from firmware.view.canvas import Canvas
from firmware.view.lines import centre
from tests.support.handhelds.board_console import ONE, Console, loading, make_console
from tools.board.handheld import Handheld

pytestmark = pytest.mark.board

LONGEST_S = 0.3  # that the game may compute in silence
SAID_S = 0.5  # from the press until LOADING stands there

# From the first line of the main menu: letters are buttons, a digit repeats the one before it, a dot waits a second.
# H leads home and what follows begins there again.
WALKS = {
    "help.help": "D4 A. A. B. D A. B. D A. B. D A. B. D A. B. D A. B.",
    "options.handling": "D2 A. D5 A. R D R D L B. D A. R D R B. D A. R D R L D L B.",
    "options_rest": "D2 A. D8 A. R D R D L B. D A. R D R B. D A. B.",
    "menus.puzzles": "D5 A. D A. A. L R U. R U. S. S. B.",
    "finesse": "D5 A. D2 A.... L U. R U. L U. S. B.",
    "play.practise": "D5 A. D3 A.. C.. U. U. S.",
    "menus.learn": "D5 A. A.. B.",
    "menus.scores": "D3 A. R. R. R. R. R. R. B.",
    "menus.tetress": "D7 A. A.. R D A A.... D A A.... S. B.",
    "choose_the_pieces": "D8 A. A... R A. R A. U. S.",
    "worst": "D8 A. D2 A.. A..... U. L U. R U. S.",
    "about": "D9 A. B.",
    "marathon": "A. U9 U9 D9 A. A.... L U. R U. S. D2 A. A. B. B.",
    "zen": "A. D9 D2 A..... L U. R U. L3 U. S.",
    "dig": "A. D9 D3 A. A.... U. U. S.",
    "survive": "A. D9 D6 A. A.... U. U. S.",
    "master": "A. D9 D7 A. A.... U. U. S.",
    "daily": "A. U A. A.... U. U. S.",
    "standard": "A. D9 A. A.. A.... U. U. S. D3 A. B.",
    "sprint": "A. D2 A. A.... L U. R U. S.",
    "seed": "A. A. S. R U R U B.",
    "last_game": "A. A. A.... U. U. S. U A. D7 A... R. L. U. C.. S.",
    "versus": "D A. D R D R D R D2 R U9 U9 B.",
    "versus_scores": "D A. U A. B.",
    "match": "D A. A........ L U. R U. S. U A..",
    "menus.demo": "B.",
}
SHORT = ("versus_scores",)


def walk(console: Console, way: str) -> bool:
    """Press a way, checking after each press; return whether the screen changed by at least half of the presses."""
    changed = pressed = 0
    was = ""
    for letter in way.replace(" ", ""):
        if letter == ".":
            console.run(1)
            continue
        for _ in range(int(letter) if letter.isdigit() else 1):
            button = was if letter.isdigit() else letter
            if letter.isdigit() and _ == 0:
                continue  # pressed once before the digit
            before = console.handheld.picture()
            console.tap(button)
            pressed += 1
            changed += console.handheld.picture() != before
        was = letter if letter.isalpha() else was
        console.check()
    return changed * 2 >= pressed


def go_home(console: Console) -> None:
    """Go to the first line of the main menu from wherever this is."""
    for turn in range(24):
        console.check()
        if console.shows("PRESS A") or console.shows("FALLING MINOS", small=True):
            console.to_menu()
            return
        if console.shows("PAUSE"):
            console.tap("U")
            console.tap("A", after_s=1.2)
        else:
            # B leads back everywhere but in play, where Start pauses.
            console.tap("S" if turn % 6 == 5 and not console.shows("SKYLINE") else "B", after_s=0.9)
    console.fail("no way home")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in SHORT else pytest.mark.long) for name in WALKS]
)
def test_every_scene_can_be_entered_twice(name: str) -> None:
    console = make_console(ONE)
    console.to_menu()

    for turn in range(2):
        assert walk(console, WALKS[name]), f"hardly a press changed anything in turn {turn}"
        go_home(console)

    assert find_silences(console.handheld) == []


def find_silences(handheld: Handheld) -> list[tuple[float, float]]:
    """Return (moment, seconds) of each wait over LONGEST_S that does not show the whole word LOADING in SAID_S.

    The word may be there already; a full memory is rewritten under the word SAVING.
    """
    canvas = Canvas()
    centre(canvas, 60, b"SAVING", FONT_5X7)
    words = {zlib.crc32(loading()), zlib.crc32(bytes(canvas.buffer[1:]))}
    silences = []
    for frame in handheld.frames(3):  # power-on is another matter
        if frame.busy_s <= LONGEST_S:
            continue
        before = [each.checksum for each in handheld.transfers if each.end_s < frame.start_s][-1:]
        shown = [each.checksum for each in handheld.transfers if 0 <= each.end_s - frame.start_s <= SAID_S]
        if not words.intersection(before + shown):
            silences.append((round(frame.start_s, 2), round(frame.busy_s, 2)))
    return silences


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 9))
def test_anything_may_be_pressed(seed: int) -> None:
    console = make_console(ONE)
    chance = random.Random(seed)
    presses = []

    for _ in range(300):
        button = chance.choice("LRUDABCSAADU")
        presses.append(button)
        console.tap(button, chance.choice((0.03, 0.06, 0.2)), chance.choice((0.02, 0.1, 0.3, 0.8)))
        if console.handheld.problem:
            console.fail(f"after {len(presses)} presses, the last {''.join(presses[-30:])}")

    silences = find_silences(console.handheld)
    print("SILENCE", silences)
    assert silences == []
