"""The firmware on MicroPython's WebAssembly build, in Node and in a browser: the same games, the same pixels.

One process of Node and one page do it all: each costs a second to start.
"""

from __future__ import annotations

import json
import subprocess
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from firmware.app import App
from firmware.device.handheld import Device
from firmware.save.recording import Recording
from firmware.view.canvas import Canvas
from sim.clock import VirtualClock
from sim.contacts import NoButtons
from sim.speaker import NoSpeaker
from tests.test_recordings import NAMES, RECORDINGS
from tests.web import realm
from tests.web.visit import PATIENCE_MS


class Node:
    """Ask a handheld in Node."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def ask(self, what: str, **how: Any) -> Any:
        """Return its answer."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps({"what": what, **how}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return answer


class Page:
    """Ask a handheld in a page."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def ask(self, what: str, **how: Any) -> Any:
        """Return its answer."""
        return self.page.evaluate("([what, how]) => player[what](how)", [what, how])


@pytest.fixture(scope="module")
def node(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    if realm.missing_node():
        pytest.skip(realm.missing_node())
    folder = tmp_path_factory.mktemp("node")
    command = [realm.node(), str(realm.ANSWERER), *realm.unpack(dist, folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Node(process)
        assert process.stdin
        process.stdin.close()


@pytest.fixture(scope="module")
def chromium(browser: Any, site: str, dist: Path) -> Iterator[Page]:
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.route("**/player.js", lambda route: route.fulfill(path=realm.PLAYER, content_type="text/javascript"))
    page.goto(f"{site}licences.txt")
    page.evaluate(
        """async app => {
            const [tables, interpreter, handheld, { makePlayer }] = await Promise.all(
                ["tables.js", "interpreter.js", "handheld.js", "player.js"].map((name) => import(`${app}/${name}`)));
            const crcs = Uint32Array.from({ length: 256 }, (_, crc) => {
                for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
                return crc;
            });
            const crc32 = (bytes, before) => {
                let crc = ~before;
                for (const byte of bytes) crc = (crc >>> 8) ^ crcs[(crc ^ byte) & 255];
                return ~crc >>> 0;
            };
            const modules = { ...tables, ...interpreter, ...handheld };
            window.player = await makePlayer(modules, await interpreter.fetchParts(tables.FILES), crc32);
        }""",
        f"/{next(dist.glob('app-*')).name}",
    )
    yield Page(page)
    page.close()


@pytest.fixture(params=["node", "chromium"], scope="module")
def handheld(request: pytest.FixtureRequest) -> Any:
    """A handheld wherever MicroPython's WebAssembly build runs."""
    return request.getfixturevalue(request.param)


class CanvasDisplay:
    """Be a display that shows a canvas to nobody."""

    def __init__(self) -> None:
        self.canvas = Canvas()
        self.crc = 0

    def show(self) -> None:
        self.crc = zlib.crc32(self.canvas.buffer[1:], self.crc)

    def contrast(self, level: int) -> None:
        pass

    turn = sleep = contrast


@cache
def watch(name: str) -> tuple[int, int]:
    """Return how many frames CPython shows of a recording, and the CRC of all their pixels."""
    display, clock = CanvasDisplay(), VirtualClock()
    recording = Recording((RECORDINGS / f"{name}.sky").read_bytes())
    app = App(Device(display, NoButtons(), NoSpeaker(), clock), recording=recording, first="watch")
    frames = 0
    while not frames or app.scene.line.reading or app.scene.playing:
        app.step()
        frames += 1
        clock.passed_ms = frames * 50 // 3
    return frames, display.crc


def read(name: str) -> list[int]:
    """Return the bytes of a recording."""
    return list((RECORDINGS / f"{name}.sky").read_bytes())


@pytest.mark.parametrize("name", NAMES)
def test_every_frame_of_a_recording_has_the_pixels_of_cpython(handheld: Any, name: str) -> None:
    frames, crc = watch(name)
    handheld.ask("begin", recording=read(name))
    # Its heap, a megabyte, is enough: the memory around it never grows.
    assert handheld.ask("watch", frames=frames) == {"crc": crc, "scene": "watch", "grown": 0}


@pytest.mark.parametrize("name", NAMES)
def test_trace_of_a_recording_is_the_one_of_cpython(handheld: Any, name: str) -> None:
    expected = (RECORDINGS / "traces.txt").read_text(encoding="utf-8").splitlines()[1:]
    assert f"{name} {handheld.ask('trace', recording=read(name))['outcome']}" in expected


def test_damaged_recording_gets_one_line(node: Node) -> None:
    content = read("lost")
    content[40] ^= 1
    problem = node.ask("trace", recording=content)["problem"]
    assert problem == "recording is damaged: its check sum does not match"


BUTTONS = "LRDUABCS"
DROPS = 26 * "U."  # more than a Matrix takes
# By buttons alone, from power-on with nothing saved: buttons, a dot for half a second, and the scene they lead to.
TOURS = {
    "first start": [(".", "legal"), ("A", "setup_handling"), ("A", "title"), ("A", "main")],
    "options": [
        ("AAADA", "options"),
        ("DDDDDA", "options_handling"),
        ("BDA", "options_sound"),
        ("BDA", "options_display"),
        ("BDA", "options_controls"),
        ("BDA", "options_device"),
        ("A", "setup_buttons"),
    ],
    "device": [
        ("AAADADDDDDDDDDA", "options_device"),
        ("LLLLL", "options_facts"),
        ("BDA", "setup_upright"),
        ("ADDA", "setup_loudness"),
    ],
    "help": [
        ("AAADDDA", "help"),
        ("A", "help_basics"),
        ("BDA", "help_mapping"),
        ("BDA", "help_scoring"),
        ("A", "help_demo"),
        ("BBDA", "help_spins"),
        ("BDA", "help_words"),
    ],
    "board game": [("AAADDDDDA", "tetress"), ("A", "tetress_play")],
    "against me": [("AAADDDDDDA", "against"), ("A", "against_choose")],
    "game": [
        ("AAAA", "choose_variant"),
        ("A", "choose_level"),
        ("A........", "play"),
        (DROPS + "..........", "over"),
        ("A", "scores_initials"),
        ("AAA", "scores"),
        ("B.DDA.....", "watch"),
        ("S..", "play"),
    ],
    "unfinished": [("AAAAAA........", "play"), ("U.S.U.A..", "main"), ("DA", "choose_unfinished")],
    "standard": [
        ("AAAAUUAA", "choose_seed"),
        ("A........", "play"),
        (DROPS + "........", "over"),
        ("A", "over_pieces"),
    ],
    "match": [
        ("AAADDDDDDDDA", "match_menu"),
        ("A............", "match_play"),
        (2 * DROPS + "....A....", "match_over"),
        ("B.DDDDA..", "match_watch"),
    ],
    "scores of matches": [("AAADDDDDDDDA" + 14 * "D" + "A", "match_scores")],
}
# What hangs on a wire is asked where there is one.
NOT_HERE = {"setup_speed"}


def press(node: Node, buttons: str) -> Any:
    """Press buttons, which are letters; return the answer of Node."""
    return node.ask("press", controls=[BUTTONS.find(letter) if letter != "." else None for letter in buttons])


@pytest.mark.parametrize("tour", TOURS)
def test_every_scene_is_entered_by_buttons(node: Node, tour: str) -> None:
    node.ask("begin", seed=1)
    for buttons, scene in TOURS[tour]:
        assert press(node, buttons)["scene"] == scene


def test_frame_of_play_takes_nothing_of_the_heap(node: Node) -> None:
    node.ask("begin", seed=1)
    press(node, "AAAAAA........")
    measuring = node.ask("rest", frames=0)["taken"]
    rest = node.ask("rest", frames=600)
    assert rest["playing"]
    assert rest["taken"] <= measuring + 16  # a block, as measuring itself takes now and then


def test_tours_lead_to_every_scene() -> None:
    scenes = {path.stem for path in (realm.ROOT / "firmware" / "scenes").glob("*.py") if is_scene(path)}
    assert {scene for legs in TOURS.values() for _buttons, scene in legs} == scenes - NOT_HERE


def is_scene(path: Path) -> bool:
    """Return whether a module has a scene."""
    text = path.read_text(encoding="utf-8")
    return "\nclass Scene" in text or "\nScene = " in text
