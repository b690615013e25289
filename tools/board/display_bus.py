"""Follow the wires to the display: pass transfers to the model of its chip and record their times."""

import copy
import zlib
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from sim.chip import Ssd1306Chip
from sim.chips.sh1106 import Sh1106Chip
from sim.chips.st7789 import St7789Chip
from tools.board.rp2040.layout import HZ, LOG_DISPLAY_PINS, LOG_I2C_BYTE, LOG_I2C_START, LOG_I2C_STOP, LOG_SPI_BYTE
from tools.board.wires import I2cWires, SpiWires

_DATA = 0x40
_NOBODY = -1  # no I2C address is equal to it


@dataclass(frozen=True)
class Transfer:
    """One transfer to the display; times are in seconds since power-on.

    bytes: without an I2C address.  is_data: pixels or arguments, not commands.  changed: number of changed bytes in the
    picture.  checksum: CRC-32 of the display's memory after the transfer.
    """

    start_s: float
    end_s: float
    bytes: int
    is_data: bool
    changed: int
    checksum: int


class Chip(Protocol):
    """The model of a display's chip, as far as its bus does not matter."""

    memory: bytearray

    @property
    def on(self) -> bool:
        """Whether the display shows its memory."""

    def power_on(self) -> None:
        """Forget everything."""


ChipT = TypeVar("ChipT", bound=Chip)
BusT = TypeVar("BusT", bound="DisplayBus[Any]")


class DisplayBus(Generic[ChipT]):
    """Model the display's end of a bus.

    transfers: the finished transfers since power-on.  resistors: mask of the pins that the display pulls up.
    """

    resistors = 0

    def __init__(self, display: ChipT) -> None:
        self.display = display
        self.transfers: list[Transfer] = []
        self._bytes = bytearray()
        self._start = 0
        self._checksum = zlib.crc32(display.memory)

    def wire(self, chip: np.void) -> None:
        raise NotImplementedError

    def power_on(self) -> None:
        """Switch the display on and drop an unfinished transfer."""
        self.display.power_on()
        self._bytes.clear()
        self._checksum = zlib.crc32(self.display.memory)

    def copy(self: BusT) -> BusT:
        other = copy.copy(self)
        other.display = copy.deepcopy(self.display)
        other._bytes = bytearray(self._bytes)  # noqa: SLF001 - a copy of its own class
        other.transfers = list(self.transfers)
        return other

    def apply_log_entry(self, kind: int, cycle: int, value: int) -> None:
        """Apply an entry of the log; raise ChipError if the display cannot read it."""
        raise NotImplementedError

    def _send(self) -> bool:
        """Pass the collected bytes to the display; return whether they are data."""
        raise NotImplementedError

    def _end_transfer(self, cycle: int) -> None:
        """Pass a finished transfer to the display and record it, unless it is empty."""
        if not self._bytes:
            return
        before = bytes(self.display.memory)
        is_data = self._send()
        after = self.display.memory
        changed = 0
        if before != after:
            changed = int(np.count_nonzero(np.frombuffer(before, np.uint8) != np.frombuffer(after, np.uint8)))
            self._checksum = zlib.crc32(after)
        times = self._start / HZ, cycle / HZ
        self.transfers.append(Transfer(*times, len(self._bytes), is_data, changed, self._checksum))
        self._bytes.clear()


class I2cBus(DisplayBus[Ssd1306Chip]):
    def __init__(self, wires: I2cWires) -> None:
        super().__init__(Ssd1306Chip())
        self.resistors = 1 << wires.sda | 1 << wires.scl
        self._wires = wires
        self._is_addressed = False

    def wire(self, chip: np.void) -> None:
        chip["display_address"] = self.display.address
        chip["sda"], chip["scl"] = self._wires.sda, self._wires.scl

    def power_on(self) -> None:
        super().power_on()
        self._is_addressed = False

    def apply_log_entry(self, kind: int, cycle: int, value: int) -> None:
        """Apply a start, a byte or a stop from the log; raise ChipError if the display cannot read it."""
        if kind == LOG_I2C_START:
            self._end_transfer(cycle)  # a probe of the address sends no byte
            self._start = cycle
            self._is_addressed = value >> 1 == self.display.address and not value & 1
        elif kind == LOG_I2C_BYTE and self._is_addressed:
            self._bytes.append(value)
        elif kind == LOG_I2C_STOP:
            self._end_transfer(cycle)
            self._is_addressed = False

    def _send(self) -> bool:
        self.display.write(self._bytes)
        return bool(self._bytes[0] & _DATA)


class SpiBus(DisplayBus[Sh1106Chip | St7789Chip]):
    """Model a display on SPI with pins for chip select, data or command, and reset.

    A transfer is all bytes between two changes of these pins.
    """

    def __init__(self, wires: SpiWires) -> None:
        super().__init__(Sh1106Chip() if wires.chip == "sh1106" else St7789Chip(wires.height))
        self._wires = wires
        self._levels = -1  # of all pins; high at first

    def wire(self, chip: np.void) -> None:
        wires = self._wires
        chip["display_address"] = _NOBODY
        chip["spi_clock"], chip["spi_data"] = wires.clock, wires.data
        chip["display_pins"] = 1 << wires.select | 1 << wires.data_or_command | 1 << wires.reset

    def power_on(self) -> None:
        super().power_on()
        self._levels = -1

    def apply_log_entry(self, kind: int, cycle: int, value: int) -> None:
        """Apply a byte or a change of pins from the log; raise ChipError if the display cannot read it."""
        if kind == LOG_SPI_BYTE and not self._is_high(self._wires.select) and self._is_high(self._wires.reset):
            self._bytes.append(value)
        elif kind == LOG_DISPLAY_PINS:
            self._end_transfer(cycle)
            self._start = cycle
            self._levels = value
            if not self._is_high(self._wires.reset):
                self.display.reset()

    def _is_high(self, pin: int) -> bool:
        return bool(self._levels >> pin & 1)

    def _send(self) -> bool:
        is_data = self._is_high(self._wires.data_or_command)
        self.display.send(self._bytes, is_data)
        return is_data


def make_bus(wires: I2cWires | SpiWires) -> I2cBus | SpiBus:
    return I2cBus(wires) if isinstance(wires, I2cWires) else SpiBus(wires)
