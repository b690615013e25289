"""The emulated RP2040's SPI and DMA (RP2040 data sheet, chapters 4.4 and 2.5)."""

import pytest

from tests.support.thumb import DATA, HERE, make_chip, read, take_log, wait, write
from tools.board.rp2040.layout import LOG_DISPLAY_PINS, LOG_SPI_BYTE

# Numba compiles the processor for most of a minute, the first time.
pytestmark = pytest.mark.slow

SPI0, SPI1, DMA, IO, SIO, RESETS = 0x4003_C000, 0x4004_0000, 0x5000_0000, 0x4001_4000, 0xD000_0000, 0x4000_C000
SET, CLEAR = 0x2000, 0x3000
CR0, CR1, DR, SR, CPSR, IMSC, RIS, ICR, DMACR = 0x00, 0x04, 0x08, 0x0C, 0x10, 0x14, 0x18, 0x20, 0x24
NOT_FULL, NOT_EMPTY, BUSY = 2, 4, 0x10
CLOCK, TX, SELECT, COMMAND, RESET = 18, 19, 17, 20, 21
BYTE_CYCLES = 8 * 2 * 5
SPI0_TX, SPI0_RX = 16, 17
ENABLED, READ_MOVES, WRITE_MOVES, DMA_BUSY = 1, 1 << 4, 1 << 5, 1 << 24
OUTPUT, INPUT = DATA, DATA + 0x400


@pytest.fixture
def chip():
    """Return a chip with a display on SPI0, which sends a byte in 80 cycles and receives what it sends."""
    chip = make_chip(HERE)
    chip["spi_clock"], chip["spi_data"] = CLOCK, TX
    chip["display_pins"] = 1 << SELECT | 1 << COMMAND | 1 << RESET
    for pin in (CLOCK, TX):
        write(chip, IO + 8 * pin + 4, 1)
    write(chip, SPI0 + CPSR, 2)
    write(chip, SPI0 + CR0, 4 << 8 | 7)
    write(chip, SPI0 + DMACR, 3)
    write(chip, SPI0 + CR1, 3)
    take_log(chip)
    return chip


def take_bytes(chip) -> list[int]:
    return [value for kind, value in take_log(chip) if kind == LOG_SPI_BYTE]


def set_up_channels(chip, count: int) -> None:
    """Set up channel 0 to send `count` bytes and channel 1 to receive them, as CircuitPython does."""
    for at in range(0, count, 4):
        write(chip, OUTPUT + at, 0x0302_0100 + at * 0x0101_0101 & 0xFFFF_FFFF)
    write(chip, DMA + 0x00, OUTPUT)
    write(chip, DMA + 0x04, SPI0 + DR)
    write(chip, DMA + 0x08, count)
    write(chip, DMA + 0x10, SPI0_TX << 15 | READ_MOVES | ENABLED)
    write(chip, DMA + 0x40, SPI0 + DR)
    write(chip, DMA + 0x44, INPUT)
    write(chip, DMA + 0x48, count)
    write(chip, DMA + 0x50, SPI0_RX << 15 | 1 << 11 | WRITE_MOVES | ENABLED)


def test_a_byte_takes_eight_bits_of_the_divided_clock(chip) -> None:
    write(chip, SPI0 + DR, 0x5A)

    wait(chip, BYTE_CYCLES - 10)
    assert read(chip, SPI0 + SR) & BUSY
    wait(chip, 20)
    assert not read(chip, SPI0 + SR) & BUSY
    assert read(chip, SPI0 + DR) == 0x5A
    assert take_bytes(chip) == [0x5A]


def test_bytes_follow_each_other_without_a_pause(chip) -> None:
    for byte in range(8):
        write(chip, SPI0 + DR, byte)

    wait(chip, 8 * BYTE_CYCLES - 10)
    assert len(take_bytes(chip)) == 7
    wait(chip, 20)
    assert len(take_bytes(chip)) == 1


def test_the_transmit_fifo_holds_eight_bytes_and_one_on_the_wire(chip) -> None:
    for byte in range(10):
        assert bool(read(chip, SPI0 + SR) & NOT_FULL) == (byte < 9)
        write(chip, SPI0 + DR, byte)
    wait(chip, 11 * BYTE_CYCLES)
    assert take_bytes(chip) == list(range(9))


def test_a_full_receive_fifo_loses_the_next_byte(chip) -> None:
    write(chip, SPI0 + IMSC, 1)
    for byte in range(9):
        write(chip, SPI0 + DR, byte)
    wait(chip, 10 * BYTE_CYCLES)

    assert chip["lines"] == 1 << 18
    assert [read(chip, SPI0 + DR) for _ in range(8)] == list(range(8))
    assert not read(chip, SPI0 + SR) & NOT_EMPTY
    write(chip, SPI0 + ICR, 1)
    assert not chip["lines"]


def test_the_interrupts_follow_half_full_fifos(chip) -> None:
    assert read(chip, SPI0 + RIS) == 8

    for byte in range(6):
        write(chip, SPI0 + DR, byte)
    assert read(chip, SPI0 + RIS) == 0
    wait(chip, 5 * BYTE_CYCLES)
    assert read(chip, SPI0 + RIS) == 4 | 8


def test_the_display_hears_only_the_spi_of_its_pins(chip) -> None:
    write(chip, SPI1 + CPSR, 2)
    write(chip, SPI1 + CR0, 7)
    write(chip, SPI1 + CR1, 2)
    write(chip, SPI1 + DR, 0x11)
    wait(chip, BYTE_CYCLES)
    assert take_bytes(chip) == []

    write(chip, IO + 8 * TX + 4, 5)
    write(chip, SPI0 + DR, 0x22)
    wait(chip, 2 * BYTE_CYCLES)
    assert take_bytes(chip) == []


def test_a_change_of_a_control_pin_is_logged_and_an_undriven_one_is_high(chip) -> None:
    every = 1 << SELECT | 1 << COMMAND | 1 << RESET
    write(chip, IO + 8 * SELECT + 4, 5)
    write(chip, SIO + 0x20, 1 << SELECT)
    write(chip, SIO + 0x14, 1 << SELECT)
    write(chip, SIO + 0x14, 1 << 2)  # no pin of the display

    assert take_log(chip) == [(LOG_DISPLAY_PINS, every & ~(1 << SELECT)), (LOG_DISPLAY_PINS, every)]


def test_resets_drops_the_bytes_of_an_spi(chip) -> None:
    for byte in range(4):
        write(chip, SPI0 + DR, byte)

    write(chip, RESETS + SET, 1 << 16)
    wait(chip, 10 * BYTE_CYCLES)

    assert take_bytes(chip) == []
    assert read(chip, SPI0 + CR1) == 0
    assert read(chip, SPI0 + SR) == 3


def test_the_dma_sends_from_ram_and_receives_into_ram(chip) -> None:
    set_up_channels(chip, 100)
    assert not read(chip, DMA + 0x10) & DMA_BUSY

    write(chip, DMA + 0x430, 3)
    wait(chip, 99 * BYTE_CYCLES)
    assert read(chip, DMA + 0x50) & DMA_BUSY
    assert not read(chip, DMA + 0x10) & DMA_BUSY  # the last eight bytes are in the FIFO
    wait(chip, 2 * BYTE_CYCLES)

    assert not read(chip, DMA + 0x50) & DMA_BUSY
    assert take_bytes(chip) == list(range(100))
    received = b"".join(read(chip, INPUT + at).to_bytes(4, "little") for at in range(0, 100, 4))
    assert received == bytes(range(100))


def test_the_dma_raises_its_interrupt_at_the_end(chip) -> None:
    set_up_channels(chip, 8)
    write(chip, DMA + 0x404, 1 << 1)
    write(chip, DMA + 0x430, 3)

    assert not chip["lines"]
    wait(chip, 9 * BYTE_CYCLES)
    assert chip["lines"] == 1 << 11
    assert read(chip, DMA + 0x40C) == 1 << 1
    write(chip, DMA + 0x40C, 1 << 1)
    assert not chip["lines"]


def test_the_last_register_of_each_order_starts_a_channel(chip) -> None:
    control = SPI0_TX << 15 | READ_MOVES | ENABLED
    orders = [
        [(0x00, OUTPUT), (0x04, SPI0 + DR), (0x08, 2), (0x0C, control)],
        [(0x10, control), (0x14, OUTPUT), (0x18, SPI0 + DR), (0x1C, 2)],
        [(0x20, control), (0x24, 2), (0x28, OUTPUT), (0x2C, SPI0 + DR)],
        [(0x30, control), (0x34, SPI0 + DR), (0x38, 2), (0x3C, OUTPUT)],
    ]
    write(chip, OUTPUT, 0x0201)
    for order in orders:
        for offset, value in order:
            assert not take_bytes(chip)
            write(chip, DMA + offset, value)
        wait(chip, 3 * BYTE_CYCLES)
        assert take_bytes(chip) == [1, 2]


def test_an_aborted_channel_stops_and_keeps_its_count(chip) -> None:
    set_up_channels(chip, 100)
    write(chip, DMA + 0x430, 1)
    wait(chip, 10 * BYTE_CYCLES + 10)

    write(chip, DMA + 0x444, 1)

    assert not read(chip, DMA + 0x10) & DMA_BUSY
    assert read(chip, DMA + 0x08) == 100 - 19  # ten bytes sent, one on the wire, eight in the FIFO
    wait(chip, 100 * BYTE_CYCLES)
    assert len(take_bytes(chip)) == 19


def test_resets_stops_the_dma(chip) -> None:
    set_up_channels(chip, 100)
    write(chip, DMA + 0x430, 3)

    write(chip, RESETS + SET, 1 << 2)

    assert read(chip, DMA + 0x10) == 0
    wait(chip, 100 * BYTE_CYCLES)
    assert len(take_bytes(chip)) == 9


def test_a_channel_without_a_request_of_an_spi_stays_busy(chip) -> None:
    write(chip, DMA + 0x08, 4)
    write(chip, DMA + 0x0C, 20 << 15 | ENABLED)

    wait(chip, 1000)

    assert read(chip, DMA + 0x0C) & DMA_BUSY
    write(chip, DMA + CLEAR + 0x10, ENABLED)
    assert read(chip, DMA + 0x10) == 20 << 15 | DMA_BUSY
