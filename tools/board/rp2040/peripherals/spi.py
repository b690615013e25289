"""Emulate the SPI masters (PL022): FIFOs, byte times, interrupts by level. No device answers: every bit received is 0.

A byte takes its bits and nothing between two bytes. The receive timeout is left out, because CircuitPython polls.
"""

from tools.board.rp2040 import compiled
from tools.board.rp2040.layout import LOG_SPI_BYTE, NEVER
from tools.board.rp2040.log import note
from tools.board.rp2040.registers import set_lines, take_first

_BLOCK = 15
_IO_BANK0, _SPI_FUNCTION = 5, 1
_CR0, _CR1, _DR, _SR, _CPSR = 0x00, 0x04, 0x08, 0x0C, 0x10
_IMSC, _RIS, _MIS, _ICR, _DMACR = 0x14, 0x18, 0x1C, 0x20, 0x24
_LOOPS_BACK, _ON = 1, 2
_RX_DMA, _TX_DMA = 1, 2
_OVERRUN, _RX_HALF_FULL, _TX_HALF_EMPTY = 1, 4, 8
_FIFO = 8
_FIRST_IRQ = 18


@compiled
def read(chip, port, offset):
    if offset == _DR:
        return pull(chip, port)
    if offset == _SR:
        return _status(chip, port)
    if offset == _RIS:
        return _raised(chip, port)
    if offset == _MIS:
        return _raised(chip, port) & _register(chip, port, _IMSC)
    return _register(chip, port, offset) if offset < 0x200 else 0


@compiled
def write(chip, port, offset, value, written):
    if offset == _DR:
        push(chip, port, written)
    elif offset == _ICR:
        chip.spi_overrun[port] &= ~written
    elif offset == _CR1:
        _send_next(chip, port, chip.now)
    _update(chip, port)


@compiled
def reset(chip, port):
    chip.spi_tx_count[port] = chip.spi_rx_count[port] = chip.spi_overrun[port] = 0
    chip.spi_shifting[port] = -1
    chip.spi_due[port] = NEVER
    _update(chip, port)


@compiled
def fire(chip, port):
    """Finish the byte whose last bit was sent, log it if it went to the display, and start the next one."""
    ended, byte = chip.spi_due[port], chip.spi_shifting[port]
    chip.spi_due[port] = NEVER
    chip.spi_shifting[port] = -1
    if _reaches_display(chip, port):
        note(chip, LOG_SPI_BYTE, byte & 0xFF)
    count = chip.spi_rx_count[port]
    if count == _FIFO:
        chip.spi_overrun[port] = _OVERRUN
    else:
        chip.spi_rx[port, count] = byte if _register(chip, port, _CR1) & _LOOPS_BACK else 0
        chip.spi_rx_count[port] = count + 1
    _send_next(chip, port, ended)
    _update(chip, port)


@compiled
def asks_to_send(chip, port):
    """Return whether the transmit FIFO asks the DMA for a byte."""
    return _register(chip, port, _DMACR) & _TX_DMA != 0 and chip.spi_tx_count[port] < _FIFO


@compiled
def asks_to_receive(chip, port):
    """Return whether the receive FIFO has a byte for the DMA."""
    return _register(chip, port, _DMACR) & _RX_DMA != 0 and chip.spi_rx_count[port] > 0


@compiled
def push(chip, port, value):
    """Append a byte to the transmit FIFO; drop it if the FIFO is full."""
    count = chip.spi_tx_count[port]
    if count < _FIFO:
        chip.spi_tx[port, count] = value & (1 << _bits(chip, port)) - 1
        chip.spi_tx_count[port] = count + 1
        _send_next(chip, port, chip.now)
        _update(chip, port)


@compiled
def pull(chip, port):
    count = chip.spi_rx_count[port]
    if count == 0:
        return 0
    value = take_first(chip.spi_rx[port])
    chip.spi_rx_count[port] = count - 1
    _update(chip, port)
    return value


@compiled
def _send_next(chip, port, start):
    if chip.spi_shifting[port] >= 0 or chip.spi_tx_count[port] == 0 or not _register(chip, port, _CR1) & _ON:
        return
    chip.spi_shifting[port] = take_first(chip.spi_tx[port])
    chip.spi_tx_count[port] -= 1
    cycles_a_bit = max(2, _register(chip, port, _CPSR) & 0xFE) * (1 + (_register(chip, port, _CR0) >> 8 & 0xFF))
    chip.spi_due[port] = start + _bits(chip, port) * cycles_a_bit


@compiled
def _bits(chip, port):
    """Return the bits of one transfer, 4 to 16; a byte has 8."""
    return (_register(chip, port, _CR0) & 15) + 1


@compiled
def _reaches_display(chip, port):
    """Return whether the display's clock and data pins belong to this SPI."""
    clock, data = chip.spi_clock, chip.spi_data
    if clock < 0 or clock >> 3 & 1 != port:
        return False
    functions = chip.apb[_IO_BANK0]
    return functions[2 * clock + 1] & 0x1F == _SPI_FUNCTION and functions[2 * data + 1] & 0x1F == _SPI_FUNCTION


@compiled
def _status(chip, port):
    sent, received = chip.spi_tx_count[port], chip.spi_rx_count[port]
    status = 0x01 if sent == 0 else 0
    status |= 0x02 if sent < _FIFO else 0
    status |= 0x04 if received else 0
    status |= 0x08 if received == _FIFO else 0
    return status | (0x10 if sent or chip.spi_shifting[port] >= 0 else 0)


@compiled
def _raised(chip, port):
    raised = chip.spi_overrun[port]
    raised |= _RX_HALF_FULL if chip.spi_rx_count[port] >= _FIFO // 2 else 0
    return raised | (_TX_HALF_EMPTY if chip.spi_tx_count[port] <= _FIFO // 2 else 0)


@compiled
def _register(chip, port, offset):
    return chip.apb[_BLOCK + port, offset >> 2]


@compiled
def _update(chip, port):
    set_lines(chip, 1 << _FIRST_IRQ + port, _raised(chip, port) & _register(chip, port, _IMSC))
