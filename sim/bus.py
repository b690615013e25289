"""Connect chip models to an I2C bus that behaves like busio.I2C."""

import sys
from typing import Protocol

ENODEV = 19


class Peripheral(Protocol):
    """A chip that listens at an address."""

    address: int

    def write(self, transfer: bytes | bytearray | memoryview) -> None:
        """Take the bytes of one transfer."""


class I2C:
    """Carry transfers to the chips that are plugged in, which only listen (SSD1306 data sheet 8.1.5).

    bytes: how many it carried, addresses included.
    Like a real bus it demands the lock and raises OSError if no chip answers.
    try_lock() returns False while the lock is held: Blinka's displayio spins for ever otherwise.
    """

    def __init__(self, *chips: Peripheral):
        self._chips = {chip.address: chip for chip in chips}
        self._locked = False
        self.bytes = 0

    def plug(self, chip: Peripheral) -> None:
        self._chips[chip.address] = chip

    def unplug(self, chip: Peripheral) -> None:
        self._chips.pop(chip.address, None)

    def try_lock(self) -> bool:
        """Take the lock and return True, or return False when it is held."""
        if self._locked:
            return False
        self._locked = True
        return True

    def unlock(self) -> None:
        """Release the lock; raise ValueError if it is not held."""
        if not self._locked:
            raise ValueError("Not locked")
        self._locked = False

    def probe(self, address: int) -> bool:
        """Return True if a chip answers at `address`."""
        self._require_lock()
        return address in self._chips

    def writeto(
        self, address: int, buffer: bytes | bytearray | memoryview, *, start: int = 0, end: int = sys.maxsize
    ) -> None:
        self._require_lock()
        chip = self._chips.get(address)
        if chip is None:
            raise OSError(ENODEV, f"no device at 0x{address:02x}")
        transfer = bytes(buffer[start:end])
        self.bytes += 1 + len(transfer)
        chip.write(transfer)

    def deinit(self) -> None:
        """Release the pins."""

    def _require_lock(self) -> None:
        if not self._locked:
            raise RuntimeError("Function requires lock")
