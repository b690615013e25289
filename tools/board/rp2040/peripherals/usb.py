"""Emulate the chip's side of USB: registers, shared memory, interrupts; usb_host.py is the host."""

import numpy as np

from tools.board.rp2040 import compiled
from tools.board.rp2040.layout import DPRAM_BYTES, MAIL_ENTRIES, TRAP_USB
from tools.board.rp2040.registers import change, set_lines

_DPRAM, _REGISTERS = 0x5010_0000, 0x5011_0000
_MAIN_CTRL, _SIE_STATUS, _BUFF_STATUS, _EP_ABORT, _EP_ABORT_DONE = 0x40, 0x50, 0x58, 0x60, 0x64
_EP_STATUS, _MUXING, _POWER, _INTR, _INTE, _INTF, _INTS = 0x70, 0x74, 0x78, 0x8C, 0x90, 0x94, 0x98
_FIRST_BUFFER, _LAST_BUFFER = 0x80, 0xFC
AVAILABLE = 1 << 10
BUS_RESET, SETUP_REC, CONNECTED = 1 << 19, 1 << 17, 1 << 16
_VBUS = 1
_LINE_J = 1 << 2
_CLEARED_BY_WRITING = 0xFF0F_0800
_LINE = 1 << 5
_ENABLE, _AS_HOST = 1, 2  # MAIN_CTRL
_TO_PAD, _TO_PHY = 4, 1  # MUXING: to the digital pad, to the PHY
_VBUS_OVERRIDDEN, _VBUS_THERE = 4, 8  # POWER

# Kinds of mail: the firmware switched USB on, acknowledged a bus reset, or made a buffer available (with its offset).
MAIL_ON, MAIL_RESET, MAIL_BUFFER = 0x10000, 0x20000, 0x30000

# (bit of SIE_STATUS, bit of INTR)
_CAUSES = ((17, 16), (11, 15), (4, 14), (16, 13), (19, 12), (0, 11))


@compiled
def read(chip, address):
    if _DPRAM <= address < _DPRAM + DPRAM_BYTES:
        return np.int64(chip.dpram[address - _DPRAM >> 2])
    offset = address - _REGISTERS & 0xFFF
    if address >> 16 != _REGISTERS >> 16 or offset >= 0x100:
        return 0
    if offset == _INTR:
        return _raised(chip)
    if offset == _INTS:
        return _raised(chip) & chip.usb[_INTE >> 2] | chip.usb[_INTF >> 2]
    return chip.usb[offset >> 2]


@compiled
def write(chip, address, value):
    if _DPRAM <= address < _DPRAM + DPRAM_BYTES:
        offset = address - _DPRAM
        chip.dpram[offset >> 2] = value
        if _FIRST_BUFFER <= offset <= _LAST_BUFFER and value & AVAILABLE:
            _mail(chip, MAIL_BUFFER | offset)
        return
    offset = address - _REGISTERS & 0xFFF
    if address >> 16 != _REGISTERS >> 16 or offset >= 0x100:
        return
    written, old = value, chip.usb[offset >> 2]
    value = change(address, old, written)
    if offset in (_BUFF_STATUS, _EP_ABORT_DONE, _EP_STATUS):
        value = old & ~written
    elif offset == _SIE_STATUS:
        value = old & ~(written & _CLEARED_BY_WRITING)
        if written & BUS_RESET:
            value |= CONNECTED | _LINE_J
            _mail(chip, MAIL_RESET)
    elif offset == _MAIN_CTRL and value & _ENABLE and not value & _AS_HOST:
        _mail(chip, MAIL_ON)
    elif offset == _EP_ABORT:
        chip.usb[_EP_ABORT_DONE >> 2] |= value
    elif offset == _MUXING and value & _TO_PAD and not value & _TO_PHY:
        chip.usb[_SIE_STATUS >> 2] |= CONNECTED  # TinyUSB waits for this around an erratum (RP2040-E5)
    elif offset == _POWER and value & _VBUS_OVERRIDDEN:
        status = chip.usb[_SIE_STATUS >> 2]
        chip.usb[_SIE_STATUS >> 2] = status | _VBUS if value & _VBUS_THERE else status & ~_VBUS
    chip.usb[offset >> 2] = value
    update(chip)


@compiled
def update(chip):
    set_lines(chip, _LINE, _raised(chip) & chip.usb[_INTE >> 2] | chip.usb[_INTF >> 2])


@compiled
def _raised(chip):
    status = chip.usb[_SIE_STATUS >> 2]
    raised = 1 << 4 if chip.usb[_BUFF_STATUS >> 2] else 0
    for bit, cause in _CAUSES:
        raised |= (status >> bit & 1) << cause
    return raised


@compiled
def _mail(chip, mail):
    if chip.mails < MAIL_ENTRIES:
        chip.mail[chip.mails] = mail
        chip.mails += 1
    chip.trap = TRAP_USB
    chip.deadline = 0
