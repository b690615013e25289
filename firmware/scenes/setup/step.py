"""Ask one question about the handheld: all questions at the first start, later each from Options > Device."""

from firmware.compat import TYPE_CHECKING, ticks_diff
from firmware.scenes.settings_menu import REST_MS
from firmware.sound.effects import MENU_CHOOSE
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import centre

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context, EdgeQueue

ALONE = "options.device"


class Step:
    """Show a question with a heading; then open the scene `following`, or return to line `at` of Options > Device.

    subject: ALONE if Options > Device opened the question. A step overrides `press`, `draw_all` and, if something
    moves, `animate`. Settings are saved on leaving, and a second after `touch`: power may fail at any moment.
    touched_ms: when a press changed a setting that is not saved yet, or -1.
    """

    kind = "menu"
    heading = b""
    following = ""
    at = 0
    touched_ms = -1

    def __init__(self, context: "Context", subject: object = None) -> None:
        self.context = context
        self.subject = subject
        self.now_ms = context.clock.ticks_ms()
        self.fresh = True

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the presses of this frame."""
        self.now_ms = now_ms
        for i in range(edges.count):
            if edges.pressed[i]:
                self.press(edges.button[i])
        if self.touched_ms >= 0 and ticks_diff(now_ms, self.touched_ms) >= REST_MS:
            self.touched_ms = -1
            self.context.save_settings()
        self.context.voice.update(now_ms)

    def touch(self) -> None:
        """Apply and show a changed setting, and save it when it has rested."""
        self.touched_ms = self.now_ms
        self.context.apply_settings()
        self.fresh = True

    def press(self, button: int) -> None:
        """Handle one press."""

    def draw_all(self, canvas: "Canvas") -> None:
        """Draw everything below the heading."""

    def animate(self, canvas: "Canvas") -> None:
        """Draw moving parts; `draw` calls this every frame."""

    def draw(self) -> None:
        canvas = self.context.canvas
        if self.fresh:
            self.fresh = False
            canvas.clear()
            centre(canvas, 2, self.heading, FONT_5X7)
            canvas.fill(0, 10, 64, 1, 1)
            self.draw_all(canvas)
        self.animate(canvas)

    def finish(self) -> None:
        """Save the settings, and go on or back."""
        context = self.context
        context.voice.tell_menu(MENU_CHOOSE)
        context.save_settings()
        if self.subject == ALONE:
            context.go(ALONE, self.at)
        else:
            context.go(self.following)


def write(canvas: "Canvas", y: int, words: bytes) -> None:
    """Draw small lines, separated by bars, each in the middle."""
    for line in words.split(b"|"):
        centre(canvas, y, line, FONT_3X5)
        y += 8
