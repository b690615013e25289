"""Lay out the whole RP2040, memories included, as one NumPy record, so that a snapshot is one copy.

All scalars are int64, even the core's registers, because Numba turns a sum of uint64 and int64 into a
float. A 32-bit register holds 0..2**32-1. Times are cycles of 125 MHz since power-on.
"""

import numpy as np

HZ = 125_000_000
CYCLES_A_US = 125
NEVER = 1 << 62
MASK = 0xFFFF_FFFF

ROM_BYTES = 16 * 1024
FLASH_BYTES = 2 * 1024 * 1024
RAM_BYTES = 264 * 1024
DPRAM_BYTES = 4 * 1024
FLASH_START = 0x1000_0000
RAM_START = 0x2000_0000
SECTOR_BYTES = 4096

# Why run() returned early.
TRAP_NONE, TRAP_USB, TRAP_RESET, TRAP_LOG_FULL, TRAP_WATCHED, TRAP_UNDEFINED, TRAP_FLASH = range(7)

# Kinds of log entries: one for each event that Python has to see.
# The kinds up to LAST_DISPLAY_LOG are for the display.
LOG_I2C_START, LOG_I2C_BYTE, LOG_I2C_STOP, LOG_DISPLAY_PINS, LOG_SPI_BYTE = range(5)
LOG_UART_BYTE, LOG_TONE, LOG_SLEEP, LOG_POLL = range(5, 9)
LAST_DISPLAY_LOG = LOG_SPI_BYTE
LOG_ENTRIES = 1 << 14
LOG_ROOM = 64  # run() stops if fewer entries are free: no instruction writes more

UART_IN_BYTES = 1 << 12
MAIL_ENTRIES = 32
DMA_CHANNELS = 12

_WORD = "<i8"


def _words(names: str) -> list[tuple[str, str]]:
    return [(name, _WORD) for name in names.split()]


def _pairs(names: str) -> list[tuple[str, str, tuple[int]]]:
    """Return fields of two words, one for each of two equal devices."""
    return [(name, _WORD, (2,)) for name in names.split()]


CHIP = np.dtype(
    [
        # Time and the loop
        ("now", _WORD),
        ("deadline", _WORD),  # when execute() must return; a device sets it to 0 for "now"
        ("trap", _WORD),
        ("watched_pc", _WORD),  # run() stops with TRAP_WATCHED before this instruction
        ("passed_pc", _WORD),  # the watched instruction at which run() stopped and which may execute now
        ("sleep_pc", _WORD),  # a function whose calls are logged as LOG_SLEEP, -1 for none
        ("marked_pc", _WORD),  # its first instruction, or during a call its return address
        ("poll_pc", _WORD),  # a function whose calls are logged as LOG_POLL, -1 for none
        ("busy", _WORD),  # cycles in which the core did not sleep
        # The Cortex-M0+; nz is the last result: N is its bit 31, Z is set if nz is 0
        ("r", _WORD, (16,)),
        *_words("nz c v primask ipsr"),
        ("control", _WORD),  # bit 1: the process stack is in use
        ("banked_sp", _WORD),
        ("waiting", _WORD),  # 1 while WFI or WFE waits
        ("event", _WORD),
        ("returning", _WORD),  # EXC_RETURN after a branch to it, else 0
        # NVIC, system control block, SysTick
        ("lines", _WORD),  # interrupt lines raised by devices
        ("pended", _WORD),  # interrupts set pending by software
        ("enabled", _WORD),
        ("priority", _WORD, (48,)),  # by exception number
        *_words("pending_svc pending_pendsv pending_systick vtor systick_control systick_reload"),
        ("systick_start", _WORD),  # when it last began to count down from its reload value
        ("systick_due", _WORD),
        # Devices; apb holds plain registers by block, (address >> 14) & 31
        ("apb", _WORD, (32, 128)),
        ("usb", _WORD, (64,)),
        ("mail", _WORD, (MAIL_ENTRIES,)),  # the firmware's accesses of the USB block, for the host
        ("mails", _WORD),
        # SIO and pins
        *_words("gpio_out gpio_oe buzzer tone"),
        ("sio_pins", _WORD),  # pins whose function is SIO
        ("pulled_up", _WORD),  # by external resistors
        ("pads_pulled_up", _WORD),
        ("held_low", _WORD),  # by a pressed button or the display's acknowledge
        *_words("spinlocks dividend divisor quotient remainder random"),
        # TIMER
        ("timer_due", _WORD, (4,)),
        ("timer_raised", _WORD),
        ("timer_high", _WORD),
        # I2C
        ("display_address", _WORD),
        *_pairs("i2c_state i2c_step i2c_due i2c_busy i2c_stop i2c_restart i2c_raw i2c_abort"),
        ("i2c_tx", _WORD, (2, 16)),
        ("i2c_tx_count", _WORD, (2,)),
        ("i2c_rx", _WORD, (2, 16)),
        ("i2c_rx_count", _WORD, (2,)),
        # The I2C bus driven by SIO: CircuitPython probes addresses this way
        *_words("sda scl probe_sda probe_scl probe_on probe_bit probe_byte probe_bytes probe_hit"),
        # SPI
        ("spi_clock", _WORD),  # pin of the display's clock, -1 if the display is not on SPI
        ("spi_data", _WORD),
        ("display_pins", _WORD),  # mask of the SPI display's control pins: select, data or command, reset
        ("display_levels", _WORD),
        ("spi_tx", _WORD, (2, 8)),
        ("spi_tx_count", _WORD, (2,)),
        ("spi_rx", _WORD, (2, 8)),
        ("spi_rx_count", _WORD, (2,)),
        ("spi_shifting", _WORD, (2,)),  # the byte on the wire, -1 for none
        *_pairs("spi_due spi_overrun"),
        # DMA
        ("dma_channels", _WORD, (DMA_CHANNELS, 4)),  # read and write address, count, control
        ("dma_left", _WORD, (DMA_CHANNELS,)),
        *_words("dma_busy dma_raised"),
        *_pairs("dma_enabled dma_forced"),
        # UART
        ("uart_tx", _WORD, (2, 32)),
        ("uart_tx_count", _WORD, (2,)),
        ("uart_tx_due", _WORD, (2,)),
        ("uart_shifting", _WORD, (2,)),  # the byte on the wire, -1 for none
        ("uart_rx", _WORD, (2, 32)),
        *_pairs("uart_rx_count uart_rx_timeout uart_raised"),
        ("uart_lost", _WORD),  # bytes that came while the receiver was full
        ("uart_in", _WORD, (UART_IN_BYTES,)),  # bytes to arrive: time * 256 + byte
        ("uart_in_first", _WORD),
        ("uart_in_end", _WORD),
        # Flash chip
        ("flash_selected", _WORD),
        ("flash_shifted", _WORD),  # bytes shifted since selection
        *_words("flash_command flash_address flash_write_enabled"),
        ("flash_page", _WORD, (256,)),
        ("flash_answers", _WORD, (64,)),
        *_words("flash_answers_count flash_busy_until flash_began"),
        ("flash_changed", _WORD),  # address of the sector or page that is being written
        ("flash_changed_bytes", _WORD),
        ("flash_before", "<u4", (SECTOR_BYTES // 4,)),
        # Log
        ("log_time", _WORD, (LOG_ENTRIES,)),
        ("log_kind", _WORD, (LOG_ENTRIES,)),
        ("log_value", _WORD, (LOG_ENTRIES,)),
        ("log_count", _WORD),
        # Memories
        ("rom", "<u4", (ROM_BYTES // 4,)),
        ("dpram", "<u4", (DPRAM_BYTES // 4,)),
        ("ram", "<u4", (RAM_BYTES // 4,)),
        ("flash", "<u4", (FLASH_BYTES // 4,)),
    ]
)
