"""Execute the rare instructions: hints, barriers, MRS and MSR."""

from tools.board.rp2040 import compiled
from tools.board.rp2040.exceptions import psr, set_flags, use_stack

_YIELD, _WFE, _WFI, _SEV = 1, 2, 3, 4
_MSP, _PSP, _PRIMASK, _CONTROL = 8, 9, 16, 20


@compiled
def hint(chip, number):
    """Carry out NOP, YIELD, WFE, WFI or SEV; return its cycles after the first."""
    if number == _SEV:
        chip.event = 1
    elif number == _WFE and chip.event:
        chip.event = 0
    elif number in (_WFE, _WFI):
        chip.waiting = 1
        chip.deadline = 0
    return 1 if number in (_WFE, _WFI) else 0


@compiled
def long_instruction(chip, op, second):
    """Carry out DSB, DMB, ISB, MRS or MSR; return False for anything else."""
    if op == 0xF3BF and second & 0xFF00 == 0x8F00:
        return True
    if op == 0xF3EF and second >> 12 == 8:
        chip.r[second >> 8 & 15] = _read(chip, second & 0xFF)
        return True
    if op >> 4 == 0xF38 and second >> 8 == 0x88:
        _write(chip, second & 0xFF, chip.r[op & 15])
        chip.deadline = 0
        return True
    return False


@compiled
def _read(chip, register):
    if register == _PRIMASK:
        return chip.primask
    if register == _CONTROL:
        return chip.control
    if register in (_MSP, _PSP):
        in_use = chip.control >> 1 & 1 == register - _MSP
        return chip.r[13] if in_use else chip.banked_sp
    if register >= _MSP:
        return 0
    flags = 0 if register & 4 else psr(chip) & 0xF000_0000
    return flags | (chip.ipsr if register & 1 else 0)


@compiled
def _write(chip, register, value):
    if register == _PRIMASK:
        chip.primask = value & 1
    elif register == _CONTROL:
        if not chip.ipsr:
            use_stack(chip, value >> 1 & 1)
        chip.control = chip.control & 2 | value & 1
    elif register in (_MSP, _PSP):
        if chip.control >> 1 & 1 == register - _MSP:
            chip.r[13] = value & 0xFFFF_FFFC
        else:
            chip.banked_sp = value & 0xFFFF_FFFC
    elif register < 4:
        set_flags(chip, value)
