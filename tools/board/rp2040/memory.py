"""Load and store: directly in RAM and flash, elsewhere through the devices."""

import numpy as np

from tools.board.rp2040 import apb, compiled, ppb, sio, ssi
from tools.board.rp2040.layout import FLASH_BYTES, FLASH_START, MASK, RAM_BYTES, RAM_START, ROM_BYTES
from tools.board.rp2040.peripherals import dma, usb

_MIRRORS = 0xFCFF_FFFF  # flash has four addresses, cached or not
_USB = 0x0010_0000  # in the region at 0x50000000: USB, not DMA


@compiled
def load_word(chip, address, now):
    """Return the word at an address; its two low bits are ignored."""
    offset = address - RAM_START
    if 0 <= offset < RAM_BYTES:
        return np.int64(chip.ram[offset >> 2])
    offset = (address & _MIRRORS) - FLASH_START
    if 0 <= offset < FLASH_BYTES:
        return np.int64(chip.flash[offset >> 2])
    chip.now = now
    return _read(chip, address & 0xFFFF_FFFC)


@compiled
def load_half(chip, address, now):
    return load_word(chip, address, now) >> ((address & 2) << 3) & 0xFFFF


@compiled
def load_byte(chip, address, now):
    return load_word(chip, address, now) >> ((address & 3) << 3) & 0xFF


@compiled
def store_word(chip, address, value, now):
    offset = address - RAM_START
    if 0 <= offset < RAM_BYTES:
        chip.ram[offset >> 2] = value
    else:
        chip.now = now
        _write(chip, address & 0xFFFF_FFFC, value)


@compiled
def store_half(chip, address, value, now):
    _store_part(chip, address, (address & 2) << 3, 0xFFFF, value, now)


@compiled
def store_byte(chip, address, value, now):
    _store_part(chip, address, (address & 3) << 3, 0xFF, value, now)


@compiled
def _store_part(chip, address, shift, mask, value, now):
    """Store a byte or halfword; a peripheral gets it repeated across the word."""
    offset = address - RAM_START
    value &= mask
    if 0 <= offset < RAM_BYTES:
        word = np.int64(chip.ram[offset >> 2])
        chip.ram[offset >> 2] = word & ~(mask << shift) | value << shift
        return
    chip.now = now
    if address >> 28 == 4:
        lanes = value * (0x0101_0101 if mask == 0xFF else 0x0001_0001)
        _write(chip, address & 0xFFFF_FFFC, lanes)
    else:
        word = _read(chip, address & 0xFFFF_FFFC)
        _write(chip, address & 0xFFFF_FFFC, word & ~(mask << shift) | value << shift)


@compiled
def _read(chip, address):
    """Return a word of a device or of the boot ROM; 0 at an unused address."""
    region = address >> 28
    if region == 4:
        return apb.read(chip, address)
    if region == 0xD:
        return sio.read(chip, address & 0xFFF)
    if region == 0 and address < ROM_BYTES:
        return np.int64(chip.rom[address >> 2])
    if region == 5:
        return usb.read(chip, address) if address & _USB else dma.read(chip, address)
    if region == 0xE:
        return ppb.read(chip, address & 0xFFFF)
    if address >> 24 == 0x18:
        return ssi.read(chip, address & 0xFFF)
    return 0


@compiled
def _write(chip, address, value):
    value &= MASK
    region = address >> 28
    if region == 4:
        apb.write(chip, address, value)
    elif region == 0xD:
        sio.write(chip, address & 0xFFF, value)
    elif region == 5:
        if address & _USB:
            usb.write(chip, address, value)
        else:
            dma.write(chip, address, value)
    elif region == 0xE:
        ppb.write(chip, address & 0xFFFF, value)
    elif address >> 24 == 0x18:
        ssi.write(chip, address & 0xFFF, value)
