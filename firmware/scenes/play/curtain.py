"""Cover the Matrix row by row before GAME OVER; a running game does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING, const
from firmware.scenes.play_state import OVER

if TYPE_CHECKING:
    from firmware.contracts import Callable, EdgeQueue, Play

_ROWS = const(20)
_ROW_BYTES = const(8)


class Curtain:
    """Cover a game that is over: one row each frame, from below; any press covers the rest at once.

    answer: the function that handles the edges of a frame after the end.
    """

    def __init__(self, scene: "Play", answer: "Callable[[Play, EdgeQueue, int], None]") -> None:
        self.scene = scene
        self.answer = answer
        self.rows = 0
        # A lit row of cells with dark pixels at its bottom.
        matrix = scene.view.matrix
        self.slat = matrix.bright[:-_ROW_BYTES] + matrix.dark[-_ROW_BYTES:]

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the edges of this frame, also by `answer`."""
        for i in range(edges.count):
            if edges.pressed[i]:
                while self.rows < _ROWS:
                    self.raise_row()
        self.answer(self.scene, edges, now_ms)

    def draw(self) -> None:
        """Finish drawing the game, then cover a row in each frame, then let the scene draw GAME OVER."""
        view = self.scene.view
        if not self.rows and view.draw(self.scene.game):
            return
        if self.rows < _ROWS:
            self.raise_row()
        else:
            self.scene.halt(OVER, None)
            self.scene.draw()

    def raise_row(self) -> None:
        """Cover one more row of the Matrix."""
        self.scene.view.matrix.copy_row(self.slat, self.rows)
        self.rows += 1
