"""Show a Canvas on any display that displayio drives: slower, with the same pixels.

Each byte of the canvas becomes the number of a tile of 8x1 pixels, whose pattern is that byte's bits. Copying a row is
eight assignments. displayio redraws the rectangle around changed tiles, and no pixel is converted.
"""

from displayio import Bitmap, Group, Palette, TileGrid

from firmware.compat import TYPE_CHECKING, const
from firmware.view.canvas import WIDTH

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Canvas

_ROWS = const(128)
_UNLIT = const(0x000000)
_LIT = const(0xFFFFFF)


class DisplayioScreen:
    """Show a Canvas on `display`, an upright display of displayio.

    Set the rotation when you build the display: adafruit_displayio_ssd1306.SSD1306(bus, width=64, height=128,
    rotation=90) matches the direct driver, rotation=270 the turned one. A larger screen shows the canvas enlarged and
    centred. displayio does not notice an unplugged display.
    """

    def __init__(self, display: "Any", canvas: "Canvas") -> None:
        self.canvas = canvas
        self._display = display
        self._rotation = display.rotation
        self._buffer = canvas.buffer
        self._dirty = canvas.dirty
        self._rows = TileGrid(
            _all_bytes(), pixel_shader=_two_colours(), width=WIDTH // 8, height=_ROWS, tile_width=8, tile_height=1
        )
        scale = max(1, min(display.width // WIDTH, display.height // _ROWS))
        self._group = Group(
            scale=scale, x=(display.width - scale * WIDTH) // 2, y=(display.height - scale * _ROWS) // 2
        )
        self._group.append(self._rows)
        display.auto_refresh = False
        for row in range(_ROWS):
            canvas.dirty[row] = 1
        display.root_group = self._group

    def show(self) -> None:
        """Copy the rows that canvas.dirty names, clear their flags and refresh the display."""
        dirty = self._dirty
        row = dirty.find(b"\x01")
        if row < 0:
            return
        rows = self._rows
        buffer = self._buffer
        while row >= 0:
            for tile in range(row * 8, row * 8 + 8):
                pixels = buffer[tile + 1]
                if rows[tile] != pixels:  # each written tile is redrawn
                    rows[tile] = pixels
            dirty[row] = 0
            row = dirty.find(b"\x01", row)
        self._display.refresh()

    def contrast(self, level: int) -> None:
        """Set the brightness, 0 to 255, if the display has one."""
        if hasattr(self._display, "brightness"):
            self._display.brightness = level / 255

    def turn(self, turned: int) -> None:
        """Turn the picture by 180 degrees from how the display was built, or back."""
        rotation = (self._rotation + 180) % 360 if turned else self._rotation
        if self._display.rotation != rotation:
            self._display.rotation = rotation
            self._display.refresh()

    def sleep(self, on: bool) -> None:
        """Switch the panel off or on if its driver can, else hide or restore the picture."""
        display = self._display
        if not hasattr(display, "sleep"):
            self._rows.hidden = on
            display.refresh()
        elif on:
            display.sleep()
        else:
            display.wake()


def _all_bytes() -> Bitmap:
    """Return 256 tiles in a column: the bits of every byte, the least significant leftmost."""
    tiles = Bitmap(8, 256, 2)
    for byte in range(256):
        for bit in range(8):
            if byte >> bit & 1:
                tiles[bit, byte] = 1
    return tiles


def _two_colours() -> Palette:
    """Return the colours of an unlit and a lit pixel."""
    palette = Palette(2)
    palette[0] = _UNLIT
    palette[1] = _LIT
    return palette
