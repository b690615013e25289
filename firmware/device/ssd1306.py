"""Send the changed rows of a Canvas to a 128x64 SSD1306 on I2C.

The chip holds 128 columns of 8 pages of 8 pixels. In vertical addressing mode it stores the eight pages of a column one
after the other, so a row of the portrait canvas is a column:

    canvas.buffer   spare | row 0: 8 bytes | row 1: 8 bytes | ...   x grows with byte and bit
    chip                    column 0         column 1

The commands 0xA0 and 0xC8 turn this transpose into a rotation for a module mounted with its right edge up. 0xA1 and
0xC0 turn it by another 180 degrees.

Changed rows are sent from the canvas without a copy. An I2C transfer must begin with the control byte 0x40, which
temporarily replaces the byte before the first row; for row 0 this is the spare byte.
"""

from firmware.compat import TYPE_CHECKING, const

if TYPE_CHECKING:
    from firmware.contracts import Any, Canvas

_ROWS = const(128)
_GAP_ROWS = const(1)  # sending an unchanged row costs 8 bytes, opening another window 10
MOST_ROWS = const(30)  # rows that a frame has time for: 6 ms at 400 kHz
_WHOLE_ROWS = const(100)
_MATRIX_TOP = const(25)
_RETRY_SHOWS = const(30)  # an unplugged or idle display is probed twice a second
_PIXELS = const(0x40)

_INIT = (
    b"\x00"  # control byte: commands follow
    b"\xae"  # display off while it is set up
    b"\xd5\x80"  # clock: no division, the usual frequency
    b"\xa8\x3f"  # 64 rows
    b"\xd3\x00"  # no vertical offset
    b"\x40"  # the first row is row 0
    b"\x8d\x14"  # charge pump on: the module has no other high voltage
    b"\x20\x01"  # vertical addressing: page after page, then the next column
    b"\xa0"  # column 0 on the right; _REMAP_AT
    b"\xc8"  # page 0 at the top
    b"\xda\x12"  # the panel's rows are wired alternately
    b"\x81\xcf"  # contrast; _CONTRAST_AT
    b"\xd9\xf1"  # pre-charge periods for the charge pump
    b"\xdb\x40"  # deselect level
    b"\x2e"  # no scrolling
    b"\xa4"  # show the memory
    b"\xa6"  # a set bit is lit
)
_REMAP_AT = const(13)
_CONTRAST_AT = const(18)


class SSD1306:
    """Show a Canvas on the SSD1306 at `address` of `i2c`; survive unplugging.

    `i2c` is a busio.I2C or anything with try_lock, unlock and writeto. `turned` is True for a module with its left edge
    up. The first show() lights the panel. `online` is False before that and while the display does not answer. show()
    then tries again every half second and sends the whole picture when the display is back. While nothing changes,
    show() also probes the display every half second. `most`: rows that one show() may send in play, by default all.
    """

    def __init__(self, i2c: "Any", canvas: "Canvas", address: int = 0x3C, turned: bool = False) -> None:
        self.canvas = canvas
        self.online = False
        self.most = _ROWS
        self._i2c = i2c
        self._address = address
        self._buffer = canvas.buffer
        self._dirty = canvas.dirty
        self._init = bytearray(_INIT)
        self._mounted_left_up = turned
        if turned:
            self._init[_REMAP_AT] = 0xA1
            self._init[_REMAP_AT + 1] = 0xC0
        self._window = bytearray(b"\x00\x21\x00\x7f\x22\x00\x07")  # columns from, to; pages 0 to 7
        self._level = bytearray(b"\x00\x81\xcf")
        self._power = bytearray(b"\x00\xaf")
        self._shows_to_retry = 0

    def show(self) -> None:
        """Send the rows that canvas.dirty names and clear their flags.

        If more than `most` rows changed, some wait for the next frame. The highest rows of the Matrix go first, because
        the Tetrimino is there. A picture with over 100 changed rows is sent at once.
        """
        dirty = self._dirty
        left = dirty.count(b"\x01")  # sum() takes 0.27 ms
        if not self.online or not left:
            if self._shows_to_retry > 0:
                self._shows_to_retry -= 1
            elif not self.online:
                self._start()
            else:
                # Without this probe, a display replugged while nothing changes would stay dark.
                self._shows_to_retry = _RETRY_SHOWS
                self._tell(self._power)
            return
        if not self._i2c.try_lock():
            return
        first = -1
        if left <= self.most or left > _WHOLE_ROWS:
            left = _ROWS
        else:
            left = self.most
            first = dirty.find(b"\x01", _MATRIX_TOP)
        if first < 0:
            first = dirty.find(b"\x01")
        try:
            while first >= 0 and left > 0:
                following = first
                while 0 <= following:
                    end = dirty.find(b"\x00", following)
                    if end < 0:
                        end = _ROWS
                    following = dirty.find(b"\x01", end)
                    if following > end + _GAP_ROWS:
                        break
                if end - first > left:
                    end = first + left
                left -= end - first
                self._send(first, end)
                first = dirty.find(b"\x01", end)
                if first < 0:
                    first = dirty.find(b"\x01")
        except OSError:
            self._lose()
        finally:
            self._i2c.unlock()

    def contrast(self, level: int) -> None:
        """Set the brightness, 0 (dim, not dark) to 255."""
        self._init[_CONTRAST_AT] = level
        self._level[2] = level
        self._tell(self._level)

    def turn(self, turned: int) -> None:
        """Turn the picture by 180 degrees from its mounting, or back; the next show() sends all of it."""
        left_up = bool(turned) != self._mounted_left_up
        remap = 0xA1 if left_up else 0xA0
        if self._init[_REMAP_AT] == remap:
            return
        self._init[_REMAP_AT] = remap
        self._init[_REMAP_AT + 1] = 0xC0 if left_up else 0xC8
        self.online = False
        self._shows_to_retry = 0

    def sleep(self, on: bool) -> None:
        """Switch the panel off, or on again; the chip keeps the picture."""
        self._power[1] = 0xAE if on else 0xAF
        self._tell(self._power)

    def _send(self, first: int, end: int) -> None:
        """Send the rows first..end-1 in one window; the caller holds the bus."""
        window = self._window
        window[2] = first
        window[3] = end - 1
        self._i2c.writeto(self._address, window)
        buffer = self._buffer
        before = first * 8  # pixels begin at 1: this is the byte in front of row `first`
        covered = buffer[before]
        buffer[before] = _PIXELS
        try:
            self._i2c.writeto(self._address, buffer, start=before, end=end * 8 + 1)
        finally:
            buffer[before] = covered
        dirty = self._dirty
        for row in range(first, end):
            dirty[row] = 0

    def _start(self) -> None:
        """Set the chip up, send the whole canvas, then light the panel."""
        if not self._i2c.try_lock():
            return
        try:
            self._i2c.writeto(self._address, self._init)
            self._send(0, _ROWS)
            self._i2c.writeto(self._address, self._power)
            self.online = True
            self._shows_to_retry = _RETRY_SHOWS
        except OSError:
            self._lose()
        finally:
            self._i2c.unlock()

    def _tell(self, command: bytearray) -> None:
        """Send one short command if the display is online."""
        if self.online and self._i2c.try_lock():
            try:
                self._i2c.writeto(self._address, command)
            except OSError:
                self._lose()
            finally:
                self._i2c.unlock()

    def _lose(self) -> None:
        """Record that the display did not answer; a later show() sends everything."""
        self.online = False
        self._shows_to_retry = _RETRY_SHOWS
