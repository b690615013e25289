"""Model an SH1106 with its 128x64 panel: bytes on I2C or 4-wire SPI in, the picture on the glass out.

The chip has 132 columns of memory; two on each side are not on the panel. It has page addressing only. A command or an
argument that the data sheet does not define raises ChipError. Source: Sino Wealth's SH1106 data sheet, version 2.3.
"""

from __future__ import annotations

import random

from sim.chip import ADDRESS, PAGES, ROWS
from sim.chip_commands import Bytes, ChipError, run_shared_command, split_transfer

COLUMNS = 132
HIDDEN = 2  # columns of the memory on each side of the panel
WIDTH = COLUMNS - 2 * HIDDEN
_NOISE = 1106  # seed of the memory at power-on

# The arguments that a command accepts.
_ARGUMENTS: dict[int, range | tuple[int, ...]] = {
    0x81: range(256),  # contrast
    0xA8: (ROWS - 1,),  # multiplex ratio
    0xAD: (0x8A, 0x8B),  # DC-DC converter off, on
    0xD3: (0,),  # display offset
    0xD5: range(256),  # clock
    0xD9: range(256),  # pre-charge
    0xDA: (0x12,),  # COM pins of a panel with 64 rows
    0xDB: range(256),  # VCOM level
}
# Pump voltages and no operation. Adafruit's driver also sends 0x20 0x20, the SSD1306's addressing mode; an SH1106 does
# nothing at 0x20.
_WITHOUT_EFFECT = (0x20, 0x30, 0x31, 0x32, 0x33, 0xE3)


class Sh1106Chip:
    """The chip on the module: write() or send() accept a transfer, picture() returns what is seen.

    Its memory has noise at power-on.
    """

    address = ADDRESS

    def __init__(self) -> None:
        self.power_on()

    def power_on(self) -> None:
        # Sorted by column, each with eight pages from the top of the module to its bottom.
        self.memory = bytearray(random.Random(_NOISE).randbytes(COLUMNS * PAGES))
        self.reset()

    def reset(self) -> None:
        """Pull the reset pin low: the memory stays."""
        self.page = self.column = 0
        self.start_line = 0
        self.contrast = 0x80
        self.segment_remap = self.com_remap = False
        self.inverse = self.all_on = self.on = False
        self._pending = 0

    def write(self, transfer: Bytes) -> None:
        for body, is_data in split_transfer(transfer):
            self.send(body, is_data)

    def send(self, body: Bytes, is_data: bool) -> None:
        """Accept bytes with the pin D/C high (`is_data`) or low."""
        for byte in body:
            if is_data:
                self._store(byte)
            else:
                self._command(byte)

    def picture(self, turned: bool = False) -> bytes:
        if not self.on:
            return bytes(WIDTH * PAGES)
        if self.all_on:
            return b"\xff" * (WIDTH * PAGES)
        mask = (1 << ROWS) - 1 if self.inverse else 0
        rows = []
        for y in range(WIDTH):
            # The module stands with its right edge up. Segment 131 is the left edge after the remap.
            segment = HIDDEN + (y if turned else WIDTH - 1 - y)
            column = segment if self.segment_remap else COLUMNS - 1 - segment
            stored = int.from_bytes(self.memory[column * PAGES : (column + 1) * PAGES], "little")
            stored = (stored >> self.start_line | stored << ROWS - self.start_line) & (1 << ROWS) - 1
            if self.com_remap == turned:
                stored = int(f"{stored:0{ROWS}b}"[::-1], 2)
            rows.append((stored ^ mask).to_bytes(PAGES, "little"))
        return b"".join(rows)

    def _store(self, byte: int) -> None:
        """Write eight pixels, and move to the next column."""
        if self._pending:
            raise ChipError(f"data while command 0x{self._pending:02x} waits for its argument")
        if self.column == COLUMNS:
            raise ChipError("data after the last column of a page")
        self.memory[self.column * PAGES + self.page] = byte
        self.column += 1

    def _command(self, byte: int) -> None:
        if self._pending:
            command, self._pending = self._pending, 0
            if byte not in _ARGUMENTS[command]:
                raise ChipError(f"argument 0x{byte:02x} of command 0x{command:02x}")
            if command == 0x81:
                self.contrast = byte
        elif byte in _ARGUMENTS:
            self._pending = byte
        elif byte <= 0x0F:
            self.column = self.column & 0xF0 | byte
        elif byte <= 0x1F:
            self.column = (byte & 0x0F) << 4 | self.column & 0x0F
        elif 0xB0 <= byte <= 0xB7:
            self.page = byte & 7
        elif not run_shared_command(self, byte) and byte not in _WITHOUT_EFFECT:
            raise ChipError(f"command 0x{byte:02x} is not one of an SH1106 module")
