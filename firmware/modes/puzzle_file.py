"""Read the puzzles, and set a game up with one: nothing of this is in memory while it is played.

They are in firmware/puzzles.bin, made by `python -m tools.puzzles build`, one after the other, each after its
length. One puzzle:

    goal (0 clear all, 1 an action, 2 lines, 3 combo)  kind of action, as in Statistics.kinds  how often
    flags: 7 piece in Hold, 8 no Hold, 16 lesson
    how many Tetriminos come, those, two a byte, the first in the low bits
    how many rows, those from the lowest up: 2 bytes each, bit x for column x
    how many steps a solution has, those: facing | x + 3 << 2 | y + 3 << 6 | piece << 12
    the name and up to two lines of words, parted by bars

"""

from firmware.compat import const
from firmware.engine.options import CLASSIC

CLEAR_ALL = const(0)
ACTION = const(1)
LINES = const(2)
MOST = const(12)  # Tetriminos
STEP_BYTES = const(4)  # of a game's way

_GARBAGE_CELL = const(8)
_HOLD = const(7)
_NO_HOLD = const(8)
_LESSON = const(16)
_FILE = "puzzles.bin"
_ACTIONS = b" SINGLE DOUBLE TRIPLE TETRIS".split(b" ")


class Facts:
    """What a puzzle is: goal, kind, times, lesson, queue, count (of Tetriminos), steps and words; see `fill`."""

    goal: int
    kind: int
    times: int
    lesson: bool
    queue: bytes
    count: int
    steps: bytes
    words: bytes


def open_puzzles() -> tuple:
    """Return the file, opened behind its first line, and how many puzzles it holds; the caller closes it."""
    file = open(__file__.rpartition("modes")[0] + _FILE, "rb")
    while file.read(1) != b"\n":
        pass
    return file, file.read(1)[0]


def fetch(number: int) -> bytes:
    """Return the bytes of a puzzle, 0 for the first; raise ValueError with one line where there is none such."""
    file, count = open_puzzles()
    if number >= count:
        file.close()
        raise ValueError("there is no puzzle %d in this version of Skyline" % (number + 1))
    while number:
        file.seek(file.read(1)[0], 1)
        number -= 1
    record = file.read(file.read(1)[0])
    file.close()
    return record


def count_puzzles() -> int:
    """Return how many puzzles there are."""
    file, count = open_puzzles()
    file.close()
    return count


def read_names() -> list:
    """Return the names of all puzzles."""
    file, count = open_puzzles()
    names = []
    for _ in range(count):
        record = file.read(file.read(1)[0])
        at = 5 + (record[4] + 1) // 2
        at += 1 + 2 * record[at]
        names.append(record[at + 1 + 2 * record[at] :].split(b"|")[0])
    file.close()
    return names


def fill(facts, record: bytes) -> None:
    """Take down what the bytes of a puzzle say."""
    facts.goal = record[0]
    facts.kind = record[1]
    facts.times = record[2]
    facts.lesson = record[3] & _LESSON > 0
    length = record[4]
    facts.queue = bytes([record[5 + i // 2] >> 4 * (i & 1) & 15 for i in range(length)])
    facts.count = length + (1 if record[3] & _HOLD else 0)
    at = 5 + (length + 1) // 2
    at += 1 + 2 * record[at]
    end = at + 1 + 2 * record[at]
    facts.steps = record[at + 1 : end]
    facts.words = record[end:]


def set_up(game, record: bytes) -> None:
    """Put the Blocks of a puzzle into a game that begins, and let its options be what a puzzle asks for."""
    at = 5 + (record[4] + 1) // 2
    cells = bytearray(10)
    for y in range(record[at]):
        mask = record[at + 1] | record[at + 2] << 8
        at += 2
        for x in range(10):
            cells[x] = _GARBAGE_CELL if mask >> x & 1 else 0
        game.matrix.set_row(y, cells)
    game.hold = record[3] & _HOLD
    game.way = bytearray(MOST * STEP_BYTES)
    game.level = 1
    options = game.options
    options.level = 1
    options.lock_rule = CLASSIC
    options.hold_on = 0 if record[3] & _NO_HOLD else 1
    options.garbage_rows = 0
    options.modern = 0


def play_back(game, way: bytes, count: int) -> None:
    """Play the first `count` Lock Downs of another game's way at once, and bring the next Tetrimino."""
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


def describe(facts) -> bytes:
    """Return the goal in up to three lines of ten capitals, parted by bars."""
    pieces = b"|IN " + str(facts.count).encode()
    if facts.goal == CLEAR_ALL:
        return b"CLEAR ALL" + pieces
    if facts.goal == LINES:
        return str(facts.times).encode() + b" LINES" + pieces
    if facts.goal != ACTION:
        return b"CLEAR WITH|EACH OF " + str(facts.times).encode()
    name = _ACTIONS[facts.kind % 5]
    if facts.kind > 9:
        name = b"T-SPIN|" + name
    elif facts.kind > 4:
        name = b"MINI|T-SPIN|" + name
    return name + (b" X" + str(facts.times).encode() if facts.times > 1 else b"")
