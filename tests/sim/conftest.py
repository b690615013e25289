"""A PC without a screen, and with a clock of its own."""

import os
import subprocess
from collections.abc import Iterator
from types import SimpleNamespace

import pytest


@pytest.fixture
def pc_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the PC's time pass by sleeping alone, however busy it is."""
    now_ns = 0

    def sleep(seconds: float) -> None:
        nonlocal now_ns
        now_ns += round(seconds * 1e9)

    monkeypatch.setattr("sim.clock.time", SimpleNamespace(monotonic_ns=lambda: now_ns, sleep=sleep))


@pytest.fixture
def no_screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give SDL a screen and a loudspeaker of its own."""
    import pygame
    from pygame._sdl2 import controller

    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    yield
    controller.quit()  # pygame.quit() leaves it half open
    pygame.quit()


@pytest.fixture(scope="module")
def screen() -> Iterator[dict[str, str]]:
    """Start a screen; yield the environment of programs that use it."""
    reader, writer = os.pipe()
    command, null = ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1000x800x24", "-noreset"], subprocess.DEVNULL
    server = subprocess.Popen(command, pass_fds=[writer], stdout=null, stderr=null)
    os.close(writer)
    with os.fdopen(reader) as number:
        display = f":{number.readline().strip()}"
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("SDL_", "WAYLAND"))}
    yield plain | {"DISPLAY": display}
    server.terminate()
    server.wait()
