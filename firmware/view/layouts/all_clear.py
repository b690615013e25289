"""Show an all-clear task in play: the Tetriminos that are left, the number of solutions, and the run."""

from firmware.compat import TYPE_CHECKING, const
from firmware.view.art import FONT_3X5, FONT_3X7
from firmware.view.layouts.puzzle import View as PuzzleView
from firmware.view.playfield import LEVEL_LABEL_Y, LEVEL_Y, LINES_LABEL_Y, SIDEBAR_LEFT, SIDEBAR_WIDTH

if TYPE_CHECKING:
    from firmware.contracts import Any, Game

_LEFT_X = const(20)
_LEFT_Y = const(5)
_WAYS_Y = const(13)


class View(PuzzleView):
    """Show a task. number: the run. swaps: whether the next step needs HOLD."""

    swaps = False

    def _draw_labels(self, game: "Any") -> None:
        """Write the number of solutions or PRESS HOLD, and the run."""
        canvas = self.canvas
        ways = game.mode.ways
        canvas.fill(SIDEBAR_LEFT, LEVEL_LABEL_Y, SIDEBAR_WIDTH, 5, 0)
        canvas.fill(SIDEBAR_LEFT, LINES_LABEL_Y, SIDEBAR_WIDTH, 5, 0)
        canvas.text(SIDEBAR_LEFT, LEVEL_LABEL_Y, b"OK", FONT_3X5)
        canvas.number(SIDEBAR_LEFT, LEVEL_Y, self.number, -1, 3, FONT_3X7, False)
        canvas.text(_LEFT_X, _LEFT_Y, b"  LEFT", FONT_3X5)
        self.goal = -1
        words = str(ways).encode() + (b" WAYS" if ways > 1 else b" WAY")
        canvas.text(_LEFT_X, _WAYS_Y, b"PRESS HOLD" if self.swaps else words, FONT_3X5)

    def draw_rest(self, game: "Game", time: int) -> None:
        """Show how many Tetriminos are left."""
        if game.goal != self.goal:
            self.canvas.number(_LEFT_X, _LEFT_Y, game.goal, self.goal, 1, FONT_3X5, False)
        PuzzleView.draw_rest(self, game, time)
