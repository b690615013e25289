"""The window, on SDL's dummy screen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pygame = pytest.importorskip("pygame", reason="the window needs pygame-ce")

from firmware.device.edges import EdgeQueue  # noqa: E402
from firmware.engine.controls import LEFT, SOFT_DROP  # noqa: E402
from sim import oled  # noqa: E402
from sim.display import ChipDisplay  # noqa: E402
from sim.keyboard import TABLE, Keyboard  # noqa: E402
from sim.window import Window  # noqa: E402


@pytest.fixture(autouse=True)
def no_screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    yield
    pygame.quit()


@pytest.fixture
def display() -> ChipDisplay:
    return ChipDisplay()


@pytest.fixture
def keyboard() -> Keyboard:
    return Keyboard()


@pytest.fixture
def window(display: ChipDisplay, keyboard: Keyboard) -> Window:
    window = Window(display, keyboard, lambda: 77, scale=4)
    pygame.event.clear()  # SDL tells of the window's own beginnings
    return window


def edges(keyboard: Keyboard) -> list[tuple[int, int, int]]:
    """Poll once."""
    queue = EdgeQueue()
    keyboard.poll(queue)
    return [(queue.button[i], queue.pressed[i], queue.t_ms[i]) for i in range(queue.count)]


def brightness(window: Window, x: int, y: int) -> int:
    """Return how bright the middle of a pixel of the panel is, 0 to 765."""
    border = (window.surface.get_width() - 64 * window.scale) // 2
    at = (border + x * window.scale + window.scale // 2 - 1, border + y * window.scale + window.scale // 2 - 1)
    return sum(window.surface.get_at(at)[:3])


@pytest.mark.parametrize("control", list(TABLE))
def test_every_key_name_is_one_that_pygame_knows(control: int, window: Window, keyboard: Keyboard) -> None:
    for name in TABLE[control]:
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=getattr(pygame, name)))
        pygame.event.post(pygame.event.Event(pygame.KEYUP, key=getattr(pygame, name)))
        window.pump()
        assert edges(keyboard) == [(control, 1, 77), (control, 0, 77)]


def test_other_keys_do_nothing(window: Window, keyboard: Keyboard) -> None:
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_q))
    window.pump()
    assert edges(keyboard) == []


def test_window_draws_what_the_chip_shows(window: Window, display: ChipDisplay) -> None:
    assert brightness(window, 30, 40) < 100
    display.canvas.fill(30, 40, 1, 1, 1)
    window.present()
    assert brightness(window, 30, 40) < 100
    display.show()
    window.present()
    assert brightness(window, 30, 40) > 500
    assert brightness(window, 33, 40) < 100


@pytest.mark.parametrize(("colour", "left", "right"), [("yellow-blue", "yellow", "blue"), ("blue", "blue", "blue")])
def test_window_has_the_colours_of_the_module(display: ChipDisplay, colour: str, left: str, right: str) -> None:
    display.canvas.fill(0, 0, 64, 128, 1)
    display.show()
    window = Window(display, Keyboard(), lambda: 0, colour=colour, scale=4)
    border = (window.surface.get_width() - 64 * 4) // 2
    for x, expected in ((2, left), (50, right)):
        red, _, blue, _ = window.surface.get_at((border + 4 * x + 1, border + 200))
        assert ("yellow" if red > blue else "blue") == expected


def test_lost_focus_lets_go_of_every_key_and_is_told(window: Window, keyboard: Keyboard) -> None:
    lost = []
    window.focus_lost = lambda: lost.append(True)
    for key in (pygame.K_LEFT, pygame.K_DOWN):
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key))
    pygame.event.post(pygame.event.Event(pygame.WINDOWFOCUSLOST))
    window.pump()
    assert sorted(edges(keyboard)) == [(LEFT, 0, 77), (LEFT, 1, 77), (SOFT_DROP, 0, 77), (SOFT_DROP, 1, 77)]
    assert lost == [True]


def test_closing_the_window_is_noticed(window: Window) -> None:
    assert not window.closed
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.pump()
    assert window.closed


def test_title_tells_the_frames_a_second(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    start_ms = pygame.time.get_ticks()
    monkeypatch.setattr(pygame.time, "get_ticks", lambda: start_ms + 1000)
    for _ in range(3):
        window.present()
    monkeypatch.setattr(pygame.time, "get_ticks", lambda: start_ms + 2000)
    for _ in range(60):
        window.present()
    assert "Skyline" in pygame.display.get_caption()[0]
    assert "fps" in pygame.display.get_caption()[0]


def test_window_fits_the_screen_when_no_scale_is_asked_for(display: ChipDisplay) -> None:
    window = Window(display, Keyboard(), lambda: 0)
    width, height = pygame.display.get_desktop_sizes()[0]
    assert window.surface.get_width() <= width
    assert window.surface.get_height() <= height
    assert window.scale >= 1


def test_pixels_have_gaps_where_there_is_room() -> None:
    assert [oled.gap_px(scale) for scale in (1, 2, 3, 6, 12)] == [0, 0, 1, 1, 2]
