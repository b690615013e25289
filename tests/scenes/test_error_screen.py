"""The page that shows an error, and the report that it saves."""

from types import SimpleNamespace

import pytest

from firmware.save.journal import REPORT, Journal
from firmware.scenes import error_screen
from firmware.view.canvas import Canvas
from tests.support import golden
from tests.support.flash import RamStore


def draw(text: str) -> Canvas:
    canvas = Canvas()
    error_screen.tell(SimpleNamespace(canvas=canvas, show=lambda: None), b"PROBLEM", text)
    return canvas


def test_words_are_wrapped_and_long_ones_split() -> None:
    assert error_screen.wrap("The power dipped: try\nanother") == ["The power", "dipped: try", "another"]
    assert error_screen.wrap("a SKYLINE_ROTATE_CCW, b") == ["a", "SKYLINE_ROTATE_", "CCW, b"]
    assert error_screen.wrap("") == [""]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("fault_key", "SKYLINE_LEFT is GP33, allowed: A0-A2 GP0-GP22 GP25-GP28 LED"),
        ("fault_crash", "ValueError: row 41 of 40\napp.py:148\nplay.py:97\nmatrix.py:31\nPRESS A BUTTON"),
    ],
)
def test_an_error_matches_its_golden_frame(name: str, text: str) -> None:
    golden.compare(draw(text), name)


def test_a_text_of_more_than_sixteen_lines_is_cut() -> None:
    assert draw("word\n" * 99).buffer == draw("word\n" * 16).buffer != draw("word\n" * 15).buffer


def test_a_report_is_cut_and_replaces_the_one_before() -> None:
    assert not error_screen.note((), "text"), "without a store nothing is kept"
    store = RamStore(1024)
    for text in ("first", "x" * 1000, "second"):
        assert error_screen.note([store], text) and bytes(Journal([store]).read(REPORT)) == text[:160].encode()
