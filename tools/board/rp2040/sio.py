"""Emulate SIO: GPIO, spinlocks and the hardware divider, but no interpolators and no FIFOs to the second core."""

from tools.board.rp2040 import compiled, pins
from tools.board.rp2040.layout import MASK

_GPIO_IN, _GPIO_HI_IN, _GPIO_OUT, _GPIO_OE = 0x04, 0x08, 0x10, 0x20
_FIFO_STATUS, _SPINLOCKS_STATUS, _SPINLOCKS = 0x50, 0x5C, 0x100
_DIV_FIRST, _DIV_LAST, _QUOTIENT, _REMAINDER, _DIV_STATUS = 0x60, 0x6C, 0x70, 0x74, 0x78


@compiled
def read(chip, offset):
    if offset == _GPIO_IN:
        return pins.levels(chip)
    if offset == _QUOTIENT:
        return chip.quotient
    if offset == _REMAINDER:
        return chip.remainder
    if offset == _DIV_STATUS:
        return 3
    if _DIV_FIRST <= offset <= _DIV_LAST:
        return chip.divisor if offset & 4 else chip.dividend
    if _SPINLOCKS <= offset < _SPINLOCKS + 0x80:
        lock = 1 << (offset - _SPINLOCKS >> 2)
        if chip.spinlocks & lock:
            return 0
        chip.spinlocks |= lock
        return lock
    if offset == _GPIO_OUT:
        return chip.gpio_out
    if offset == _GPIO_OE:
        return chip.gpio_oe
    if offset == _GPIO_HI_IN:
        return 0x3F  # BOOTSEL is not pressed
    if offset == _FIFO_STATUS:
        return 2  # ready to send, nothing received: the second core sleeps
    if offset == _SPINLOCKS_STATUS:
        return chip.spinlocks
    return 0


@compiled
def write(chip, offset, value):
    if _GPIO_OUT <= offset < _GPIO_OUT + 16:
        chip.gpio_out = _changed(chip.gpio_out, offset >> 2 & 3, value)
        pins.look_at_wires(chip)
    elif _GPIO_OE <= offset < _GPIO_OE + 16:
        chip.gpio_oe = _changed(chip.gpio_oe, offset >> 2 & 3, value)
        pins.look_at_wires(chip)
    elif _DIV_FIRST <= offset <= _DIV_LAST:
        if offset & 4:
            chip.divisor = value
        else:
            chip.dividend = value
        _divide(chip, offset & 8)
    elif offset == _QUOTIENT:
        chip.quotient = value
    elif offset == _REMAINDER:
        chip.remainder = value
    elif _SPINLOCKS <= offset < _SPINLOCKS + 0x80:
        chip.spinlocks &= ~(1 << (offset - _SPINLOCKS >> 2))


@compiled
def _changed(old, alias, value):
    """Return a GPIO register after a write to it (0) or to its set, clear or toggle alias (1, 2, 3)."""
    if alias == 0:
        return value
    if alias == 1:
        return old | value
    return old & ~value if alias == 2 else old ^ value


@compiled
def _divide(chip, signed):
    """Divide like the hardware, rounding towards 0; division by 0 gives the values in the data sheet."""
    a, b = chip.dividend, chip.divisor
    if signed:
        a = (a ^ 0x8000_0000) - 0x8000_0000
        b = (b ^ 0x8000_0000) - 0x8000_0000
    if b == 0:
        chip.quotient = 1 if signed and a < 0 else MASK
        chip.remainder = chip.dividend
        return
    quotient = abs(a) // abs(b)
    if (a < 0) != (b < 0):
        quotient = -quotient
    chip.quotient = quotient & MASK
    chip.remainder = (a - quotient * b) & MASK
