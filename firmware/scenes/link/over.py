"""Show the result of a linked match."""

from firmware.compat import TYPE_CHECKING, const
from firmware.scenes.match import over
from firmware.view.art import FONT_5X7
from firmware.view.canvas import WIDTH, centre

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context
    from firmware.link.linked import LinkedMatch

_NAME_Y = const(12)


class Scene(over.Scene):
    """Show a page for each player; A returns to the lobby.

    subject: the match, the names of all players, and whether only the goals are judged here.
    """

    done = b"cable"

    def __init__(self, context: "Context", subject: "tuple[LinkedMatch, list[bytes], bool]") -> None:
        over.Scene.__init__(self, context, subject[0])
        self.names = subject[1]
        self.hurries = subject[2]
        self.me = self.at = subject[0].me

    def settle(self) -> None:
        over.Scene.settle(self)
        if self.hurries and not self.unsettled:
            self.restart()

    def restart(self) -> None:
        from firmware import match_modules

        match_modules.begin_afresh(self.context, "link.lobby")

    def draw_page(self, canvas: "Canvas") -> None:
        over.Scene.draw_page(self, canvas)
        if self.at != self.me:
            canvas.fill(0, _NAME_Y, WIDTH, 7, 0)
            centre(canvas, _NAME_Y, self.names[self.at], FONT_5X7)
