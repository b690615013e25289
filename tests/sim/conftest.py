"""A PC without a screen, and with a clock of its own."""

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
