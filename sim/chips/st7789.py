"""Model an ST7789 with a panel of 240x240 or 240x320 pixels: bytes on 4-wire SPI in, a colour picture out.

The model knows the commands that Adafruit's driver sends; any other one raises ChipError. Source: Sitronix's ST7789V
data sheet, version 1.4, chapter 9.
"""

from __future__ import annotations

import random
import sys
from array import array
from functools import lru_cache
from typing import TYPE_CHECKING

from sim.chip_commands import Bytes, ChipError

if TYPE_CHECKING:
    from PIL.Image import Image

COLUMNS = 240
ROWS = 320
_NOISE = 7789  # seed of the memory at power-on

_SWRESET, _SLPIN, _SLPOUT, _NORON, _INVOFF, _INVON, _DISPOFF, _DISPON = 0x01, 0x10, 0x11, 0x13, 0x20, 0x21, 0x28, 0x29
_NOP, _CASET, _RASET, _RAMWR, _MADCTL, _COLMOD = 0x00, 0x2A, 0x2B, 0x2C, 0x36, 0x3A
_ARGUMENTS = {_CASET: 4, _RASET: 4, _MADCTL: 1, _COLMOD: 1}
_MIRRORS_ROWS, _MIRRORS_COLUMNS, _BGR = 0x80, 0x40, 0x08
_SIXTEEN_BITS = (0x05, 0x55)


class St7789Chip:
    """The chip on the module: send() accepts bytes, pixels() and image() return what is seen.

    height: rows of the panel, the first ones of the chip's 320.
    """

    def __init__(self, height: int = COLUMNS) -> None:
        self.height = height
        self.power_on()

    def power_on(self) -> None:
        # Two bytes a pixel, the high one first, in the order of the panel's wires.
        self.memory = bytearray(random.Random(_NOISE).randbytes(2 * COLUMNS * ROWS))
        self.reset()

    def reset(self) -> None:
        """Pull the reset pin low, or carry out SWRESET: the memory stays."""
        self.asleep = True
        self.display_on = self.inverse = False
        self.order = 0  # the argument of MADCTL
        self.colour_mode = 0x66
        self.columns = 0, COLUMNS - 1
        self.rows = 0, ROWS - 1
        self.column = self.row = 0
        self._command = _NOP
        self._arguments = bytearray()
        self._half = b""

    @property
    def on(self) -> bool:
        return self.display_on and not self.asleep

    def send(self, body: Bytes, is_data: bool) -> None:
        if not is_data:
            for byte in body:
                self._run_command(byte)
        elif self._command == _RAMWR:
            self._store(bytes(body))
        else:
            for byte in body:
                self._add_argument(byte)

    def pixels(self) -> array[int]:
        """Return the RGB565 numbers of all pixels of the panel, row by row; black if it is off.

        The module stands as Adafruit's modules do: upright if the driver's rotation is 0. The panel (IPS) shows the
        colours of the memory after INVON, and their complements otherwise.
        """
        if not self.on:
            return array("H", bytes(2 * COLUMNS * self.height))
        pixels = array("H", bytes(self.memory[: 2 * COLUMNS * self.height]))
        if sys.byteorder == "little":
            pixels.byteswap()
        pixels.reverse()
        if not self.inverse:
            pixels = array("H", [pixel ^ 0xFFFF for pixel in pixels])
        if self.order & _BGR:
            pixels = array("H", [pixel >> 11 | pixel & 0x07E0 | (pixel & 0x1F) << 11 for pixel in pixels])
        return pixels

    def image(self) -> Image:
        from PIL import Image

        table = _rgb_table()
        content = b"".join([table[pixel] for pixel in self.pixels()])
        return Image.frombytes("RGB", (COLUMNS, self.height), content)

    def _run_command(self, command: int) -> None:
        """Begin a command, and carry it out if it has no arguments."""
        wanted = _ARGUMENTS.get(self._command, 0)
        if len(self._arguments) < wanted:
            raise ChipError(f"command 0x{command:02x} while 0x{self._command:02x} waits for its arguments")
        self._command = command
        self._arguments.clear()
        self._half = b""
        if command == _SWRESET:
            self.reset()
        elif command in (_SLPIN, _SLPOUT):
            self.asleep = command == _SLPIN
        elif command in (_INVOFF, _INVON):
            self.inverse = command == _INVON
        elif command in (_DISPOFF, _DISPON):
            self.display_on = command == _DISPON
        elif command == _RAMWR:
            if self.colour_mode not in _SIXTEEN_BITS:
                raise ChipError("pixels before COLMOD chose 16 bits a pixel")
            self.column, self.row = self.columns[0], self.rows[0]
        elif command not in (_NOP, _NORON, *_ARGUMENTS):
            raise ChipError(f"command 0x{command:02x} is not one of those that the model knows")

    def _add_argument(self, byte: int) -> None:
        """Accept an argument, and carry out the command after its last one."""
        wanted = _ARGUMENTS.get(self._command, 0)
        if len(self._arguments) == wanted:
            raise ChipError(f"command 0x{self._command:02x} has {wanted} arguments, not more")
        self._arguments.append(byte)
        if len(self._arguments) < wanted:
            return
        if self._command == _CASET:
            self.columns = _read_window(self._arguments, COLUMNS, "column")
        elif self._command == _RASET:
            self.rows = _read_window(self._arguments, ROWS, "row")
        elif self._command == _COLMOD:
            self.colour_mode = byte
        elif byte & ~(_MIRRORS_ROWS | _MIRRORS_COLUMNS | _BGR):
            raise ChipError(f"MADCTL 0x{byte:02x}: the model mirrors rows and columns, but does not exchange them")
        else:
            self.order = byte

    def _store(self, body: bytes) -> None:
        """Write pixels into the window, row by row; a pixel may be split between two transfers."""
        body = self._half + body
        self._half = body[len(body) & ~1 :]
        pixels = memoryview(body)[: len(body) & ~1].cast("H")
        panel = memoryview(self.memory).cast("H")
        at = 0
        while at < len(pixels):
            count = min(len(pixels) - at, self.columns[1] - self.column + 1)
            row = ROWS - 1 - self.row if self.order & _MIRRORS_ROWS else self.row
            run = pixels[at : at + count]
            first = self.column
            if self.order & _MIRRORS_COLUMNS:
                first = COLUMNS - self.column - count
                run = run[::-1]
            panel[row * COLUMNS + first : row * COLUMNS + first + count] = run
            at += count
            self.column += count
            if self.column > self.columns[1]:
                self.column = self.columns[0]
                self.row = self.row + 1 if self.row < self.rows[1] else self.rows[0]


def _read_window(arguments: bytes | bytearray, size: int, of: str) -> tuple[int, int]:
    """Return the first and last place of a window; raise ChipError if it does not lie in the memory."""
    first, last = arguments[0] << 8 | arguments[1], arguments[2] << 8 | arguments[3]
    if not first <= last < size:
        raise ChipError(f"{of} window {first}..{last}: it must lie in 0..{size - 1} and not be empty")
    return first, last


@lru_cache(maxsize=1)
def _rgb_table() -> list[bytes]:
    fives = [value << 3 | value >> 2 for value in range(32)]
    sixes = [value << 2 | value >> 4 for value in range(64)]
    return [bytes((red, green, blue)) for red in fives for green in sixes for blue in fives]
