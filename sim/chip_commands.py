"""Carry out the commands that the SSD1306 and the SH1106 share."""

from typing import Protocol


class Remapped(Protocol):
    """A chip whose commands without an argument the SSD1306 and the SH1106 share."""

    start_line: int
    segment_remap: bool
    com_remap: bool
    all_on: bool
    inverse: bool
    on: bool


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
