"""Clear a number of lines in the shortest time (Guideline 12.2)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.game import AIM_REACHED
from firmware.engine.mode import Mode

if TYPE_CHECKING:
    from firmware.contracts import Game

STRETCH = const(10)  # lines

_LINES = const(40)


class Sprint(Mode):
    """Race to as many lines as the option `aim` says, by default 40; the level stays the same.

    lines: how many. stretch: the lines from one noted time to the next. splits: these times in ms, without the last; 0
    before, and in a resumed game if unknown.
    """

    stretch = STRETCH
    lines = 0
    splits: list[int] = []

    def begin(self, game: "Game") -> None:
        game.goal = self.lines = game.options.aim or _LINES
        self.splits = [0] * ((self.lines - 1) // STRETCH)

    def complete(self, game: "Game") -> None:
        """Count down the goal, and note the time at each tenth line; end the game at 0."""
        game.goal -= game.cleared
        if game.goal <= 0:
            game.goal = 0
            game.end(AIM_REACHED)
        at = (self.lines - game.goal) // STRETCH - 1
        if 0 <= at < len(self.splits) and not self.splits[at]:
            self.splits[at] = game.time_ms

    def result(self, game: "Game") -> int:
        """Return the ranked time in ms, less is better; 0 if not finished."""
        return game.time_ms if game.over == AIM_REACHED else 0


def make_mode(variant: int) -> Mode:
    return Sprint()
