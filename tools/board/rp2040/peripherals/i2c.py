"""Emulate the I2C master (DW_apb_i2c) with bus times, and one display that acknowledges each byte written to it."""

from tools.board.rp2040 import compiled
from tools.board.rp2040.layout import LOG_I2C_BYTE, LOG_I2C_START, LOG_I2C_STOP, MASK, NEVER
from tools.board.rp2040.log import note
from tools.board.rp2040.registers import set_lines, take_first

_BLOCK = 17
_CON, _TAR, _DATA_CMD, _SS_HCNT, _SS_LCNT, _FS_HCNT, _FS_LCNT = 0x00, 0x04, 0x10, 0x14, 0x18, 0x1C, 0x20
_INTR_STAT, _INTR_MASK, _RAW_INTR_STAT, _RX_TL, _TX_TL, _CLR_INTR = 0x2C, 0x30, 0x34, 0x38, 0x3C, 0x40
_CLR_TX_ABRT, _ENABLE, _STATUS, _TXFLR, _RXFLR, _TX_ABRT_SOURCE = 0x54, 0x6C, 0x70, 0x74, 0x78, 0x80
_ENABLE_STATUS, _COMP_VERSION, _COMP_TYPE = 0x9C, 0xF8, 0xFC

# Offsets and values after a reset.
RESET = (
    *((_CON, 0x65), (_TAR, 0x55), (_SS_HCNT, 0x28), (_SS_LCNT, 0x2F), (_FS_HCNT, 6), (_FS_LCNT, 13)),
    *((_INTR_MASK, 0x8FF), (_COMP_VERSION, 0x3230312A), (_COMP_TYPE, 0x44570140)),
)

_RX_UNDER, _RX_OVER, _RX_FULL, _TX_OVER, _TX_EMPTY = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 4
_RD_REQ, _TX_ABRT, _RX_DONE, _ACTIVITY, _STOP_DET, _START_DET = 1 << 5, 1 << 6, 1 << 7, 1 << 8, 1 << 9, 1 << 10
_GEN_CALL = 1 << 11
_NO_ACKNOWLEDGE, _USER_ABORT = 1 << 0, 1 << 16
# The interrupts that the registers after CLR_INTR clear, in their order.
_CLEARS = (_RX_UNDER, _RX_OVER, _TX_OVER, _RD_REQ, _TX_ABRT, _RX_DONE, _ACTIVITY, _STOP_DET, _START_DET, _GEN_CALL)
_READ, _STOP, _RESTART = 1 << 8, 1 << 9, 1 << 10
_FIFO = 16
_FIRST_IRQ = 23

IDLE, CONNECTED = 0, 1
_ADDRESS, _WRITE_BYTE, _READ_BYTE = 0, 1, 2


@compiled
def read(chip, port, offset):
    """Return a register; reading some of them clears interrupts."""
    if offset == _RAW_INTR_STAT:
        return chip.i2c_raw[port]
    if offset == _INTR_STAT:
        return chip.i2c_raw[port] & _register(chip, port, _INTR_MASK)
    if offset == _STATUS:
        return _status(chip, port)
    if offset == _TXFLR:
        return chip.i2c_tx_count[port]
    if offset == _RXFLR:
        return chip.i2c_rx_count[port]
    if offset == _DATA_CMD:
        return _pull_received(chip, port)
    if offset == _TX_ABRT_SOURCE:
        return chip.i2c_abort[port]
    if _CLR_INTR <= offset <= 0x68:
        return _clear(chip, port, offset)
    if offset == _ENABLE_STATUS:
        return _register(chip, port, _ENABLE) & 1
    return _register(chip, port, offset) if offset < 0x200 else 0


@compiled
def write(chip, port, offset, value):
    if offset == _DATA_CMD:
        count = chip.i2c_tx_count[port]
        if count == _FIFO:
            _raise(chip, port, _TX_OVER)
            return
        chip.i2c_tx[port, count] = value
        chip.i2c_tx_count[port] = count + 1
        chip.i2c_raw[port] &= ~_TX_EMPTY
        _begin_next(chip, port)
    elif offset == _ENABLE:
        if value & 2:
            if chip.i2c_state[port] == IDLE:
                chip.apb[_BLOCK + port, _ENABLE >> 2] &= ~2
            else:
                _abort(chip, port, _USER_ABORT)
                chip.i2c_stop[port] = 1
        if not value & 1:
            chip.i2c_tx_count[port] = chip.i2c_rx_count[port] = 0
        _begin_next(chip, port)
    _update(chip, port)


@compiled
def reset(chip, port):
    chip.i2c_state[port] = IDLE
    chip.i2c_due[port] = NEVER
    chip.i2c_busy[port] = chip.i2c_stop[port] = chip.i2c_restart[port] = 0
    chip.i2c_raw[port] = chip.i2c_abort[port] = 0
    chip.i2c_tx_count[port] = chip.i2c_rx_count[port] = 0
    _update(chip, port)


@compiled
def fire(chip, port):
    """Finish the byte that ends now: the address, a byte written or a byte read."""
    chip.i2c_due[port] = NEVER
    acknowledged = _register(chip, port, _TAR) & 0x7F == chip.display_address
    step = chip.i2c_step[port]
    if step == _READ_BYTE:
        _push_received(chip, port, 0xFF)
    elif not acknowledged:
        _abort(chip, port, _NO_ACKNOWLEDGE)
    if chip.i2c_stop[port] or not acknowledged:
        _finish(chip, port, acknowledged)
        return
    chip.i2c_state[port] = CONNECTED
    chip.i2c_busy[port] = 0
    _begin_next(chip, port)


@compiled
def _begin_next(chip, port):
    """Put the next command on the bus; the address comes before the first one."""
    enable = _register(chip, port, _ENABLE)
    if chip.i2c_tx_count[port] == 0 or chip.i2c_busy[port] or not enable & 1 or enable & 4:
        return
    chip.i2c_busy[port] = 1
    chip.i2c_due[port] = chip.now + _byte_cycles(chip, port)
    chip.deadline = 0
    command = chip.i2c_tx[port, 0]
    restarts = command & _RESTART and not chip.i2c_restart[port] and not chip.i2c_stop[port]
    if chip.i2c_state[port] == IDLE or restarts:
        chip.i2c_restart[port] = 1 if restarts else 0
        chip.i2c_stop[port] = 0
        chip.i2c_state[port] = CONNECTED
        chip.i2c_step[port] = _ADDRESS
        _raise(chip, port, _START_DET)
        note(chip, LOG_I2C_START, _register(chip, port, _TAR) << 1 & 0xFE | (1 if command & _READ else 0))
        return
    chip.i2c_restart[port] = 0
    take_first(chip.i2c_tx[port])
    chip.i2c_tx_count[port] -= 1
    chip.i2c_stop[port] = 1 if command & _STOP else 0
    if command & _READ:
        chip.i2c_step[port] = _READ_BYTE
    else:
        chip.i2c_step[port] = _WRITE_BYTE
        note(chip, LOG_I2C_BYTE, command & 0xFF)
    if chip.i2c_tx_count[port] <= _register(chip, port, _TX_TL):
        _raise(chip, port, _TX_EMPTY)


@compiled
def _finish(chip, port, acknowledged):
    """Put the stop condition on the bus."""
    note(chip, LOG_I2C_STOP, 0 if acknowledged else 1)
    chip.i2c_state[port] = IDLE
    chip.i2c_busy[port] = chip.i2c_restart[port] = 0
    _raise(chip, port, _STOP_DET)
    if _register(chip, port, _ENABLE) & 2:
        chip.apb[_BLOCK + port, _ENABLE >> 2] &= ~2
    else:
        _begin_next(chip, port)


@compiled
def _abort(chip, port, reason):
    """Drop the bytes to be sent, and record the reason."""
    chip.i2c_abort[port] = chip.i2c_abort[port] & 0x7F_FFFF | reason | chip.i2c_tx_count[port] << 23
    chip.i2c_tx_count[port] = 0
    _raise(chip, port, _TX_ABRT)


@compiled
def _byte_cycles(chip, port):
    """Return the cycles of nine bits; filter and edges add eight cycles to the high and low counts of each bit."""
    standard = _register(chip, port, _CON) >> 1 & 3 == 1
    high = _register(chip, port, _SS_HCNT if standard else _FS_HCNT)
    low = _register(chip, port, _SS_LCNT if standard else _FS_LCNT)
    return 9 * (high + low + 8)


@compiled
def _pull_received(chip, port):
    count = chip.i2c_rx_count[port]
    if count == 0:
        _raise(chip, port, _RX_UNDER)
        return 0
    value = take_first(chip.i2c_rx[port])
    chip.i2c_rx_count[port] = count - 1
    chip.i2c_raw[port] &= ~_RX_FULL
    _update(chip, port)
    return value


@compiled
def _push_received(chip, port, value):
    count = chip.i2c_rx_count[port]
    if count == _FIFO:
        _raise(chip, port, _RX_OVER)
        return
    chip.i2c_rx[port, count] = value
    chip.i2c_rx_count[port] = count + 1
    if count >= _register(chip, port, _RX_TL):
        _raise(chip, port, _RX_FULL)


@compiled
def _status(chip, port):
    sent, received = chip.i2c_tx_count[port], chip.i2c_rx_count[port]
    status = 0x21 if chip.i2c_state[port] != IDLE else 0
    status |= 0x02 if sent < _FIFO else 0
    status |= 0x04 if sent == 0 else 0
    status |= 0x08 if received else 0
    return status | (0x10 if received == _FIFO else 0)


@compiled
def _clear(chip, port, offset):
    """Clear the interrupts of a CLR register; return whether one was raised."""
    mask = MASK & ~(_RX_FULL | _TX_EMPTY) if offset == _CLR_INTR else _CLEARS[(offset - _CLR_INTR >> 2) - 1]
    raised = 1 if chip.i2c_raw[port] & mask else 0
    chip.i2c_raw[port] &= ~mask
    if mask & _TX_ABRT:
        chip.i2c_abort[port] = 0
    _update(chip, port)
    return raised


@compiled
def _register(chip, port, offset):
    return chip.apb[_BLOCK + port, offset >> 2]


@compiled
def _raise(chip, port, interrupt):
    chip.i2c_raw[port] |= interrupt
    _update(chip, port)


@compiled
def _update(chip, port):
    set_lines(chip, 1 << _FIRST_IRQ + port, chip.i2c_raw[port] & _register(chip, port, _INTR_MASK))
