"""Execute ARMv6-M instructions with the cycle counts of a Cortex-M0+ in an RP2040 (flash always cached)."""

import numpy as np

from tools.board.rp2040 import compiled
from tools.board.rp2040.alu import add, calculate, condition_holds, extend, reverse, shift_right
from tools.board.rp2040.layout import FLASH_BYTES, FLASH_START, LOG_POLL, MASK, TRAP_UNDEFINED, TRAP_WATCHED
from tools.board.rp2040.log import note, note_sleep
from tools.board.rp2040.memory import load_byte, load_half, load_word, store_byte, store_half, store_word
from tools.board.rp2040.special import hint, long_instruction

_EXC_RETURN = 0xF000_0000


@compiled
def fetch(chip, pc):
    offset = pc - FLASH_START
    if 0 <= offset < FLASH_BYTES:
        word = np.int64(chip.flash[offset >> 2])
    else:
        word = load_word(chip, pc, chip.now)
    return word >> ((pc & 2) << 3) & 0xFFFF


@compiled
def access_cycles(address, writing):
    """Return the cycles of a load or store after its first: none at SIO, three or four at a peripheral."""
    region = address >> 28
    if region == 0xD:
        return 0
    if region == 4:
        return 4 if writing else 3
    return 1


# One function executes all instructions, so that time, program counter and flags are local variables.
@compiled
def execute(chip):  # noqa: C901
    """Run instructions until the cycle `deadline`; a device sets this to 0 to stop at once."""
    r = chip.r
    pc, now = r[15], chip.now
    nz, c, v = chip.nz, chip.c, chip.v
    start = now
    while now < chip.deadline:
        if pc == chip.watched_pc:
            if chip.passed_pc != pc:
                chip.passed_pc = pc
                chip.trap = TRAP_WATCHED
                break
            chip.passed_pc = -1
        if pc == chip.marked_pc:
            chip.now = now
            note_sleep(chip)
        elif pc == chip.poll_pc:
            chip.now = now
            note(chip, LOG_POLL, 0)
        op = fetch(chip, pc)
        after = pc + 2
        now += 1
        kind = op >> 11
        low, mid, high = op & 7, op >> 3 & 7, op >> 8 & 7
        if kind < 8:
            if kind == 0:  # LSLS, MOVS
                shift = op >> 6 & 31
                value = r[mid] << shift
                if shift:
                    c = value >> 32 & 1
                nz = r[low] = value & MASK
            elif kind == 1:  # LSRS
                nz, c = shift_right(r[mid], op >> 6 & 31 or 32)
                r[low] = nz
            elif kind == 2:  # ASRS
                nz, c = shift_right((r[mid] ^ 0x8000_0000) - 0x8000_0000, op >> 6 & 31 or 32)
                nz &= MASK
                r[low] = nz
            elif kind == 3:  # ADDS, SUBS of a register or three bits
                value = op >> 6 & 7 if op & 0x400 else r[op >> 6 & 7]
                if op & 0x200:
                    nz, c, v = add(r[mid], value ^ MASK, 1)
                else:
                    nz, c, v = add(r[mid], value, 0)
                r[low] = nz
            elif kind == 4:  # MOVS of eight bits
                nz = r[high] = op & 0xFF
            elif kind == 5:  # CMP
                nz, c, v = add(r[high], op & 0xFF ^ MASK, 1)
            elif kind == 6:  # ADDS
                nz, c, v = add(r[high], op & 0xFF, 0)
                r[high] = nz
            else:  # SUBS
                nz, c, v = add(r[high], op & 0xFF ^ MASK, 1)
                r[high] = nz
        elif kind == 8:
            if op < 0x4400:
                opcode = op >> 6 & 15
                nz, c, v = calculate(opcode, r[low], r[mid], c, v)
                if opcode != 8 and opcode != 10 and opcode != 11:  # TST, CMP, CMN
                    r[low] = nz
            else:
                source, target = op >> 3 & 15, op >> 4 & 8 | low
                value = pc + 4 if source == 15 else r[source]
                opcode = op >> 8 & 3
                if opcode == 1:  # CMP
                    nz, c, v = add(r[target], value ^ MASK, 1)
                elif opcode == 3:  # BX, BLX
                    now += 1
                    if op & 0x80:
                        r[14] = after | 1
                    elif value >= _EXC_RETURN and chip.ipsr:
                        chip.returning = value
                        pc = value
                        break
                    after = value & 0xFFFF_FFFE
                else:  # ADD, MOV
                    if opcode == 0:
                        value = value + (pc + 4 if target == 15 else r[target]) & MASK
                    if target == 15:
                        after = value & 0xFFFF_FFFE
                        now += 1
                    else:
                        r[target] = value & 0xFFFF_FFFC if target == 13 else value
        elif kind == 9:  # LDR of a literal
            address = (pc + 4 & 0xFFFF_FFFC) + ((op & 0xFF) << 2)
            now += 1
            r[high] = load_word(chip, address, now)
        elif kind < 12:  # loads and stores, register plus register
            address = r[mid] + r[op >> 6 & 7] & MASK
            opcode = op >> 9 & 7
            now += access_cycles(address, opcode < 3)
            if opcode == 0:
                store_word(chip, address, r[low], now)
            elif opcode == 1:
                store_half(chip, address, r[low], now)
            elif opcode == 2:
                store_byte(chip, address, r[low], now)
            elif opcode == 3:
                r[low] = extend(load_byte(chip, address, now), 0x80)
            elif opcode == 4:
                r[low] = load_word(chip, address, now)
            elif opcode == 5:
                r[low] = load_half(chip, address, now)
            elif opcode == 6:
                r[low] = load_byte(chip, address, now)
            else:
                r[low] = extend(load_half(chip, address, now), 0x8000)
        elif kind < 18:  # loads and stores, register plus five bits
            offset = op >> 6 & 31
            if kind < 14:
                address = r[mid] + (offset << 2) & MASK
                now += access_cycles(address, kind == 12)
                if kind == 12:
                    store_word(chip, address, r[low], now)
                else:
                    r[low] = load_word(chip, address, now)
            elif kind < 16:
                address = r[mid] + offset & MASK
                now += access_cycles(address, kind == 14)
                if kind == 14:
                    store_byte(chip, address, r[low], now)
                else:
                    r[low] = load_byte(chip, address, now)
            else:
                address = r[mid] + (offset << 1) & MASK
                now += access_cycles(address, kind == 16)
                if kind == 16:
                    store_half(chip, address, r[low], now)
                else:
                    r[low] = load_half(chip, address, now)
        elif kind < 20:  # STR, LDR on the stack
            address = r[13] + ((op & 0xFF) << 2) & MASK
            now += 1
            if kind == 18:
                store_word(chip, address, r[high], now)
            else:
                r[high] = load_word(chip, address, now)
        elif kind == 20:  # ADR
            r[high] = (pc + 4 & 0xFFFF_FFFC) + ((op & 0xFF) << 2)
        elif kind == 21:  # ADD to the stack pointer
            r[high] = r[13] + ((op & 0xFF) << 2) & MASK
        elif kind < 24:
            opcode = op >> 8
            if opcode == 0xB0:
                change = (op & 0x7F) << 2
                r[13] = (r[13] - change if op & 0x80 else r[13] + change) & MASK
            elif opcode == 0xB2:  # SXTH, SXTB, UXTH, UXTB
                variant = op >> 6 & 3
                value = r[mid] & (0xFF if variant & 1 else 0xFFFF)
                if variant < 2:
                    value = extend(value, 0x80 if variant & 1 else 0x8000)
                r[low] = value
            elif opcode & 0xFE == 0xB4:  # PUSH
                address = r[13]
                if op & 0x100:
                    address -= 4
                    store_word(chip, address, r[14], now)
                for register in range(7, -1, -1):
                    if op >> register & 1:
                        address -= 4
                        now += 1
                        store_word(chip, address, r[register], now)
                r[13] = address & MASK
            elif opcode & 0xFE == 0xBC:  # POP
                address = r[13]
                for register in range(8):
                    if op >> register & 1:
                        now += 1
                        r[register] = load_word(chip, address, now)
                        address += 4
                if op & 0x100:
                    now += 2
                    after = load_word(chip, address, now)
                    address += 4
                r[13] = address & MASK
                if op & 0x100:
                    if after >= _EXC_RETURN and chip.ipsr:
                        chip.returning = after
                        pc = after
                        break
                    after &= 0xFFFF_FFFE
            elif opcode == 0xBA and op >> 6 & 3 != 2:  # REV, REV16, REVSH
                r[low] = reverse(r[mid], op >> 6 & 3)
            elif op == 0xB672 or op == 0xB662:  # CPSID, CPSIE
                chip.primask = op >> 4 & 1
                chip.deadline = 0
            elif opcode == 0xBF:  # NOP, YIELD, WFE, WFI, SEV
                now += hint(chip, op >> 4 & 15)
            else:
                chip.trap = TRAP_UNDEFINED
                break
        elif kind == 24:  # STM
            address = r[high]
            for register in range(8):
                if op >> register & 1:
                    now += 1
                    store_word(chip, address, r[register], now)
                    address += 4
            r[high] = address & MASK
        elif kind == 25:  # LDM
            address = r[high]
            for register in range(8):
                if op >> register & 1:
                    now += 1
                    r[register] = load_word(chip, address, now)
                    address += 4
            if not op >> high & 1:
                r[high] = address & MASK
        elif kind < 28:
            opcode = op >> 8 & 15
            if opcode < 14:  # conditional B
                if condition_holds(opcode, nz, c, v):
                    after = pc + 4 + ((op & 0xFF ^ 0x80) - 0x80 << 1)
                    now += 1
            elif opcode == 15:  # SVC
                chip.pending_svc = 1
                chip.deadline = 0
            else:
                chip.trap = TRAP_UNDEFINED
                break
        elif kind == 28:  # B
            after = pc + 4 + ((op & 0x7FF ^ 0x400) - 0x400 << 1)
            now += 1
        elif kind == 30:
            second = fetch(chip, after)
            now += 2
            if second & 0xD000 == 0xD000:  # BL
                sign = op >> 10 & 1
                upper = (1 ^ sign ^ second >> 13 & 1) << 23 | (1 ^ sign ^ second >> 11 & 1) << 22
                offset = upper | (op & 0x3FF) << 12 | (second & 0x7FF) << 1
                r[14] = pc + 4 | 1
                after = pc + 4 + offset - (sign << 24) & MASK
            else:
                chip.nz, chip.c, chip.v = nz, c, v
                if not long_instruction(chip, op, second):
                    chip.trap = TRAP_UNDEFINED
                    break
                nz, c, v = chip.nz, chip.c, chip.v
                after = pc + 4
        else:
            chip.trap = TRAP_UNDEFINED
            break
        pc = after
    chip.busy += now - start
    chip.now = now
    r[15] = pc
    chip.nz, chip.c, chip.v = nz, c, v
