"""Hold the picture of 64 x 128 pixels that every screen shows, and draw on it."""

from firmware.compat import const

WIDTH = const(64)
HEIGHT = const(128)

_LAST_BYTE = const(7)
_BAND = const(128)  # bytes that clear() writes at a time
_ZERO = const(48)


class _Subscript:
    """Return its subscript: the only way to make a slice object on all interpreters."""

    def __getitem__(self, key: slice) -> slice:
        return key


def make_slice(start: int, stop: int) -> slice:
    """Return the slice `start:stop`. Reusing this object allocates nothing; a slice in code does."""
    return _Subscript()[start:stop]


class Canvas:
    """Draw on one bit a pixel, portrait: x is 0..63 to the right, y 0..127 downward.

    buffer: one spare byte, then 8 bytes a row; the least significant bit is leftmost. This is the memory of an SSD1306
    in vertical addressing mode; its driver uses the spare byte. dirty: a byte a row, 1 if the row may have changed
    since the display cleared it. blocks: how to draw Blocks, see blocks.py.

    No method allocates, and every method clips pixels outside the picture.
    """

    def __init__(self) -> None:
        self.buffer = bytearray(1 + WIDTH * HEIGHT // 8)
        self.dirty = bytearray(HEIGHT)
        self.blocks = 1  # solid
        self._bands = [make_slice(start, start + _BAND) for start in range(1, 1 + WIDTH * HEIGHT // 8, _BAND)]
        self._blank = bytes(_BAND)
        self.clear()

    def clear(self) -> None:
        """Turn every pixel off."""
        buffer = self.buffer
        blank = self._blank
        for band in self._bands:
            buffer[band] = blank
        dirty = self.dirty
        for y in range(HEIGHT):
            dirty[y] = 1

    def pixel(self, x: int, y: int) -> int:
        """Return 1 for a lit pixel, 0 for a dark one or outside the picture."""
        if x < 0 or y < 0 or x >= WIDTH or y >= HEIGHT:
            return 0
        return self.buffer[1 + (y << 3) + (x >> 3)] >> (x & 7) & 1

    def fill(self, x: int, y: int, width: int, height: int, bit: int) -> None:
        """Light (`bit` 1) or darken (0) a rectangle."""
        right = x + width
        bottom = y + height
        if x < 0:
            x = 0
        if y < 0:
            y = 0
        if right > WIDTH:
            right = WIDTH
        if bottom > HEIGHT:
            bottom = HEIGHT
        if x >= right or y >= bottom:
            return
        buffer = self.buffer
        dirty = self.dirty
        first = x >> 3
        last = right - 1 >> 3
        head = 255 << (x & 7) & 255
        tail = 255 >> (7 - (right - 1 & 7))
        if first == last:
            head &= tail
        at = 1 + (y << 3) + first
        middle = last - first
        while y < bottom:
            buffer[at] = buffer[at] | head if bit else buffer[at] & ~head
            if middle:
                for i in range(at + 1, at + middle):
                    buffer[i] = 255 if bit else 0
                i = at + middle
                buffer[i] = buffer[i] | tail if bit else buffer[i] & ~tail
            dirty[y] = 1
            at += 8
            y += 1

    def invert(self, x: int, y: int, width: int, height: int) -> None:
        """Invert every pixel of a rectangle inside the picture."""
        first = x >> 3
        last = x + width - 1 >> 3
        buffer = self.buffer
        for row in range(y, y + height):
            self.dirty[row] = 1
            for column in range(first, last + 1):
                mask = 255
                if column == first:
                    mask = 255 << (x & 7) & 255
                if column == last:
                    mask &= 255 >> (7 - (x + width - 1 & 7))
                buffer[1 + (row << 3) + column] ^= mask

    def tile(self, x: int, y: int, width: int, height: int, atlas: "bytes | bytearray", at: int) -> None:
        """Copy a tile, dark pixels included: `height` bytes of `atlas` from index `at`, one a row.

        `width` is 1..8; bit 0 of a byte is the leftmost pixel and the bits from `width` up are 0.
        """
        if x <= -width or x >= WIDTH:
            return
        if y < 0:
            at -= y
            height += y
            y = 0
        if y + height > HEIGHT:
            height = HEIGHT - y
        span = (1 << width) - 1
        cut = 0
        if x < 0:
            cut = -x
            x = 0
        shift = x & 7
        span = span << shift >> cut
        keep = ~span & 255
        spill = span >> 8 if x >> 3 < _LAST_BYTE else 0
        buffer = self.buffer
        dirty = self.dirty
        i = 1 + (y << 3) + (x >> 3)
        end = y + height
        while y < end:
            pixels = atlas[at] << shift >> cut
            buffer[i] = buffer[i] & keep | pixels & 255
            if spill:
                buffer[i + 1] = buffer[i + 1] & ~spill | pixels >> 8
            dirty[y] = 1
            y += 1
            at += 1
            i += 8

    def glyph(self, x: int, y: int, code: int, font: bytes, gap: int = 0) -> int:
        """Draw the glyph of a character code and `gap` dark columns (0 or 1) to its right; return its width.

        A code that the font lacks draws its first glyph: a space, in the fonts of letters.
        """
        height = font[1]
        glyph = code - font[2]
        if glyph < 0 or glyph >= font[3]:
            glyph = 0
        width = font[0]
        at = 4 + font[3] * height + glyph
        if at < len(font):
            width = font[at]
        self.tile(x, y, width + gap, height, font, 4 + glyph * height)
        return width

    def text(self, x: int, y: int, codes: bytes, font: bytes) -> None:
        """Draw a line of text, one dark column after each glyph but the last.

        `codes` are ASCII; the fonts of letters know space to Z.
        """
        last = len(codes) - 1
        for i in range(last + 1):
            x += self.glyph(x, y, codes[i], font, 1 if i < last else 0) + 1

    def number(self, x: int, y: int, value: int, was: int, digits: int, font: bytes, zeros: bool) -> None:
        """Draw `value` right aligned in a field of `digits` glyphs, all of one width, the leftmost at `x`.

        `was` is the value now shown, -1 for a dark field: only differing digits are drawn. Leading digits show 0 if
        `zeros` is true, else nothing. A value below 0 shows as 0; a value too large loses its highest digits.
        """
        pitch = font[0] + 1
        x += digits * pitch
        if value < 0:
            value = 0
        blank = was < 0
        lit = True
        while digits:
            x -= pitch
            if lit:
                if blank or value % 10 != was % 10:
                    self.glyph(x, y, _ZERO + value % 10, font)
            elif not blank:
                self.fill(x, y, font[0], font[1], 0)
            digits -= 1
            value //= 10
            lit = zeros or value > 0
            if not blank:
                was //= 10
                blank = not zeros and was == 0


def text_width(codes: bytes, font: bytes) -> int:
    """Return the width of a line of text in pixels; 0 for no text."""
    width = len(codes) - 1 if codes else 0
    widths = 4 + font[3] * font[1]
    if widths == len(font):
        return width + len(codes) * font[0]
    for code in codes:
        glyph = code - font[2]
        width += font[widths + glyph] if 0 <= glyph < font[3] else font[widths]
    return width


def centre(canvas: Canvas, y: int, codes: bytes, font: bytes) -> None:
    """Draw a line of text in the middle of the screen."""
    canvas.text(WIDTH - text_width(codes, font) >> 1, y, codes, font)
