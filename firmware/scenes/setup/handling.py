"""Ask for the handling of Tetriminos: the last question of a handheld's first start, and the only one elsewhere."""

from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.engine import controls
from firmware.engine.options import Options
from firmware.modes import delays
from firmware.save.presets import FAST, GUIDELINE, handle
from firmware.scenes.setup.step import Step, write
from firmware.sound.effects import MENU_MOVE
from firmware.view.art import FONT_5X7
from firmware.view.canvas import centre
from firmware.view.sample import PLAIN, draw_tetrimino

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context

_T = const(6)
_LAST = const(9)  # steps from wall to wall
_REST_MS = const(600)
_TOP = const(28)
_PITCH = const(36)
_NAMES = (b"GUIDELINE", b"FAST")
_PRESETS = (GUIDELINE, FAST)


class Scene(Step):
    """Offer the handling of the guideline and of current games; a moving T shows the speed of each."""

    heading = b"HANDLING"
    following = "menus.title"

    def __init__(self, context: "Context", subject: object = None) -> None:
        Step.__init__(self, context, subject)
        if isinstance(subject, str):
            self.following = subject
        self.fast = 1
        self.places = bytearray(2)
        self.until_ms = [self.now_ms, self.now_ms]
        self.offers = (Options(), Options())
        for i in range(2):
            handle(self.offers[i], _PRESETS[i])

    def press(self, button: int) -> None:
        """Choose the other handling, accept the chosen one, or begin FIRST GAME with that of the guideline."""
        context = self.context
        first = button == controls.ROTATE_CCW
        if first or button == controls.ROTATE_CW or button == controls.PAUSE:
            if first:
                self.fast = 0  # for beginners
            handle(context.settings, _PRESETS[self.fast])
            delays.set_delays(context.settings, delays.NONE if self.fast else delays.GUIDELINE)
            context.settings.ready = 1
            self.finish()
            if first:
                context.go("learn.first_game", "menus.main")
        elif button <= controls.HARD_DROP:
            self.fast = 1 - self.fast
            context.voice.tell_menu(MENU_MOVE)
            self.fresh = True

    def draw_all(self, canvas: "Canvas") -> None:
        """Draw both names, the chosen one dark on light, and the texts below."""
        for i in range(2):
            y = _TOP - 13 + i * _PITCH
            centre(canvas, y, _NAMES[i], FONT_5X7)
            if i == self.fast:
                canvas.invert(0, y - 1, 64, 9)
            self.draw_runner(canvas, i)
        write(canvas, 87, b"QUICK REPEATS,|NO DELAYS" if self.fast else b"SLOW REPEATS,|FOR BEGINNERS")
        write(canvas, 103, b"UP DOWN: CHANGE")
        canvas.fill(0, 111, 64, 1, 1)
        write(canvas, 114, b"A NEXT|B TEACH ME FIRST")

    def draw_runner(self, canvas: "Canvas", i: int) -> None:
        """Draw one T at its current place on its floor."""
        y = _TOP + i * _PITCH
        canvas.fill(0, y, 64, 14, 0)
        canvas.fill(1, y + 13, 62, 1, 1)
        draw_tetrimino(canvas, 2 + 5 * self.places[i], y + 13, _T, 0, PLAIN)

    def animate(self, canvas: "Canvas") -> None:
        """Move each T: the first step, Auto-Repeat after its delay, a rest at the wall, then again."""
        for i in range(2):
            if ticks_diff(self.now_ms, self.until_ms[i]) < 0:
                continue
            place = self.places[i] + 1 if self.places[i] < _LAST else 0
            wait_ms = _REST_MS
            if 0 < place < _LAST:
                wait_ms = self.offers[i].das_ms if place == 1 else self.offers[i].arr_ms
            self.places[i] = place
            self.until_ms[i] = ticks_add(self.until_ms[i], wait_ms)
            self.draw_runner(canvas, i)
