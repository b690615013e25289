"""Every text fits into 64 pixels, uses glyphs of its font, and covers and touches nothing else.

tests/support/placed.py checks all texts that tests show; this file checks the texts that no test shows.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware import option_table
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import WIDTH, Canvas, text_width
from tests.support.placed import find_text_fault, find_touch

FIRMWARE = Path(__file__).parents[2] / "firmware"
OPTIONS = FIRMWARE / "options.txt"
SPOKEN = [OPTIONS] + [path for folder in ("scenes", "view") for path in sorted((FIRMWARE / folder).rglob("*.py"))]
# Letters to choose from, shown one at a time.
APART = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ123456789.-! "


def lines(path: Path) -> Iterator[bytes]:
    """Yield every line of text in a module: capitals, separated by bars or ends of lines."""
    if path == OPTIONS:
        for record in option_table.read_records():
            texts = [record.get(b"menu", b" ").partition(b" ")[2], record.get(b"words", b""), record.get(b"note", b"")]
            yield from b"|".join(texts).replace(b"/", b"|").split(b"|")
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, bytes) and text != APART and all(32 <= code <= 90 or code in b"|_\n" for code in text):
            yield from text.replace(b"\n", b"|").replace(b"/", b"|").split(b"|")


class TestTexts:
    @pytest.mark.parametrize("path", SPOKEN, ids=lambda path: path.stem)
    def test_no_line_is_wider_than_the_screen_in_small_letters(self, path: Path) -> None:
        wide = [(line, text_width(line, FONT_3X5)) for line in lines(path)]
        assert [line for line in wide if line[1] >= WIDTH] == []

    def test_lines_finds_notes_menu_lines_and_values(self) -> None:
        found = {line for path in SPOKEN for line in lines(path)}
        assert {b"A PERSON AT THE", b"BUTTONS", b"MOTION", b"10 MIN", b"BACK-TO-BACK"} <= found

    @pytest.mark.parametrize(
        ("x", "y", "codes", "why"),
        [(0, 0, b"WHAT IT HAD STAYS", "reaches"), (-1, 0, b"A", "reaches"), (0, 122, b"A", "")]
        + [(0, 124, b"A", "reaches"), (0, 0, b"A;B", "';' is not drawn"), (10, 22, b"A", "covers")]
        + [(10, 10, b"A", "")],
    )
    def test_find_text_fault_names_the_fault(self, x: int, y: int, codes: bytes, why: str) -> None:
        canvas = Canvas()
        canvas.fill(10, 20, 5, 7, 1)
        wrong = find_text_fault(canvas, x, y, codes, FONT_3X5)
        assert why in wrong if why else not wrong

    @pytest.mark.parametrize(("y", "touches"), [(13, False), (14, False), (15, True), (27, True), (28, False)])
    def test_a_dark_row_parts_a_text_from_all_else(self, y: int, touches: bool) -> None:
        canvas = Canvas()
        canvas.fill(10, 20, 5, 7, 1)
        assert bool(find_touch(canvas, 10, y, b"A", FONT_3X5)) == touches
        assert not find_touch(canvas, 16, y, b"A", FONT_3X5)

    def test_a_text_may_be_drawn_again_in_its_place(self) -> None:
        canvas = Canvas()
        canvas.text(3, 3, b"AGAIN", FONT_5X7)
        assert not find_text_fault(canvas, 3, 3, b"AGAIN", FONT_5X7)
        assert "covers" in find_text_fault(canvas, 3, 3, b"OTHER", FONT_5X7)
