"""Play the daily game: a hundred Tetriminos, the same for everyone (README 4)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.game import AIM_REACHED
from firmware.engine.options import NAMES, Options
from firmware.modes.marathon import Marathon
from firmware.option_table import list_rules

if TYPE_CHECKING:
    from firmware.contracts import Game

_PIECES = const(100)
_LINES = const(10)  # for each level
_FIXED = list_rules()  # places of the options that a player cannot choose here


class Daily(Marathon):
    """End after the hundredth Lock Down; `goal` counts the Tetriminos that are left."""

    goal_name = b"LEFT"

    def begin(self, game: "Game") -> None:
        """Reset all options except the handling."""
        usual = Options()
        for field in _FIXED:
            name = NAMES[field]
            setattr(game.options, name, getattr(usual, name))
        game.options.aim = 1  # no last level
        game.level = game.options.level
        game.animate_us = game.options.animate_ms * 1000
        game.goal = _PIECES

    def complete(self, game: "Game") -> None:
        """Level up, and end after the last Tetrimino."""
        game.goal = game.level * _LINES - game.lines + game.cleared  # Marathon's goal: lines to the next level
        Marathon.complete(self, game)
        game.goal = _PIECES - game.lock_downs
        if not game.goal:
            game.end(AIM_REACHED)


def make_mode(variant: int) -> Daily:
    return Daily()
