"""Show the lead over the best game in large cells."""

from firmware.compat import TYPE_CHECKING, const
from firmware.view.layouts.racing import draw_seconds, note_lead

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Game

_SCORE_X = const(37)
_WIDTH = const(27)
_HEIGHT = const(7)


def adapt_large(view: "Any") -> type:
    """Return a class of the view with large cells for races."""

    class LargeRace(view):  # type: ignore[misc]  # the view is chosen when it is needed
        """Draw the time won or lost at the last tenth line in place of points: - is ahead of the best game, + behind.

        splits, split_ms, stretch: as of Race.
        """

        top: int
        stretch = split_ms = 0
        splits: list[int] = []

        def _draw_status(self, game: "Game") -> None:
            """Show level and lines, and the lead if there is no notice."""
            note_lead(self, game)
            view._draw_status(self, game)

        def _draw_score(self, game: "Game") -> None:
            """Show the score up to the tenth line, then the lead."""
            if not self.stretch or not self.best:
                view._draw_score(self, game)
            elif self.top < 0:
                self.top = 0
                canvas = self.canvas
                canvas.fill(_SCORE_X, 0, _WIDTH, _HEIGHT, 0)
                canvas.fill(_SCORE_X, 3, 3, 1, 1)
                if self.split_ms < 0:
                    canvas.fill(_SCORE_X + 1, 2, 1, 3, 1)
                draw_seconds(canvas, _SCORE_X + 5, 0, self.split_ms)

    return LargeRace
