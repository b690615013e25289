"""Run the chip: device events when they are due, exceptions, instructions and sleep."""

from tools.board.rp2040 import compiled, ppb
from tools.board.rp2040.exceptions import return_from_exception, take_exception
from tools.board.rp2040.layout import TRAP_NONE, UART_IN_BYTES
from tools.board.rp2040.peripherals import dma, i2c, spi, timer, uart
from tools.board.rp2040.thumb import execute


@compiled
def run(chip, until):
    """Run until the cycle `until` or a trap; return the trap."""
    chip.trap = TRAP_NONE
    while True:
        fire(chip)
        if chip.returning:
            return_from_exception(chip)
        take_exception(chip)
        if chip.trap or chip.now >= until:
            return chip.trap
        chip.deadline = min(until, next_event(chip))
        if chip.waiting:
            chip.now = chip.deadline
        else:
            execute(chip)


@compiled
def fire(chip):
    now = chip.now
    timer.fire(chip)
    for port in range(2):
        if chip.i2c_due[port] <= now:
            i2c.fire(chip, port)
        if chip.uart_tx_due[port] <= now or chip.uart_rx_timeout[port] <= now:
            uart.fire(chip, port)
        while chip.spi_due[port] <= now:
            spi.fire(chip, port)
            dma.serve(chip)
    while chip.uart_in_first < chip.uart_in_end and chip.uart_in[chip.uart_in_first % UART_IN_BYTES] >> 8 <= now:
        uart.receive(chip)
    if chip.systick_due <= now:
        ppb.fire_systick(chip)


@compiled
def next_event(chip):
    due = chip.systick_due
    for alarm in range(4):
        due = min(due, chip.timer_due[alarm])
    for port in range(2):
        due = min(due, chip.i2c_due[port], chip.spi_due[port], chip.uart_tx_due[port], chip.uart_rx_timeout[port])
    if chip.uart_in_first < chip.uart_in_end:
        due = min(due, chip.uart_in[chip.uart_in_first % UART_IN_BYTES] >> 8)
    return due
