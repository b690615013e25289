"""Emulate the DMA as far as CircuitPython's SPI needs it: bytes between RAM and the FIFOs of the SPIs.

A channel that waits for anything else stays busy. Rings, byte swaps, the sniffer and the timers are left out.
"""

import numpy as np

from tools.board.rp2040 import compiled
from tools.board.rp2040.layout import DMA_CHANNELS, MASK, RAM_BYTES, RAM_START
from tools.board.rp2040.peripherals import spi
from tools.board.rp2040.registers import change, set_lines

_CHANNELS_END = DMA_CHANNELS * 0x40
_INTR, _FIRST_INTE, _LAST_INTS = 0x400, 0x404, 0x41C
_MULTI_TRIGGER, _ABORT, _N_CHANNELS = 0x430, 0x444, 0x448
_READ_ADDRESS, _WRITE_ADDRESS, _COUNT, _CONTROL = 0, 1, 2, 3
# The registers of a channel in their four orders; the last one of each order starts the channel.
_ORDERS = (
    *(_READ_ADDRESS, _WRITE_ADDRESS, _COUNT, _CONTROL),
    *(_CONTROL, _READ_ADDRESS, _WRITE_ADDRESS, _COUNT),
    *(_CONTROL, _COUNT, _READ_ADDRESS, _WRITE_ADDRESS),
    *(_CONTROL, _WRITE_ADDRESS, _COUNT, _READ_ADDRESS),
)
_ENABLED, _READ_MOVES, _WRITE_MOVES, _QUIET, _BUSY = 1 << 0, 1 << 4, 1 << 5, 1 << 21, 1 << 24
_FIRST_SPI_REQUEST, _LAST_SPI_REQUEST = 16, 19
_FIRST_IRQ = 11


@compiled
def read(chip, address):
    return _register(chip, address & 0xFFF)


@compiled
def write(chip, address, value):
    offset, written = address & 0xFFF, value
    value = change(address, _register(chip, offset), written)
    if offset < _CHANNELS_END:
        _write_channel(chip, offset >> 6, offset >> 2 & 15, value)
    elif offset == _MULTI_TRIGGER:
        for channel in range(DMA_CHANNELS):
            if written >> channel & 1:
                _start(chip, channel)
    elif offset == _ABORT:
        chip.dma_busy &= ~written
    elif offset == _INTR:
        chip.dma_raised &= ~written
    elif _FIRST_INTE <= offset <= _LAST_INTS:
        line, kind = _split_interrupt(offset)
        if kind == 0:
            chip.dma_enabled[line] = value
        elif kind == 1:
            chip.dma_forced[line] = value
        elif kind == 2:
            chip.dma_raised &= ~written
    _update(chip)


@compiled
def reset(chip):
    chip.dma_channels[:, :] = 0
    chip.dma_left[:] = 0
    chip.dma_enabled[:] = 0
    chip.dma_forced[:] = 0
    chip.dma_busy = chip.dma_raised = 0
    _update(chip)


@compiled
def serve(chip):
    """Move bytes on every busy channel for as long as its FIFO asks."""
    busy = chip.dma_busy
    channel = 0
    while busy:
        if busy & 1:
            _serve_channel(chip, channel)
        busy >>= 1
        channel += 1


@compiled
def _serve_channel(chip, channel):
    """Move bytes until the FIFO asks for none, or the transfer ends."""
    registers = chip.dma_channels[channel]
    control = registers[_CONTROL]
    request = control >> 15 & 0x3F
    if not control & _ENABLED or not _FIRST_SPI_REQUEST <= request <= _LAST_SPI_REQUEST:
        return
    port = request - _FIRST_SPI_REQUEST >> 1
    while chip.dma_left[channel]:
        if request & 1:
            if not spi.asks_to_receive(chip, port):
                return
            _store_byte(chip, registers[_WRITE_ADDRESS], spi.pull(chip, port))
        else:
            if not spi.asks_to_send(chip, port):
                return
            spi.push(chip, port, _load_byte(chip, registers[_READ_ADDRESS]))
        registers[_READ_ADDRESS] += 1 if control & _READ_MOVES else 0
        registers[_WRITE_ADDRESS] += 1 if control & _WRITE_MOVES else 0
        chip.dma_left[channel] -= 1
    _finish(chip, channel)


@compiled
def _start(chip, channel):
    """Start an idle channel with its count of bytes."""
    if chip.dma_channels[channel, _CONTROL] & _ENABLED and not chip.dma_busy >> channel & 1:
        chip.dma_left[channel] = chip.dma_channels[channel, _COUNT]
        chip.dma_busy |= 1 << channel
        _serve_channel(chip, channel)


@compiled
def _finish(chip, channel):
    chip.dma_busy &= ~(1 << channel)
    if not chip.dma_channels[channel, _CONTROL] & _QUIET:
        chip.dma_raised |= 1 << channel
    _update(chip)


@compiled
def _write_channel(chip, channel, at, value):
    """Write the register at a place of a channel's four orders; the last place of an order starts the channel."""
    register = _ORDERS[at]
    chip.dma_channels[channel, register] = value & ~_BUSY if register == _CONTROL else value & MASK
    if at & 3 == 3 and value:
        _start(chip, channel)


@compiled
def _register(chip, offset):
    """Return a register; the count of a channel is what is left of it."""
    if offset < _CHANNELS_END:
        channel, register = offset >> 6, _ORDERS[offset >> 2 & 15]
        if register == _COUNT:
            return chip.dma_left[channel]
        value = chip.dma_channels[channel, register]
        busy = chip.dma_busy >> channel & 1
        return value | (_BUSY if busy and register == _CONTROL else 0)
    if offset == _INTR:
        return chip.dma_raised
    if offset == _N_CHANNELS:
        return DMA_CHANNELS
    if _FIRST_INTE <= offset <= _LAST_INTS:
        line, kind = _split_interrupt(offset)
        if kind == 0:
            return chip.dma_enabled[line]
        if kind == 1:
            return chip.dma_forced[line]
        if kind == 2:
            return _status(chip, line)
    return 0


@compiled
def _split_interrupt(offset):
    """Return the interrupt line, 0 or 1, and the kind of its register: enable (0), force (1), status (2)."""
    at = offset - _FIRST_INTE >> 2
    return at >> 2, at & 3


@compiled
def _status(chip, line):
    return chip.dma_raised & chip.dma_enabled[line] | chip.dma_forced[line]


@compiled
def _update(chip):
    for line in range(2):
        set_lines(chip, 1 << _FIRST_IRQ + line, _status(chip, line))


@compiled
def _load_byte(chip, address):
    """Return a byte of the RAM, 0 elsewhere."""
    offset = address - RAM_START
    if not 0 <= offset < RAM_BYTES:
        return 0
    return np.int64(chip.ram[offset >> 2]) >> ((offset & 3) << 3) & 0xFF


@compiled
def _store_byte(chip, address, value):
    """Store a byte in the RAM; drop it elsewhere."""
    offset = address - RAM_START
    if 0 <= offset < RAM_BYTES:
        shift = (offset & 3) << 3
        word = np.int64(chip.ram[offset >> 2])
        chip.ram[offset >> 2] = word & ~(0xFF << shift) | (value & 0xFF) << shift
