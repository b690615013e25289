"""Show the title until a button is pressed (Guideline 2.2): its logo, and after a second a game behind the name."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine import controls
from firmware.residents import GAME
from firmware.sound.effects import MENU_CHOOSE, MENU_MOVE
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import centre
from firmware.view.logo import LOGO, LOGO_HEIGHT
from firmware.view.notice import draw_title

if TYPE_CHECKING:
    from firmware.contracts import Any, Context, EdgeQueue

_BLINK_MS = const(600)
_LINE_Y = const(84)
_PITCH = const(13)
_NOTE_Y = const(108)
_NOTE_PITCH = const(7)
_UNSAFE = (b"B HELD: A POWER", b"CUT LOSES FILES.", b"START WITHOUT B.")


class Scene:
    """Ask for a press of A, or offer to continue the game in progress.

    show: the game that moves behind the name, or None.
    """

    kind = "menu"
    keeps = GAME
    leaves_time = True
    show: "Any" = None

    def __init__(self, context: "Context", subject: object = None) -> None:
        self.context = context
        self.lines = (b"CONTINUE", b"MENU") if context.session.has_game() else (b"PRESS A",)
        self.at = 0
        self.lit = True
        self.since_ms = context.clock.ticks_ms()
        self.fresh = True
        self.whole = True

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Handle the edges of this frame; let PRESS A blink if motion is on, until a game moves behind it."""
        context = self.context
        for i in range(edges.count):
            if edges.pressed[i]:
                self.press(edges.button[i])
        if self.show:
            self.show.update(now_ms)
        elif context.idling.idle_s and not context.router.loading and self.may_play():
            from firmware.scenes.menus.demo import Demonstration

            self.show = Demonstration(context.canvas, _LINE_Y - 2, _LINE_Y - 4 + _PITCH * len(self.lines), now_ms)
            self.lit = self.fresh = True
        elif len(self.lines) == 1 and context.settings.motion_on and ticks_diff(now_ms, self.since_ms) >= _BLINK_MS:
            self.since_ms = now_ms
            self.lit = not self.lit
            self.fresh = True
        context.voice.update(now_ms)

    def may_play(self) -> bool:
        """Return whether a game may move: the player reads no warning, does not listen and wants motion."""
        settings = self.context.settings
        return bool(settings.motion_on and not settings.by_ear) and not self.context.device.machine.owns_drive()

    def press(self, button: int) -> None:
        """Choose a line or open it; there is no scene to go back to."""
        context = self.context
        if button == controls.SOFT_DROP or button == controls.HARD_DROP:
            if len(self.lines) > 1:
                self.at = 1 - self.at
                self.fresh = True
                context.voice.tell_menu(MENU_MOVE)
        elif button == controls.ROTATE_CW or button == controls.PAUSE:
            context.voice.tell_menu(MENU_CHOOSE)
            if len(self.lines) > 1 and not self.at:
                from firmware.resuming import resume_game

                self.show = None  # the game in progress needs its room
                context.tidy()
                resume_game(context)
            elif context.settings.ready or context.journal.failed:
                context.go("menus.main")
            else:  # the first start of a page or a simulator
                context.go("setup.handling", "menus.main")

    def draw(self) -> None:
        if not self.fresh:
            if self.show:  # one frame has no time for the lines and also the game
                self.show.draw()
            return
        self.fresh = False
        canvas = self.context.canvas
        if self.whole:
            self.whole = False
            draw_title(canvas, LOGO, LOGO_HEIGHT)
            if self.context.device.machine.owns_drive():
                canvas.fill(0, _NOTE_Y, 64, 128 - _NOTE_Y, 0)
                for i in range(len(_UNSAFE)):
                    centre(canvas, _NOTE_Y + i * _NOTE_PITCH, _UNSAFE[i], FONT_3X5)
        for i in range(len(self.lines)):
            y = _LINE_Y + i * _PITCH
            canvas.fill(2, y - 2, 60, 11, 0)
            if self.lit:
                centre(canvas, y, self.lines[i], FONT_5X7)
            if len(self.lines) > 1 and i == self.at:
                canvas.invert(2, y - 2, 60, 11)
        if self.show:
            self.show.keep()
