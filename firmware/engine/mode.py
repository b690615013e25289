"""Define the hooks by which a mode takes part in the engine's phases."""

from firmware.compat import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware.engine.game import Game


class Mode:
    """Provide every hook of the engine, each empty.

    firmware/modes/ overrides the hooks that a mode needs. The engine calls them in the order of Guideline A1.1. A hook
    may read and change the game, but never calls `advance` or `input`.

    rules: the class of its games if their rules differ from those of engine/game.py, else None. goal_name: the label of
    the game's `goal` on the screen, b"" without one.
    """

    rules: "type[Game] | None" = None
    goal_name = b"GOAL"

    def begin(self, game: "Game") -> None:
        """Set up levels, goals and starting Blocks before the first Tetrimino."""

    def pick(self, game: "Game") -> int:
        """Return the next Tetrimino if the dealer left the Next Queue empty."""
        return 0

    def think(self, game: "Game") -> None:
        """Do optional work in the rest of a frame; the game must not depend on its result."""

    def match(self, game: "Game") -> None:
        """Add patterns of the mode in the Pattern Phase, after the full rows are marked (A1.2.4)."""

    def iterate(self, game: "Game") -> None:
        """Look at or change the whole Matrix in the Iterate Phase (A1.2.5)."""

    def complete(self, game: "Game") -> None:
        """Level up, or end the game, in the Completion Phase; score and lines are current (A1.2.8)."""

    def result(self, game: "Game") -> int:
        """Return the number that the mode's table of scores ranks."""
        return 0

    def end(self, game: "Game") -> None:
        """React to the end of the game; `game.over` has the reason."""
