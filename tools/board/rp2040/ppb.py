"""Emulate the core's registers: NVIC, system control block, SysTick."""

from tools.board.rp2040 import compiled
from tools.board.rp2040.layout import MASK, NEVER

_SYST_CSR, _SYST_RVR, _SYST_CVR, _SYST_CALIB = 0xE010, 0xE014, 0xE018, 0xE01C
_ISER, _ICER, _ISPR, _ICPR, _IPR = 0xE100, 0xE180, 0xE200, 0xE280, 0xE400
_CPUID, _ICSR, _VTOR, _SHPR2, _SHPR3 = 0xED00, 0xED04, 0xED08, 0xED1C, 0xED20
_ENABLE, _TICKINT, _COUNTFLAG = 1, 2, 1 << 16


@compiled
def read(chip, offset):
    if offset in (_ISER, _ICER):
        return chip.enabled
    if offset in (_ISPR, _ICPR):
        return chip.lines | chip.pended
    if _IPR <= offset < _IPR + 32:
        return _priorities(chip, 16 + offset - _IPR)
    if offset == _SHPR2:
        return chip.priority[11] << 30
    if offset == _SHPR3:
        return chip.priority[14] << 22 | chip.priority[15] << 30
    if offset == _VTOR:
        return chip.vtor
    if offset == _ICSR:
        return chip.pending_pendsv << 28 | chip.pending_systick << 26 | chip.ipsr
    if offset == _CPUID:
        return 0x410C_C601
    if offset == _SYST_CVR:
        return _count(chip)
    if offset == _SYST_RVR:
        return chip.systick_reload
    if offset == _SYST_CSR:
        control = chip.systick_control
        chip.systick_control &= ~_COUNTFLAG
        return control
    return 10_000 - 1 if offset == _SYST_CALIB else 0


@compiled
def write(chip, offset, value):
    if offset == _ISER:
        chip.enabled |= value
    elif offset == _ICER:
        chip.enabled &= ~value
    elif offset == _ISPR:
        chip.pended |= value
    elif offset == _ICPR:
        chip.pended &= ~value
    elif _IPR <= offset < _IPR + 32:
        for at in range(4):
            chip.priority[16 + offset - _IPR + at] = value >> (8 * at + 6) & 3
    elif offset == _SHPR2:
        chip.priority[11] = value >> 30
    elif offset == _SHPR3:
        chip.priority[14], chip.priority[15] = value >> 22 & 3, value >> 30
    elif offset == _VTOR:
        chip.vtor = value
    elif offset == _ICSR:
        _pend(chip, value)
    elif offset in (_SYST_CSR, _SYST_RVR, _SYST_CVR):
        _set_systick(chip, offset, value)
    chip.deadline = 0


@compiled
def fire_systick(chip):
    """Let SysTick reach 0 and restart from its reload value."""
    chip.systick_control |= _COUNTFLAG
    if chip.systick_control & _TICKINT:
        chip.pending_systick = 1
    chip.systick_start = chip.systick_due
    chip.systick_due += chip.systick_reload + 1 if chip.systick_reload else NEVER


@compiled
def _set_systick(chip, offset, value):
    if offset == _SYST_RVR:
        chip.systick_reload = value & 0xFF_FFFF
        return
    if offset == _SYST_CSR:
        begins = value & _ENABLE and not chip.systick_control & _ENABLE
        chip.systick_control = value & 7
        if not begins and value & _ENABLE:
            return
    chip.systick_start = chip.now
    running = chip.systick_control & _ENABLE and chip.systick_reload
    chip.systick_due = chip.now + chip.systick_reload + 1 if running else NEVER


@compiled
def _count(chip):
    if not chip.systick_control & _ENABLE or not chip.systick_reload:
        return 0
    return (chip.systick_reload - (chip.now - chip.systick_start)) & 0xFF_FFFF


@compiled
def _priorities(chip, first):
    word = 0
    for at in range(4):
        word |= chip.priority[first + at] << (8 * at + 6)
    return word & MASK


@compiled
def _pend(chip, value):
    if value >> 28 & 1:
        chip.pending_pendsv = 1
    if value >> 27 & 1:
        chip.pending_pendsv = 0
    if value >> 26 & 1:
        chip.pending_systick = 1
    if value >> 25 & 1:
        chip.pending_systick = 0
