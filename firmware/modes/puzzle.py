"""Solve a puzzle: a Matrix with Blocks, a given order of Tetriminos, and a task.

The seed of the game is the puzzle's number; firmware/modes/lessons/puzzle_file.py reads the puzzle.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.game import AIM_REACHED, Game
from firmware.engine.matrix import WALLS
from firmware.engine.mode import Mode
from firmware.engine.tables import SHAPES
from firmware.modes.lessons.puzzle_file import ACTION, CLEAR_ALL, LINES, MOST, STEP_BYTES

if TYPE_CHECKING:
    from typing import Any

MISSED = const(5)  # as the reason of the game's end: the puzzle was not solved

_NEVER_US = const(1 << 29)


class PuzzleGame(Game):
    """Play without time pressure: nothing falls by itself, and only a Hard Drop locks down.

    way: the piece and place of each Lock Down; taking one back replays the others.
    """

    __slots__ = ("way",)

    mode: "Puzzle"
    way: bytearray

    def set_interval(self) -> None:
        """Fall by Soft Drop only."""
        if self.soft:
            Game.set_interval(self)
        else:
            self.interval_us = _NEVER_US

    def enter_new_row(self) -> None:
        """Record the new row, but never let the Lock Down Timer end."""
        Game.enter_new_row(self)
        self.lock_us = _NEVER_US

    def fall(self, left_us: int) -> int:
        """Fall by Soft Drop only; otherwise wait without end."""
        if self.soft:
            return Game.fall(self, left_us)
        self.fall_us = _NEVER_US
        return left_us

    def lock_down(self, hard: bool = False) -> None:
        """Lock down by a Hard Drop only; first record the Tetrimino's place in `way`."""
        if not hard:
            self.lock_us = _NEVER_US
            return
        at = self.lock_downs * STEP_BYTES
        way = self.way
        way[at] = self.piece
        way[at + 1] = self.facing | (4 if self.turned_last else 0) | (8 if self.point_5_used else 0)
        way[at + 2] = self.x + 3
        way[at + 3] = self.y + 3
        self.mode.follow(self)
        Game.lock_down(self, hard)


class Puzzle(Mode):
    """Set up a puzzle, deal its Tetriminos and check whether it is solved.

    goal, kind, times: the task (puzzle_file.py). count: the number of Tetriminos. lesson: whether the screen shows the
    next step. words: the name and the hint. led: whether all Lock Downs so far followed `steps`, the solution.
    """

    rules = PuzzleGame
    record = b""  # the bytes of a puzzle that is not in puzzles.bin

    goal: int
    kind: int
    times: int
    lesson: bool
    queue: bytes
    count: int
    steps: bytes
    words: bytes

    def begin(self, game: "Any") -> None:  # Any: a PuzzleGame, by `rules`
        """Set up the puzzle whose number is the seed; raise ValueError with one line if there is none."""
        from firmware.modes.lessons import puzzle_file

        record = self.record or puzzle_file.fetch(game.seed)
        puzzle_file.fill(self, record)
        puzzle_file.set_up(game, record)
        game.goal = self.count
        game.dealer = self
        self.dealt = 0
        self.done = 0
        self.led = True

    def deal(self) -> int:
        """Return the next Tetrimino, or 0 if none is left."""
        if self.dealt == len(self.queue):
            return 0
        self.dealt += 1
        return self.queue[self.dealt - 1]

    def pick(self, game: "Game") -> int:
        """Take the last Tetrimino out of Hold."""
        piece = game.hold
        game.hold = 0
        return piece

    def step(self, game: "Game") -> int:
        """Return the next step of the solution; 0 if there is none or the game has left the solution."""
        at = 2 * game.lock_downs
        return self.steps[at] | self.steps[at + 1] << 8 if self.led and at < len(self.steps) else 0

    def follow(self, game: "Game") -> None:
        """Set `led` to whether the Tetrimino about to lock down covers the cells of the next step."""
        self.led = self.covers(game, self.step(game))

    def covers(self, game: "Game", step: int) -> bool:
        """Return whether the Tetrimino in play covers the cells of a step, which is 0 if there is none."""
        shape = ((step >> 12) - 1) * 16 + (step & 3) * 4
        x = step >> 2 & 15
        y = (step >> 6 & 63) - 3 - game.y
        masks = (game.a, game.b, game.c, game.d)
        for row in range(4 if step else 0):
            minos = SHAPES[shape + row] << x
            if minos and not (0 <= y + row < 4 and masks[y + row] == minos):
                return False
        return step > 0

    def complete(self, game: "Game") -> None:
        """End the game if the puzzle is solved or can no longer be solved."""
        game.goal = self.count - game.lock_downs
        if self.reached(game):
            game.end(AIM_REACHED)
        elif not game.goal or self.lesson and not self.led:
            game.end(MISSED)

    def reached(self, game: "Game") -> bool:
        """Count the last Lock Down; return whether it reaches the goal."""
        matrix = game.matrix
        if self.goal == CLEAR_ALL:
            for y in range(matrix.top):
                if matrix.masks[y] != WALLS:
                    return False
            return True
        if self.goal == LINES:
            self.done += game.cleared
        elif self.goal != ACTION:
            self.done = self.done + 1 if game.cleared else -MOST
        elif game.spun * 5 + game.cleared == self.kind:
            self.done += 1
        return self.done >= self.times


def make_mode(variant: int) -> Mode:
    return Puzzle()
