"""Show the results against computers of each level: rounds won, lines sent and received, attack."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import controls
from firmware.save.journal import VERSUS
from firmware.save.match_scores import LEVELS, RECEIVED, ROUNDS, SENT, WON, Versus
from firmware.scenes.match.names import name_level
from firmware.scenes.match.over import write_hundredths
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import WIDTH, text_width
from firmware.view.lines import centre

if TYPE_CHECKING:
    from firmware.contracts import Context, EdgeQueue

_HINT_Y = const(121)
_TOP = const(30)
_PITCH = const(13)
_NAMES = (b"ROUNDS", b"WON", b"SENT", b"RECEIVED", b"ATT/MIN", b"ATT/PIECE")


class Scene:
    """Turn pages, one a level, with left and right; B leads back to the menu of matches."""

    kind = "menu"

    def __init__(self, context: "Context", subject: "int | None" = None) -> None:
        self.context = context
        self.versus = Versus()
        self.versus.restore(context.journal.read(VERSUS))
        self.level = subject or 1
        self.fresh = True

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Take the edges of this frame."""
        for i in range(edges.count):
            if edges.pressed[i]:
                self.press(edges.button[i])
        self.context.voice.update(now_ms)

    def press(self, button: int) -> None:
        """Turn a page, or leave."""
        self.fresh = True
        if button == controls.LEFT or button == controls.HARD_DROP:
            self.level = (self.level + LEVELS - 2) % LEVELS + 1
            self.context.voice.tell_menu(0)
        elif button == controls.RIGHT or button == controls.SOFT_DROP:
            self.level = self.level % LEVELS + 1
            self.context.voice.tell_menu(0)
        else:
            self.context.voice.tell_menu(2)
            self.context.go("match.menu", "match.scores")

    def draw(self) -> None:
        """Draw the page where it is another one."""
        if not self.fresh:
            return
        self.fresh = False
        canvas = self.context.canvas
        canvas.clear()
        centre(canvas, 2, b"VERSUS", FONT_5X7)
        canvas.fill(0, 10, WIDTH, 1, 1)
        centre(canvas, 16, name_level(self.level), FONT_5X7)
        versus = self.versus
        y = _TOP
        for i in range(len(_NAMES)):
            if i < 4:
                value = str(versus.field(self.level, (ROUNDS, WON, SENT, RECEIVED)[i])).encode()
            elif i == 4:
                value = write_hundredths(versus.hundredths_a_minute(self.level))
            else:
                value = write_hundredths(versus.hundredths_a_piece(self.level))
            font = FONT_5X7 if len(value) < 5 else FONT_3X5
            canvas.text(0, y + 1, _NAMES[i], FONT_3X5)
            canvas.text(WIDTH - text_width(value, font), y, value, font)
            y += _PITCH
        canvas.fill(0, 117, WIDTH, 1, 1)
        centre(canvas, _HINT_Y, b"< LEVELS > B", FONT_3X5)
