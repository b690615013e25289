"""A frame allocates nothing and every scene keeps its heap budget: measured on 32-bit MicroPython.

A 32-bit MicroPython counts bytes like the board; with its heap locked, any allocation raises
MemoryError. The tests run engine, view and display driver on a bus that only counts.
"""

import functools
from pathlib import Path
from typing import NamedTuple

import pytest

from firmware.modes.catalogue import DAILY, FINESSE, ZEN
from tests.support.handhelds.link_notes import RecordingRing
from tests.support.needs import needs_wasm
from tests.support.recorded import PATHS, RECORDINGS
from tests.support.variants import DIG, MASTER, SURVIVE
from tools import interpreters
from tools.measure import heaps, scenes, scripts

MODES = sorted((RECORDINGS / "modes").glob("*.sky"))
QUICK = [path for path in PATHS + MODES if path.stem not in ("daily", "lost", "marathon", "sprint", "test_spec")]
FRAMES = 1000
HEAP_IN_PLAY_BYTES = 36 * 1024  # as deployed, like all figures here; without names that a board has in ROM
HEAP_BEYOND_MARATHON_BYTES = 3456  # Zen has a Rewind, which owns its groups: 3,120 on the board
# tests/board has the limits: 8 KB free and a block of 4 KB at all times. These estimates serve machines without the
# UF2. Of its 166 KB a board has 60 free in a one-player scene, and 30 in the largest scene of a match. The walk visits
# every scene: 5 KB are the names of modules, which stay. A match begins without them.
HEAP_IN_A_SCENE_BYTES = 101 * 1024
HEAP_OF_A_LINK_BYTES = 138 * 1024  # the pool of names grows by 1.2 KB at once; a board has 17,360 bytes free
HEAP_BESIDE_MATCHES_BYTES = 103 * 1024  # in a session with matches and every other scene: names are never freed
GROWTH_BYTES = 4096  # a conservative collector sometimes keeps a dead game

ONE_PLAYER_SCENES = [name for name in scenes.name_scenes() if not name.startswith("match.")]

pytestmark = needs_wasm


RECORDED = """
from firmware.save.recordings.recording import Recording
begin(recording=Recording({blob!r}), first="play")
"""
LOCKED = f"""
play_locked({FRAMES})
game = app.router.scene.game
print(game.lines, game.matrix.version)
"""


class Played(NamedTuple):
    """The state of a game after its frames; the version tells whether anything locked down."""

    lines: int
    version: int


def play_locked(begin: str) -> Played:
    """Play a game with the heap locked: an allocation raises ScriptFailed."""
    return Played(*map(int, scripts.run(scripts.ON_BOARD + begin + LOCKED).last_line.split()))


@functools.cache
def play_recording(path: Path) -> Played:
    return play_locked(RECORDED.format(blob=path.read_bytes()))


class TestFrames:
    @pytest.mark.parametrize("seed", [1, pytest.param(4711, marks=pytest.mark.long)])
    def test_a_frame_allocates_nothing_for_random_presses(self, seed: int) -> None:
        played = play_locked(f"begin({seed}, first='play')")
        assert played.version > 0, "no Tetrimino locked down: nothing was tested"

    @pytest.mark.parametrize("invisible", [1, 2])
    def test_a_frame_told_by_ear_with_invisible_blocks_allocates_nothing(self, invisible: int) -> None:
        chosen = f"app.context.settings.by_ear, app.context.settings.invisible = 2, {invisible}"
        played = play_locked(f"begin(1, first='play')\n{chosen}\napp.context.apply_settings()\ngo('play')")
        assert played.version > 0, "no Tetrimino locked down: nothing was tested"

    @pytest.mark.parametrize(
        "path",
        [pytest.param(path, id=path.stem, marks=[pytest.mark.long] * (path not in QUICK)) for path in PATHS + MODES],
    )
    def test_frame_of_a_recorded_game_allocates_nothing(self, path: Path) -> None:
        assert play_recording(path).version > 0, "no Tetrimino locked down: nothing was tested"

    def test_recorded_games_clear_lines_within_the_frames_played(self) -> None:
        """The frames above include an Eliminate Phase."""
        assert any(play_recording(path).lines for path in PATHS)

    def test_locked_heap_reports_an_allocation(self) -> None:
        with pytest.raises(interpreters.ScriptFailed, match="heap is locked"):
            scripts.run("import micropython\nmicropython.heap_lock()\nx = bytearray(100)\n")

    def test_the_scene_in_play_keeps_its_heap_budget(self) -> None:
        assert heaps.measure_heap(scenes.deployed()).of_scene <= HEAP_IN_PLAY_BYTES

    @pytest.mark.parametrize("saving", [False, True])
    def test_no_variant_takes_much_more_than_marathon(self, saving: bool) -> None:
        src = scenes.deployed()
        marathon = heaps.measure_heap_of_scene(src, saving=saving)
        for variant in (ZEN, FINESSE) if saving else (DIG, SURVIVE, MASTER, DAILY):
            assert heaps.measure_heap_of_scene(src, variant, saving) - marathon <= HEAP_BEYOND_MARATHON_BYTES, variant


@pytest.fixture(scope="module")
def sizes() -> list[dict[str, int]]:
    return scenes.measure_scenes(ONE_PLAYER_SCENES, (PATHS[0]).read_bytes(), 4)


class TestScenes:
    """Each scene takes limited heap and frees it."""

    @pytest.mark.slow
    def test_all_scenes_are_measured(self, sizes: list[dict[str, int]]) -> None:
        names = {f"menus.{name}" for name in ("title", "over", "scores_initials", "scores")}
        assert names | {"play", "replay.watch", "options.options", "help.demo"} <= set(sizes[0])

    @pytest.mark.slow
    def test_every_scene_keeps_its_heap_budget_after_matches(self) -> None:
        _first, second = scenes.measure_scenes(scenes.name_scenes(), (PATHS[0]).read_bytes(), 2)
        assert {name for name, size in second.items() if size > HEAP_BESIDE_MATCHES_BYTES} == set()

    def test_a_link_lobby_takes_no_more_heap_than_a_match(self) -> None:
        _first, second = scenes.measure_scenes(["menus.title", "link.lobby", "menus.main"], b"", 2)
        assert second["link.lobby"] <= HEAP_OF_A_LINK_BYTES
        assert second["menus.main"] <= HEAP_BESIDE_MATCHES_BYTES

    def test_watching_a_linked_match_keeps_the_heap_budget(self) -> None:
        circle = RecordingRing(4, 14, quicken_s=0)
        circle.run()
        blob = circle.blob(circle.sides[0])
        # A word on the stack may look like a pointer to the match until other scenes overwrite it.
        walk = ["menus.title", "link.watch", "options.options", "help.help", "menus.main", "learn.menu", "menus.main"]
        (first,) = scenes.measure_scenes(walk, blob, frames=200)
        assert first["link.watch"] <= HEAP_OF_A_LINK_BYTES and first["menus.main"] <= HEAP_BESIDE_MATCHES_BYTES

    @pytest.mark.slow
    @pytest.mark.parametrize("name", ONE_PLAYER_SCENES)
    def test_a_scene_keeps_its_heap_budget(self, sizes: list[dict[str, int]], name: str) -> None:
        # All names are loaded after the first round; the minimum skips rounds with a dead game kept.
        assert min(round_of[name] for round_of in sizes[1:]) <= HEAP_IN_A_SCENE_BYTES

    def test_a_scene_frees_its_memory_when_it_is_left(self, sizes: list[dict[str, int]]) -> None:
        """Only names and at most one dead game stay."""
        _first, _second, third, last = sizes
        assert {name for name, size in third.items() if last[name] - size > GROWTH_BYTES} == set()

    @pytest.mark.long
    def test_no_menu_scene_grows_in_a_hundred_rounds(self) -> None:
        names = [name for name in scenes.name_scenes() if name not in ("replay.watch", "help.demo")]
        _first, second, *_others, last = scenes.measure_scenes(names, b"", 100, 2)
        assert {name for name, size in second.items() if last[name] - size > GROWTH_BYTES} == set()
