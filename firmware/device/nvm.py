"""Keep bytes in the microcontroller's non-volatile memory."""

from firmware.compat import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


class NvmStore:
    """Treat `memory` (a nvm.ByteArray, 4096 bytes on an RP2040) as one bank of flash.

    Erased bytes are 0xFF. CircuitPython writes into them at once. To write over other bytes it erases and rewrites the
    whole sector with interrupts off, which takes 55 ms. So callers append, and replace when the bank is full. Both
    raise OSError if the memory cannot be written.
    """

    def __init__(self, memory: "Any") -> None:
        self.size = len(memory)
        self._nvm = memory

    def read(self, offset: int, buffer: "bytearray | memoryview") -> None:
        """Fill `buffer` with the bytes from `offset` on."""
        buffer[:] = self._nvm[offset : offset + len(buffer)]

    def write(self, offset: int, data: "bytes | memoryview") -> None:
        try:
            self._nvm[offset : offset + len(data)] = data
        except RuntimeError as problem:  # "Unable to write to nvm."
            raise OSError(str(problem)) from None

    replace = write  # over any bytes; all others of the sector come back after the erase
