"""What random walks with chords, taps shorter than a frame, naps and all options have found."""

from types import SimpleNamespace
from typing import Any

import pytest

from firmware.modes.catalogue import MARATHON
from firmware.save.recorder import Recorder
from firmware.scenes.play_state import READY
from firmware.scenes.replay.practise_hints import Adviser
from firmware.view.canvas import Canvas
from firmware.view.minos import MINOS
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.pauses import DOWN, START, UP, A

OUTLINE = 33  # in MINOS


def play(variant: int = MARATHON, banks: int = 2, wired: int = 255, **settings: int) -> Handheld:
    """Return a handheld in a game with one Lock Down."""
    handheld = begin(variant, banks, wired, **settings)
    handheld.wait_until(handheld.scene.is_playing)
    handheld.step(frames=30)
    handheld.tap(UP)
    handheld.step(frames=40)
    return handheld


def begin(variant: int, banks: int = 2, wired: int = 255, **settings: int) -> Handheld:
    """Return a handheld in READY."""
    store = [RamStore() for _ in range(banks)]
    handheld = Handheld(first="menus.legal", recorder=Recorder(), store=store, wired=wired)
    for name, value in settings.items():
        setattr(handheld.settings, name, value)
    handheld.context.apply_settings()
    handheld.settings.variant = handheld.session.variant = variant
    handheld.open("play", frames=3)
    assert handheld.scene.state == READY
    return handheld


def leave(handheld: Handheld) -> None:
    """Leave a game by the last line of its pause."""
    handheld.tap(START)
    handheld.follow(UP, A, frames=4)
    assert handheld.name == "menus.main"


def pick(handheld: Handheld, line: bytes) -> None:
    while handheld.scene.lines[handheld.scene.at] != line:
        handheld.tap(DOWN)
    handheld.follow(A, frames=3)


class TestPictures:
    @pytest.mark.parametrize("blocks", [0, 1, 2])
    def test_every_look_of_blocks_shows_the_step_of_a_lesson_as_outlines(self, blocks: int) -> None:
        handheld = Handheld(first="menus.title")
        handheld.settings.blocks = blocks
        handheld.context.apply_settings()
        handheld.open("learn.puzzle_play", 0, frames=4)
        view = handheld.scene.view
        assert view.shown and view.target
        assert view.matrix.minos[5 * OUTLINE :][:5] == MINOS[5 * OUTLINE :][:5]

    @pytest.mark.parametrize("way", [b"A A", b"C A >> <", b"C A A >> <"])
    def test_presses_of_a_hint_leave_the_hold_queue_alone(self, way: bytes) -> None:
        adviser: Any = Adviser.__new__(Adviser)
        adviser.canvas, adviser.way, adviser.fresh = Canvas(), way, True
        adviser.hint = SimpleNamespace(is_known=False)
        adviser.mark = None
        adviser.draw()
        assert not any(adviser.canvas.pixel(x, y) for x in range(22) for y in range(16))
        assert any(adviser.canvas.pixel(x, y) for x in range(22, 64) for y in range(8, 16))
