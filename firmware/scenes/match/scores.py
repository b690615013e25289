"""Show the results against computers of each level: rounds won, lines sent and received, attack."""

from firmware.compat import TYPE_CHECKING, const
from firmware.match.figures import APM, APP, NAMES, write_hundredths
from firmware.save.journal import VERSUS
from firmware.save.match_scores import RECEIVED, ROUNDS, SENT, WON, Versus
from firmware.scenes.match.names import name_level
from firmware.scenes.paging import PagedScene
from firmware.sound.effects import MENU_BACK
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import WIDTH, centre, text_width

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context

_TOP = const(30)
_PITCH = const(13)
_NAMES = (b"ROUNDS", b"WON", b"SENT", b"RECEIVED", NAMES[APM], NAMES[APP])


class Scene(PagedScene):
    """Show a page for each level; left and right turn pages, B leads back to the menu of matches."""

    def __init__(self, context: "Context", subject: "int | None" = None) -> None:
        PagedScene.__init__(self, context, context.device.machine.levels, (subject or 1) - 1)
        self.versus = Versus(context.journal.read(VERSUS))

    def press(self, button: int) -> None:
        self.context.voice.tell_menu(MENU_BACK)
        self.context.go("match.menu", "match.scores")

    def draw_page(self, canvas: "Canvas") -> None:
        """Draw the results against one level."""
        self.draw_frame(canvas, b"VERSUS", b"< RIVAL > B BACK")
        level = self.at + 1
        centre(canvas, 16, name_level(level), FONT_5X7)
        versus = self.versus
        y = _TOP
        values = [b"%d" % versus.field(level, field) for field in (ROUNDS, WON, SENT, RECEIVED)]
        for hundredths in (versus.hundredths_a_minute(level), versus.hundredths_a_piece(level)):
            values.append(write_hundredths(hundredths))
        for name, value in zip(_NAMES, values):
            font = FONT_5X7 if len(value) < 5 else FONT_3X5
            canvas.text(0, y + 1, name, FONT_3X5)
            canvas.text(WIDTH - text_width(value, font), y, value, font)
            y += _PITCH
