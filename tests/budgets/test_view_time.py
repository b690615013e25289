"""Time and goal are visible in every frame: read from the pixels while the simulator plays each recording.

The expected pixels are drawn here from the font. A frame with much to draw leaves the digits to later frames, so they
may be LATE_MS old.
"""

import functools
from collections import deque
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.modes.catalogue import SPRINT, ULTRA, ULTRA_LINES
from firmware.save.recordings.recording import Recording
from firmware.view.art import FONT_3X5, FONT_3X7, FONT_5X7
from firmware.view.canvas import Canvas
from sim.clock import VirtualClock
from sim.contacts import NoButtons
from sim.desktop.session import Session
from sim.desktop.speaker import NoSpeaker
from tests.support.recorded import PATHS

LATE_MS = 100
LONG = ("marathon", "standard", "test_spec")  # in large cells only with `-m long`


def write(canvas: Canvas, x: int, y: int, number: str, font: bytes) -> None:
    """Draw digits one pixel apart; a space leaves a gap."""
    for digit in number:
        if digit != " ":
            canvas.glyph(x, y, ord(digit), font)
        x += font[0] + 1


def dot(canvas: Canvas, x: int, *rows: int) -> None:
    for y in rows:
        canvas.fill(x, y, 1, 1, 1)


@functools.lru_cache(maxsize=64)
def line(unit_ms: int, time: int, goal: int) -> bytes:
    """Return the seven pixel rows of goal and time; a goal below 0 stands for LEFT, the time left."""
    canvas = Canvas()
    canvas.text(0, 17, b"LEFT" if goal < 0 else b"GOAL", FONT_3X5)
    if goal >= 0:
        write(canvas, 18, 16, f"{goal:3}", FONT_3X7)
    left = 39
    if unit_ms == 100:
        left = 31
        dot(canvas, 57, 22)
        write(canvas, 59, 16, str(time % 10), FONT_5X7)
        time //= 10
    write(canvas, left, 16, f"{time // 60:2}", FONT_5X7)
    dot(canvas, left + 12, 18, 21)
    write(canvas, left + 14, 16, f"{time % 60:02}", FONT_5X7)
    return bytes(canvas.buffer[1 + 8 * 16 : 1 + 8 * 23])


@functools.lru_cache(maxsize=64)
def column(time: int, goal: int) -> tuple[int, ...]:
    """Return the pixels of minutes, seconds and goal beside large cells, one number a row."""
    canvas = Canvas()
    dot(canvas, 0, 23)
    dot(canvas, 2, 23)
    if goal >= 0:
        canvas.text(0, 42, b"G", FONT_3X5)
    tops = (9, 16, 26, 33, 49, 56, 63)
    for top, digit in zip(tops, f"{time // 60:02}{time % 60:02}{goal if goal >= 0 else ''}", strict=False):
        canvas.glyph(0, top, ord(digit), FONT_3X5)
    return tuple(row & 7 for row in canvas.buffer[1 + 8 * 9 : 1 + 8 * 70 : 8])


@pytest.mark.parametrize(
    ("path", "large"),
    [
        pytest.param(path, large, id=f"{path.stem}-{name}", marks=[pytest.mark.long] * (large and path.stem in LONG))
        for path in PATHS
        for large, name in enumerate(("usual", "large"))
    ],
)
def test_time_and_goal_are_visible_in_every_frame(path: Path, large: int) -> None:
    recording = Recording(path.read_bytes())
    session = Session(VirtualClock(), NoButtons(), NoSpeaker(), recording=recording)
    session.app.context.settings.large_cells = large
    session.until_end = True
    races = recording.variant in (SPRINT, ULTRA, ULTRA_LINES)
    unit_ms = 100 if races and not large else 1000
    draw: Callable[[int, int], object] = column if large else functools.partial(line, unit_ms)
    frames = 0
    recent: deque[tuple[int, int, int]] = deque()

    def look() -> None:
        nonlocal frames
        if session.app.router.name != "play" or not hasattr(session.app.router.scene, "game"):
            return  # LOADING is shown
        game = session.app.router.scene.game
        time = (game.limit_ms - game.time_ms + unit_ms - 1 if game.limit_ms else game.time_ms) // unit_ms
        recent.append((session.passed_ms, time, -1 if game.limit_ms else game.goal))
        while session.passed_ms - recent[0][0] > LATE_MS:
            recent.popleft()
        picture = session.display.picture
        shown = tuple(row & 7 for row in picture[8 * 9 : 8 * 70 : 8]) if large else bytes(picture[8 * 16 : 8 * 23])
        assert shown in {draw(time, goal) for _, time, goal in recent}, f"frame {frames}: {recent}"
        frames += 1

    session.present = look
    session.run()
    assert frames > 1000
