"""Read what a driver sends to an SSD1306 or an SH1106: their transfers and some of their commands are alike."""

from collections.abc import Iterator
from typing import Protocol

Bytes = bytes | bytearray | memoryview


class ChipError(Exception):
    """A byte on the bus that a chip does not define."""


class Remapped(Protocol):
    """A chip whose commands without an argument the SSD1306 and the SH1106 share."""

    start_line: int
    segment_remap: bool
    com_remap: bool
    all_on: bool
    inverse: bool
    on: bool


def split_transfer(transfer: Bytes) -> Iterator[tuple[Bytes, bool]]:
    """Yield the bodies of an I2C write, each with whether it is data; a control byte comes before each (8.1.5)."""
    at = 0
    while at < len(transfer):
        control = transfer[at]
        if control & 0x3F:
            raise ChipError(f"control byte 0x{control:02x}: its six lower bits must be 0")
        body = transfer[at + 1 : at + 2] if control & 0x80 else transfer[at + 1 :]
        yield body, bool(control & 0x40)
        at += 1 + len(body)


def run_shared_command(chip: Remapped, command: int) -> bool:
    """Carry out a command that the SSD1306 and the SH1106 share; return whether it is one."""
    if 0x40 <= command <= 0x7F:
        chip.start_line = command & 0x3F
    elif command in (0xA0, 0xA1):
        chip.segment_remap = command == 0xA1
    elif command in (0xA4, 0xA5):
        chip.all_on = command == 0xA5
    elif command in (0xA6, 0xA7):
        chip.inverse = command == 0xA7
    elif command in (0xAE, 0xAF):
        chip.on = command == 0xAF
    elif 0xC0 <= command <= 0xCF:
        chip.com_remap = command >= 0xC8
    else:
        return False
    return True
