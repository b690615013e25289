"""Solve a puzzle: a Matrix with Blocks, the Tetriminos to come, and what is to be done with them.

The puzzles are in firmware/puzzles.bin, made by `python -m tools.puzzles build`, one after the other, each after its
length. One puzzle:

    goal (0 clear all, 1 an action, 2 lines, 3 combo)  kind of action, as in Statistics.kinds  how often
    flags: 7 piece in Hold, 8 no Hold, 16 lesson
    how many Tetriminos come, those, two a byte, the first in the low bits
    how many rows, those from the lowest up: 2 bytes each, bit x for column x
    how many steps a solution has, those: facing | x + 3 << 2 | y + 3 << 6 | piece << 12
    the name and up to two lines of words, parted by bars

The seed of its game is the number of a puzzle.
"""

from firmware.compat import const
from firmware.engine.game import AIM_REACHED, Game
from firmware.engine.mode import Mode
from firmware.engine.options import CLASSIC
from firmware.engine.tables import FALL_US, SHAPES

CLEAR_ALL = const(0)
ACTION = const(1)
LINES = const(2)
MISSED = const(5)  # why the game is over: the last Tetrimino did not do it

_NEVER_US = const(1 << 29)
_WALLS = const(0xE007)
_GARBAGE_CELL = const(8)
_NO_HOLD = const(8)
_LESSON = const(16)
_MOST = const(12)  # Tetriminos
_STEP_BYTES = const(4)  # of the way: piece, facing with how it came there, x + 3, y + 3
_FILE = "puzzles.bin"
_ACTIONS = b" SINGLE DOUBLE TRIPLE TETRIS".split(b" ")


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


class PuzzleGame(Game):
    """A game without haste: nothing falls by itself, and nothing but a Hard Drop locks down.

    way: of each Lock Down the piece, where and how it came to lie, so that the last one can be taken back.
    """

    __slots__ = ("way",)

    mode: "Puzzle"
    way: bytearray

    def set_interval(self) -> None:
        """Fall with Soft Drop only."""
        self.interval_us = FALL_US[0] // self.options.soft_factor if self.soft else _NEVER_US

    def reach(self) -> None:
        """Let the Lock Down Timer stand still."""
        Game.reach(self)
        self.lock_us = _NEVER_US

    def fall(self, left_us: int) -> int:
        """Fall with Soft Drop only, however long it takes."""
        if self.soft:
            return Game.fall(self, left_us)
        self.fall_us = _NEVER_US
        return left_us

    def lock_down(self, hard: bool = False) -> None:
        """Lock down by a Hard Drop only, and note the place before the Tetrimino turns into Blocks."""
        if not hard:
            self.lock_us = _NEVER_US
            return
        at = self.lock_downs * _STEP_BYTES
        way = self.way
        way[at] = self.piece
        way[at + 1] = self.facing | (4 if self.turned_last else 0) | (8 if self.point_5_used else 0)
        way[at + 2] = self.x + 3
        way[at + 3] = self.y + 3
        self.mode.follow(self)
        Game.lock_down(self, hard)

    def play(self, way: bytes, count: int) -> None:
        """Play the first `count` Lock Downs of another game's way at once, and bring the next Tetrimino."""
        for at in range(0, count * _STEP_BYTES, _STEP_BYTES):
            self.generate()
            if self.piece != way[at]:
                self.swap_hold()
            self.place(way[at], way[at + 2] - 3, way[at + 3] - 3, way[at + 1] & 3)
            self.turned_last = way[at + 1] & 4 > 0
            self.point_5_used = way[at + 1] & 8 > 0
            self.lock_down(True)
            self.eliminate()
        self.events = 0
        self.wait_us = 0


class Puzzle(Mode):
    """Set up a puzzle, deal its Tetriminos and see whether it is solved.

    goal, kind, times: what is to be done.  count: of Tetriminos.  lesson: whether the next step shows.  words: the name
    and what else is said.  led: whether the game has followed the solution in `steps` so far.
    """

    rules = PuzzleGame

    def read(self, number: int, record: bytes = b"") -> None:
        """Read a puzzle, or take what is in none yet; raise ValueError with one line where there is none such."""
        self.record = record = record or fetch(number)
        self.goal = record[0]
        self.kind = record[1]
        self.times = record[2]
        self.lesson = record[3] & _LESSON > 0
        length = record[4]
        self.queue = bytes([record[5 + i // 2] >> 4 * (i & 1) & 15 for i in range(length)])
        self.count = length + (1 if record[3] & 7 else 0)
        self.rows_at = 5 + (length + 1) // 2
        at = self.rows_at + 1 + 2 * record[self.rows_at]
        end = at + 1 + 2 * record[at]
        self.steps = record[at + 1 : end]
        self.words = record[end:]
        self.dealt = 0
        self.done = 0
        self.led = True

    def begin(self, game) -> None:
        """Set up the puzzle that the seed is the number of."""
        self.read(game.seed)
        record = self.record
        at = self.rows_at
        cells = bytearray(10)
        for y in range(record[at]):
            mask = record[at + 1] | record[at + 2] << 8
            at += 2
            for x in range(10):
                cells[x] = _GARBAGE_CELL if mask >> x & 1 else 0
            game.matrix.set_row(y, cells)
        game.hold = record[3] & 7
        game.way = bytearray(_MOST * _STEP_BYTES)
        game.level = 1
        game.goal = self.count
        game.dealer = self
        options = game.options
        options.level = 1
        options.lock_rule = CLASSIC
        options.hold_on = 0 if record[3] & _NO_HOLD else 1
        options.garbage_rows = 0
        options.modern = 0

    def deal(self) -> int:
        """Return the next Tetrimino, or 0 where there are no more."""
        if self.dealt == len(self.queue):
            return 0
        self.dealt += 1
        return self.queue[self.dealt - 1]

    def pick(self, game) -> int:
        """Bring the Tetrimino from Hold when no other is left."""
        piece = game.hold
        game.hold = 0
        return piece

    def step(self, game) -> int:
        """Return the next step of the solution, 0 where there is none or the game went another way."""
        at = 2 * game.lock_downs
        return self.steps[at] | self.steps[at + 1] << 8 if self.led and at < len(self.steps) else 0

    def follow(self, game) -> None:
        """See whether the Tetrimino that is about to lock down covers the cells of the next step."""
        step = self.step(game)
        shape = ((step >> 12) - 1) * 16 + (step & 3) * 4
        x = step >> 2 & 15
        y = (step >> 6 & 63) - 3 - game.y
        masks = (game.a, game.b, game.c, game.d)
        self.led = step > 0
        for row in range(4 if step else 0):
            minos = SHAPES[shape + row] << x
            if minos and not (0 <= y + row < 4 and masks[y + row] == minos):
                self.led = False

    def complete(self, game) -> None:
        """End the game where the puzzle is solved, or cannot be any more."""
        game.goal = self.count - game.lock_downs
        if self.is_solved(game):
            game.end(AIM_REACHED)
        elif not game.goal or self.lesson and not self.led:
            game.end(MISSED)

    def is_solved(self, game) -> bool:
        """Return whether the goal is reached by the Lock Down that has just been counted."""
        matrix = game.matrix
        if self.goal == CLEAR_ALL:
            for y in range(matrix.top):
                if matrix.masks[y] != _WALLS:
                    return False
            return True
        if self.goal == LINES:
            self.done += game.cleared
        elif self.goal != ACTION:
            self.done = self.done + 1 if game.cleared else -_MOST
        elif game.spun * 5 + game.cleared == self.kind:
            self.done += 1
        return self.done >= self.times

    def tell(self) -> bytes:
        """Return the goal in up to three lines of ten capitals, parted by bars."""
        pieces = b"|IN " + str(self.count).encode()
        if self.goal == CLEAR_ALL:
            return b"CLEAR ALL" + pieces
        if self.goal == LINES:
            return str(self.times).encode() + b" LINES" + pieces
        if self.goal != ACTION:
            return b"CLEAR WITH|EACH OF " + str(self.times).encode()
        name = _ACTIONS[self.kind % 5]
        if self.kind > 9:
            name = b"T-SPIN|" + name
        elif self.kind > 4:
            name = b"MINI|T-SPIN|" + name
        return name + (b" X" + str(self.times).encode() if self.times > 1 else b"")


def make_mode(variant: int) -> Mode:
    """Return the mode of the variant of this module."""
    return Puzzle()
