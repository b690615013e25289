"""Put TRAINING over the Matrix of a match; the picture below stays legible."""

from firmware.compat import TYPE_CHECKING, const
from firmware.view.art import FONT_5X7

if TYPE_CHECKING:
    from firmware.contracts import Canvas

_Y = const(38)
_ROWS = const(7)


class PracticeWord:
    """Invert the pixels of the word: drawn twice it disappears. on: whether the word shows."""

    def __init__(self, canvas: "Canvas") -> None:
        self.canvas = canvas
        self.on = False
        self.pixels = b""

    def forget(self, wanted: bool) -> None:
        """Note that the word does not show, and get its pixels if `wanted`; the canvas must be empty."""
        self.on = False
        if wanted and not self.pixels:
            canvas = self.canvas
            canvas.text(2, _Y, b"TRAINING", FONT_5X7)
            first = 1 + 8 * _Y
            self.pixels = bytes(canvas.buffer[first : first + 8 * _ROWS])
            canvas.fill(0, _Y, 64, _ROWS, 0)

    def flip(self) -> None:
        """Show the word, or remove it."""
        self.on = not self.on
        word = self.pixels
        buffer = self.canvas.buffer
        dirty = self.canvas.dirty
        i = 1 + 8 * _Y
        at = 0
        for y in range(_Y, _Y + _ROWS):
            dirty[y] = 1
            for _ in range(7):
                buffer[i] ^= word[at]
                i += 1
                at += 1
            i += 1
            at += 1
