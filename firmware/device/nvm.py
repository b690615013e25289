"""Keep bytes in the microcontroller's non-volatile memory."""

import gc

from firmware.compat import TYPE_CHECKING, const

if TYPE_CHECKING:
    from typing import Any

_AMPLE_BYTES = const(48_000)  # a match never has this much free: a 4 KB buffer would make its heap grow for good


class NvmStore:
    """Treat `memory` (a nvm.ByteArray, 4096 bytes on an RP2040) as one bank of flash.

    Erased bytes are 0xFF. Overwriting other bytes makes CircuitPython erase and rewrite the whole sector with
    interrupts off, which takes 60 ms. So callers append, and erase when the bank is full. `write` and `erase` raise
    OSError if the memory cannot be written.
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
        """Set every byte to 0xFF: at once, or in quarters if the heap is nearly full; each quarter wears all cells."""
        is_ample = not hasattr(gc, "mem_free") or gc.mem_free() > _AMPLE_BYTES
        erased = b"\xff" * (self.size if is_ample else self.size >> 2)
        for offset in range(0, self.size, len(erased)):
            self.write(offset, erased)
