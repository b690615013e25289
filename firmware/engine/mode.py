"""Let a variant take part in the phases of the engine."""

from firmware.compat import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware.engine.game import Game


class Mode:
    """Play for nothing: the hooks of the engine, each empty.

    firmware/modes/ overrides what a variant needs. The engine calls them in the order of
    Guideline A1.1; a hook may read and change the game, but never calls `advance` or `input`.

    rules: the class of its games where they follow other rules than the engine's, else None.
    has_goal: whether `goal` of its games counts down to something.
    """

    rules: "type[Game] | None" = None
    has_goal = True

    def begin(self, game: "Game") -> None:
        """Set up levels, goals and starting Blocks before the first Tetrimino."""

    def pick(self, game: "Game") -> int:
        """Return the Tetrimino that comes next where the dealer left the Next Queue empty."""
        return 0

    def think(self, game: "Game") -> None:
        """Use what a frame has left; what happens in the game must not depend on it."""

    def match(self, game: "Game") -> None:
        """Add patterns of the variant in the Pattern Phase, after the full rows are marked (A1.2.4)."""

    def iterate(self, game: "Game") -> None:
        """Look at or change the whole Matrix in the Iterate Phase (A1.2.5)."""

    def complete(self, game: "Game") -> None:
        """Level up, or end the game, in the Completion Phase; score and lines are current (A1.2.8)."""

    def result(self, game: "Game") -> int:
        """Return the number that the variant's table of scores ranks."""
        return 0

    def end(self, game: "Game") -> None:
        """Take note that the game is over; `game.over` says why."""
