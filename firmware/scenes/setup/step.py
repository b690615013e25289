"""Ask one thing about the handheld: at the first start one after the other, later alone from Options > Device."""

from firmware.compat import TYPE_CHECKING
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.lines import centre

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context, EdgeQueue

ALONE = "options.device"


class Step:
    """Be a scene with a heading that leads on to the scene `following`, or back to line `at` of the device's menu.

    `subject` is ALONE, or whatever the first start passes on.  A step overrides `press`, `draw_all`
    and, where something moves, `animate`.
    """

    kind = "menu"
    heading = b""
    following = ""
    at = 0

    def __init__(self, context: "Context", subject: object = None) -> None:
        self.context = context
        self.subject = subject
        self.now_ms = context.clock.ticks_ms()
        self.fresh = True

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Take the presses."""
        self.now_ms = now_ms
        for i in range(edges.count):
            if edges.pressed[i]:
                self.press(edges.button[i])
        self.context.voice.update(now_ms)

    def press(self, button: int) -> None:
        """Act on a press."""

    def draw_all(self, canvas: "Canvas") -> None:
        """Draw all below the heading."""

    def animate(self, canvas: "Canvas") -> None:
        """Draw what moves; called every frame."""

    def draw(self) -> None:
        """Draw what changed."""
        canvas = self.context.canvas
        if self.fresh:
            self.fresh = False
            canvas.clear()
            centre(canvas, 2, self.heading, FONT_5X7)
            canvas.fill(0, 10, 64, 1, 1)
            self.draw_all(canvas)
        self.animate(canvas)

    def finish(self) -> None:
        """Go on, or back; what was set is kept at the end of all."""
        context = self.context
        context.voice.tell_menu(1)
        if self.subject == ALONE:
            context.save_settings()
            context.go(ALONE, self.at)
        else:
            context.go(self.following)


def write(canvas: "Canvas", y: int, words: bytes) -> None:
    """Draw small lines, parted by bars, each in the middle."""
    for line in words.split(b"|"):
        centre(canvas, y, line, FONT_3X5)
        y += 8
