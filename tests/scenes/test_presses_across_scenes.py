"""A press that leads to another scene: its release may come there, and no later press is lost, doubled or left down."""

import functools
import importlib
import itertools
import os
import pkgutil
import random
from collections.abc import Iterable

import pytest

from firmware import scenes
from firmware.device.edges import RANKS
from firmware.modes.catalogue import MARATHON, PUZZLE, STANDARD
from firmware.router import loads_game
from firmware.scenes.play_state import PAUSED
from sim.library import MODES
from tests.support import needs
from tests.support.handhelds.handheld import lose
from tests.support.handhelds.pauses import DOWN, HOLD, RIGHT, START, UP, A
from tests.support.handhelds.walker import KITS, NINTH, Kit, Press, Walker, differ, steers

pytestmark = pytest.mark.no_cover

FRAMES_OF_A_SCENE = 20  # a press is held for so long if no scene follows
FRAMES_OF_A_SWITCH = 140  # a held switch goes back after two seconds
FRAMES_OF_A_CHORD = 5  # a button of a chord waits 35 ms for the other one
SCENES = [
    path.name.removeprefix("firmware.scenes.")
    for path in pkgutil.walk_packages(scenes.__path__, "firmware.scenes.")
    if hasattr(importlib.import_module(path.name), "Scene")
]
WITH_SUBJECT = {"help.demo", "match.over", "match.watch", "menus.over", "menus.over_pieces"}
WITH_SUBJECT |= {"rules.line_code", "rules.line_menu", "rules.line_name"}
# A game or a match that is lost first, and what is opened then; "" stays at its end.
ENDS = (
    *(("play", MARATHON, name) for name in ("", "replay.watch", "review.review")),
    ("play", STANDARD, ""),
    *(("match.play", MARATHON, name) for name in ("", "match.watch")),
)


@functools.cache
def list_starts() -> list[tuple[str, int]]:
    """Return the scenes that open without a subject, and a game of each variant; each with the variant."""
    starts = [("play", variant) for variant in range(len(MODES)) if variant != PUZZLE]
    for name in SCENES:
        if name.startswith("link.") or loads_game(name):
            continue  # the router opens a variant's scene for "play"
        if name not in WITH_SUBJECT:
            starts.append((name, MARATHON))
    return starts


def hold_into_the_next_scene(walker: Walker, button: int, after: int) -> tuple[str, str]:
    """Hold a button until a scene follows and `after` frames longer; return both scenes."""
    first = walker.name
    frames = 0
    most = FRAMES_OF_A_SWITCH if walker.settings.one_switch else FRAMES_OF_A_SCENE
    walker.buttons.edges.append((button, 1, walker.clock.now_ms))
    while walker.name == first and frames < most:
        walker.run([], 1)
        frames += 1
    second = walker.name
    walker.run([], after)
    walker.buttons.edges.append((button, 0, walker.clock.now_ms))
    walker.run([], FRAMES_OF_A_CHORD)
    return first, second


def start(kit: Kit, seed: int, name: str, variant: int) -> Walker:
    walker = Walker(kit, seed)
    walker.session.choose_variant(variant)
    walker.settings.variant = variant
    walker.open(name, frames=3)
    return walker


def list_ends(seed: int) -> list[Walker]:
    """Return walkers in the scenes that need a game or a match that is over."""
    walkers = []
    for game, variant, name in ENDS:
        walker = start(KITS["default"], seed, game, variant)
        lose_by(walker)
        walker.step(100, 15)
        if name:
            walker.open(name, frames=1)
        walkers.append(walker)
    return walkers


def explore(walkers: Iterable[Walker], seed: int, presses: int) -> set[tuple[str, int, str]]:
    """Hold so many presses with each walker; check that nothing believes a button to be down after each."""
    pairs = set()
    rng = random.Random(seed)
    for walker, _number in itertools.product(walkers, range(presses)):
        buttons = [each for each in walker.names if each != NINTH or walker.scene.kind == "play"]
        button = rng.choice(buttons + [each for each in (A, A, START) if each in buttons])
        first, second = hold_into_the_next_scene(walker, button, rng.choice((0, 1, 3, 8)))
        assert walker.list_held() == [], (first, button, second, walker.place())
        if second != first:
            pairs.add((first, button, second))
    return pairs


@pytest.mark.parametrize(
    ("presses", "parts"),
    [(2, 3), pytest.param(2, 1, marks=pytest.mark.every), pytest.param(20, 1, marks=pytest.mark.long)],
)
@pytest.mark.parametrize("name", KITS)
def test_a_press_held_into_another_scene_leaves_nothing_down(name: str, presses: int, parts: int) -> None:
    """Each kit begins in one of so many parts of the scenes, the next kit in the next part."""
    starts = list_starts()[list(KITS).index(name) % parts :: parts]
    pairs = explore((start(KITS[name], 7, *each) for each in starts), 7, presses)
    print(f"PAIRS {name}: {len(pairs)} of scene, button and scene, {len({pair[::2] for pair in pairs})} of scenes")
    assert len({pair[::2] for pair in pairs}) > 15 // parts


@pytest.mark.long
def test_every_scene_of_one_handheld_is_reached_or_left_by_a_held_press() -> None:
    pairs = set()
    for seed in range(20, 26):
        pairs |= explore((start(KITS["default"], seed, *each) for each in list_starts()), seed, 40)
        pairs |= explore(list_ends(seed), seed, 40)
    met = {name for first, _button, second in pairs for name in (first, second)}
    missing = {name for name in SCENES if name not in met and not name.startswith("link.")}
    print(f"PAIRS {len({pair[::2] for pair in pairs})} of scenes; missing {sorted(missing)}")
    assert missing == set(), "no press held into them was tried"


@pytest.mark.slow
@needs.system(hasattr(os, "fork"), "copies of a process, with which frames compare")
@pytest.mark.parametrize("presses", [1, pytest.param(8, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", KITS)
def test_presses_of_one_frame_do_what_they_do_in_two(name: str, presses: int) -> None:
    """The first may leave the scene: the second belongs to the next one. So it is with both halves of a chord."""
    rng = random.Random(presses)
    pairs = set()
    differing = []
    tried = 0
    for each in list_starts()[:: 4 if presses == 1 else 1]:
        walker = start(KITS[name], presses, *each)
        for _ in range(presses):
            buttons = [button for button in walker.names if button != NINTH or walker.scene.kind == "play"]
            first, second = sorted((rng.choice([A, A, *buttons]), rng.choice(buttons)), key=RANKS.__getitem__)
            if first == second:
                continue
            release = rng.choice((1, 4))
            kept = [Press(first, 0, release)]
            together, apart = [*kept, Press(second, 0, 5)], [*kept, Press(second, 1, 5, late=1)]
            left, place = walker.name, walker.place()
            if steers(walker.scene):
                walker.run(together, 30)  # a game takes all presses at their own times
            else:
                tried += 1
                if differ(walker, together, 30, apart):
                    differing.append((place, first, second, walker.place()))
            assert walker.list_held() == [], (place, first, second)
            pairs.add((left, walker.name))
    print(f"FRAMES {name}: {tried} pairs of presses, {len({pair for pair in pairs if len(set(pair)) > 1})} of scenes")
    assert differing == []


@pytest.mark.parametrize(
    ("name", "button"),
    [
        (name, each)
        for name, kit in KITS.items()
        for each in (START, A)
        if kit.wired >> each & 1 and name != "one switch"
    ],
)
def test_the_first_presses_of_the_next_game_count(name: str, button: int) -> None:
    """START at GAME OVER begins it at once. A leads through menus, where no mapping sees its release."""
    walker = Walker(KITS[name], 3)
    walker.session.counts_down = False
    walker.open("play", frames=3)
    lose_by(walker)
    walker.step(100, 15)
    assert walker.name == "play.play", "GAME OVER"
    for _ in range(12):
        if walker.name == "play.play" and walker.scene.is_playing():
            break
        hold_into_the_next_scene(walker, button, 2)
        assert walker.list_held() == []
        walker.step(100, 12)
    assert walker.name == "play.play" and walker.scene.is_playing()
    presses = walker.game.statistics.presses
    walker.run([Press(A, 0, 4)], 6)
    assert walker.game.statistics.presses == presses + 1
    pauses = [each for each in range(8) if walker.settings.buttons[START] >> each & 1]
    walker.run([Press(each, 0, 4) for each in pauses], 6)
    assert walker.scene.state == PAUSED


def lose_by(walker: Walker) -> None:
    """Stack Tetriminos up until the game or the round is over, whatever the buttons are."""
    mapping, walker.context.mapping = walker.context.mapping, None
    if walker.name == "match.play":
        while not walker.scene.match.over:
            walker.press(UP)
            walker.step(50)
    else:
        lose(walker)
    walker.context.mapping = mapping


@pytest.mark.parametrize("up", [0, 1, 6])
def test_a_tap_in_a_countdown_is_no_press_of_the_game(up: int) -> None:
    """Also if its button waits for the other half of a chord."""
    walker = Walker(KITS["chords"], 1, "menus.main")
    walker.open("play", frames=3)
    walker.run([Press(A, 0, up)], 100)
    assert walker.scene.is_playing() and walker.game.statistics.presses == 0


def test_the_start_that_resumes_is_not_held_in_the_next_pause() -> None:
    """With swapped buttons its release is not seen."""
    walker = Walker(KITS["swapped"], 3)
    walker.open("play", frames=100)
    for _ in range(2):
        walker.run([Press(START, 0, 5)], 110)
    assert walker.scene.is_playing() and walker.scene.start_ms == -1


def test_a_press_and_its_release_in_one_frame_open_a_scene_once() -> None:
    walker = Walker(KITS["default"], 1, "menus.main")
    walker.run([Press(A, 0, 0)], 10)
    assert walker.name == "menus.choose_level" and walker.list_held() == []


def test_a_press_while_a_page_loads_turns_it() -> None:
    walker = Walker(KITS["default"], 1, "menus.main")
    walker.open("menus.lifetime_statistics")
    at = walker.scene.at
    walker.buttons.edges.append((RIGHT, 1, walker.clock.now_ms - 300))
    walker.step()
    assert walker.name == "menus.lifetime_statistics" and walker.scene.at == at + 1


def test_a_press_while_a_game_loads_does_not_begin_it_in_the_past() -> None:
    walker = Walker(KITS["default"], 1, "menus.main")
    walker.open("play")
    walker.buttons.edges.append((RIGHT, 1, walker.clock.now_ms - 900))
    walker.step()
    walker.wait_until(walker.scene.is_playing)
    assert walker.game.time_ms < 100


def test_the_press_that_wakes_the_screen_leaves_nothing_down() -> None:
    walker = Walker(KITS["swapped"], 5, "menus.main")
    walker.settings.sleep_s = 2
    walker.buttons.edges.append((HOLD, 1, walker.clock.now_ms))
    walker.step(100, 60)
    assert not walker.display.chip.on
    walker.buttons.edges.append((HOLD, 0, walker.clock.now_ms))
    walker.step(16, 2)
    assert walker.display.chip.on and walker.list_held() == []


def test_two_presses_that_wake_the_screen_do_nothing_else() -> None:
    walker = Walker(KITS["default"], 1, "menus.main")
    walker.settings.sleep_s = 2
    walker.step(100, 60)
    assert not walker.display.chip.on
    for button in (A, A, DOWN):
        walker.buttons.edges.append((button, 1, walker.clock.now_ms))
        walker.buttons.edges.append((button, 0, walker.clock.now_ms))
    walker.step(16, 4)
    assert walker.display.chip.on and walker.name == "menus.main" and walker.scene.at == 0
