"""Mark the target place of each Tetrimino, and show the fewest presses after a mistake (modes/README 8)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import events
from firmware.scenes.play.play import Play
from firmware.view.art import FONT_5X7
from firmware.view.canvas import text_width
from firmware.view.mark import Mark
from firmware.view.playfield import PlayView

if TYPE_CHECKING:
    from firmware.contracts import Any, Context

# The area of the presses, instead of the Hold Queue and the best result
_TOP = const(8)
_HEIGHT = const(7)


class Finesse(Play):
    """Play a game with a marked place, and with presses above the Matrix after a mistake.

    way: the fewest presses to the last place; empty if the last Tetrimino was right. number: the Lock Downs when the
    place was marked, -1 to mark it anew.
    """

    has_result = False  # points and lines mean nothing here

    def __init__(self, context: "Context", subject: object = None) -> None:
        self.way = b""
        self.number = -1
        Play.__init__(self, context, subject)
        count = self.view.next_count
        self.view = view = PlayView(context.canvas)  # the mark needs this view's size of cells
        view.show_ghost = False  # the mark replaces the Ghost
        view.show_hold = False
        view.next_count = count
        view.reset()
        self.mark = Mark(context.canvas, view.matrix.left, view.matrix.pitch)

    def announce_events(self, happened: int) -> None:
        """Handle events; after a wrong Tetrimino find the fewest presses."""
        Play.announce_events(self, happened)
        mode: "Any" = self.game.mode
        if happened & events.LOCKED:
            self.way = b""
            if not mode.was_right:
                from firmware.modes.lessons.finesse_ways import find_way

                self.way = find_way(mode.piece, mode.facing, mode.x)
                self.context.router.tidy()
            self.number = -1

    def draw(self) -> None:
        if self.cover:
            self.mark.piece = 0
            self.number = -1
            self.cover.draw()
            return
        mark = self.mark
        game = self.game
        mark.flip()
        mark.piece = 0
        Play.draw(self)
        if game.piece:
            mode: "Any" = game.mode
            if game.lock_downs != self.number:
                self.number = game.lock_downs
                mode.aim(game, game.piece)
                self.write(self.way)
            mark.facing = mode.facing
            mark.x = mode.x
            mark.y = mode.y
            mark.piece = mode.piece
            mark.flip()

    def write(self, way: bytes) -> None:
        """Write the presses above the Matrix."""
        canvas = self.context.canvas
        canvas.fill(0, _TOP, 64, _HEIGHT, 0)
        canvas.text(64 - text_width(way, FONT_5X7), _TOP, way, FONT_5X7)


Scene = Finesse
