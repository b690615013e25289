"""Keep bytes in the microcontroller's own non-volatile memory."""


class NvmStore:
    """Treat `memory` (a nvm.ByteArray, 4096 bytes on an RP2040) as one bank of flash.

    Erased bytes are 0xFF. Writing where any byte is not makes the firmware erase the whole sector
    with interrupts off and write it again, so whoever writes appends, and erases when the bank is
    full. That takes two assignments: each wears the sector, but a match has no room for all bytes at once.
    `write` and `erase` raise OSError when the memory refuses.
    """

    def __init__(self, memory):
        self.size = len(memory)
        self._nvm = memory

    def read(self, offset: int, buffer: "bytearray | memoryview") -> None:
        """Fill `buffer` with the bytes from `offset` on."""
        buffer[:] = self._nvm[offset : offset + len(buffer)]

    def write(self, offset: int, data: "bytes | memoryview") -> None:
        """Put `data` at `offset`, where bytes are erased."""
        try:
            self._nvm[offset : offset + len(data)] = data
        except RuntimeError as problem:  # "Unable to write to nvm."
            raise OSError(str(problem)) from None

    def erase(self) -> None:
        """Make every byte 0xFF."""
        half = self.size >> 1
        for offset in 0, half:
            self.write(offset, b"\xff" * half)
