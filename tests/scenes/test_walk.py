"""Random walks with chords and long presses: each press changes something, or IGNORED says why not."""

import os
import random
import re
from collections import Counter
from typing import Any

import pytest

from tests.support import needs
from tests.support.handhelds.linked import Table
from tests.support.handhelds.pauses import DOWN, HOLD, LEFT, RIGHT, START, UP, A
from tests.support.handhelds.walker import KITS, NINTH, LinkedWalker, Press, Walker, differ

pytestmark = [pytest.mark.no_cover, needs.system(hasattr(os, "fork"), "copies of a process, with which walks compare")]

ANY = frozenset(range(NINTH + 1))
ACROSS = frozenset((LEFT, RIGHT))
CONTROLS = ANY - {START}
OF_GAMES = r"(play|learn|replay|match|link)\.\w+"
MENUS = r"((menus|options|match|rules|setup)\.\w+|(learn|against|tetress)\.(\w+_)?menu)"
# A place of Walker.place() as a regular expression, the buttons that may change nothing there, and the reason.
IGNORED = (
    (r"setup\.buttons", ANY, "the test shows a press once it has settled"),
    (r"menus\.title", CONTROLS - {A}, "the title has one line, and A or START goes on"),
    (MENUS, ACROSS | {NINTH}, "the line has no values"),
    (rf"{OF_GAMES} PAUSED( \w+)?", ACROSS | {NINTH, START}, "the line has no values, or START is held"),
    (
        rf"(?!match){OF_GAMES} PLAYING",
        CONTROLS,
        "wall, floor or Stack stops it, nothing is in play, or it has no control",
    ),
    (
        rf"{OF_GAMES} READY( \w+)*",
        ANY,
        "what is down at the end of a countdown counts; a chord or a switch pauses late",
    ),
    (r"link\.play PLAYING (READY|WAIT)", CONTROLS, "the first press shortened the countdown, or others are waited for"),
    (r"link\.play PLAYING PAUSE", CONTROLS, "another player has paused: only START opens the pause here"),
    (r"play\.play PLAYING by switch", ANY, "the places are searched, the picked way is played, or nothing is in play"),
    (r"tetress\.play", ANY - {START}, "it is the computer's turn, or the shape does not fit there"),
    (rf"{OF_GAMES} OVER( \w+)?( by switch)?", ANY, "a late press skips no result; later A and START go on"),
    (r"(menus|match|link)\.over( by switch)?", ANY, "a late press skips no result in the first second"),
)


def is_ignored(place: str, presses: list[Press]) -> bool:
    """Return whether one row of the table allows all these buttons to change nothing."""
    buttons = {press.button for press in presses}
    return any(re.fullmatch(pattern, place) and buttons <= allowed for pattern, allowed, _reason in IGNORED)


@pytest.mark.slow
@pytest.mark.parametrize("presses", [40, pytest.param(400, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", KITS)
def test_each_press_of_a_walk_changes_something_or_is_ignored_by_design(name: str, presses: int) -> None:
    walker = Walker(KITS[name], list(KITS).index(name))
    ignored: Counter[str] = Counter()
    unlisted = []
    for number in range(presses):
        chosen = walker.choose_presses()
        place = walker.place()
        rest = 14 if walker.settings.one_switch else walker.rng.choice((2, 5, 10, 25, 45))
        changed = differ(walker, chosen, max(press.up for press in chosen) + 1 + rest)
        if not changed:
            ignored[place] += 1
            if not is_ignored(place, chosen):
                unlisted.append((number, place, chosen))
        assert walker.down or walker.list_held() == [], (number, place, chosen, walker.place())
    print(f"WALK {name}: {presses} presses, {ignored.total()} ignored: {dict(ignored)}")
    assert unlisted == []


@pytest.mark.slow
@pytest.mark.parametrize("presses", [40, pytest.param(400, marks=pytest.mark.long)])
def test_each_press_of_a_linked_walk_changes_something_or_is_ignored(presses: int) -> None:
    """Two handhelds in a ring: a person at each, one press or chord at a time; both begin in the lobby again."""
    table = Table(2, kind=LinkedWalker).meet()
    walkers: list[Any] = list(table.handhelds)
    rng = random.Random(presses)
    ignored: Counter[str] = Counter()
    scenes: Counter[str] = Counter()
    unlisted = []
    for number in range(presses):
        walker = rng.choice(walkers)
        if not walker.name.startswith(("link.", "options.")) and rng.random() < 0.3:
            walker.go("link.lobby")
            table.step(20)
        chosen = walker.choose_presses()
        place = walker.place()
        scenes[walker.name] += 1
        if not differ(walker, chosen, max(press.up for press in chosen) + 1 + rng.choice((5, 10, 25, 45))):
            ignored[place] += 1
            if not is_ignored(place, chosen):
                unlisted.append((number, place, chosen))
        for each in walkers:
            assert each.down or each.list_held() == [], (number, place, chosen, each.place())
    print(f"WALK linked: {presses} presses in {dict(scenes)}, {ignored.total()} ignored: {dict(ignored)}")
    assert unlisted == [] and scenes["link.lobby"] and scenes["link.play"]


def test_a_walk_notices_a_press_that_changes_nothing() -> None:
    walker = Walker(KITS["default"], 1)
    assert not differ(walker, [Press(HOLD, 0, 3)], 8) and not is_ignored("menus.title", [Press(A, 0, 3)])
    assert differ(walker, [Press(A, 0, 3)], 8) and walker.name == "menus.main"
    assert all(button in CONTROLS for button in (UP, DOWN))
