"""A screen is read by one rule: all texts of a new one, then what changes (sim/reading.py)."""

from collections.abc import Callable
from typing import Any

import pytest

from firmware.engine.controls import HARD_DROP, PAUSE, RIGHT, SOFT_DROP
from firmware.engine.controls import ROTATE_CW as A
from firmware.view.art import FONT_3X5, FONT_5X7
from sim.reading import ReadCanvas, Reader
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld


class Scene:
    kind = "menu"


class Screen:
    """A canvas, and a person who listens after each change."""

    def __init__(self) -> None:
        self.canvas = ReadCanvas()
        self.reader = Reader(self.canvas)
        self.scene: Any = Scene()
        self.presses = 0

    def hear(self) -> str:
        assert self.reader.read(self.scene, self.presses) == ""  # it may not stand still yet
        return self.reader.read(self.scene, self.presses)


class Listener(Handheld):
    """A Handheld, and a person who hears its screen."""

    def __init__(self, first: str) -> None:
        canvas = ReadCanvas()
        super().__init__(store=[RamStore(8192), RamStore(8192)], canvas=canvas)
        self.reader = Reader(canvas)
        self.presses = 0
        self.open(first, frames=2)

    def hear(self, *buttons: int) -> str:
        """Press buttons, and return what is said within half a second."""
        said = []
        for button in buttons:
            self.presses += 1
            self.tap(button)
        for _ in range(4):
            self.step(frames=8)
            said.append(self.reader.read(self.scene, self.presses))
        return "".join(said)


@pytest.fixture
def screen() -> Screen:
    return Screen()


def test_a_new_screen_is_read_from_top_to_bottom(screen: Screen) -> None:
    screen.canvas.text(2, 30, b"LIGHT", FONT_5X7)
    screen.canvas.text(50, 31, b"8", FONT_3X5)
    screen.canvas.text(2, 2, b"SCREEN", FONT_5X7)
    screen.canvas.text(2, 60, b"PRESS A, OR", FONT_3X5)
    screen.canvas.text(2, 67, b"WAIT:", FONT_3X5)
    assert screen.hear() == "Screen. Light 8. Press A, or wait:"
    assert screen.reader.read(screen.scene, 1) == ""


@pytest.mark.parametrize("erase", [lambda canvas: canvas.fill(0, 2, 64, 7, 0), ReadCanvas.clear])
def test_an_erased_text_is_not_read(screen: Screen, erase: Callable[[ReadCanvas], None]) -> None:
    screen.canvas.text(2, 2, b"ILL:", FONT_5X7)
    erase(screen.canvas)
    assert screen.hear() == ""


def test_the_text_in_place_of_an_erased_one_is_read(screen: Screen) -> None:
    screen.canvas.text(2, 2, b"ILL:", FONT_5X7)
    screen.canvas.fill(0, 2, 64, 7, 0)
    screen.canvas.text(3, 2, b"WELL", FONT_5X7)
    assert screen.hear() == "Well."


def test_only_what_changes_is_said_again(screen: Screen) -> None:
    screen.canvas.text(2, 2, b"HEADING", FONT_5X7)
    screen.canvas.text(2, 30, b"OFF", FONT_5X7)
    assert screen.hear() == "Heading. Off."
    screen.presses += 1
    screen.canvas.fill(2, 30, 60, 7, 0)
    screen.canvas.text(2, 30, b"ON", FONT_5X7)
    assert screen.hear() == "On."


def test_what_is_dark_on_light_is_selected(screen: Screen) -> None:
    for y, line in ((30, b"SLOW"), (50, b"FAST")):
        screen.canvas.text(2, y, line, FONT_5X7)
    screen.canvas.invert(0, 49, 64, 9)
    assert screen.hear() == "Slow. Fast, selected."
    for y in (29, 49):
        screen.canvas.invert(0, y, 64, 9)
    assert screen.hear() == "Slow, selected."


def test_a_text_that_blinks_is_said_once(screen: Screen) -> None:
    screen.canvas.text(2, 30, b"PRESS A", FONT_5X7)
    assert screen.hear() == "Press A."
    screen.canvas.fill(0, 30, 64, 7, 0)
    assert screen.hear() == ""
    screen.canvas.text(2, 30, b"PRESS A", FONT_5X7)
    assert screen.hear() == ""


def test_a_number_that_changes_is_said_after_a_press_only(screen: Screen) -> None:
    screen.canvas.text(2, 30, b"LEFT 8", FONT_5X7)
    assert screen.hear() == "Left 8."
    screen.canvas.clear()
    screen.canvas.text(2, 30, b"LEFT 7", FONT_5X7)
    assert screen.hear() == ""
    screen.presses += 1
    screen.canvas.clear()
    screen.canvas.text(2, 30, b"LEFT 6", FONT_5X7)
    assert screen.hear() == "Left 6."


def test_a_watched_game_is_read_after_a_press_only(screen: Screen) -> None:
    screen.scene.kind = "watch"
    screen.canvas.text(2, 2, b"DEMO", FONT_5X7)
    assert screen.hear() == "Demo."
    screen.canvas.text(2, 30, b"TETRIS", FONT_5X7)
    assert screen.hear() == ""
    screen.presses += 1
    assert screen.hear() == "Tetris."


def test_a_menu_says_its_heading_and_the_chosen_line_value_and_note() -> None:
    listener = Listener("options.game_rules")
    assert listener.hear() == "Game rules. Next 6. How many next tetriminos you see."
    assert listener.hear(SOFT_DROP) == "Hold on. Keep one tetrimino for later."
    assert listener.hear(RIGHT) == "Hold off. Hold is off."
    assert listener.hear(HARD_DROP) == "Next 6. How many next tetriminos you see."


def test_a_letter_is_said_with_its_place() -> None:
    listener = Listener("rules.line_entry")
    assert listener.hear().startswith("Enter. 0, letter 1 of 60. Sky1-.")
    assert listener.hear(SOFT_DROP) == "1, letter 1 of 60."
    assert listener.hear(A) == "0, letter 2 of 60."


def test_play_is_silent_and_its_pause_is_read() -> None:
    listener = Listener("play")
    assert listener.hear(SOFT_DROP, RIGHT, HARD_DROP) == ""
    assert listener.hear(PAUSE).startswith("Pause. Resume. Score ")
    assert listener.hear(SOFT_DROP) == "Restart. A new game in this mode."


def test_a_question_is_said() -> None:
    listener = Listener("play")
    listener.game.score = 50_000
    listener.step(ms=50, frames=240)
    listener.hear(PAUSE, SOFT_DROP)
    assert listener.hear(A) == "Restart? Press again to lose this game."
    assert listener.hear(SOFT_DROP).startswith("Options.")
