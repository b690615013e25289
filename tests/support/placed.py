"""Check every drawn text: it must lie within the picture, use glyphs of its font, and cover nothing else.

A dark row parts it from what stands above and below.

The methods of the canvas are wrapped: each text is checked before it is drawn.
"""

import functools

import pytest

from firmware.view.canvas import HEIGHT, WIDTH, Canvas, text_width

ROW_BYTES = WIDTH // 8


@functools.cache
def find_strange(codes: bytes, font: bytes) -> str:
    """Return the first character that the font lacks, or ""."""
    height = font[1]
    for code in codes:
        glyph = code - font[2]
        if code != ord(" ") and not (0 <= glyph < font[3] and any(font[4 + glyph * height :][:height])):
            return chr(code)
    return ""


def find_text_fault(canvas: Canvas, x: int, y: int, codes: bytes, font: bytes) -> str:
    """Return why a line of text cannot be drawn at this place, or ""."""
    width, height = text_width(codes, font), font[1]
    if x < 0 or y < 0 or x + width > WIDTH or y + height > HEIGHT:
        return f"{codes!r} reaches from ({x}, {y}) to ({x + width}, {y + height})"
    strange = find_strange(bytes(codes), font)
    if strange:
        return f"{codes!r}: {strange!r} is not drawn"
    covered = pixels_of(canvas, y, height) & box(x, width, height)
    if covered and covered != pixels_of(written(x, bytes(codes), font), 0, height):
        return f"{codes!r} at ({x}, {y}) covers something"
    return ""


def find_touch(canvas: Canvas, x: int, y: int, codes: bytes, font: bytes) -> str:
    """Return what is wrong if no dark row parts a line of text from what stands above or below it, or "".

    The topmost line of a picture may stand on a Block.
    """
    for row in (y - 1, y + font[1]):
        if y > 0 and row < HEIGHT and pixels_of(canvas, row, 1) & box(x, text_width(codes, font), 1):
            return f"{codes!r} at ({x}, {y}) touches something in row {row}"
    return ""


def pixels_of(canvas: Canvas, y: int, height: int) -> int:
    """Return `height` rows of pixels from row `y` as one number; its lowest bit is the first row's leftmost pixel."""
    return int.from_bytes(canvas.buffer[1 + y * ROW_BYTES : 1 + (y + height) * ROW_BYTES], "little")


@functools.cache
def box(x: int, width: int, height: int) -> int:
    """Return the pixels of a rectangle as a number like that of `pixels_of`."""
    return sum(((1 << width) - 1) << x + WIDTH * row for row in range(height))


@functools.lru_cache(maxsize=1000)
def written(x: int, codes: bytes, font: bytes) -> Canvas:
    canvas = Canvas()
    _text(canvas, x, 0, codes, font)
    return canvas


_text = Canvas.text
_number = Canvas.number


def watch_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail if a text or number is drawn outside the picture or over something else."""

    def text(canvas: Canvas, x: int, y: int, codes: bytes, font: bytes) -> None:
        wrong = find_text_fault(canvas, x, y, codes, font) or find_touch(canvas, x, y, codes, font)
        assert not wrong, wrong
        _text(canvas, x, y, codes, font)

    def number(canvas: Canvas, x: int, y: int, value: int, was: int, digits: int, font: bytes, zeros: bool) -> None:
        width = digits * (font[0] + 1) - 1
        assert x >= 0 and y >= 0 and x + width <= WIDTH and y + font[1] <= HEIGHT, f"{value} at ({x}, {y}) is cut"
        if was < 0:
            shown = str(max(value, 0))[-digits:]
            shown = shown.rjust(digits, "0" if zeros else " ")
            left = x + sum(font[0] + 1 for digit in shown if digit == " ")
            wrong = find_text_fault(canvas, left, y, shown.strip().encode(), font)
            assert not wrong, wrong
        _number(canvas, x, y, value, was, digits, font, zeros)

    monkeypatch.setattr(Canvas, "text", text)
    monkeypatch.setattr(Canvas, "number", number)


@pytest.fixture(autouse=True)
def _texts_in_place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a test shows on a canvas, every text of it is at its place; but the canvas itself clips."""
    if request.module.__name__ != "tests.view.test_canvas":
        watch_texts(monkeypatch)
