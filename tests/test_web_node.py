"""The firmware on MicroPython's WebAssembly build, in Node: the same games, the same pixels, every scene.

One process of Node does it all: it costs a second to start.
"""

from __future__ import annotations

import json
import subprocess
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.app import App
from firmware.device.handheld import Device
from firmware.save.recording import Recording
from sim.clock import VirtualClock
from sim.contacts import NoButtons
from sim.speaker import NoSpeaker
from tests.test_recordings import NAMES, RECORDINGS
from tests.web import site

pytestmark = pytest.mark.skipif(bool(site.missing_node()), reason=site.missing_node())


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


@pytest.fixture(scope="module")
def node(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    folder = tmp_path_factory.mktemp("node")
    command = [site.node(), str(site.PLAYER), *site.unpack(dist, folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Node(process)
        assert process.stdin
        process.stdin.close()


class CanvasDisplay:
    """Be a display that shows a canvas to nobody."""

    def __init__(self) -> None:
        from firmware.view.canvas import Canvas

        self.canvas = Canvas()
        self.crc = 0

    def show(self) -> None:
        self.crc = zlib.crc32(self.canvas.buffer[1:], self.crc)

    def contrast(self, level: int) -> None:
        pass

    turn = sleep = contrast


def watch(recording: Recording) -> tuple[int, int]:
    """Return how many frames CPython shows of a recording, and the CRC of all their pixels."""
    display, clock = CanvasDisplay(), VirtualClock()
    app = App(Device(display, NoButtons(), NoSpeaker(), clock), recording=recording, first="watch")
    frames = 0
    while not frames or app.scene.line.reading or app.scene.playing:
        app.step()
        frames += 1
        clock.passed_ms = frames * 50 // 3
    return frames, display.crc


@pytest.mark.parametrize("name", NAMES)
def test_every_frame_of_a_recording_has_the_pixels_of_cpython(node: Node, name: str) -> None:
    path = RECORDINGS / f"{name}.sky"
    frames, crc = watch(Recording(path.read_bytes()))
    node.ask("begin", recording=str(path))
    assert node.ask("watch", frames=frames) == {"crc": crc, "scene": "watch"}


@pytest.mark.parametrize("name", NAMES)
def test_trace_of_a_recording_is_the_one_of_cpython(node: Node, name: str) -> None:
    expected = (RECORDINGS / "traces.txt").read_text(encoding="utf-8").splitlines()[1:]
    assert f"{name} {node.ask('trace', recording=str(RECORDINGS / f'{name}.sky'))['outcome']}" in expected


def test_damaged_recording_gets_one_line(node: Node, tmp_path: Path) -> None:
    content = bytearray((RECORDINGS / "lost.sky").read_bytes())
    content[40] ^= 1
    damaged = tmp_path / "damaged.sky"
    damaged.write_bytes(content)
    assert node.ask("trace", recording=str(damaged)) == {
        "problem": "recording is damaged: its check sum does not match"
    }


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


def test_tours_lead_to_every_scene() -> None:
    scenes = {path.stem for path in (site.ROOT / "firmware" / "scenes").glob("*.py") if is_scene(path)}
    assert {scene for legs in TOURS.values() for _buttons, scene in legs} == scenes - NOT_HERE


def is_scene(path: Path) -> bool:
    """Return whether a module has a scene."""
    text = path.read_text(encoding="utf-8")
    return "\nclass Scene" in text or "\nScene = " in text
