"""A minimal canvas: for tests of displays."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware.view.canvas import Canvas as Base  # for the type checker a display takes a Canvas
else:
    Base = object


class PlainCanvas(Base):
    """64x128 pixels behind one spare byte, the least bit leftmost, and a flag for each row."""

    SPARE = 0xA5

    def __init__(self) -> None:
        self.buffer = bytearray(1 + 1024)
        self.buffer[0] = self.SPARE
        self.dirty = bytearray(128)

    def set_row(self, y: int, pixels: bytes) -> None:
        assert len(pixels) == 8
        self.buffer[1 + 8 * y : 9 + 8 * y] = pixels
        self.dirty[y] = 1

    def set_pixel(self, x: int, y: int) -> None:
        self.buffer[1 + 8 * y + (x >> 3)] |= 1 << (x & 7)
        self.dirty[y] = 1

    @property
    def picture(self) -> bytes:
        return bytes(self.buffer[1:])
