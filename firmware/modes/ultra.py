"""Score, or clear lines, within two or three minutes (Guideline 12.3)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.mode import Mode
from firmware.modes.catalogue import ULTRA_LINES

if TYPE_CHECKING:
    from firmware.contracts import Game

_MINUTES = const(2)
_MINUTE_MS = const(60_000)


class Ultra(Mode):
    """End after as many minutes as the option `aim` says, by default two; the level stays the same."""

    def __init__(self, by_lines: bool) -> None:
        self.by_lines = by_lines

    def begin(self, game: "Game") -> None:
        """Set the time limit."""
        game.limit_ms = (game.options.aim or _MINUTES) * _MINUTE_MS

    def result(self, game: "Game") -> int:
        """Return the ranked lines or points."""
        return game.lines if self.by_lines else game.score


def make_mode(variant: int) -> Mode:
    return Ultra(variant == ULTRA_LINES)
