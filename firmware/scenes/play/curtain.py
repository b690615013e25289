"""Let a curtain rise over the Matrix before GAME OVER: nothing of this is in memory while a game runs."""

from firmware.compat import TYPE_CHECKING, const
from firmware.scenes.play_state import OVER

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.contracts import EdgeQueue, Play

_ROWS = const(20)
_ROW_BYTES = const(8)


class Curtain:
    """Stand over a game in the scene of play that is over: a row a frame, from below; any press leaves the rest out.

    answer: what takes the edges of a frame after the end, as it does without a curtain.
    """

    def __init__(self, scene: "Play", answer: "Callable[[Play, EdgeQueue, int], None]") -> None:
        self.scene = scene
        self.answer = answer
        self.rows = 0
        # A row of cells, its lowest pixels dark.
        matrix = scene.view.matrix
        self.slat = matrix.bright[:-_ROW_BYTES] + matrix.dark[-_ROW_BYTES:]

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Take the edges of this frame, which after a moment lead on as they do without a curtain."""
        for i in range(edges.count):
            if edges.pressed[i]:
                while self.rows < _ROWS:
                    self.raise_row()
        self.answer(self.scene, edges, now_ms)

    def draw(self) -> None:
        """Draw what is left of the last frames of the game, then row after row, then what the scene says."""
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
