"""Ask for the speed of the display's bus: 400 kHz, or 1 MHz if the picture stays correct."""

from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.engine import controls
from firmware.scenes.setup.step import Step, write
from firmware.view.art import FONT_3X5

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context, EdgeQueue

_TRY_MS = const(8000)


class Scene(Step):
    """Try 1 MHz for eight seconds; return to 400 kHz unless A confirms it, or if the display is lost."""

    heading = b"SPEED"
    following = "setup.loudness"
    at = 2

    def __init__(self, context: "Context", subject: object = None) -> None:
        Step.__init__(self, context, subject)
        self.trying = False
        self.column = 0
        if context.device.bus is None:
            self.finish()

    def press(self, button: int) -> None:
        """Try, confirm, or keep the usual speed."""
        if button == controls.ROTATE_CW or button == controls.PAUSE:
            if self.trying:
                self.finish()
            else:
                self.until_ms = ticks_add(self.now_ms, _TRY_MS)
                self.set(1)
        else:
            tried = self.trying
            self.set(0)
            if not tried:
                self.finish()

    def set(self, fast: int) -> None:
        """Change the speed: try the fast one, or return to the one that always works."""
        self.trying = fast > 0
        self.context.settings.fast_bus = fast
        self.context.apply_settings()
        self.fresh = True

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle presses; end the trial after eight seconds or if the display is lost."""
        Step.update(self, edges, now_ms)
        if self.trying and not self.context.router.wanted:
            left = ticks_diff(self.until_ms, now_ms)
            if left <= 0 or not getattr(self.context.device.display, "online", True):
                self.set(0)

    def draw_all(self, canvas: "Canvas") -> None:
        """Draw the question, and the frame of the test picture during the trial."""
        if self.trying:
            write(canvas, 15, b"FAST NOW: IS THE|PICTURE CLEAN?")
            write(canvas, 98, b"A YES, KEEP IT|B NO|GOES BACK IN    ")
            canvas.fill(8, 34, 48, 56, 1)
            canvas.fill(9, 35, 46, 54, 0)
            self.left = -1
        else:
            speed = b"FAST, 1 MHZ." if self.context.settings.fast_bus else b"SLOW, 400 KHZ."
            write(canvas, 22, b"THE SCREEN IS|" + speed)
            write(canvas, 46, b"MOST SCREENS|CAN BE FAST:|SMOOTHER")
            write(canvas, 98, b"A TRY FAST|B STAY SLOW")

    def animate(self, canvas: "Canvas") -> None:
        """Draw the seconds and a moving chequered bar, which makes lost bits visible."""
        if not self.trying:
            return
        left = ticks_diff(self.until_ms, self.now_ms) // 1000 + 1
        if left != self.left:
            canvas.number(52, 114, left, self.left, 1, FONT_3X5, False)
            self.left = left
        canvas.fill(9, 35, 46, 54, 0)
        column = self.column = (self.column + 1) % 38
        for i in range(27):
            canvas.fill(9 + column + (i & 1) * 4, 35 + 2 * i, 4, 2, 1)
