"""Make UF2 files."""

import struct

FLASH_START = 0x1000_0000
PICO_FAMILY = 0xE48B_FF56


def uf2_blocks(data: bytes, address: int) -> bytes:
    """Return the blocks of a UF2 file for a Pico that puts `data` at an address."""
    parts = [data[at : at + 256] for at in range(0, len(data), 256)]
    blocks = b""
    for i, part in enumerate(parts):
        head = (0x0A324655, 0x9E5D5157, 0x2000, address + i * 256, 256, i, len(parts), PICO_FAMILY)
        blocks += struct.pack("<8I476sI", *head, part, 0x0AB16F30)
    return blocks
