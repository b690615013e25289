"""Read a puzzle and set up its game; play does not keep this module in memory.

`python -m tools.puzzles build` makes firmware/puzzles.bin. It holds the length of each puzzle, then the puzzle:

    goal (0 clear all, 1 an action, 2 lines, 3 combo)  kind of action, as in Statistics.kinds  how often
        flags: bits 0 to 2 the Tetrimino in Hold, 8 no Hold, 16 lesson
        number of Tetriminos, then the Tetriminos, two a byte, the first in the low bits
        number of rows, then the rows from the lowest up: 2 bytes each, bit x for column x
        number of steps of a solution, then the steps: facing | x + 3 << 2 | y + 3 << 6 | piece << 12
        the name and up to two lines of the hint, separated by bars
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.matrix import GARBAGE_CELL
from firmware.engine.options import CLASSIC

if TYPE_CHECKING:
    from io import BufferedReader

    from firmware.modes.puzzle import Puzzle, PuzzleGame

CLEAR_ALL = const(0)
ACTION = const(1)
LINES = const(2)
MOST = const(12)  # most Tetriminos of a puzzle
STEP_BYTES = const(4)  # bytes for each Lock Down in a game's `way`

_HOLD = const(7)
_NO_HOLD = const(8)
_LESSON = const(16)


class Facts:
    """Hold a puzzle: `fill` sets the fields from its bytes. count: Tetriminos, with the one in Hold."""

    goal: int
    kind: int
    times: int
    lesson: bool
    queue: bytes
    count: int
    steps: bytes
    words: bytes


def open_all(name: str = "puzzles.bin") -> "tuple[BufferedReader, int]":
    """Open a file and skip its first line; return it and the number of puzzles. The caller closes the file."""
    file = open(__file__.rpartition("modes")[0] + name, "rb")
    while file.read(1) != b"\n":
        pass
    return file, file.read(1)[0]


def fetch(number: int, name: str = "puzzles.bin") -> bytes:
    """Return the bytes of puzzle `number`, from 0; raise ValueError with one line if there is none."""
    file, total = open_all(name)
    if number >= total:
        file.close()
        raise ValueError("there is no puzzle %d in this version of Skyline" % (number + 1))
    while number:
        file.seek(file.read(1)[0], 1)
        number -= 1
    record = file.read(file.read(1)[0])
    file.close()
    return record


def count(name: str = "puzzles.bin") -> int:
    """Return how many puzzles there are."""
    file, total = open_all(name)
    file.close()
    return total


def names() -> list[bytes]:
    file, total = open_all()
    found = []
    for _ in range(total):
        record = file.read(file.read(1)[0])
        at = 5 + (record[4] + 1) // 2
        at += 1 + 2 * record[at]
        found.append(record[at + 1 + 2 * record[at] :].split(b"|")[0])
    file.close()
    return found


def fill(owner: "Puzzle | Facts", record: bytes) -> None:
    """Set the fields of `owner` from the bytes of a puzzle."""
    owner.goal = record[0]
    owner.kind = record[1]
    owner.times = record[2]
    owner.lesson = record[3] & _LESSON > 0
    length = record[4]
    owner.queue = bytes([record[5 + i // 2] >> 4 * (i & 1) & 15 for i in range(length)])
    owner.count = length + (1 if record[3] & _HOLD else 0)
    at = 5 + (length + 1) // 2
    at += 1 + 2 * record[at]
    end = at + 1 + 2 * record[at]
    owner.steps = record[at + 1 : end]
    owner.words = record[end:]


def set_up(game: "PuzzleGame", record: bytes) -> None:
    """Put the Blocks of a puzzle into a new game and set the game's options."""
    at = 5 + (record[4] + 1) // 2
    cells = bytearray(10)
    matrix = game.matrix
    for y in range(matrix.top):  # Starting Blocks; Matrix.clear would be a call too deep for a board's stack
        matrix.set_row(y, cells)
    matrix.top = 0
    for y in range(record[at]):
        mask = record[at + 1] | record[at + 2] << 8
        at += 2
        for x in range(10):
            cells[x] = GARBAGE_CELL if mask >> x & 1 else 0
        matrix.set_row(y, cells)
    game.hold = record[3] & _HOLD
    game.way = bytearray(MOST * STEP_BYTES)
    game.level = 1
    options = game.options
    options.level = 1
    options.lock_rule = CLASSIC
    options.hold_on = 0 if record[3] & _NO_HOLD else 1
    options.garbage_rows = 0
    options.modern = 0


def pack_step(step: int, turned: bool) -> bytes:
    """Return a step of a solution as a Lock Down of a game's `way`; turned: with the fifth rotation point."""
    return bytes((step >> 12 & 7, step & 3 | (12 if turned else 0), step >> 2 & 15, step >> 6 & 63))


def restore(game: "PuzzleGame", way: bytes, count: int) -> None:
    """Replay the first `count` Lock Downs of another game's `way`; the next Tetrimino follows at once."""
    for at in range(0, count * STEP_BYTES, STEP_BYTES):
        game.generate()
        if game.piece != way[at]:
            game.swap_hold()
        game.place(way[at], way[at + 2] - 3, way[at + 3] - 3, way[at + 1] & 3)
        game.turned_last = way[at + 1] & 4 > 0
        game.point_5_used = way[at + 1] & 8 > 0
        game.lock_down(True)
        game.eliminate()
    game.events = 0
    game.wait_us = 0


def describe(owner: "Puzzle | Facts") -> bytes:
    """Return the goal in up to three lines of ten capitals, separated by bars."""
    pieces = b"|IN " + str(owner.count).encode()
    if owner.goal == CLEAR_ALL:
        return b"CLEAR ALL" + pieces
    if owner.goal == LINES:
        return str(owner.times).encode() + b" _LINES" + pieces
    if owner.goal != ACTION:
        return b"CLEAR WITH|EACH OF " + str(owner.times).encode()
    name = b" SINGLE DOUBLE TRIPLE TETRIS".split(b" ")[owner.kind % 5]
    if owner.kind > 9:
        name = b"T-SPIN|" + name
    elif owner.kind > 4:
        name = b"MINI|T-SPIN|" + name
    return name + (b" X" + str(owner.times).encode() if owner.times > 1 else b"")
