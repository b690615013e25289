"""Emulate the peripherals at 0x40000000: most registers only store a value, a few do more."""

import numpy as np

from tools.board.rp2040 import compiled, pins, ssi
from tools.board.rp2040.layout import LOG_TONE, TRAP_RESET
from tools.board.rp2040.log import note
from tools.board.rp2040.peripherals import dma, i2c, rtc, spi, timer, uart
from tools.board.rp2040.registers import change

# Blocks, by (address >> 14) & 31
SYSINFO, CLOCKS, RESETS, PSM, IO_BANK0, IO_QSPI, PADS_BANK0 = 0, 2, 3, 4, 5, 6, 7
XOSC, PLL_SYS, PLL_USB, UART0, UART1, SPI0, SPI1, I2C0, I2C1, ADC, PWM = 9, 10, 11, 13, 14, 15, 16, 17, 18, 19, 20
TIMER, WATCHDOG, RTC, ROSC, VREG = 21, 22, 23, 24, 25

_SIO_FUNCTION = 5
_PWM_FUNCTION = 4
_RANDOM_BIT = 0x1C
_WATCHDOG_CTRL, _TRIGGER = 0x00, 1 << 31
_CLK_REF_CTRL, _CLK_REF_SELECTED, _CLK_SYS_CTRL, _CLK_SYS_SELECTED = 0x30, 0x38, 0x3C, 0x44
_QSPI_SS_CTRL = 0x0C

# (block, offset, bits): bits that always read as set. A clock, a PLL or a reset is ready at once.
_SET = [
    (SYSINFO, 0x00, 0x1000_2927),  # chip: B2
    (SYSINFO, 0x04, 0x02),
    (SYSINFO, 0x40, 0xE0C9_12E8),
    (RESETS, 0x08, 0x01FF_FFFF),
    (PSM, 0x0C, 0x0001_FFFF),
    (XOSC, 0x04, 0x8000_1000),
    (ROSC, 0x18, 0x8000_1000),
    (PLL_SYS, 0x00, 0x8000_0000),
    (PLL_USB, 0x00, 0x8000_0000),
    (ADC, 0x00, 0x100),
    (ADC, 0x04, 0x36C),  # 27 degrees Celsius at the sensor in the chip
    (WATCHDOG, 0x2C, 0x400),
    (VREG, 0x08, 0x100),  # the last reset was power-on
    *((CLOCKS, offset, 1) for offset in (0x08, 0x14, 0x20, 0x2C, 0x50, 0x5C, 0x68, 0x74)),
]
ALWAYS_SET = np.zeros((32, 128), np.int64)
for _block, _offset, _bits in _SET:
    ALWAYS_SET[_block, _offset // 4] = _bits

# (block, offset, value): registers that are not 0 after a reset.
_RESET = [
    *((IO_BANK0, 8 * pin + 4, 0x1F) for pin in range(30)),
    *((IO_QSPI, 8 * pin + 4, 0x1F) for pin in range(6)),
    *((PADS_BANK0, 4 * pin + 4, 0x56) for pin in range(30)),
    *((block, offset, value) for block in (I2C0, I2C1) for offset, value in i2c.RESET),
    *((block, offset, value) for block in (UART0, UART1) for offset, value in uart.RESET),
    *((CLOCKS, offset, 0x100) for offset in (0x04, 0x10, 0x1C, 0x28, 0x34, 0x40, 0x4C, 0x58, 0x64, 0x70)),
    *((PWM, 20 * channel + 4, 0x10) for channel in range(8)),
    *((PWM, 20 * channel + 16, 0xFFFF) for channel in range(8)),
]
AFTER_RESET = np.zeros((32, 128), np.int64)
for _block, _offset, _value in _RESET:
    AFTER_RESET[_block, _offset // 4] = _value

# (bit of RESETS, block) of the peripherals that RESETS can reset.
_RESETTABLE = np.array([(3, I2C0), (4, I2C1), (14, PWM), (16, SPI0), (17, SPI1), (22, UART0), (23, UART1)])
_DMA_BIT = 2


@compiled
def read(chip, address):
    block, offset = address >> 14 & 31, address & 0xFFF
    if block == TIMER:
        return timer.read(chip, offset)
    if block in (I2C0, I2C1):
        return i2c.read(chip, block - I2C0, offset)
    if block in (UART0, UART1):
        return uart.read(chip, block - UART0, offset)
    if block in (SPI0, SPI1):
        return spi.read(chip, block - SPI0, offset)
    if offset >= 0x200:
        return 0
    if block == CLOCKS and offset == _CLK_REF_SELECTED:
        return 1 << (chip.apb[CLOCKS, _CLK_REF_CTRL >> 2] & 3)
    if block == CLOCKS and offset == _CLK_SYS_SELECTED:
        return 1 << (chip.apb[CLOCKS, _CLK_SYS_CTRL >> 2] & 1)
    if block == IO_BANK0 and offset < 0xF0 and not offset & 4:
        return (pins.levels(chip) >> (offset >> 3) & 1) * 0xA_0000
    if block == ROSC and offset == _RANDOM_BIT:
        return _random_bit(chip)
    if block == RTC:
        return rtc.read(chip, offset)
    return chip.apb[block, offset >> 2] | ALWAYS_SET[block, offset >> 2]


# A chain of questions, one for each block of the chip: Numba compiles no table of functions with different arguments.
@compiled
def write(chip, address, value):
    block, offset = address >> 14 & 31, address & 0xFFF
    if offset >= 0x200:
        return
    written, old = value, chip.apb[block, offset >> 2]
    value = change(address, old, written)
    chip.apb[block, offset >> 2] = value
    if block == TIMER:
        timer.write(chip, offset, value, written)
    elif block in (I2C0, I2C1):
        i2c.write(chip, block - I2C0, offset, value)
    elif block in (UART0, UART1):
        uart.write(chip, block - UART0, offset, value, written)
    elif block in (SPI0, SPI1):
        spi.write(chip, block - SPI0, offset, value, written)
    elif block == IO_BANK0 and offset & 4 and offset < 0xF0:
        _select_function(chip, offset >> 3, value)
    elif block == PADS_BANK0 and 0 < offset <= 0x78:
        pin = (offset >> 2) - 1
        chip.pads_pulled_up = chip.pads_pulled_up & ~(1 << pin) | (value >> 3 & 1) << pin
    elif block == IO_QSPI and offset == _QSPI_SS_CTRL:
        ssi.select(chip, 0 if value >> 8 & 3 == 3 else 1)
    elif block == PWM:
        _note_tone(chip)
    elif block == RESETS and offset == 0:
        _reset(chip, value & ~old)
    elif block == RTC:
        rtc.write(chip, offset, value)
    elif block == WATCHDOG and offset == _WATCHDOG_CTRL and value & _TRIGGER:
        chip.trap = TRAP_RESET
        chip.deadline = 0


@compiled
def _random_bit(chip):
    """Return the next bit of a seeded generator (xorshift), so that equal seeds give equal games."""
    x = chip.random
    x ^= x << 13 & 0xFFFF_FFFF
    x ^= x >> 17
    x ^= x << 5 & 0xFFFF_FFFF
    chip.random = x
    return x & 1


@compiled
def _select_function(chip, pin, value):
    chip.sio_pins &= ~(1 << pin)
    if value & 0x1F == _SIO_FUNCTION:
        chip.sio_pins |= 1 << pin
    pins.look_at_wires(chip)
    if pin == chip.buzzer:
        _note_tone(chip)


@compiled
def _note_tone(chip):
    """Log a change of the buzzer's tone: its PWM channel's top, level, divider and enabled in one number."""
    slice_at = 5 * (chip.buzzer >> 1 & 7)
    pwm = chip.apb[PWM]
    level = pwm[slice_at + 3] >> (16 * (chip.buzzer & 1)) & 0xFFFF
    on = pwm[slice_at] & 1 and chip.apb[IO_BANK0, 2 * chip.buzzer + 1] & 0x1F == _PWM_FUNCTION
    packed = pwm[slice_at + 4] & 0xFFFF | level << 16 | (pwm[slice_at + 1] & 0xFFF) << 32 | (1 if on else 0) << 44
    if packed != chip.tone:
        chip.tone = packed
        note(chip, LOG_TONE, packed)


@compiled
def _reset(chip, blocks):
    if blocks >> _DMA_BIT & 1:
        dma.reset(chip)
    for bit, block in _RESETTABLE:
        if blocks >> bit & 1:
            chip.apb[block, :] = AFTER_RESET[block]
            if block in (I2C0, I2C1):
                i2c.reset(chip, block - I2C0)
            elif block in (UART0, UART1):
                uart.reset(chip, block - UART0)
            elif block in (SPI0, SPI1):
                spi.reset(chip, block - SPI0)
            else:
                _note_tone(chip)
