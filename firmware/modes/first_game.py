"""Judge the steps of FIRST GAME (modes/README 21).

`python -m tools.puzzles build` makes firmware/first_game.bin, which holds steps as puzzles (puzzle_file.py). Their
goal is PRESSED, THERE or LOCKED, and their kind a mask of the controls to show. The words are two lines and the praise.
MARKS and GOES_ON are further flags.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.game import AIM_REACHED
from firmware.modes.puzzle import MISSED, Puzzle

if TYPE_CHECKING:
    from firmware.contracts import Game

FILE = "first_game.bin"
FLAGS = const(3)  # the place of the flags in a record

PRESSED = const(16)  # until each control has done something
THERE = const(17)  # until the Tetrimino is in its place
LOCKED = const(18)  # until it has locked down there
MARKS = const(32)  # the place is marked
GOES_ON = const(64)  # with the game of the step before

TOLD = const(4)  # as the scene's state: the praise, or a word about a mistake, shows
DONE = const(5)  # the last step is done

STUCK_MS = const(20_000)  # then the screen tells how to skip the step


class Step(Puzzle):
    """Deal the Tetriminos of one step; the first Lock Down ends it."""

    def __init__(self, record: bytes) -> None:
        self.record = record

    def is_there(self, game: "Game") -> bool:
        """Return whether the Tetrimino in play is in its place."""
        return self.step(game) & 0xFFF == game.facing | game.x + 3 << 2 | game.y + 3 << 6

    def complete(self, game: "Game") -> None:
        """End the step, well only if the Lock Down was its task and in its place."""
        game.end(AIM_REACHED if self.goal == LOCKED and self.led else MISSED)
