"""Level up to levels where each new Tetrimino is on the floor at once (README 3)."""

from firmware.compat import const
from firmware.engine import events
from firmware.engine.game import AIM_REACHED, Game
from firmware.engine.handling import Handling
from firmware.engine.mode import Mode
from firmware.engine.options import EXTENDED
from firmware.engine.phases import GENERATION

_LINES = const(10)  # for each level
_AT_ONCE = const(19)  # from this level on, a Tetrimino drops to the floor at once
_LAST_LEVEL = const(27)

# From level 19 on, in hundredths of a second: Lock Down, generation, Line Clear.
# fmt: off
_TIMES = (
    b"\x32\x14\x1e"
    b"\x2d\x12\x1a"
    b"\x28\x10\x16"
    b"\x24\x0e\x12"
    b"\x20\x0c\x0f"
    b"\x1c\x0a\x0c"
    b"\x18\x08\x0a"
    b"\x14\x06\x08"
    b"\x11\x05\x06"
)
# fmt: on
_UNIT_US = const(10_000)


def time_us(level: int, kind: int) -> int:
    """Return a level's time for Lock Down (0), generation (1) or a Line Clear (2)."""
    step = level - _AT_ONCE
    if step < 0:
        step = 0
    elif step > _LAST_LEVEL - _AT_ONCE:
        step = _LAST_LEVEL - _AT_ONCE
    return _TIMES[3 * step + kind] * _UNIT_US


class MasterGame(Game):
    """Play one game with delays that depend on the level; other rules are those of Game."""

    def enter_new_row(self) -> None:
        """Drop to the floor at high levels; restore the Lock Down Timer and the moves (README 3.1, 3.2)."""
        if self.level >= _AT_ONCE:
            rows = self.y - self.ghost_y
            if rows:
                self.sink(rows)
        Handling.enter_new_row(self)
        self.lock_us = time_us(self.level, 0)

    def take_off(self) -> None:
        """Start falling after leaving a Surface; at high levels drop to the floor at once."""
        if self.level < _AT_ONCE:
            Handling.take_off(self)
            return
        self.sink(self.y - self.ghost_y)
        if self.y + self.base < self.lowest:
            self.enter_new_row()
        elif self.moves_left:
            self.lock_us = time_us(self.level, 0)
        self.land()

    def follow(self) -> None:
        """Update the Lock Down after a movement; use this level's Lock Down time."""
        Handling.follow(self)
        most = time_us(self.level, 0)
        if self.lock_us > most:
            self.lock_us = most

    def lock_down(self, hard: bool = False) -> None:
        """Lock down; a Line Clear takes this level's time."""
        self.animate_us = time_us(self.level, 2)
        self.options.animate_ms = self.animate_us // 1000  # saved with a game in progress
        Game.lock_down(self, hard)

    def eliminate(self) -> None:
        """Complete the turn; generate the next Tetrimino after this level's delay."""
        Game.eliminate(self)
        if self.phase == GENERATION:
            self.wait_us = time_us(self.level, 1)


class Master(Mode):
    """Level up every ten lines and end after level 27."""

    rules = MasterGame

    def begin(self, game: "Game") -> None:
        """Set the first goal and the options that the player cannot choose."""
        game.options.lock_rule = EXTENDED
        game.goal = _LINES

    def complete(self, game: "Game") -> None:
        """Count down the goal; surplus lines count for the next level."""
        game.goal -= game.cleared
        while game.goal <= 0:
            if game.level >= _LAST_LEVEL:
                game.goal = 0
                game.level = _LAST_LEVEL + 1
                game.end(AIM_REACHED)
                return
            game.level += 1
            game.goal += _LINES
            game.events |= events.LEVEL_UP
            game.action |= events.LEVEL_UP

    def result(self, game: "Game") -> int:
        return game.score


def make_mode(variant: int) -> Mode:
    return Master()
