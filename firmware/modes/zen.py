"""Play without an end and without time pressure (README 6)."""

from firmware.compat import const
from firmware.engine import events
from firmware.engine.game import AIM_REACHED, Game
from firmware.engine.handling import Handling
from firmware.engine.matrix import SKYLINE
from firmware.engine.mode import Mode
from firmware.engine.options import INFINITE
from firmware.engine.phases import GENERATION

_LOCK_US = const(5_000_000)
_EMPTY = bytes(10)  # a row
_ENTRANCE = const(0x3C0)  # columns 3 to 6 in the mask of a row


class ZenGame(Game):
    """Play one game with a Lock Down Timer of 5 s. full_us: this time, for a slow game."""

    full_us = _LOCK_US

    def enter_new_row(self) -> None:
        """Restart the timer at a new lowest row."""
        Handling.enter_new_row(self)
        self.lock_us = _LOCK_US

    def follow(self) -> None:
        """Restart the timer after a movement."""
        Handling.follow(self)
        self.lock_us = _LOCK_US


class Zen(Mode):
    """Empty the Matrix instead of ending the game."""

    rules = ZenGame
    goal_name = b""

    def begin(self, game: "Game") -> None:
        """Set the options that the player cannot choose."""
        game.options.level = game.level = 1
        game.options.lock_rule = INFINITE

    def complete(self, game: "Game") -> None:
        """Empty the Matrix if a Block is where Tetriminos are generated."""
        masks = game.matrix.masks
        if (masks[SKYLINE] | masks[SKYLINE + 1]) & _ENTRANCE:
            self.empty(game)

    def end(self, game: "Game") -> None:
        """Continue with an empty Matrix, except after the player's end of the game."""
        if game.over != AIM_REACHED:
            game.over = game.cleared = game.hit_count = 0
            game.events &= ~events.GAME_OVER
            self.empty(game)
            game.phase = GENERATION
            game.wait_us = game.options.generation_ms * 1000

    def empty(self, game: "Game") -> None:
        """Remove all Blocks from the Matrix."""
        matrix = game.matrix
        for y in range(matrix.top):  # not by Matrix.clear: a board's stack has no room for deeper calls
            matrix.set_row(y, _EMPTY)
        matrix.top = 0
        game.events |= events.ELIMINATED

    def result(self, game: "Game") -> int:
        """Return the lines for the table of scores."""
        return game.lines


def make_mode(variant: int) -> Mode:
    return Zen()
