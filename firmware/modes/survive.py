"""Stay in play while garbage rises faster and faster (README 2)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import events
from firmware.engine.game import AIM_REACHED
from firmware.engine.matrix import WIDTH
from firmware.engine.mode import Mode
from firmware.engine.options import EXTENDED

if TYPE_CHECKING:
    from firmware.contracts import Game

_FIRST_MS = const(5000)
_ROWS = const(10)  # for each level
_LAST_LEVEL = const(25)


def find_due(first: int, level: int, goal: int) -> int:
    """Return the game time in ms when the next row rises; the game began at level `first`."""
    due_ms = 0
    interval_ms = _FIRST_MS
    for passed in range(1, level if level < _LAST_LEVEL else _LAST_LEVEL):
        if passed >= first:
            due_ms += _ROWS * interval_ms
        interval_ms = interval_ms * 7 >> 3
    return due_ms + (_ROWS + 1 - goal) * interval_ms


class Survive(Mode):
    """Raise garbage by the clock; `goal` counts the rows that are left in the level."""

    def begin(self, game: "Game") -> None:
        """Set the first goal; fix the Lock Down rule: with INFINITE a player could wait for ever."""
        game.options.lock_rule = EXTENDED
        game.goal = _ROWS

    def complete(self, game: "Game") -> None:
        """Raise the rows that are due, all with one gap."""
        gap = WIDTH
        while game.time_ms >= find_due(game.options.level, game.level, game.goal):
            if gap == WIDTH:
                gap = game.garbage.below(WIDTH)
            if not game.receive(1, gap):
                return
            game.goal -= 1
            if game.goal <= 0:
                if game.level >= _LAST_LEVEL:
                    game.goal = 0
                    game.end(AIM_REACHED)
                    return
                game.goal = _ROWS
                game.level += 1
                game.events |= events.LEVEL_UP
                game.action |= events.LEVEL_UP

    def result(self, game: "Game") -> int:
        """Return the time in ms, more is better."""
        return game.time_ms


def make_mode(variant: int) -> Mode:
    return Survive()
