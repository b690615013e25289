"""Emulate TIMER: microseconds since power-on, and four alarms."""

from tools.board.rp2040 import compiled
from tools.board.rp2040.layout import CYCLES_A_US, MASK, NEVER

_BLOCK = 21
_TIMEHR, _TIMELR, _ALARM0, _ALARM3, _ARMED, _TIMERAWH, _TIMERAWL = 0x08, 0x0C, 0x10, 0x1C, 0x20, 0x24, 0x28
_INTR, _INTE, _INTF, _INTS = 0x34, 0x38, 0x3C, 0x40
_LINES = 0xF  # IRQ 0 to 3


@compiled
def read(chip, offset):
    now_us = chip.now // CYCLES_A_US
    if offset == _TIMERAWL:
        return now_us & MASK
    if offset == _TIMERAWH:
        return now_us >> 32
    if offset == _TIMELR:
        chip.timer_high = now_us >> 32
        return now_us & MASK
    if offset == _TIMEHR:
        return chip.timer_high
    if offset == _ARMED:
        armed = 0
        for alarm in range(4):
            if chip.timer_due[alarm] != NEVER:
                armed |= 1 << alarm
        return armed
    if offset == _INTR:
        return chip.timer_raised
    if offset == _INTS:
        return _status(chip)
    return chip.apb[_BLOCK, offset >> 2] if offset < 0x200 else 0


@compiled
def write(chip, offset, value, written):
    if _ALARM0 <= offset <= _ALARM3:
        now_us = chip.now // CYCLES_A_US
        # An alarm compares the lower 32 bits only.
        chip.timer_due[offset - _ALARM0 >> 2] = (now_us + (value - now_us & MASK)) * CYCLES_A_US
    elif offset == _ARMED:
        for alarm in range(4):
            if written >> alarm & 1:
                chip.timer_due[alarm] = NEVER
    elif offset == _INTR:
        chip.timer_raised &= ~written
    update(chip)


@compiled
def fire(chip):
    for alarm in range(4):
        if chip.timer_due[alarm] <= chip.now:
            chip.timer_due[alarm] = NEVER
            chip.timer_raised |= 1 << alarm
            update(chip)


@compiled
def update(chip):
    chip.lines = chip.lines & ~_LINES | _status(chip)
    chip.deadline = 0


@compiled
def _status(chip):
    return (chip.timer_raised & chip.apb[_BLOCK, _INTE >> 2] | chip.apb[_BLOCK, _INTF >> 2]) & 0xF
