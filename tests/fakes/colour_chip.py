"""Model a colour display of 16 bits a pixel with the usual commands 0x2A, 0x2B and 0x2C."""

import itertools


class ColourChip:
    """Hold `width` x `height` pixels of two bytes; commands set a window, data fills it row by row."""

    def __init__(self, width: int, height: int, address: int = 0x3C) -> None:
        self.address = address
        self.width = width
        self.pixels = [bytearray(2 * width) for _ in range(height)]
        self.bytes = 0
        self._command = 0
        self._window = {0x2A: (0, width - 1), 0x2B: (0, height - 1)}

    def write(self, transfer: bytes | bytearray | memoryview) -> None:
        """Take a transfer: 0x80 and a command, or 0x40 and its data."""
        self.bytes += 1 + len(transfer)
        body = transfer[1:]
        if transfer[0] == 0x80:
            self._command = body[0]
        elif self._command in self._window:
            self._window[self._command] = (body[0] << 8 | body[1], body[2] << 8 | body[3])
        elif self._command == 0x2C:
            left, right = self._window[0x2A]
            top, bottom = self._window[0x2B]
            span = 2 * (right - left + 1)
            assert len(body) == span * (bottom - top + 1)
            for y in range(top, bottom + 1):
                self.pixels[y][2 * left : 2 * right + 2] = body[span * (y - top) : span * (y - top + 1)]

    def canvas(self, size: int, left: int, top: int, turned: bool) -> bytes:
        """Return the canvas whose eight pixels fill `size`; fail if another pixel is lit or a pixel is grey."""
        # Turned bytes are turned pixels: black and white have two equal bytes.
        rows = [row[::-1] for row in reversed(self.pixels)] if turned else self.pixels
        picture = b""
        lit_inside = 0
        for y in range(128):
            shown = 0
            for x in range(64):
                across = range(-(-x * size // 8), -(-(x + 1) * size // 8))
                down = range(y * size // 8, (y + 1) * size // 8)
                colours = set()
                for lower, further in itertools.product(down, across):
                    offset = 2 * (left + further)
                    colours.add(bytes(rows[top + lower][offset : offset + 2]))
                assert len(colours) == 1 and colours <= {b"\xff\xff", b"\0\0"}, (x, y, colours)
                lit = colours == {b"\xff\xff"}
                lit_inside += len(down) * len(across) * lit
                shown |= lit << x
            picture += shown.to_bytes(8, "little")
        assert sum(map(sum, rows)) == 2 * 255 * lit_inside, "a pixel beside the canvas is lit"
        return picture
