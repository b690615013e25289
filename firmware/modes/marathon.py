"""Play for points through fifteen levels, or without end (Guideline 12.1)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import events
from firmware.engine.game import AIM_REACHED
from firmware.engine.mode import Mode
from firmware.engine.options import FIXED

if TYPE_CHECKING:
    from firmware.contracts import Game

LAST_LEVEL = const(15)


class Marathon(Mode):
    """Level up at each goal; end after level 15, or never if the option `aim` is 1 (Guideline 6, 12.1)."""

    def begin(self, game: "Game") -> None:
        """Set the first goal: the lines of all levels up to the starting level, or of this level only (Guideline 6)."""
        game.goal = (10 if game.options.goal_rule == FIXED else 5) * game.level

    def complete(self, game: "Game") -> None:
        """Count down the goal; surplus lines count for the next level."""
        fixed = game.options.goal_rule == FIXED
        game.goal -= game.cleared if fixed else game.awarded
        while game.goal <= 0:
            if game.level >= LAST_LEVEL and not game.options.aim:
                game.goal = 0
                game.end(AIM_REACHED)
                return
            game.level += 1
            game.goal += 10 if fixed else 5 * game.level
            game.events |= events.LEVEL_UP
            game.action |= events.LEVEL_UP

    def result(self, game: "Game") -> int:
        return game.score


def make_mode(variant: int) -> Mode:
    return Marathon()
