"""Emulate the UARTs (PL011): FIFOs, bit times, interrupts by level and by receive timeout."""

from tools.board.rp2040 import compiled
from tools.board.rp2040.layout import LOG_UART_BYTE, NEVER, UART_IN_BYTES
from tools.board.rp2040.log import note
from tools.board.rp2040.registers import set_lines, take_first

_BLOCK = 13
_DR, _RSR, _FR, _IBRD, _FBRD, _LCR_H, _CR = 0x00, 0x04, 0x18, 0x24, 0x28, 0x2C, 0x30
_IFLS, _IMSC, _RIS, _MIS, _ICR = 0x34, 0x38, 0x3C, 0x40, 0x44
RESET = ((_CR, 0x300), (_IFLS, 0x12))  # offsets and values after a reset
_RX, _TX, _TIMEOUT, _OVERRUN = 1 << 4, 1 << 5, 1 << 6, 1 << 10
_FIFO = 32
_FIFOS_ON, _ON = 1 << 4, 1
_TIMEOUT_BITS = 32
_FIRST_IRQ = 20


@compiled
def read(chip, port, offset):
    if offset == _DR:
        return _pull(chip, port)
    if offset == _FR:
        return _flags(chip, port)
    if offset == _RIS:
        return chip.uart_raised[port]
    if offset == _MIS:
        return chip.uart_raised[port] & _register(chip, port, _IMSC)
    return _register(chip, port, offset) if offset < 0x200 else 0


@compiled
def write(chip, port, offset, value, written):
    if offset == _DR:
        count = chip.uart_tx_count[port]
        if count < _depth(chip, port):
            chip.uart_tx[port, count] = written & 0xFF
            chip.uart_tx_count[port] = count + 1
        _send_next(chip, port)
        _update_fifo_interrupts(chip, port)
    elif offset == _ICR:
        chip.uart_raised[port] &= ~written
    elif offset == _LCR_H and not value & _FIFOS_ON:
        chip.uart_tx_count[port] = chip.uart_rx_count[port] = 0
    elif offset == _CR:
        _send_next(chip, port)
    _update(chip, port)


@compiled
def reset(chip, port):
    chip.uart_tx_count[port] = chip.uart_rx_count[port] = chip.uart_raised[port] = 0
    chip.uart_shifting[port] = -1
    chip.uart_tx_due[port] = chip.uart_rx_timeout[port] = NEVER
    _update(chip, port)


@compiled
def fire(chip, port):
    """Log a byte whose last bit was sent, and raise the timeout of an unread byte."""
    if chip.uart_tx_due[port] <= chip.now:
        chip.uart_tx_due[port] = NEVER
        note(chip, LOG_UART_BYTE, chip.uart_shifting[port])
        chip.uart_shifting[port] = -1
        _send_next(chip, port)
        _update_fifo_interrupts(chip, port)
    if chip.uart_rx_timeout[port] <= chip.now:
        chip.uart_rx_timeout[port] = NEVER
        if chip.uart_rx_count[port]:
            chip.uart_raised[port] |= _TIMEOUT
            _update(chip, port)


@compiled
def receive(chip):
    byte = chip.uart_in[chip.uart_in_first % UART_IN_BYTES] & 0xFF
    chip.uart_in_first += 1
    for port in range(2):
        if not _register(chip, port, _CR) & _ON:
            continue
        count = chip.uart_rx_count[port]
        if count >= _depth(chip, port):
            chip.uart_lost += 1
            chip.uart_raised[port] |= _OVERRUN
        else:
            chip.uart_rx[port, count] = byte
            chip.uart_rx_count[port] = count + 1
            if count + 1 >= _threshold(chip, port, _register(chip, port, _IFLS) >> 3 & 7):
                chip.uart_raised[port] |= _RX
        chip.uart_rx_timeout[port] = chip.now + _byte_cycles(chip, port) * _TIMEOUT_BITS // 10
        _update_fifo_interrupts(chip, port)


@compiled
def _send_next(chip, port):
    count = chip.uart_tx_count[port]
    if chip.uart_shifting[port] >= 0 or count == 0 or not _register(chip, port, _CR) & _ON:
        return
    chip.uart_shifting[port] = take_first(chip.uart_tx[port])
    chip.uart_tx_count[port] = count - 1
    chip.uart_tx_due[port] = chip.now + _byte_cycles(chip, port)


@compiled
def _pull(chip, port):
    count = chip.uart_rx_count[port]
    if count == 0:
        return 0
    byte = take_first(chip.uart_rx[port])
    chip.uart_rx_count[port] = count - 1
    if count == 1:
        chip.uart_raised[port] &= ~_TIMEOUT
    _update_fifo_interrupts(chip, port)
    return byte


@compiled
def _update_fifo_interrupts(chip, port):
    """Raise or lower the interrupts of the FIFOs."""
    levels = _register(chip, port, _IFLS)
    room = chip.uart_tx_count[port] <= (_threshold(chip, port, levels & 7) if _depth(chip, port) > 1 else 0)
    chip.uart_raised[port] = chip.uart_raised[port] | _TX if room else chip.uart_raised[port] & ~_TX
    if chip.uart_rx_count[port] < _threshold(chip, port, levels >> 3 & 7):
        chip.uart_raised[port] &= ~_RX
    _update(chip, port)


@compiled
def _threshold(chip, port, level):
    """Return the number of bytes at which a FIFO raises its interrupt."""
    if _depth(chip, port) == 1:
        return 1
    return (4, 8, 16, 24, 28, 16, 16, 16)[level]


@compiled
def _depth(chip, port):
    return _FIFO if _register(chip, port, _LCR_H) & _FIFOS_ON else 1


@compiled
def _byte_cycles(chip, port):
    """Return the cycles of ten bits; the divisor counts 64ths of 16 cycles."""
    divisor = _register(chip, port, _IBRD) * 64 + _register(chip, port, _FBRD)
    return max(160, divisor * 160 // 64)


@compiled
def _flags(chip, port):
    sent, received = chip.uart_tx_count[port], chip.uart_rx_count[port]
    flags = 0x80 if sent == 0 else 0
    flags |= 0x20 if sent >= _depth(chip, port) else 0
    flags |= 0x40 if received >= _depth(chip, port) else 0
    flags |= 0x10 if received == 0 else 0
    return flags | (0x08 if sent or chip.uart_shifting[port] >= 0 else 0)


@compiled
def _register(chip, port, offset):
    return chip.apb[_BLOCK + port, offset >> 2]


@compiled
def _update(chip, port):
    set_lines(chip, 1 << _FIRST_IRQ + port, chip.uart_raised[port] & _register(chip, port, _IMSC))
