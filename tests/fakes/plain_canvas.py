"""A canvas whose rows a test of a display sets."""

from firmware.view.canvas import Canvas


class PlainCanvas(Canvas):
    """A Canvas with SPARE in its spare byte and no row to be shown yet."""

    SPARE = 0xA5

    def __init__(self) -> None:
        super().__init__()
        self.buffer[0] = self.SPARE
        self.dirty[:] = bytes(128)

    def set_row(self, y: int, pixels: bytes) -> None:
        assert len(pixels) == 8
        self.buffer[1 + 8 * y : 9 + 8 * y] = pixels
        self.dirty[y] = 1

    @property
    def picture(self) -> bytes:
        return bytes(self.buffer[1:])
