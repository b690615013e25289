"""Choose the starting level and see how fast it falls (Guideline 2.3.3, 7)."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine import controls
from firmware.engine.tables import FALL_US
from firmware.modes.catalogue import find
from firmware.residents import MENU
from firmware.scenes.menu import Menu
from firmware.sound.effects import MENU_CHOOSE
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import centre
from firmware.view.sample import PLAIN, draw_tetrimino

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context

_SLOWEST = const(10)  # time of a row at Standard's first level, in units of _STANDARD_US
_STANDARD_US = const(50_000)  # each level of Standard shortens this time by one unit
_COLUMNS = const(3)
_CELL_WIDTH = const(14)
_CELL_HEIGHT = const(16)
_TOP = const(16)
_SHAFT = const(45)
_SHAFT_TOP = const(13)
_SHAFT_HEIGHT = const(85)
_DEPTH = const(15)  # rows that the sample falls
_T = const(6)


class Scene(Menu):
    """Offer levels 1 to 15, beside a Tetrimino that falls at the speed of the chosen level.

    Standard has levels 0 to 9, and the test specification 1 to 10; a row takes Standard (10 - level) / 20 s. Start
    opens the choice of seed and Starting Blocks.
    """

    keeps = MENU
    heading = b"LEVEL"

    def __init__(self, context: "Context", subject: object = None) -> None:
        record = find(context.session.variant)
        self.parent = record[b"menu"].decode()
        self.standard = record[b"rules"] == b"standard"
        self.least, most = [int(level) for level in record[b"levels"].split()]
        self.count = most + 1 - self.least
        self.lines = self.notes = (b"",) * self.count  # draw_lines and draw_note write all texts
        level = context.settings.start_level or context.settings.level
        Menu.__init__(self, context, (level if level < self.count else self.count) - 1)
        self.row = -1
        self.fell_ms = context.clock.ticks_ms()

    def press(self, button: int) -> None:
        """Choose a level by the directions; after the last level comes the first."""
        if button == controls.LEFT:
            self.choose((self.at + self.count - 1) % self.count)
        elif button == controls.RIGHT:
            self.choose((self.at + 1) % self.count)
        elif button == controls.HARD_DROP:
            self.choose((self.at + self.count - _COLUMNS) % self.count)
        elif button == controls.SOFT_DROP:
            self.choose((self.at + _COLUMNS) % self.count)
        elif button == controls.PAUSE:
            self.context.voice.tell_menu(MENU_CHOOSE)
            self.set_level()
            self.context.go("menus.choose_seed")
        else:
            Menu.press(self, button)

    def choose(self, at: int) -> None:
        """Choose a level; let the sample fall from the top."""
        Menu.choose(self, at)
        self.fell_ms = self.now_ms

    def pick(self, at: int) -> None:
        """Play without Starting Blocks; for Standard choose the seed first."""
        self.context.settings.garbage_rows = 0
        self.set_level()
        if self.standard:
            self.context.go("menus.choose_seed")
        else:
            self.context.begin_game()

    def set_level(self) -> None:
        """Set the starting level; the countdown of the game saves it."""
        settings = self.context.settings
        settings.level = settings.start_level = self.at + 1

    def draw_lines(self, canvas: "Canvas") -> None:
        """Draw the numbers, the chosen number dark on light, and the shaft of the sample."""
        for i in range(self.count):
            x = i % _COLUMNS * _CELL_WIDTH
            y = _TOP + i // _COLUMNS * _CELL_HEIGHT
            canvas.fill(x, y, _CELL_WIDTH, 13, 0)
            number = b"%d" % (self.least + i)
            canvas.text(x + (_CELL_WIDTH + 1 - 6 * len(number) >> 1), y + 3, number, FONT_5X7)
            if i == self.at:
                canvas.invert(x, y, _CELL_WIDTH, 13)
        canvas.fill(_SHAFT, _SHAFT_TOP, 1, _SHAFT_HEIGHT, 1)
        canvas.fill(_SHAFT + 16, _SHAFT_TOP, 1, _SHAFT_HEIGHT, 1)
        canvas.fill(_SHAFT, _SHAFT_TOP + _SHAFT_HEIGHT, 17, 1, 1)
        self.row = -1

    def fall_us(self) -> int:
        """Return how long a row takes at the chosen level."""
        return (_SLOWEST - self.at) * _STANDARD_US if self.standard else FALL_US[self.at]

    def draw_note(self, canvas: "Canvas", note: bytes) -> None:
        """Draw how fast it falls, how long a row takes, and the buttons."""
        canvas.fill(0, 105, 64, 23, 0)
        canvas.text(1, 105, b"SLOW", FONT_3X5)
        canvas.text(47, 105, b"FAST", FONT_3X5)
        canvas.fill(20, 107, 24, 1, 1)
        canvas.fill(20 + 22 * self.at // (self.count - 1), 105, 3, 5, 1)
        fall_us = self.fall_us()
        if fall_us >= 10_000:
            number = str(fall_us // 1_000_000) + "." + str(1_000_000 + fall_us)[-6:-4]
        else:
            number = "0." + str(1_000_000 + fall_us)[-6:-2]
        centre(canvas, 111, number.encode() + b" S PER ROW", FONT_3X5)
        if not self.standard:
            centre(canvas, 117, b"START: MORE", FONT_3X5)
        centre(canvas, 123, b"A NEXT  B BACK" if self.standard else b"A PLAY  B BACK", FONT_3X5)

    def animate(self) -> None:
        """Let the Tetrimino fall, rest a moment and begin again."""
        passed_ms = ticks_diff(self.now_ms, self.fell_ms)
        fall_us = self.fall_us()
        # In units of 10 us: 30 s of microseconds would exceed a small integer.
        row = min(_DEPTH, passed_ms * 100 // (fall_us // 10))
        if passed_ms > (fall_us // 10 * _DEPTH) // 100 + 700:
            self.fell_ms = self.now_ms
        if row != self.row:
            canvas = self.context.canvas
            canvas.fill(_SHAFT + 1, _SHAFT_TOP, 15, _SHAFT_HEIGHT, 0)
            draw_tetrimino(canvas, _SHAFT + 1, _SHAFT_TOP + 10 + row * 5, _T, 0, PLAIN)
            self.row = row
