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
