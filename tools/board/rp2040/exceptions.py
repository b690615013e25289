"""Enter and leave exceptions of a Cortex-M0+: NVIC priorities, stacking, EXC_RETURN."""

from tools.board.rp2040 import compiled
from tools.board.rp2040.layout import MASK
from tools.board.rp2040.memory import load_word, store_word

SVCALL, PENDSV, SYSTICK, FIRST_IRQ = 11, 14, 15, 16
_LOWEST = 4  # below all priorities: no exception is active


@compiled
def psr(chip):
    """Return xPSR: the flags and the number of the active exception."""
    zero = 1 if chip.nz == 0 else 0
    return (chip.nz & 0x8000_0000) | zero << 30 | chip.c << 29 | chip.v << 28 | 1 << 24 | chip.ipsr


@compiled
def set_flags(chip, value):
    """Set N, Z, C and V from the upper bits of a PSR."""
    if value >> 30 & 1:
        chip.nz = 0
    else:
        chip.nz = 0x8000_0000 if value >> 31 & 1 else 1
    chip.c = value >> 29 & 1
    chip.v = value >> 28 & 1


@compiled
def use_stack(chip, process):
    """Make r13 the process stack pointer (1) or the main one (0)."""
    if (chip.control >> 1 & 1) != process:
        chip.r[13], chip.banked_sp = chip.banked_sp, chip.r[13]
        chip.control ^= 2


@compiled
def most_urgent(chip):
    """Return the pending exception with the highest priority, 0 for none."""
    best = 0
    best_priority = _LOWEST
    for number, pending in ((SVCALL, chip.pending_svc), (PENDSV, chip.pending_pendsv), (SYSTICK, chip.pending_systick)):
        if pending and chip.priority[number] < best_priority:
            best, best_priority = number, chip.priority[number]
    waiting = (chip.lines | chip.pended) & chip.enabled
    irq = 0
    while waiting:
        if waiting & 1 and chip.priority[FIRST_IRQ + irq] < best_priority:
            best, best_priority = FIRST_IRQ + irq, chip.priority[FIRST_IRQ + irq]
        waiting >>= 1
        irq += 1
    return best


@compiled
def take_exception(chip):
    """Enter the most urgent pending exception if none as urgent is active; PRIMASK only lets it wake the core."""
    number = most_urgent(chip)
    if number == 0:
        return
    active = chip.priority[chip.ipsr] if chip.ipsr else _LOWEST
    if chip.priority[number] >= active:
        return
    chip.waiting = 0
    if chip.primask:
        return
    if number == SVCALL:
        chip.pending_svc = 0
    elif number == PENDSV:
        chip.pending_pendsv = 0
    elif number == SYSTICK:
        chip.pending_systick = 0
    else:
        chip.pended &= ~(1 << (number - FIRST_IRQ))
    enter_exception(chip, number)


@compiled
def enter_exception(chip, number):
    """Stack eight words and branch to the handler."""
    r = chip.r
    unaligned = r[13] >> 2 & 1
    frame = (r[13] - 0x20) & 0xFFFF_FFF8
    r[13] = frame
    for at, register in enumerate((0, 1, 2, 3, 12, 14, 15)):
        store_word(chip, frame + 4 * at, r[register], chip.now)
    store_word(chip, frame + 28, psr(chip) | unaligned << 9, chip.now)
    if chip.ipsr:
        r[14] = 0xFFFF_FFF1
    else:
        r[14] = 0xFFFF_FFFD if chip.control & 2 else 0xFFFF_FFF9
    use_stack(chip, 0)
    chip.ipsr = number
    chip.event = 1
    r[15] = load_word(chip, chip.vtor + 4 * number, chip.now) & 0xFFFF_FFFE


@compiled
def return_from_exception(chip):
    """Return from an exception by the EXC_RETURN in `returning`."""
    use_stack(chip, 1 if chip.returning & 15 == 13 else 0)
    chip.returning = 0
    r = chip.r
    frame = r[13]
    for at, register in enumerate((0, 1, 2, 3, 12, 14, 15)):
        r[register] = load_word(chip, frame + 4 * at, chip.now)
    r[15] &= 0xFFFF_FFFE
    stacked = load_word(chip, frame + 28, chip.now)
    r[13] = (frame + 0x20) & MASK | (stacked >> 9 & 1) << 2
    set_flags(chip, stacked)
    chip.ipsr = stacked & 0x3F
    chip.event = 1
