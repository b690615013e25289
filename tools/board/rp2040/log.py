"""Log events for Python to read after run() returns."""

from tools.board.rp2040 import compiled
from tools.board.rp2040.layout import LOG_ENTRIES, LOG_ROOM, LOG_SLEEP, TRAP_LOG_FULL


@compiled
def note(chip, kind, value):
    """Append an entry with the time; stop run() when the log is nearly full."""
    at = chip.log_count
    if at < LOG_ENTRIES:
        chip.log_time[at] = chip.now
        chip.log_kind[at] = kind
        chip.log_value[at] = value
        chip.log_count = at + 1
    if at >= LOG_ENTRIES - LOG_ROOM and not chip.trap:
        chip.trap = TRAP_LOG_FULL
        chip.deadline = 0


@compiled
def note_sleep(chip):
    """Log that the function at `sleep_pc` begins or returns; then watch for the other."""
    begins = chip.marked_pc == chip.sleep_pc
    note(chip, LOG_SLEEP, 1 if begins else 0)
    chip.marked_pc = chip.r[14] & 0xFFFF_FFFE if begins else chip.sleep_pc
