"""Read an all-clear task as the bytes of a puzzle; play does not keep this module in memory.

`python -m tools.puzzles allclear --pack` makes firmware/all_clears.bin. After its first line it holds the number of
tasks of each grade, then all tasks, those with the fewest Tetriminos first. A task:

    40 cells of four rows, in 5 bytes: bit 10 * y + x
    number of different solutions; + 128 if the first Tetrimino is in Hold
    the Tetriminos, two a byte, the first in the low bits; + 8 if HOLD is pressed in that step of the solution
    the steps of the solution, a byte each: x of the box + 2 << 4 | y of the lowest Mino << 2 | facing
"""

from firmware.compat import const
from firmware.engine.randomizer import Random
from firmware.engine.tables import SHAPES
from firmware.modes.lessons.puzzle_file import open_all

GRADES = const(4)
FEWEST = const(2)  # Tetriminos of grade 0; each further grade has one more
HELD = const(128)
SWAPPED = const(8)
TASK_BYTES = b"\x09\x0b\x0c\x0e"  # of a task, by grade

_AT_WAYS = const(5)
_AT_PIECES = const(6)
_PIECE = const(7)
_ROWS = const(4)


def pick_task(key: int, position: int, total: int) -> int:
    """Return which of `total` tasks comes at `position`: each comes once, then each again in another order."""
    random = Random(key + position // total)
    first = random.below(total)
    while True:
        stride = a = 1 + random.below(total)
        b = total
        while b:
            a, b = b, a % b
        if a == 1:
            return (first + position % total * stride) % total


def fetch(grade: int, key: int, position: int) -> bytes:
    """Return the packed task that the save with this `key` gets at this `position`."""
    file, total = open_all("all_clears.bin")
    at = pick_task(key, position, total) * TASK_BYTES[grade]
    for easier in range(grade):
        at += total * TASK_BYTES[easier]
    file.seek(at, 1)
    task = file.read(TASK_BYTES[grade])
    file.close()
    return task


def count_ways(task: bytes) -> int:
    """Return the number of solutions of a packed task."""
    return task[_AT_WAYS] & ~HELD


def expand(task: bytes) -> bytes:
    """Return a packed task as the bytes of a puzzle (puzzle_file.py)."""
    count = list(TASK_BYTES).index(len(task)) + FEWEST
    pieces = bytes([task[_AT_PIECES + i // 2] >> 4 * (i & 1) & 15 for i in range(count)])
    hold = pieces[0] & _PIECE if task[_AT_WAYS] & HELD else 0
    queue = [piece & _PIECE for piece in pieces[1 if hold else 0 :]]
    record = bytearray((0, 0, 1, hold, len(queue)))
    for i in range(0, len(queue), 2):
        record.append(queue[i] | (queue[i + 1] << 4 if i + 1 < len(queue) else 0))
    record.append(_ROWS)
    cells = task[4] << 16 | task[3] << 8 | task[2]  # not all 40 bits: a board's numbers have 31
    for mask in (task[0] | task[1] << 8, task[1] >> 2 | task[2] << 6, cells >> 4, cells >> 14):
        record.append(mask & 255)
        record.append(mask >> 8 & 3)
    record.append(count)
    for i in range(count):
        piece = hold
        if queue:
            piece = queue.pop(0)
            if pieces[i] & SWAPPED:
                hold, piece = piece, hold or queue.pop(0)
        else:
            hold = 0
        packed = task[len(task) - count + i]
        y = packed >> 2 & 3
        shape = (piece - 1) * 16 + (packed & 3) * 4
        while not SHAPES[shape]:
            shape += 1
            y -= 1
        step = packed & 3 | (packed >> 4) + 1 << 2 | y + 3 << 6 | piece << 12
        record.append(step & 255)
        record.append(step >> 8)
    return bytes(record)
