"""Show the legal notice at the first start, and later as CREDITS (Guideline 2.1)."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.residents import GAME
from firmware.sound.effects import MENU_BACK
from firmware.view import notice

if TYPE_CHECKING:
    from firmware.contracts import Context, EdgeQueue

_SHOWN_MS = const(3000)


class Scene:
    """Show the notice until a button is pressed, at the first start for at most three seconds.

    The seconds count from the first picture, which at power-on appears before the App is made.
    subject: the menu to return to; empty at the first start.
    """

    kind = "menu"
    keeps = GAME
    leaves_time = True

    def __init__(self, context: "Context", subject: str = "") -> None:
        self.context = context
        self.parent = subject
        self.since_ms = context.idling.since_ms
        self.fresh = True
        self.down = 0

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Leave at a press or when the time is over."""
        self.context.voice.update(now_ms)
        pressed = False
        for i in range(edges.count):
            if edges.pressed[i]:
                pressed = True
                self.down |= 1 << edges.button[i]
            else:
                self.down &= ~(1 << edges.button[i])
        if pressed:
            self.leave()
        elif not self.parent and ticks_diff(now_ms, self.since_ms) >= _SHOWN_MS:
            self.leave()

    def leave(self) -> None:
        """Go to the title or back; at the first start of a handheld, test its buttons."""
        if self.parent:
            self.context.voice.tell_menu(MENU_BACK)
            self.context.go(self.parent, self.context.router.name)
        elif self.context.device.handmade and not (self.context.settings.ready or self.context.journal.failed):
            self.context.go("setup.buttons", self.down)
        else:
            self.context.go("menus.title")

    def draw(self) -> None:
        if not self.fresh:
            return
        self.fresh = False
        notice.draw(self.context.canvas)
