"""Follow the I2C wires: pass transfers to the model of the display and record their times."""

from __future__ import annotations

import copy
import zlib
from dataclasses import dataclass

from sim.chip import ADDRESS, Ssd1306Chip
from tools.board.rp2040.layout import HZ, LOG_I2C_BYTE, LOG_I2C_START, LOG_I2C_STOP

_DATA = 0x40


@dataclass(frozen=True)
class Transfer:
    """One I2C transfer to the display; times are in seconds since power-on.

    bytes: without the address.  is_data: pixels, not commands.  changed: number of changed bytes in the picture.
    checksum: CRC-32 of the display's memory after the transfer.
    """

    start_s: float
    end_s: float
    bytes: int
    is_data: bool
    changed: int
    checksum: int


class DisplayBus:
    """Model the display's end of the bus.

    transfers: the finished transfers since power-on.
    """

    def __init__(self, address: int = ADDRESS) -> None:
        self.display = Ssd1306Chip(address)
        self.transfers: list[Transfer] = []
        self._bytes = bytearray()
        self._start = -1

    def power_on(self) -> None:
        """Switch the display on and drop an unfinished transfer."""
        self.display.power_on()
        self._start = -1

    def copy(self) -> DisplayBus:
        """Return a copy of the bus and its display."""
        other = copy.copy(self)
        other.display, other._bytes = copy.deepcopy(self.display), bytearray(self._bytes)
        other.transfers = list(self.transfers)
        return other

    def apply_log_entry(self, kind: int, cycle: int, value: int) -> None:
        """Apply a start, a byte or a stop from the log; raise ChipError if the display cannot read it."""
        if kind == LOG_I2C_START:
            self._end(cycle)
            self._bytes.clear()
            self._start = cycle if value >> 1 == self.display.address and not value & 1 else -1
        elif kind == LOG_I2C_BYTE:
            self._bytes.append(value)
        elif kind == LOG_I2C_STOP:
            self._end(cycle)

    def _end(self, cycle: int) -> None:
        """Pass a finished transfer to the display, unless it is empty: a probe of the address sends no byte."""
        if self._start >= 0 and self._bytes:
            before = bytes(self.display.memory)
            self.display.write(self._bytes)
            after = self.display.memory
            changed = 0 if before == after else sum(a != b for a, b in zip(before, after, strict=True))
            is_data, checksum = bool(self._bytes[0] & _DATA), zlib.crc32(after)
            sent = Transfer(self._start / HZ, cycle / HZ, len(self._bytes), is_data, changed, checksum)
            self.transfers.append(sent)
        self._start = -1
