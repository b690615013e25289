"""The emulated RP2040's peripherals (RP2040 data sheet)."""

import pytest

from tests.support.thumb import HERE, WFI, make_chip, read, take_log, wait, write
from tools.board.rp2040 import layout, power, ssi
from tools.board.rp2040.layout import (
    CYCLES_A_US,
    LOG_I2C_BYTE,
    LOG_I2C_START,
    LOG_I2C_STOP,
    LOG_TONE,
    LOG_UART_BYTE,
    SECTOR_BYTES,
)

# Numba compiles the processor for most of a minute, the first time.
pytestmark = pytest.mark.slow

SIO, TIMER, I2C0, UART0 = 0xD000_0000, 0x4005_4000, 0x4004_4000, 0x4003_4000
RESETS, PADS, IO, PWM = 0x4000_C000, 0x4001_C000, 0x4001_4000, 0x4005_0000
SSI, QSPI_SS = 0x1800_0000, 0x4001_800C
SET, CLEAR, TOGGLE = 0x2000, 0x3000, 0x1000
DISPLAY = 0x3C


@pytest.fixture
def chip():
    chip = make_chip(HERE)
    chip["display_address"], chip["sda"], chip["scl"], chip["pulled_up"] = DISPLAY, 0, 1, 3
    return chip


def test_a_register_has_aliases_that_toggle_set_and_clear_bits(chip) -> None:
    write(chip, PADS + 4, 0b1100)
    write(chip, PADS + 4 + SET, 0b0001)
    write(chip, PADS + 4 + CLEAR, 0b0100)
    write(chip, PADS + 4 + TOGGLE, 0b0011)
    assert read(chip, PADS + 4) == 0b1010


@pytest.mark.parametrize(
    ("register", "a", "b", "quotient", "remainder"),
    [
        (0x60, 17, 5, 3, 2),
        (0x60, 5, 0, 0xFFFF_FFFF, 5),
        (0x68, -17 & 0xFFFF_FFFF, 5, -3 & 0xFFFF_FFFF, -2 & 0xFFFF_FFFF),
        (0x68, -1 & 0xFFFF_FFFF, 0, 1, 0xFFFF_FFFF),
        (0x68, 0x8000_0000, 0xFFFF_FFFF, 0x8000_0000, 0),
    ],
)
def test_the_divider_rounds_towards_zero(chip, register: int, a: int, b: int, quotient: int, remainder: int) -> None:
    write(chip, SIO + register, a)
    write(chip, SIO + register + 4, b)
    assert (read(chip, SIO + 0x70), read(chip, SIO + 0x74)) == (quotient, remainder)


def test_a_spinlock_is_taken_once(chip) -> None:
    assert read(chip, SIO + 0x104) == 2
    assert read(chip, SIO + 0x104) == 0
    write(chip, SIO + 0x104, 1)
    assert read(chip, SIO + 0x104) == 2


def test_a_pressed_button_pulls_its_pin_low(chip) -> None:
    write(chip, PADS + 4 * 6 + 4, 0x5A)  # GP6 with its pull-up
    assert read(chip, SIO + 4) >> 6 & 1
    chip["held_low"] = 1 << 6
    assert not read(chip, SIO + 4) >> 6 & 1


def test_an_alarm_raises_its_interrupt_at_its_microsecond(chip) -> None:
    write(chip, TIMER + 0x38, 1)
    write(chip, TIMER + 0x10, 50)
    wait(chip, 49 * CYCLES_A_US)
    assert not chip["lines"]
    wait(chip, 2 * CYCLES_A_US)
    assert chip["lines"]
    write(chip, TIMER + 0x34, 1)
    assert not chip["lines"]


def test_systick_counts_down_and_raises_its_exception(chip) -> None:
    write(chip, 0xE000_E014, 999)
    write(chip, 0xE000_E010, 7)
    wait(chip, 300)
    assert 690 < read(chip, 0xE000_E018) < 710
    chip["primask"] = 1
    wait(chip, 1000)
    assert chip["pending_systick"]


def set_up_i2c(chip, address: int) -> None:
    """Set up I2C0 for 9 bits of 100 cycles a byte."""
    write(chip, I2C0 + 0x1C, 42)
    write(chip, I2C0 + 0x20, 50)
    write(chip, I2C0 + 4, address)
    write(chip, I2C0 + 0x6C, 1)


def test_i2c_takes_bus_time_to_send_to_the_display(chip) -> None:
    set_up_i2c(chip, DISPLAY)
    write(chip, I2C0 + 0x10, 0xAE)
    write(chip, I2C0 + 0x10, 0xAF | 1 << 9)  # with a stop condition
    wait(chip, 2690)
    assert not read(chip, I2C0 + 0x34) & 1 << 9
    wait(chip, 20)
    assert read(chip, I2C0 + 0x34) & 1 << 9
    expected = [(LOG_I2C_START, DISPLAY << 1), (LOG_I2C_BYTE, 0xAE), (LOG_I2C_BYTE, 0xAF), (LOG_I2C_STOP, 0)]
    assert take_log(chip) == expected


def test_i2c_aborts_if_no_device_answers(chip) -> None:
    set_up_i2c(chip, 0x50)
    write(chip, I2C0 + 0x10, 0 | 1 << 9)
    wait(chip, 1000)
    assert read(chip, I2C0 + 0x80) & 1
    assert read(chip, I2C0 + 0x34) & 1 << 6
    read(chip, I2C0 + 0x54)
    assert read(chip, I2C0 + 0x80) == 0


def test_i2c_reads_ones_from_a_silent_device_and_then_nothing(chip) -> None:
    set_up_i2c(chip, DISPLAY)
    write(chip, I2C0 + 0x10, 1 << 8)
    write(chip, I2C0 + 0x10, 1 << 8 | 1 << 9)
    wait(chip, 3000)
    assert read(chip, I2C0 + 0x78) == 2
    assert [read(chip, I2C0 + 0x10) for _ in range(2)] == [0xFF, 0xFF]
    assert not read(chip, I2C0 + 0x34) & 1
    assert read(chip, I2C0 + 0x10) == 0
    assert read(chip, I2C0 + 0x34) & 1


def test_resets_restores_a_peripheral_to_its_defaults(chip) -> None:
    set_up_i2c(chip, DISPLAY)
    write(chip, RESETS + SET, 1 << 3)
    assert read(chip, I2C0 + 0x6C) == 0
    assert read(chip, I2C0 + 4) == 0x55
    assert read(chip, RESETS + 8) & 1 << 3


@pytest.mark.parametrize(("address", "level"), [(DISPLAY, 0), (0x50, 1)])
def test_only_the_display_acknowledges_a_bit_banged_probe(chip, address: int, level: int) -> None:
    for pin in (0, 1):
        write(chip, IO + 8 * pin + 4, 5)

    def set_wires(sda: int, scl: int) -> None:
        """Pull a wire low by driving it, as CircuitPython's bitbangio does."""
        write(chip, SIO + 0x20, (1 - sda) | (1 - scl) << 1)

    set_wires(0, 1)
    for bit in range(7, -1, -1):
        for scl in (0, 1):
            set_wires(address << 1 >> bit & 1, scl)
    set_wires(1, 0)
    set_wires(1, 1)

    assert read(chip, SIO + 4) & 1 == level


def set_up_uart(chip) -> None:
    """Set up UART0 with FIFOs and 160 cycles a bit."""
    write(chip, UART0 + 0x24, 10)
    write(chip, UART0 + 0x2C, 0x70)
    write(chip, UART0 + 0x30, 0x301)


def test_uart_sends_a_byte_in_ten_bits(chip) -> None:
    set_up_uart(chip)
    write(chip, UART0, 0x41)
    wait(chip, 1590)
    assert read(chip, UART0 + 0x18) & 8
    wait(chip, 20)
    assert not read(chip, UART0 + 0x18) & 8
    assert take_log(chip) == [(LOG_UART_BYTE, 0x41)]


def test_uart_loses_a_byte_when_its_fifo_is_full(chip) -> None:
    set_up_uart(chip)
    for number in range(33):
        chip["uart_in"][number] = int(chip["now"]) + 100 << 8 | number
    chip["uart_in_end"] = 33
    wait(chip, 200)
    assert [read(chip, UART0) for _ in range(32)] == list(range(32))
    assert int(chip["uart_lost"]) == 1


def test_uart_reports_a_single_byte_after_its_timeout(chip) -> None:
    set_up_uart(chip)
    write(chip, UART0 + 0x38, 1 << 6)
    chip["uart_in"][0] = int(chip["now"]) + 10 << 8 | 7
    chip["uart_in_end"] = 1
    wait(chip, 100)
    assert not chip["lines"]
    wait(chip, 32 * 160)
    assert chip["lines"] == 1 << 20
    assert read(chip, UART0) == 7
    assert not chip["lines"]


def command_flash(chip, *shifted: int) -> list[int]:
    write(chip, SSI + 8, 1)
    write(chip, QSPI_SS, 2 << 8)
    answers = []
    for byte in shifted:
        write(chip, SSI + 0x60, byte)
        answers.append(read(chip, SSI + 0x60))
    write(chip, QSPI_SS, 3 << 8)
    return answers


def test_flash_clears_bits_of_a_page_once_writing_is_enabled(chip) -> None:
    write(chip, QSPI_SS, 3 << 8)
    command_flash(chip, 2, 0x10, 0, 0, 0x0F)
    assert read(chip, 0x1010_0000) == 0xFFFF_FFFF
    command_flash(chip, 6)
    command_flash(chip, 2, 0x10, 0, 0, 0x0F, 0xF0)
    assert read(chip, 0x1010_0000) == 0xFFFF_F00F
    assert command_flash(chip, 5, 0)[1] == 1  # busy
    wait(chip, ssi.PROGRAM_US * CYCLES_A_US)
    assert command_flash(chip, 5, 0)[1] == 0
    assert command_flash(chip, 3, 0x10, 0, 0, 0)[4] == 0x0F


def test_a_power_cut_leaves_a_partly_erased_sector(chip) -> None:
    sector = 0x10_0000
    chip["flash"][sector // 4 : (sector + SECTOR_BYTES) // 4] = 0
    write(chip, QSPI_SS, 3 << 8)
    command_flash(chip, 6)
    command_flash(chip, 0x20, 0x10, 0, 0)
    chip["now"] += ssi.ERASE_US * CYCLES_A_US // 4
    ssi.restore_cut(chip)
    words = chip["flash"][sector // 4 : (sector + SECTOR_BYTES) // 4].tolist()
    assert words == [0xFFFF_FFFF] * 256 + [0] * 768


def test_a_pwm_channel_sounds_the_buzzer(chip) -> None:
    chip["buzzer"] = 15
    slice_7 = PWM + 7 * 20
    write(chip, IO + 8 * 15 + 4, 4)
    write(chip, slice_7 + 16, 999)
    write(chip, slice_7 + 12, 500 << 16)
    write(chip, slice_7, 1)
    kind, packed = take_log(chip)[-1]
    assert kind == LOG_TONE
    assert (packed & 0xFFFF, packed >> 16 & 0xFFFF, packed >> 32 & 0xFFF, packed >> 44) == (999, 500, 16, 1)


def test_random_bits_come_from_the_seed() -> None:
    def read_bits(seed: int) -> list[int]:
        chip = make_chip()
        power.switch_on(chip, seed)
        return [read(chip, 0x4006_001C) for _ in range(64)]

    assert read_bits(1) == read_bits(1) != read_bits(2)
    assert 16 < sum(read_bits(1)) < 48


def test_the_rtc_counts_on_from_the_time_that_was_set(chip) -> None:
    rtc = 0x4005_C000
    write(chip, rtc + 4, 2026 << 12 | 11 << 8 | 22)
    write(chip, rtc + 8, 0 << 24 | 22 << 16 | 59 << 8 | 59)
    write(chip, rtc + 12, 0x11)
    chip["now"] += 2 * layout.HZ
    assert read(chip, rtc + 0x18) == 2026 << 12 | 11 << 8 | 22
    assert read(chip, rtc + 0x1C) == 23 << 16 | 0 << 8 | 1


def test_the_core_sleeps_until_the_next_event(chip) -> None:
    sleeper = make_chip(WFI, 0x2007)
    write(sleeper, TIMER + 0x38, 1)
    write(sleeper, TIMER + 0x10, 1000)
    sleeper["enabled"], sleeper["primask"] = 1, 1
    wait(sleeper, 999 * CYCLES_A_US)
    assert int(sleeper["r"][0]) == 0
    wait(sleeper, 2 * CYCLES_A_US)
    assert int(sleeper["r"][0]) == 7


def test_the_log_stops_the_run_before_it_overflows(chip) -> None:
    set_up_uart(chip)
    chip["log_count"] = layout.LOG_ENTRIES - layout.LOG_ROOM
    write(chip, UART0, 1)
    wait(chip, 10_000)
    assert int(chip["trap"]) == layout.TRAP_LOG_FULL
