"""Keep bytes in the microcontroller's own non-volatile memory."""


class NvmStore:
    """Treat `memory` (a nvm.ByteArray, 4096 bytes on an RP2040) as one bank of flash.

    Erased bytes are 0xFF. Writing over others makes the firmware erase the whole sector with
    interrupts off, so whoever writes appends, and erases when the bank is full.
    """

    def __init__(self, memory):
        self.size = len(memory)
        self._memory = memory

    def read(self, offset: int, buffer: bytearray) -> None:
        """Fill `buffer` with the bytes from `offset` on."""
        buffer[:] = self._memory[offset : offset + len(buffer)]

    def write(self, offset: int, data: bytes) -> None:
        """Put `data` at `offset`, where bytes are erased."""
        self._memory[offset : offset + len(data)] = data

    def erase(self) -> None:
        """Make every byte 0xFF."""
        self._memory[0 : self.size] = b"\xff" * self.size
