"""The firmware on MicroPython's WebAssembly build plays the same games with the same pixels, in Node and a browser.

All tests share one process of Node and one page, because each takes a second to start.
"""

import json
import re
import subprocess
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from firmware.app import App
from firmware.device.handheld import Device
from firmware.save.recordings.match_recording import is_match
from firmware.view.canvas import Canvas
from sim.clock import VirtualClock
from sim.contacts import NoButtons
from sim.desktop.speaker import NoSpeaker
from sim.scenes import name_scene
from tests.support import needs
from tests.web import realm
from tests.web.visit import PATIENCE_MS

GAMES = sorted((Path(__file__).parents[1] / "recordings").glob("*.sky"))
MATCHES = sorted((Path(__file__).parents[1] / "matches").glob("*.sky"))
QUICK = ("fast", "standard", "two")  # recordings compared frame by frame without `-m long`, too


@dataclass
class Node:
    process: Any

    def ask(self, what: str, **how: Any) -> Any:
        self.process.stdin.write(json.dumps({"what": what, **how}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return answer


@dataclass
class Page:
    page: Any

    def ask(self, what: str, **how: Any) -> Any:
        return self.page.evaluate("([what, how]) => player[what](how)", [what, how])


@contextmanager
def start_node(dist: Path, folder: Path, *images: str) -> Iterator[Node]:
    needs.demand("node")
    command = [needs.find_node(), str(realm.ANSWERER), *realm.unpack(dist, folder, *images)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Node(process)
        assert process.stdin
        process.stdin.close()


@pytest.fixture(scope="module")
def node(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    with start_node(dist, tmp_path_factory.mktemp("node")) as node:
        yield node


@pytest.fixture(scope="module")
def chromium(browser: Any, site: str, dist: Path) -> Iterator[Page]:
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.route("**/player.js", lambda route: route.fulfill(path=realm.PLAYER, content_type="text/javascript"))
    page.goto(f"{site}licences.txt")
    page.evaluate(
        """async app => {
            const names = ["tables", "device/interpreter", "device/handheld", "menus/announcer", "player"];
            const parts = names.map((name) => import(`${app}/${name}.js`));
            const [tables, interpreter, handheld, announcer, { makePlayer }] = await Promise.all(parts);
            const shift = (crc) => (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
            const crcs = Uint32Array.from({ length: 256 }, (_, crc) => Array(8).fill().reduce(shift, crc));
            const step = (crc, byte) => (crc >>> 8) ^ crcs[(crc ^ byte) & 255];
            const crc32 = (bytes, before) => ~bytes.reduce(step, ~before) >>> 0;
            const modules = { ...tables, ...interpreter, ...handheld, ...announcer };
            const rest = await interpreter.fetchRest();
            window.player = await makePlayer(modules, { ...(await interpreter.fetchParts(tables.FILES)), rest }, crc32);
        }""",
        f"/{realm.PARTS}",
    )
    yield Page(page)
    page.close()


@pytest.fixture(scope="module")
def realms(request: pytest.FixtureRequest) -> list[Any]:
    """A handheld in Node and one in a browser, as far as these are installed."""
    here = [name for name in ("node", "chromium") if not needs.is_missing(name)]
    if not here:
        needs.skip("node")
    return [request.getfixturevalue(name) for name in here]


class CanvasDisplay:
    def __init__(self) -> None:
        self.canvas = Canvas()
        self.crc = 0

    def show(self) -> None:
        self.crc = zlib.crc32(self.canvas.buffer[1:], self.crc)

    def contrast(self, level: int) -> None:
        pass

    turn = sleep = contrast


def watch(path: Path) -> tuple[int, int]:
    """Watch a recorded game or match on CPython; return its number of frames and the CRC of all their pixels."""
    display, clock = CanvasDisplay(), VirtualClock()
    recording = path.read_bytes()
    first = "match.watch" if is_match(recording) else "replay.watch"
    app = App(Device(display, NoButtons(), NoSpeaker(), clock), recording=recording, first=first)
    frames = 0
    while not frames or app.router.scene.playing or first == "replay.watch" and app.router.scene.line.reading:
        app.step()
        frames += 1
        clock.passed_ms = frames * 50 // 3
    return frames, display.crc


FRAMES = [
    pytest.param(path, id=path.stem, marks=[pytest.mark.long] * (path.stem not in QUICK)) for path in GAMES + MATCHES
]


@pytest.mark.slow
@pytest.mark.parametrize("path", FRAMES)
def test_every_frame_of_a_recording_has_the_pixels_of_cpython(realms: list[Any], path: Path) -> None:
    frames, crc = watch(path)
    for handheld in realms:
        handheld.ask("switch_on", recording=[*path.read_bytes()])
        # The heap of a megabyte is enough: the WebAssembly memory never grows.
        scene = "replay.watch" if path in GAMES else "match.watch"
        assert handheld.ask("watch", frames=frames) == {"crc": crc, "scene": scene, "grown": 0}


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_trace_of_a_game_is_the_one_of_cpython(realms: list[Any], path: Path) -> None:
    expected = (path.parent / "traces.txt").read_text(encoding="utf-8").splitlines()[1:]
    for handheld in realms:
        assert f"{path.stem} {handheld.ask('trace', recording=[*path.read_bytes()])['outcome']}" in expected


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_traces_of_a_match_are_those_of_cpython(realms: list[Any], path: Path) -> None:
    expected = (path.parent / "traces.txt").read_text(encoding="utf-8").splitlines()[1:]
    for handheld in realms:
        rounds = handheld.ask("trace_match", recording=[*path.read_bytes()])["outcome"].splitlines()
        assert [f"{path.stem} {line}" for line in rounds] == [line for line in expected if line.startswith(path.stem)]


def test_damaged_recording_gets_one_line(node: Node) -> None:
    content = [*(GAMES[0].parent / "lost.sky").read_bytes()]
    content[40] ^= 1
    problem = node.ask("trace", recording=content)["problem"]
    assert problem == "recording is damaged: its check sum does not match"


BUTTONS = "LRDUABCS"
DROPS = 26 * "U."  # enough to end any game
# Button presses from power-on without saves, and the scenes that they lead to. A letter is a button, a dot waits half a
# second, and a word after > chooses a line of the menu, with _ for a space.
SLEEP = 130 * "."
TOURS = {
    "first start": ". = menus.title, A = setup.handling, A = menus.main",
    "credits": "AA >OPTIONS >DEVICE >CREDITS = menus.legal",
    "options.options": (
        "AA >OPTIONS = options.options, >HANDLING = options.handling, B >SOUND = options.sound, "
        "B >SCREEN = options.display, B >BUTTONS = options.controls, B >EASIER = options.access, "
        "B >GAME_RULES = options.game_rules, >EXTRAS = options.extra_rules, BB >DEVICE = options.device, "
        ">CHANGED = options.changed, B >BUTTONS = setup.buttons"
    ),
    "device": (
        "AA >OPTIONS >DEVICE = options.device, LLLLL = options.facts, B >UPRIGHT = setup.upright, "
        "A >LOUDNESS = setup.loudness"
    ),
    "help.help": (
        "AA >LEARN >HELP = help.help, >BASICS = help.basics, B >CONTROLS = help.mapping, "
        "B >SCORING = help.scoring, A = help.demo, BB >T-SPINS = help.spins, B >WORDS = help.words, "
        "B >MODES = help.modes"
    ),
    "board game": "AA >MORE_MODES = menus.more_modes, >TETRESS = tetress.menu, A = tetress.play",
    "against me": "AA >MORE_MODES >BAD_DEALER = against.menu, >YOU_DEAL = against.choose",
    "game": (
        f"AA >MARATHON = menus.choose_level, A........ = play, {DROPS}.......... = menus.over, "
        "A = menus.scores_initials, AAA = menus.scores, B. >LEARN >LAST_GAME ..... = replay.watch, "
        "S.. = replay.practise"
    ),
    "unfinished": "AA >MARATHON A........ = play, U.S.U.A.. = menus.main, >SPRINT = menus.continue_or_new",
    "standard": (
        f"AA >MORE_MODES >OLD_RULES A = menus.choose_seed, A........ = play, {DROPS}........ = menus.over, "
        "A = menus.over_pieces"
    ),
    "zen": "AA >MORE_MODES >ZEN ........ = play.zen",
    "daily": "AA DDRA = menus.choose_day",
    "learn.menu": "AA >LEARN = learn.menu, >PUZZLES = learn.puzzle_menu, A.. = learn.puzzle_play",
    "openers": (
        "AA >LEARN >OPENERS = learn.opener_menu, A = learn.opener_ways_menu, A.. = learn.opener_show, "
        "BDA.. = learn.opener_play"
    ),
    "first game": (
        ". = menus.title, A = setup.handling, B.. = learn.first_game, S.B = menus.main, >LEARN = learn.menu, "
        ">FIRST_GAME .. = learn.first_game"
    ),
    "goals": "AA >LEARN >GOALS = learn.goals_menu, R.B = learn.menu",
    "all clear": "AA >LEARN >ALL_CLEAR = learn.all_clear_menu, A.. = learn.all_clear_play",
    "rules": (
        "AA >OPTIONS >SHARE .. = rules.menu, A.. = rules.line_code, B.. >ENTER .. = rules.line_entry, "
        "L.. >KEEP .. = rules.line_name, AAAAAAA.. = rules.line_menu"
    ),
    "review": (
        f"AA >MARATHON A........ = play, {DROPS}.......... = menus.over, A = menus.scores_initials, "
        f"AAA = menus.scores, B. >LEARN >REVIEW {SLEEP} = review.moments"
    ),
    "finesse": "AA >LEARN >FINESSE ........ = learn.finesse",
    "replay.practise": "AA >MARATHON A........ = play, U.S.. >TRAIN .. = replay.practise",
    "menus.lifetime_statistics": "AA >SCORES = menus.score_list, >STATISTICS = menus.lifetime_statistics",
    "match": (
        f"AA >VERSUS = match.menu, >START ........... = match.play, {DROPS}{DROPS}....A.... = match.over, "
        "B. >LEARN >LAST_GAME .. = match.watch"
    ),
    "link": "AA >VERSUS >LINK = menus.scores_initials, S... = link.lobby, B = match.menu",
    "ladder": "AA >VERSUS >LADDER = match.ladder",
    "rules of matches": "AA >VERSUS >RULES... = match.rules, >CUSTOM... = match.custom",
    "scores of matches": "AA >VERSUS >SCORES = match.scores",
}
# Variants with their own scene, by its class.
PLAYS = {"Zen": "play.zen", "Finesse": "learn.finesse"}
# The scenes with the keys of play when a tour enters them; Practice is not among them, because it begins in a pause.
STEERED = {"play", "play.zen", "match.play", "learn.finesse"}
STEERED |= {"learn.puzzle_play", "learn.opener_play", "learn.all_clear_play", "learn.first_game"}
# Scenes that need a board or a link; test_web_link.py tests a linked match. A review of a short game is over at once.
NOT_HERE = {"setup.speed", "match.entrance", "link.play", "link.over", "link.watch", "review.review"}


def read_legs(tour: str) -> list[list[str]]:
    return [leg.split(" = ") for leg in TOURS[tour].split(", ")]


@dataclass
class Told:
    """What the live region said at a press, or at half a second without one.  places: before and after it."""

    pressed: bool
    places: tuple[str, str]
    at_menu: tuple[bool, bool]
    said: list[str]

    @property
    def moved(self) -> bool:
        return self.places[0] != self.places[1]


def check_told(told: Told) -> None:
    """Menus tell each change of the chosen line or page, once; play tells only Line Clears, levels and ends."""
    if told.at_menu[1] and told.moved:
        assert told.said, told
    if all(told.at_menu) and not told.moved and not told.pressed:
        assert not told.said, told
    if not any(told.at_menu) and "learn." not in told.places[1]:
        assert all(" Score " in f" {line}" for line in told.said), told
    assert all(line != after for line, after in pairwise(told.said)), told


def press(node: Node, what: str) -> Any:
    controls: list[int | str | None] = []
    for word in what.split():
        letters = [BUTTONS.find(letter) if letter != "." else None for letter in word]
        controls += [word[1:].replace("_", " ")] if word[0] == ">" else letters
    return node.ask("press", controls=controls)


@pytest.mark.slow
@pytest.mark.parametrize("tour", TOURS)
def test_every_scene_can_be_reached_by_buttons(node: Node, tour: str) -> None:
    node.ask("switch_on", seed=1)
    for buttons, scene in read_legs(tour):
        answer = press(node, buttons)
        for told in answer["told"]:
            check_told(Told(**told))
        assert PLAYS.get(answer["kind"], answer["scene"]) == scene
        assert (answer["at_menu"] > 0) == (scene not in STEERED)


def test_a_frame_of_play_allocates_nothing(node: Node) -> None:
    node.ask("switch_on", seed=1)
    press(node, "AAAA........")
    measuring = node.ask("rest", frames=0)["taken"]
    rest = node.ask("rest", frames=600)
    assert rest["playing"]
    assert rest["taken"] <= measuring + 16  # one block, which measuring itself sometimes allocates


def test_tours_lead_to_every_scene() -> None:
    modules = (realm.ROOT / "firmware" / "scenes").glob("*/*.py")
    paths = [path for path in modules if re.search(r"\n(class Scene|Scene = )", path.read_text(encoding="utf-8"))]
    scenes = {name_scene(f"firmware.scenes.{path.parent.name}.{path.stem}") for path in paths}
    seen = {scene for tour in TOURS for _buttons, scene in read_legs(tour)}
    assert {"play.play" if scene == "play" else scene for scene in seen} == scenes - NOT_HERE


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "presses"), [(0, 1200), pytest.param(1, 2500, marks=pytest.mark.every)])
def test_a_first_game_needs_only_the_first_half_and_other_scenes_wait(
    dist: Path, tmp_path: Path, seed: int, presses: int
) -> None:
    with start_node(dist, tmp_path, realm.PLACES["firmware"]) as half:
        half.ask("switch_on", seed=seed)
        found = half.ask("wander", presses=presses, seed=seed)
    assert {"menus.title", "menus.main", "play", "menus.over"} <= {*found["opened"]}
    assert "options.options" in found["waited"]
    assert not {*found["opened"]} & {*found["waited"]} - {"play"}  # play waits for some modes
