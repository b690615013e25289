"""Show lifetime statistics: sums, best values, and the finesse of the last games."""

from firmware.compat import TYPE_CHECKING, const
from firmware.match.figures import write_hundredths
from firmware.save.journal import NUMBERS
from firmware.save.life import GAMES, Life
from firmware.scenes.menus.score_list import STATISTICS
from firmware.scenes.paging import PagedScene
from firmware.sound.effects import MENU_BACK
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import WIDTH, centre, text_width

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context

_TOP = const(15)
_PITCH = const(12)
_PAGES = const(3)
_GAP = const(3)  # between a name and its number
_PLOT_X = const(2)
_PLOT_Y = const(92)  # of 0 percent
_PLOT_HEIGHT = const(50)
_PITCH_X = const(3)

# Lines of the pages that are no plain number
_HOURS = const(1)
_TIME = const(2)
_PPS = const(4)  # and APM

_NAMES = (b"GAMES|HOURS|LINES|PIECES|TETRIS|T-SPIN|MINI|B2B", b"POINTS|LINES|TIME|COMBO|PPS|APM")


class Scene(PagedScene):
    """Turn pages with left and right; B leads to the list of tables."""

    def __init__(self, context: "Context", subject: "int | None" = None) -> None:
        PagedScene.__init__(self, context, _PAGES, subject or 0)
        self.life = Life(context.journal.read(NUMBERS))

    def press(self, button: int) -> None:
        self.context.voice.tell_menu(MENU_BACK)
        self.context.go("menus.score_list", STATISTICS)

    def draw_page(self, canvas: "Canvas") -> None:
        """Draw sums, best values, or finesse."""
        self.draw_frame(canvas, b"ALL GAMES|THE BEST|FINESSE".split(b"|")[self.at], b"< > PAGE  B BACK")
        if self.at < len(_NAMES):
            names = _NAMES[self.at].split(b"|")
            for i in range(len(names)):
                self.write(_TOP + i * _PITCH, names[i], self.value(i))
        else:
            self.draw_sample(canvas)

    def write(self, y: int, name: bytes, value: bytes) -> None:
        """Write a line, in small letters if it is long."""
        canvas = self.context.canvas
        font = FONT_5X7
        if text_width(name, font) + text_width(value, font) > WIDTH - _GAP:
            font = FONT_3X5
            y += 1
        canvas.text(0, y, name, font)
        canvas.text(WIDTH - text_width(value, font), y, value, font)

    def value(self, i: int) -> bytes:
        life = self.life
        if not self.at:
            if i == _HOURS:
                tenths = life.seconds // 360
                return b"%d.%d" % (tenths // 10, tenths % 10)
            sums = (life.games, 0, life.lines, life.pieces, life.tetrises, life.t_spins, life.minis, life.back_to_backs)
            return b"%d" % sums[i]
        if i == _TIME:
            return b"%d:%02d" % (life.best_seconds // 60, life.best_seconds % 60)
        number = (life.best_score, life.best_lines, 0, life.best_combo, life.best_pps, life.best_apm)[i]
        return b"%d" % number if i < _PPS else write_hundredths(number)

    def draw_sample(self, canvas: "Canvas") -> None:
        """Plot the percent of each of the last games as a bar, with lines at 100 and 50."""
        life = self.life
        top = _PLOT_Y - _PLOT_HEIGHT
        if not life.kept:
            centre(canvas, 50, b"NO GAME YET", FONT_3X5)
            return
        total = sum(life.finesse[: life.kept])
        self.write(16, b"LAST", b"%d%%" % life.finesse[life.kept - 1])
        self.write(27, b"MEAN", b"%d%%" % (total // life.kept))
        for x in range(_PLOT_X, _PLOT_X + GAMES * _PITCH_X, 2):
            canvas.fill(x, top, 1, 1, 1)
            canvas.fill(x, _PLOT_Y - _PLOT_HEIGHT // 2, 1, 1, 1)
        canvas.fill(_PLOT_X, _PLOT_Y, GAMES * _PITCH_X - 1, 1, 1)
        for i in range(life.kept):
            height = life.finesse[i] * _PLOT_HEIGHT // 100
            canvas.fill(_PLOT_X + i * _PITCH_X, _PLOT_Y - height, 2, height, 1)
        centre(canvas, 98, b"PIECES WITH NO", FONT_3X5)
        centre(canvas, 106, b"EXTRA PRESS", FONT_3X5)
