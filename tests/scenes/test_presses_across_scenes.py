"""A press that leads to another scene: its release may come there, and no later press is lost, doubled or left down."""

import functools
import importlib
import pkgutil
import random

import pytest

from firmware import scenes
from firmware.modes.catalogue import MARATHON, PUZZLE
from firmware.scenes.play_state import PAUSED
from sim.library import MODES
from tests.support.handhelds.handheld import lose
from tests.support.handhelds.walker import HOLD, KITS, NINTH, SIX, START, A, Kit, Press, Walker

pytestmark = pytest.mark.no_cover

FRAMES_OF_A_SCENE = 20  # a press is held for so long if no scene follows
FRAMES_OF_A_SWITCH = 140  # a held switch goes back after two seconds
FRAMES_OF_A_CHORD = 5  # a button of a chord waits 35 ms for the other one
SCENES = [
    path.name.removeprefix("firmware.scenes.")
    for path in pkgutil.walk_packages(scenes.__path__, "firmware.scenes.")
    if hasattr(importlib.import_module(path.name), "Scene")
]
# Scenes that no press of one handheld reaches from a start without a subject; other tests hold presses into them.
ELSEWHERE: dict[str, str] = {}


@functools.cache
def list_starts() -> list[tuple[str, int]]:
    """Return the scenes that open without a subject, and a game of each variant; each with the variant."""
    starts = [("play", variant) for variant in range(len(MODES)) if variant != PUZZLE]
    for name in SCENES:
        if name.startswith(("link.", "play.")):
            continue  # the router opens a variant's scene for "play"
        walker = Walker(KITS["default"], 1)
        try:
            walker.open(name, frames=2)
        except (TypeError, AttributeError, IndexError):
            continue
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


def explore(kit: Kit, seed: int, presses: int) -> set[tuple[str, int, str]]:
    """Hold so many presses from each start on; check that nothing believes a button to be down after each."""
    pairs = set()
    starts = list_starts()
    rng = random.Random(seed)
    for number in range(presses * len(starts)):
        if number % presses == 0:
            name, variant = starts[number // presses]
            walker = Walker(kit, seed + number)
            walker.session.choose_variant(variant)
            walker.settings.variant = variant
            walker.open(name, frames=3)
        buttons = [each for each in walker.names if each != NINTH or hasattr(walker.scene, "steered")]
        button = rng.choice(buttons + [each for each in (A, A, START) if each in buttons])
        first, second = hold_into_the_next_scene(walker, button, rng.choice((0, 1, 3, 8)))
        assert walker.list_held() == [], (first, button, second, walker.place())
        if second != first:
            pairs.add((first, button, second))
    return pairs


@pytest.mark.parametrize("presses", [2, pytest.param(20, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", KITS)
def test_a_press_held_into_another_scene_leaves_nothing_down(name: str, presses: int) -> None:
    pairs = explore(KITS[name], 7, presses)
    print(f"PAIRS {name}: {len(pairs)} of scene, button and scene, {len({pair[::2] for pair in pairs})} of scenes")
    assert len({pair[::2] for pair in pairs}) > 15


@pytest.mark.long
def test_every_scene_of_one_handheld_is_reached_or_left_by_a_held_press() -> None:
    pairs = set()
    for seed in range(20, 26):
        pairs |= explore(KITS["default"], seed, 40)
    met = {name for first, _button, second in pairs for name in (first, second)}
    missing = {name for name in SCENES if name not in met and not name.startswith("link.")}
    print(f"PAIRS {len({pair[::2] for pair in pairs})} of scenes; missing {sorted(missing)}")
    assert missing <= set(ELSEWHERE), "no press held into them was tried"


@pytest.mark.parametrize("name", [name for name in KITS if name != "one switch"])
def test_the_first_press_of_the_next_game_counts(name: str) -> None:
    """START at GAME OVER, then A to retry: its first START pauses (issue: it did not)."""
    kit = KITS[name]
    walker = Walker(kit, 3)
    walker.session.counts_down = False
    walker.open("play", frames=3)
    lose_by(walker)
    walker.step(100, 15)
    assert walker.name == "play.play", "GAME OVER"
    for button in (START if kit.wired != SIX else A, *[A] * 11):
        if walker.name == "play.play" and walker.scene.is_playing():
            break
        hold_into_the_next_scene(walker, button, 2)
        walker.step(100, 12)
    assert walker.name == "play.play" and walker.scene.is_playing()
    pauses = [each for each in range(8) if walker.settings.buttons[START] >> each & 1]
    walker.run([Press(each, 0, 4) for each in pauses], 6)
    assert walker.scene.state == PAUSED


def lose_by(walker: Walker) -> None:
    """Stack Tetriminos up until the game is over, whatever the buttons are."""
    mapping, walker.context.mapping = walker.context.mapping, None
    lose(walker)
    walker.context.mapping = mapping


def test_the_press_that_wakes_the_screen_leaves_nothing_down() -> None:
    walker = Walker(KITS["swapped"], 5, "menus.main")
    walker.settings.sleep_s = 2
    walker.buttons.edges.append((HOLD, 1, walker.clock.now_ms))
    walker.step(100, 60)
    assert not walker.display.chip.on
    walker.buttons.edges.append((HOLD, 0, walker.clock.now_ms))
    walker.step(16, 2)
    assert walker.display.chip.on and walker.list_held() == []
