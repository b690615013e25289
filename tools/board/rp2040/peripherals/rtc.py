"""Emulate the RTC: the date that was set and the time of day; the time stops at 23:59:59."""

from tools.board.rp2040 import compiled
from tools.board.rp2040.layout import HZ

_BLOCK = 23
_SETUP_0, _SETUP_1, _CTRL, _RTC_1, _RTC_0 = 0x04, 0x08, 0x0C, 0x18, 0x1C
_ENABLE, _ACTIVE, _LOAD = 1, 2, 16
# Unused registers hold the loaded date and time, and the cycle of loading.
_LOADED_DATE, _LOADED_S, _LOADED_AT = 0x100, 0x104, 0x108


@compiled
def read(chip, offset):
    if offset == _CTRL:
        return chip.apb[_BLOCK, _CTRL >> 2] & _ENABLE | (chip.apb[_BLOCK, _CTRL >> 2] & _ENABLE) << 1
    if offset == _RTC_1:
        return chip.apb[_BLOCK, _LOADED_DATE >> 2] & 0xFF_FFFF
    if offset == _RTC_0:
        second = chip.apb[_BLOCK, _LOADED_S >> 2] + (chip.now - chip.apb[_BLOCK, _LOADED_AT >> 2]) // HZ
        second = min(second, 86_399)
        weekday = chip.apb[_BLOCK, _LOADED_DATE >> 2] >> 24
        return weekday << 24 | second // 3600 << 16 | second // 60 % 60 << 8 | second % 60
    return chip.apb[_BLOCK, offset >> 2]


@compiled
def write(chip, offset, value):
    if offset == _CTRL and value & _LOAD:
        time = chip.apb[_BLOCK, _SETUP_1 >> 2]
        second = (time >> 16 & 31) * 3600 + (time >> 8 & 63) * 60 + (time & 63)
        chip.apb[_BLOCK, _LOADED_DATE >> 2] = chip.apb[_BLOCK, _SETUP_0 >> 2] | (time >> 24 & 7) << 24
        chip.apb[_BLOCK, _LOADED_S >> 2] = second
        chip.apb[_BLOCK, _LOADED_AT >> 2] = chip.now
        chip.apb[_BLOCK, _CTRL >> 2] &= ~_LOAD
