"""The verbs of the canvas, each against a model that sets one pixel at a time."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import HEIGHT, WIDTH, Canvas, text_width

Pixels = dict[tuple[int, int], int]

XS = st.integers(-70, 70)
YS = st.integers(-130, 135)
FONTS = st.sampled_from([FONT_3X5, FONT_5X7])


def noise(seed: int) -> Canvas:
    """Return a canvas full of pixels, with nothing marked dirty."""
    canvas = Canvas()
    for i in range(1, len(canvas.buffer)):
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        canvas.buffer[i] = seed >> 16 & 255
    canvas.buffer[0] = 0x5A
    for y in range(HEIGHT):
        canvas.dirty[y] = 0
    return canvas


def pixels(canvas: Canvas) -> Pixels:
    """Return every pixel, read from the buffer by its definition."""
    return {(x, y): canvas.buffer[1 + 8 * y + x // 8] >> x % 8 & 1 for y in range(HEIGHT) for x in range(WIDTH)}


def check(canvas: Canvas, before: Pixels, wanted: Iterator[tuple[int, int, int]]) -> None:
    """Assert that exactly the wanted pixels (x, y, bit) changed, inside the picture, in dirty rows."""
    model = dict(before)
    model.update({(x, y): bit for x, y, bit in wanted if 0 <= x < WIDTH and 0 <= y < HEIGHT})
    after = pixels(canvas)
    assert after == model
    assert canvas.buffer[0] == 0x5A, "the spare byte belongs to the display's driver"
    changed = {y for x, y in model if model[x, y] != before[x, y]}
    assert all(canvas.dirty[y] for y in changed)


def width_of(code: int, font: bytes) -> int:
    """Return how wide a glyph is, from the end of the table of its font."""
    first, count = font[2:4]
    return font[len(font) - count + (code - first if first <= code < first + count else 0)]


def glyph_pixels(x: int, y: int, code: int, font: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield the pixels of a glyph."""
    height, first, count = font[1:4]
    glyph = code - first if first <= code < first + count else 0
    for row in range(height):
        for column in range(width_of(code, font)):
            yield x + column, y + row, font[4 + glyph * height + row] >> column & 1


def test_a_new_canvas_is_dark_and_wholly_dirty() -> None:
    canvas = Canvas()
    assert not any(canvas.buffer) and all(canvas.dirty)
    assert len(canvas.buffer) == 1025 and len(canvas.dirty) == 128


def test_clear_turns_every_pixel_off() -> None:
    canvas = noise(1)
    canvas.clear()
    assert not any(canvas.buffer[1:]) and all(canvas.dirty)


@given(XS, YS)
def test_pixel_reads_one_bit_and_is_dark_outside(x: int, y: int) -> None:
    canvas = noise(2)
    assert canvas.pixel(x, y) == pixels(canvas).get((x, y), 0)


@given(st.data(), st.integers(0, 9))
def test_invert(data: st.DataObject, seed: int) -> None:
    x, y = data.draw(st.integers(0, WIDTH - 1)), data.draw(st.integers(0, HEIGHT - 1))
    width, height = data.draw(st.integers(1, WIDTH - x)), data.draw(st.integers(1, HEIGHT - y))
    canvas = noise(seed)
    before = pixels(canvas)
    canvas.invert(x, y, width, height)
    check(canvas, before, ((x + i, y + j, 1 - before[x + i, y + j]) for i in range(width) for j in range(height)))


@given(XS, YS, st.integers(-2, 140), st.integers(-2, 260), st.booleans(), st.integers(0, 9))
def test_fill(x: int, y: int, width: int, height: int, bit: bool, seed: int) -> None:
    canvas = noise(seed)
    before = pixels(canvas)
    canvas.fill(x, y, width, height, bit)
    check(canvas, before, ((x + i, y + j, int(bit)) for i in range(width) for j in range(height)))


@given(XS, YS, st.binary(min_size=9, max_size=9), st.integers(1, 8), st.integers(0, 9))
def test_tile_copies_dark_pixels_too(x: int, y: int, rows: bytes, width: int, seed: int) -> None:
    canvas = noise(seed)
    before = pixels(canvas)
    atlas = b"\xff" + bytes(row & (1 << width) - 1 for row in rows) + b"\xff"
    canvas.tile(x, y, width, 9, atlas, 1)
    check(canvas, before, ((x + i, y + j, rows[j] >> i & 1) for i in range(width) for j in range(9)))


@given(XS, YS, st.text(" ABMNWZ09:.", max_size=6), FONTS)
def test_text_parts_its_glyphs_by_a_dark_column(x: int, y: int, text: str, font: bytes) -> None:
    canvas = noise(3)
    before = pixels(canvas)
    canvas.text(x, y, text.encode(), font)

    def wanted() -> Iterator[tuple[int, int, int]]:
        left = x
        for i, code in enumerate(text.encode()):
            if i:
                yield from ((left - 1, y + row, 0) for row in range(font[1]))
            yield from glyph_pixels(left, y, code, font)
            left += width_of(code, font) + 1

    check(canvas, before, wanted())
    assert text_width(text.encode(), font) == max(0, sum(width_of(code, font) + 1 for code in text.encode()) - 1)


def test_a_code_that_a_font_lacks_is_a_space() -> None:
    canvas = noise(4)
    canvas.text(10, 10, b"\x80", FONT_5X7)
    assert not any(canvas.pixel(10 + x, 10 + y) for x in range(5) for y in range(7))


@given(st.lists(st.integers(0, 12_000), min_size=1, max_size=5), st.booleans())
def test_number_shows_the_last_value_whatever_it_showed_before(values: list[int], zeros: bool) -> None:
    canvas = Canvas()
    was = -1
    for value in values:
        canvas.number(3, 5, value, was, 4, FONT_5X7, zeros)
        was = value
    shown = f"{values[-1] % 10_000:04}"
    if not zeros:
        kept = len(str(values[-1]))
        shown = " " * (4 - kept) + shown[-kept:]
    fresh = Canvas()
    fresh.text(3 + 6 * shown.count(" "), 5, shown.strip().encode(), FONT_5X7)
    assert canvas.buffer == fresh.buffer


def test_number_below_zero_is_zero() -> None:
    canvas, zero = Canvas(), Canvas()
    canvas.number(0, 0, -5, -1, 3, FONT_5X7, False)
    zero.number(0, 0, 0, -1, 3, FONT_5X7, False)
    assert canvas.buffer == zero.buffer


def test_number_redraws_only_the_digits_that_changed() -> None:
    canvas = Canvas()
    canvas.number(0, 0, 1234, -1, 4, FONT_5X7, False)
    canvas.fill(0, 0, 18, 7, 1)  # the first three places: whoever draws there again leaves a trace
    canvas.number(0, 0, 1235, 1234, 4, FONT_5X7, False)
    assert all(canvas.pixel(x, y) for x in range(18) for y in range(7))
