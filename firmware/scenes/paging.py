"""Show one page at a time: the base class of results, tables of scores and help."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine import controls
from firmware.sound.effects import MENU_MOVE
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import WIDTH, centre

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context, EdgeQueue

_HINT_Y = const(121)
_HEADING = const(10)  # glyphs of a title in large letters


class PagedScene:
    """Turn pages with left and right; after the last page comes the first. Subclasses handle other buttons.

    count: the number of pages. at: the page on the screen. rest_ms: ignore presses for this long at first. start_ms:
    as in again.py.
    """

    kind = "menu"
    rest_ms = 0
    start_ms: int
    unsettled = 0  # frames after the first picture in which `settle` follows
    told = b""

    def __init__(self, context: "Context", count: int, at: int = 0) -> None:
        self.context = context
        self.count = count
        self.at = at
        self.since_ms = context.clock.ticks_ms()
        self.fresh = True

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the edges of this frame; after a game, begin again if START is held."""
        if self.unsettled and not self.fresh:
            self.unsettled -= 1
            self.settle()
        if hasattr(self, "start_ms") and (edges.count or self.start_ms >= 0):
            from firmware.scenes.again import take_start

            if take_start(self, edges, now_ms):
                return
        for i in range(edges.count):
            if edges.pressed[i] and ticks_diff(edges.t_ms[i], self.since_ms) >= self.rest_ms:
                while self.unsettled:  # long frames
                    self.unsettled -= 1
                    self.settle()
                button = edges.button[i]
                if button == controls.LEFT or button == controls.HARD_DROP:
                    self.turn(-1)
                elif button == controls.RIGHT or button == controls.SOFT_DROP:
                    self.turn(1)
                else:
                    self.press(button)
        self.context.voice.update(now_ms)

    def settle(self) -> None:
        """Do what can wait for the first picture, at most a quarter of a second of work for a board."""

    def tell(self, words: bytes) -> None:
        """Let a result say these words, if any, but that nothing can be saved comes first."""
        journal = self.context.journal
        self.told = b"NOT SAVED" if journal.failed and journal.stores else words
        self.fresh = self.fresh or len(self.told) > 0

    def turn(self, step: int) -> None:
        """Go back (-1) or forward (1) by a page."""
        self.at = (self.at + step) % self.count
        self.context.voice.tell_menu(MENU_MOVE)
        self.fresh = True

    def press(self, button: int) -> None:
        """Handle a press of a button that turns no page."""

    def draw(self) -> None:
        if self.fresh and not self.context.router.wanted:  # a page that is left would make the next scene wait
            self.fresh = False
            self.context.canvas.clear()
            self.draw_page(self.context.canvas)

    def draw_page(self, canvas: "Canvas") -> None:
        """Draw the page on an empty screen."""

    def draw_frame(self, canvas: "Canvas", title: bytes, hint: bytes) -> None:
        """Draw the title, the hint about the buttons, and a line between each and the page."""
        if len(title) <= _HEADING:
            centre(canvas, 2, title, FONT_5X7)
        else:
            centre(canvas, 3, title, FONT_3X5)
        canvas.fill(0, 10, WIDTH, 1, 1)
        self.hint(hint)

    def draw_told(self, y: int, told: bytes) -> None:
        """Write what a result says, a goal dark on light."""
        canvas = self.context.canvas
        centre(canvas, y, told, FONT_3X5)
        if told[:4] == b"GOAL":
            canvas.invert(0, y - 1, WIDTH, 7)

    def draw_marks(self, y: int) -> None:
        """Draw a mark for each page, filled for the current page, between arrows."""
        canvas = self.context.canvas
        x = WIDTH + 2 - 5 * self.count >> 1
        canvas.text(x - 6, y - 1, b"<", FONT_3X5)
        for i in range(self.count):
            canvas.fill(x, y, 3, 3, 1)
            if i != self.at:
                canvas.fill(x + 1, y + 1, 1, 1, 0)
            x += 5
        canvas.text(x + 1, y - 1, b">", FONT_3X5)

    def hint(self, line: bytes) -> None:
        """Write a line about the buttons at the bottom."""
        canvas = self.context.canvas
        canvas.fill(0, 117, WIDTH, 1, 1)
        canvas.fill(0, _HINT_Y, WIDTH, 5, 0)
        centre(canvas, _HINT_Y, line, FONT_3X5)
