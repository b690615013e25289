"""Every scene on the real firmware, entered twice in one session, and random presses."""

import random
import re
import zlib

import pytest

from firmware.view.art import FONT_5X7
from firmware.view.canvas import Canvas, centre
from tests.support.handhelds.board_console import ONE, make_console, watch_heap
from tools.board.handheld import Handheld
from tools.board.player import Player, loading

pytestmark = pytest.mark.board
LONGEST_S = 0.3  # a longer frame must show LOADING
LOADING_S = 0.5  # from the start of a long frame to LOADING

# Walks from the main menu. A letter is a button and a digit repeats it; a dot waits a second; a word after > is the
# menu line to choose, with _ for a space.
WALKS = {
    "help.help": ">LEARN . >HELP . A. B. D A. B. D A. B. D A. B. D A. B. D A. B.",
    "options.handling": ">OPTIONS . A. R D R D L B. D A. R D R B. D A. R D R L D L B.",
    "options_rest": ">OPTIONS . D3 A. R D R D L B. D A. R D R B. D3 A. B.",
    "learn.puzzle_menu": ">LEARN . A. A. L R U. R U. S. S. B.",
    "openers": ">LEARN . >OPENERS . R A. A.. A. A. B. L. L. D A... A. L U. R U. C. S.. B.",
    "learn.all_clear_play": ">LEARN . >ALL_CLEAR . D A.. S. R.. L R U. U. D.. S. B.",
    "first_game": ">LEARN . >FIRST_GAME .. L R.. A. B.. U. S. R. U. S. R.. S. B.",
    "goals": ">LEARN . >GOALS .. R D L B.",
    "finesse": ">LEARN . >FINESSE .... L U. R U. L U. S. B.",
    "replay.practise": ">LEARN . >LAST_GAME .. C.. U. U. S.",
    "learn.menu": ">LEARN . >SCORING .. B.",
    "menus.scores": ">SCORES . A. R. R. B. U A. R. R. B. B.",
    "tetress.menu": ">MORE_MODES . >TETRESS . A.. R D A A.... D A A.... S. B.",
    "choose_the_pieces": ">MORE_MODES . >BAD_DEALER . A... R A. R A. U. S.",
    "worst": ">MORE_MODES . >BAD_DEALER . D2 A.. A..... U. L U. R U. S.",
    "rules": ">OPTIONS . >SHARE . A.. B. D A.. D A S.. A.. D2 A.. B. D A.. >OPTIONS . >SHARE . D2 A.. D A U S.. B. B.",
    "credits": ">OPTIONS . >DEVICE . >CREDITS . B.",
    "marathon": "U9 >MARATHON . A.... L U. R U. S. D2 A. A. B. B.",
    "zen": ">MORE_MODES . >ZEN ..... L U. R U. L3 U. S.",
    "dig": ">MORE_MODES . >DIG .... U. U. S.",
    "survive": ">MORE_MODES . >SURVIVE .... U. U. S.",
    "master": ">MORE_MODES . >MASTER . A.... U. U. S.",
    "ultra": ">MORE_MODES . R U D R L A. A.... U. U. S.",
    "daily": ">DAILY . A.... U. U. S.",
    "standard": ">MORE_MODES . >OLD_RULES . A.. A.... U. U. S. D3 A. B.",
    "sprint": ">SPRINT .... L U. R U. S.",
    "seed": ">MARATHON . S. R U R U B.",
    "last_game": ">MARATHON . A.... A. U. U. S. U A. >LEARN . >LAST_GAME ... R. L. D. R. D. U. C.. S.",
    "review": ">MARATHON . A.... A. U. L U. U. S. U A. >LEARN . >REVIEW ....... R. L. A.. A. S. B.. B.",
    "versus": ">VERSUS . D R D R D R D R U9 >RULES... . R D R D R D2 R U9 B. B.",
    "versus_scores": ">VERSUS . U A. B.",
    "match": ">VERSUS . A........ L U. R U. S. U A..",
    "title": "........ S.",
}
SHORT = ("versus_scores",)


def walk(console: Player, steps: str) -> bool:
    """Carry out a walk and check for crashes; return True if half of the presses changed the screen."""
    changed = pressed = 0
    for word in re.sub(r"([A-Z])(\d)", lambda repeated: repeated[1] * int(repeated[2]), steps).split():
        for step in [word] if word[0] == ">" else word:
            if step == ".":
                console.run(1)
                continue
            before = console.handheld.picture()
            if word[0] == ">":
                console.choose(word[1:].replace("_", " "))
            else:
                console.tap(step)
            pressed += 1
            changed += console.handheld.picture() != before
            console.check()
    return changed * 2 >= pressed


def go_home(console: Player) -> None:
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


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.long] * (name not in SHORT)) for name in WALKS])
def test_every_scene_can_be_entered_twice(name: str) -> None:
    console = make_console(ONE)
    console.to_menu()
    for turn in range(2):
        assert walk(console, WALKS[name]), f"hardly a press changed anything in turn {turn}"
        go_home(console)
    assert find_silences(console.handheld) == []


@pytest.mark.long
def test_a_review_and_practice_after_it_leave_their_heap() -> None:
    """Buttons answer at once: no frame of a review takes a tenth of a second."""
    console = make_console(ONE)
    console.start_game()
    with watch_heap(console.handheld) as figures:
        console.play(14, 3)
        console.tap("S", after_s=1)
        console.taps("UA", after_s=1.5)
        console.choose("LEARN", after_s=1)
        console.choose("REVIEW", after_s=0)
        console.expect(lambda: console.shows("PIECE", small=True), 6)
        begun_s = console.handheld.time_s
        console.run(2)
        figures.note("review")
        console.expect(lambda: console.shows("1/3", small=True), 30)
        figures.note("moments")
        frames = [frame for frame in console.handheld.frames() if begun_s < frame.start_s < begun_s + 2]
        silences = find_silences(console.handheld)
        console.tap("A", after_s=2)
        console.taps("DA", after_s=2)
        console.tap("U", after_s=1)
        figures.note("practice with hints")
        console.tap("S", after_s=1)
        console.tap("B", after_s=2)
        assert console.shows("1/3", small=True)
        console.tap("B", after_s=1)
        assert console.shows("LEARN")
        figures.note("after it")
    figures.check()
    assert len(frames) > 40 and max(frame.busy_s for frame in frames) < 0.1
    assert silences == []


def find_silences(handheld: Handheld) -> list[tuple[float, float]]:
    """Return (start, seconds) of each frame over LONGEST_S that does not show LOADING or SAVING within LOADING_S.

    The word may be there from before. SAVING shows while a full memory is rewritten.
    """
    canvas = Canvas()
    centre(canvas, 60, b"SAVING", FONT_5X7)
    words = {zlib.crc32(loading()), zlib.crc32(bytes(canvas.buffer[1:]))}
    silences = []
    for frame in handheld.frames(3):  # without power-on
        if frame.busy_s <= LONGEST_S:
            continue
        before = [each.checksum for each in handheld.transfers if each.end_s < frame.start_s][-1:]
        shown = [each.checksum for each in handheld.transfers if 0 <= each.end_s - frame.start_s <= LOADING_S]
        if not words.intersection(before + shown):
            silences.append((round(frame.start_s, 2), round(frame.busy_s, 2)))
    return silences


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 9))
def test_random_presses_cause_no_crash_and_no_silent_wait(seed: int) -> None:
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
