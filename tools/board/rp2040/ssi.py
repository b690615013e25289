"""Emulate SSI and its flash chip (JEDEC commands of a W25Q16), with erase and program times.

A command changes the memory at once. After a power cut before its end, restore_cut() restores the rest.
"""

import numpy as np

from tools.board.rp2040 import compiled
from tools.board.rp2040.layout import CYCLES_A_US, FLASH_BYTES, SECTOR_BYTES, TRAP_FLASH
from tools.board.rp2040.registers import take_first

_SSIENR, _TXFLR, _RXFLR, _SR, _DATA, _LAST_DATA = 0x08, 0x20, 0x24, 0x28, 0x60, 0xEC
_WRITE_STATUS, _PROGRAM, _READ, _WRITE_DISABLE, _STATUS, _WRITE_ENABLE = 0x01, 0x02, 0x03, 0x04, 0x05, 0x06
_ERASE_4K, _STATUS_2, _UNIQUE_ID, _JEDEC_ID, _ERASE_64K = 0x20, 0x35, 0x4B, 0x9F, 0xD8
ERASE_US = 45_000
PROGRAM_US = 400
_ANSWERS = 64
# An unused block of apb holds the SSI registers.
_BLOCK = 29


@compiled
def read(chip, offset):
    if offset == _RXFLR:
        return chip.flash_answers_count
    if offset == _SR:
        return 6 | (8 if chip.flash_answers_count else 0)
    if _DATA <= offset <= _LAST_DATA:
        return _pull(chip)
    if offset == 0x58:
        return 0x5153_5049
    if offset == 0x5C:
        return 0x3430_312A
    return chip.apb[_BLOCK, offset >> 2] if offset < 0x200 else 0


@compiled
def write(chip, offset, value):
    """Write a register; a write to the data register shifts a byte out and one in."""
    if _DATA <= offset <= _LAST_DATA:
        if chip.apb[_BLOCK, _SSIENR >> 2] & 1 and chip.flash_answers_count < _ANSWERS:
            answer = _shift(chip, value & 0xFF) if chip.flash_selected else 0xFF
            chip.flash_answers[chip.flash_answers_count] = answer
            chip.flash_answers_count += 1
    elif offset < 0x200 and offset not in (_TXFLR, _RXFLR, _SR):
        chip.apb[_BLOCK, offset >> 2] = value


@compiled
def select(chip, selected):
    """Select the flash chip, or release it, which carries out the command."""
    if selected and not chip.flash_selected:
        chip.flash_shifted = chip.flash_answers_count = 0
    elif chip.flash_selected and not selected:
        _carry_out(chip)
    chip.flash_selected = selected


@compiled
def _pull(chip):
    count = chip.flash_answers_count
    if count == 0:
        return 0
    chip.flash_answers_count = count - 1
    return take_first(chip.flash_answers)


@compiled
def _shift(chip, byte):
    """Take a byte of a command; return the byte that the chip sends meanwhile."""
    at = chip.flash_shifted
    chip.flash_shifted += 1
    if at == 0:
        chip.flash_command = byte
        chip.flash_address = 0
        if byte == _WRITE_ENABLE:
            chip.flash_write_enabled = 1
        elif byte == _WRITE_DISABLE:
            chip.flash_write_enabled = 0
        return 0xFF
    command = chip.flash_command
    if command == _STATUS:
        return chip.flash_write_enabled << 1 | (1 if chip.now < chip.flash_busy_until else 0)
    if command == _STATUS_2:
        return 2
    if command == _JEDEC_ID:
        return (0xEF, 0x40, 0x15)[at - 1] if at <= 3 else 0
    if command == _UNIQUE_ID:
        return 0x40 + at
    if at <= 3:
        chip.flash_address = (chip.flash_address << 8 | byte) & 0xFF_FFFF
    elif command == _PROGRAM:
        chip.flash_page[at - 4 & 255] = byte
    elif command == _READ:
        return _flash_byte(chip, chip.flash_address + at - 4)
    return 0xFF


@compiled
def _flash_byte(chip, address):
    return np.int64(chip.flash[address % FLASH_BYTES >> 2]) >> ((address & 3) << 3) & 0xFF


@compiled
def _carry_out(chip):
    """Erase or program if that was the command and writing is enabled."""
    command, shifted = chip.flash_command, chip.flash_shifted
    if command in (_ERASE_4K, _ERASE_64K) and shifted >= 4:
        size = SECTOR_BYTES if command == _ERASE_4K else 16 * SECTOR_BYTES
        if chip.flash_write_enabled:
            _erase(chip, chip.flash_address % FLASH_BYTES & ~(size - 1), size)
        chip.flash_write_enabled = 0
    elif command == _PROGRAM and shifted > 4:
        if chip.flash_write_enabled:
            _program(chip, chip.flash_address % FLASH_BYTES, min(shifted - 4, 256))
        chip.flash_write_enabled = 0
    elif command == _WRITE_STATUS:
        chip.flash_write_enabled = 0
    chip.flash_shifted = 0


@compiled
def _erase(chip, address, size):
    """Erase; a power cut can damage only the first sector, even of a 64 KB block."""
    _remember(chip, address, SECTOR_BYTES, ERASE_US)
    for at in range(address >> 2, address + size >> 2):
        chip.flash[at] = 0xFFFF_FFFF


@compiled
def _program(chip, address, count):
    """Clear bits of one page; an address past its end wraps to its start."""
    page = address & ~255
    _remember(chip, page, 256, PROGRAM_US)
    for at in range(count):
        to = page | address + at & 255
        cleared = (chip.flash_page[at] ^ 0xFF) << ((to & 3) << 3)
        chip.flash[to >> 2] = np.int64(chip.flash[to >> 2]) & ~cleared


@compiled
def _remember(chip, address, size, time_us):
    """Mark the chip busy, keep the old content for a power cut meanwhile, and let Python see the operation."""
    for at in range(size >> 2):
        chip.flash_before[at] = chip.flash[(address >> 2) + at]
    chip.flash_changed, chip.flash_changed_bytes = address, size
    chip.flash_began, chip.flash_busy_until = chip.now, chip.now + time_us * CYCLES_A_US
    chip.trap, chip.deadline = TRAP_FLASH, 0


@compiled
def restore_cut(chip):
    """Undo the part of an unfinished command that a power cut now prevents."""
    if chip.now >= chip.flash_busy_until:
        return
    words = chip.flash_changed_bytes >> 2
    done = words * (chip.now - chip.flash_began) // (chip.flash_busy_until - chip.flash_began)
    for at in range(done, words):
        chip.flash[(chip.flash_changed >> 2) + at] = chip.flash_before[at]
