"""Play the daily game: a hundred Tetriminos, the same for everyone (README 4)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import options
from firmware.engine.game import AIM_REACHED
from firmware.modes.marathon import Marathon
from firmware.option_table import list_rules

if TYPE_CHECKING:
    from firmware.contracts import Game

_PIECES = const(100)
_FIXED = list_rules()  # that a player cannot choose here


class Daily(Marathon):
    """End with the hundredth Lock Down."""

    def begin(self, game: "Game") -> None:
        """Reset a player's options, except the handling."""
        for field in _FIXED:
            name, _least, _most, default = options.FIELDS[field]
            setattr(game.options, name, default)
        game.options.aim = 1  # no last level
        game.level = game.options.level
        game.animate_us = game.options.animate_ms * 1000
        Marathon.begin(self, game)

    def complete(self, game: "Game") -> None:
        """Level up, or end."""
        Marathon.complete(self, game)
        if game.lock_downs >= _PIECES:
            game.end(AIM_REACHED)


def make_mode(variant: int) -> Daily:
    """Return the mode of the variant of this module."""
    return Daily()
