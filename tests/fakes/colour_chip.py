"""Model a colour display of 16 bits a pixel with the usual commands 0x2A, 0x2B and 0x2C."""

from PIL import Image


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

    def canvas(self, scale: int, left: int, top: int, turned: bool) -> bytes:
        """Return the canvas shown at `left`, `top`; fail if another pixel is lit or a pixel is grey."""
        assert all(row[::2] == row[1::2] for row in self.pixels), "a pixel has a colour"
        whole = Image.frombytes("L", (self.width, len(self.pixels)), b"".join(row[::2] for row in self.pixels))
        if turned:
            whole = whole.transpose(Image.Transpose.ROTATE_180)
        shown = whole.crop((left, top, left + 64 * scale, top + 128 * scale)).resize(
            (64, 128), Image.Resampling.NEAREST
        )
        expected = Image.new("L", whole.size)
        expected.paste(shown.resize((64 * scale, 128 * scale), Image.Resampling.NEAREST), (left, top))
        assert whole.tobytes() == expected.tobytes(), "a pixel beside the canvas is lit, or a scaled pixel is split"
        levels = shown.tobytes()
        assert set(levels) <= {0, 255}, "a pixel is grey"
        octets = [levels[at : at + 8] for at in range(0, len(levels), 8)]
        return bytes(sum((level > 0) << bit for bit, level in enumerate(octet)) for octet in octets)
