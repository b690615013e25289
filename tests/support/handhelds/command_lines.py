"""Run the simulator by its command line."""

import socket
from collections.abc import Callable
from typing import Any

import pytest

from firmware.device.edges import EdgeQueue
from firmware.engine import controls
from sim.cli import main
from sim.clock import VirtualClock
from sim.desktop.session import Session
from sim.desktop.speaker import NoSpeaker

SCRIPT = [  # (ms after the beginning, control); each press lasts 40 ms
    (400, controls.LEFT),
    (500, controls.LEFT),
    (700, controls.ROTATE_CW),
    (900, controls.HARD_DROP),
    (1500, controls.HOLD),
    (1700, controls.RIGHT),
    (1900, controls.ROTATE_CCW),
    (2100, controls.HARD_DROP),
    (2800, controls.HARD_DROP),
]


class Script:
    def __init__(self, clock: VirtualClock, script: list[tuple[int, int]] = SCRIPT) -> None:
        start_ms = clock.ticks_ms()
        self.edges = [
            (start_ms + at_ms + pressed_ms, control, not pressed_ms)
            for at_ms, control in script
            for pressed_ms in (0, 40)
        ]
        self.clock = clock

    def poll(self, sink: EdgeQueue) -> None:
        while self.edges and self.edges[0][0] <= self.clock.ticks_ms():
            t_ms, control, pressed = self.edges.pop(0)
            sink.append(control, pressed, t_ms)


def play_script(
    script: list[tuple[int, int]], until_ms: int, look: Callable[[Session, int], None] | None = None, **options: Any
) -> Session:
    """Let a script press a session's buttons until `until_ms`; call `look` for every picture with its time."""
    clock = VirtualClock()
    session = Session(clock, Script(clock, script), NoSpeaker(), **options)

    def present() -> None:
        if look:
            look(session, clock.passed_ms)
        session.app.running = clock.passed_ms < until_ms

    session.present = present
    session.run()
    return session


def refused(
    capsys: pytest.CaptureFixture[str], *arguments: object, program: str = "sim", run: Callable[[list[str]], int] = main
) -> str:
    try:
        code: object = run([str(argument) for argument in arguments])
    except SystemExit as stop:
        code = stop.code
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.startswith(program + ": ")
    assert err.count("\n") == 1
    return err


def find_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])
