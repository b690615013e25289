"""What several devices have: registers with aliases, FIFOs, and interrupt lines."""

from tools.board.rp2040 import compiled


@compiled
def change(address, old, written):
    """Return a register after a write: to the aliases at +0x1000, +0x2000 and +0x3000 toggles, sets or clears bits."""
    alias = address >> 12 & 3
    if alias == 1:
        return old ^ written
    if alias == 2:
        return old | written
    return old & ~written if alias == 3 else written


@compiled
def take_first(fifo):
    first = fifo[0]
    for at in range(len(fifo) - 1):
        fifo[at] = fifo[at + 1]
    return first


@compiled
def set_lines(chip, lines, raised):
    """Raise or lower interrupt lines, and let execute() look at them."""
    chip.lines = chip.lines | lines if raised else chip.lines & ~lines
    chip.deadline = 0
