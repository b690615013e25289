"""The methods of the canvas, each compared with a model that sets one pixel at a time."""

import random
from collections.abc import Iterator

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import HEIGHT, WIDTH, Canvas, text_width

XS = st.integers(-70, 70)
YS = st.integers(-130, 135)
FONTS = st.sampled_from([FONT_3X5, FONT_5X7])


def noise(seed: int) -> Canvas:
    """Return a canvas full of pixels, with nothing marked dirty."""
    canvas = Canvas()
    canvas.buffer[:] = b"\x5a" + random.Random(seed).randbytes(len(canvas.buffer) - 1)
    canvas.dirty[:] = bytes(HEIGHT)
    return canvas


def pixels(canvas: Canvas) -> np.ndarray:
    """Return every pixel as [y, x], read from the buffer by its definition."""
    return np.unpackbits(np.frombuffer(bytes(canvas.buffer[1:]), np.uint8), bitorder="little").reshape(HEIGHT, WIDTH)


def is_inside(x: int, y: int) -> bool:
    return 0 <= x < WIDTH and 0 <= y < HEIGHT


def check(canvas: Canvas, before: np.ndarray, wanted: Iterator[tuple[int, int, int]]) -> None:
    """Assert that exactly the wanted pixels (x, y, bit) changed, inside the picture, in dirty rows."""
    model = before.copy()
    for x, y, bit in wanted:
        if is_inside(x, y):
            model[y, x] = bit
    assert (pixels(canvas) == model).all()
    assert canvas.buffer[0] == 0x5A, "the spare byte belongs to the display's driver"
    assert all(canvas.dirty[y] for y in np.flatnonzero((model != before).any(axis=1)))


def width_of(code: int, font: bytes) -> int:
    """Return the width of a glyph, by the end of its font's table."""
    height, first, count = font[1:4]
    widths = font[4 + height * count :]
    return widths[code - first if first <= code < first + count else 0] if widths else font[0]


class TestCanvas:
    def test_a_new_or_cleared_canvas_is_dark_and_wholly_dirty(self) -> None:
        cleared = noise(1)
        cleared.clear()
        for canvas in (Canvas(), cleared):
            assert not any(canvas.buffer[1:]) and all(canvas.dirty)
            assert len(canvas.buffer) == 1025 and len(canvas.dirty) == 128
        assert not Canvas().buffer[0]

    @given(XS, YS)
    def test_pixel_reads_one_bit_and_is_dark_outside(self, x: int, y: int) -> None:
        canvas = noise(2)
        assert canvas.pixel(x, y) == (pixels(canvas)[y, x] if is_inside(x, y) else 0)

    @given(st.data(), st.integers(0, 9))
    def test_invert(self, data: st.DataObject, seed: int) -> None:
        x, y = data.draw(st.integers(0, WIDTH - 1)), data.draw(st.integers(0, HEIGHT - 1))
        width, height = data.draw(st.integers(1, WIDTH - x)), data.draw(st.integers(1, HEIGHT - y))
        canvas = noise(seed)
        before = pixels(canvas)
        canvas.invert(x, y, width, height)
        check(canvas, before, ((x + i, y + j, 1 - before[y + j, x + i]) for i in range(width) for j in range(height)))

    @given(XS, YS, st.integers(-2, 140), st.integers(-2, 260), st.booleans(), st.integers(0, 9))
    def test_fill(self, x: int, y: int, width: int, height: int, bit: bool, seed: int) -> None:
        canvas = noise(seed)
        before = pixels(canvas)
        canvas.fill(x, y, width, height, bit)
        columns = range(max(x, 0), min(x + width, WIDTH))
        rows = range(max(y, 0), min(y + height, HEIGHT))
        check(canvas, before, ((column, row, int(bit)) for column in columns for row in rows))

    @given(XS, YS, st.binary(min_size=9, max_size=9), st.integers(1, 8), st.integers(0, 9))
    def test_tile_copies_dark_pixels_too(self, x: int, y: int, rows: bytes, width: int, seed: int) -> None:
        canvas = noise(seed)
        before = pixels(canvas)
        atlas = b"\xff" + bytes(row & (1 << width) - 1 for row in rows) + b"\xff"
        canvas.tile(x, y, width, 9, atlas, 1)
        check(canvas, before, ((x + i, y + j, rows[j] >> i & 1) for i in range(width) for j in range(9)))

    @given(XS, YS, st.text(" ABMNWZ09:.", max_size=6), FONTS)
    def test_text_separates_its_glyphs_by_a_dark_column(self, x: int, y: int, text: str, font: bytes) -> None:
        canvas = noise(3)
        before = pixels(canvas)
        canvas.text(x, y, text.encode(), font)

        def wanted() -> Iterator[tuple[int, int, int]]:
            left = x
            height, first, count = font[1:4]
            for i, code in enumerate(text.encode()):
                glyph = code - first if first <= code < first + count else 0
                for row in range(height):
                    yield from [(left - 1, y + row, 0)] * (i > 0)
                    for column in range(width_of(code, font)):
                        yield left + column, y + row, font[4 + glyph * height + row] >> column & 1
                left += width_of(code, font) + 1

        check(canvas, before, wanted())
        assert text_width(text.encode(), font) == max(0, sum(width_of(code, font) + 1 for code in text.encode()) - 1)

    def test_a_code_missing_in_a_font_is_a_space(self) -> None:
        canvas = noise(4)
        canvas.text(10, 10, b"\x80", FONT_5X7)
        assert not any(canvas.pixel(10 + x, 10 + y) for x in range(5) for y in range(7))

    @example([-5], False)
    @given(st.lists(st.integers(-5, 12_000), min_size=1, max_size=5), st.booleans())
    def test_number_shows_the_last_value_after_any_earlier_ones(self, values: list[int], zeros: bool) -> None:
        """Negative numbers are shown as zero."""
        canvas = Canvas()
        was = -1
        for value in values:
            canvas.number(3, 5, value, was, 4, FONT_5X7, zeros)
            was = value
        last = max(values[-1], 0)
        shown = f"{last % 10_000:04}"
        if not zeros:
            kept = len(str(last))
            shown = " " * (4 - kept) + shown[-kept:]
        fresh = Canvas()
        fresh.text(3 + 6 * shown.count(" "), 5, shown.strip().encode(), FONT_5X7)
        assert canvas.buffer == fresh.buffer

    def test_number_redraws_only_the_digits_that_changed(self) -> None:
        canvas = Canvas()
        canvas.number(0, 0, 1234, -1, 4, FONT_5X7, False)
        canvas.fill(0, 0, 18, 7, 1)  # the first three digits: redrawing them would leave a trace
        canvas.number(0, 0, 1235, 1234, 4, FONT_5X7, False)
        assert all(canvas.pixel(x, y) for x in range(18) for y in range(7))
