"""Set the screen: brightness, rotation, sleep, size of cells and motion."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.option_table import list_menu
from firmware.scenes.choices import Choices
from firmware.scenes.menu import SAMPLE_Y
from firmware.view.art import FONT_5X7
from firmware.view.canvas import centre
from firmware.view.sample import LOCKED, PLAIN, draw_tetrimino

if TYPE_CHECKING:
    from firmware.contracts import Context

_FLASH_MS = const(250)
_ROW_Y = const(84)
_LARGE_PX = const(6)
_CELL_PX = const(5)
_T = const(6)


class Scene(Choices):
    """Show a sample of each setting; brightness and rotation change the screen itself."""

    heading = b"SCREEN"
    records = list_menu("display")

    def __init__(self, context: "Context", subject: object = None) -> None:
        Choices.__init__(self, context, subject)
        self.flash_ms = context.clock.ticks_ms()

    def draw_sample(self) -> None:
        canvas = self.context.canvas
        if self.setting() == "turned":
            for i in range(9):
                canvas.fill(32 - i, SAMPLE_Y + 2 + i, 2 * i + 1, 1, 1)
            canvas.fill(29, SAMPLE_Y + 11, 7, 9, 1)
            centre(canvas, SAMPLE_Y + 24, b"UP", FONT_5X7)
        elif self.setting() == "dim_s" or self.setting() == "sleep_s":
            value = self.value(self.at)
            canvas.fill(8, SAMPLE_Y + 5, 48, 23, 1)
            canvas.fill(9, SAMPLE_Y + 6, 46, 21, 0)
            centre(canvas, SAMPLE_Y + 13, value, FONT_5X7)
        elif self.setting() == "large_cells":
            size = _LARGE_PX if self.context.settings.large_cells else _CELL_PX
            for i in range(4):
                x = 32 - 3 * size // 2 + (i if i < 3 else 1) * size
                y = SAMPLE_Y + 17 - (size if i == 3 else 0)
                canvas.fill(x, y, size - 1, size - 1, 1)
        else:
            self.draw_blocks()

    def draw_blocks(self) -> None:
        """Draw a floor of Blocks with a Tetrimino above."""
        canvas = self.context.canvas
        draw_tetrimino(canvas, 24, SAMPLE_Y + 12, _T, 2, PLAIN)
        x = 2
        for piece in (4, 1, 4, 1):
            if piece == 1:
                draw_tetrimino(canvas, x, _ROW_Y + 10, piece, 0, LOCKED)
                draw_tetrimino(canvas, x, _ROW_Y + 15, piece, 0, LOCKED)
                x += 20
            else:
                draw_tetrimino(canvas, x - 5, _ROW_Y + 10, piece, 0, LOCKED)
                x += 10
        canvas.fill(1, _ROW_Y + 10, 62, 1, 1)

    def animate(self) -> None:
        """Flash a row while motion is on."""
        if self.setting() == "motion_on" and self.context.settings.motion_on:
            if ticks_diff(self.now_ms, self.flash_ms) >= _FLASH_MS:
                self.flash_ms = self.now_ms
                self.context.canvas.invert(2, _ROW_Y, 60, 10)
