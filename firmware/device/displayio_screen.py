"""Show a Canvas on any display that displayio drives: slower, with the same pixels.

Each byte of the canvas becomes the number of a tile of 8x1 pixels, whose pattern is that byte's bits. Copying a row is
eight assignments. displayio redraws the rectangle around changed tiles, and no pixel is converted. A screen of 240 rows
shows eight pixels as 15: seven of them twice as large, one in its own size.
"""

from displayio import Bitmap, Group, Palette, TileGrid

from firmware.compat import TYPE_CHECKING, const
from firmware.view.canvas import HEIGHT, WIDTH

if TYPE_CHECKING:
    from firmware.contracts import Any, Canvas

_BAND = const(32)  # rows that displayio redraws together, in the rectangle around all changes
_FIFTEEN = const(15)  # pixels for eight, so that 128 rows fill 240
_UNLIT = const(0x000000)
_LIT = const(0xFFFFFF)


class DisplayioScreen:
    """Show a Canvas on `display`, an upright display of displayio.

    Set the rotation when you build the display: adafruit_displayio_ssd1306.SSD1306(bus, width=64, height=128,
    rotation=90) matches the direct driver, rotation=270 the turned one. A larger screen shows the canvas enlarged and
    centred: as many times as it fits, or 1.875 times in 240 rows. displayio does not notice an unplugged display.
    """

    def __init__(self, display: "Any", canvas: "Canvas") -> None:
        self.canvas = canvas
        self._display = display
        self._rotation = display.rotation
        self._buffer = canvas.buffer
        self._dirty = canvas.dirty
        scale = max(1, min(display.width // WIDTH, display.height // HEIGHT))
        self._odd = scale == 1 and display.height >= HEIGHT * _FIFTEEN // 8 and display.width >= WIDTH * _FIFTEEN // 8
        size = _FIFTEEN if self._odd else 8  # of eight pixels
        tiles = _all_bytes(size)
        colours = _two_colours()
        self._group = Group(
            scale=scale,
            x=(display.width - scale * WIDTH * size // 8) // 2,
            y=(display.height - scale * HEIGHT * size // 8) // 2,
        )
        height = _BAND * size // 8
        self._bands = []
        for top in range(0, HEIGHT * size // 8, height):
            band = TileGrid(
                tiles, pixel_shader=colours, width=WIDTH // 8, height=height, tile_width=size, tile_height=1, y=top
            )
            self._bands.append(band)
            self._group.append(band)
        display.auto_refresh = False
        for row in range(HEIGHT):
            canvas.dirty[row] = 1
        display.root_group = self._group

    def show(self) -> None:
        """Copy the rows that canvas.dirty names, clear their flags and refresh the display."""
        dirty = self._dirty
        row = dirty.find(b"\x01")
        if row < 0:
            return
        bands = self._bands
        buffer = self._buffer
        odd = self._odd
        while row >= 0:
            rows = bands[row // _BAND]
            tile = row % _BAND
            tile = (tile * _FIFTEEN >> 3) * 8 if odd else tile * 8
            for at in range(row * 8 + 1, row * 8 + 9):
                pixels = buffer[at]
                if rows[tile] != pixels:  # each written tile is redrawn
                    rows[tile] = pixels
                    if odd and row & 7:
                        rows[tile + 8] = pixels
                tile += 1
            dirty[row] = 0
            row = dirty.find(b"\x01", row)
        self._display.refresh()

    def contrast(self, level: int) -> None:
        """Set the brightness, 0 to 255, if the display has one."""
        try:
            self._display.brightness = level / 255
        except (AttributeError, RuntimeError):
            pass  # a display without a backlight pin has a brightness, but refuses it

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
            self._group.hidden = on
            display.refresh()
        elif on:
            display.sleep()
        else:
            display.wake()


def _all_bytes(width: int) -> Bitmap:
    """Return 256 tiles in a column, `width` pixels wide: the bits of every byte, the least significant leftmost."""
    tiles = Bitmap(width, 256, 2)
    for byte in range(256):
        for x in range(width):
            if byte >> (x * 8 // width) & 1:
                tiles[x, byte] = 1
    return tiles


def _two_colours() -> Palette:
    """Return the colours of an unlit and a lit pixel."""
    palette = Palette(2)
    palette[0] = _UNLIT
    palette[1] = _LIT
    return palette
