"""Keep bytes in the microcontroller's non-volatile memory."""

from firmware.compat import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


class NvmStore:
    """Treat `memory` (a nvm.ByteArray, 4096 bytes on an RP2040) as one bank of flash.

    Erased bytes are 0xFF. Writing over any other byte makes the firmware erase and rewrite the whole sector with
    interrupts off. So callers append, and erase when the bank is full. Erasing takes four assignments: each wears the
    sector, but a match lacks room for all bytes at once. `write` and `erase` raise OSError when the memory refuses.
    """

    def __init__(self, memory: "Any") -> None:
        self.size = len(memory)
        self._nvm = memory

    def read(self, offset: int, buffer: "bytearray | memoryview") -> None:
        """Fill `buffer` with the bytes from `offset` on."""
        buffer[:] = self._nvm[offset : offset + len(buffer)]

    def write(self, offset: int, data: "bytes | memoryview") -> None:
        """Write `data` into erased bytes at `offset`."""
        try:
            self._nvm[offset : offset + len(data)] = data
        except RuntimeError as problem:  # "Unable to write to nvm."
            raise OSError(str(problem)) from None

    def erase(self) -> None:
        """Set every byte to 0xFF."""
        erased = b"\xff" * (self.size >> 2)
        for offset in range(0, self.size, len(erased)):
            self.write(offset, erased)
