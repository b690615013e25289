"""Show the legal notice (Guideline 2.1)."""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.view import notice

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import App, EdgeQueue

_SHOWN_MS = const(3000)


class Scene:
    """Show the notice for three seconds or until a button is pressed; asked for from a menu, until then.

    The seconds count from when the picture appeared, which at power-on is before there was an App.
    """

    leaves_time = True

    def __init__(self, app: "App", subject: "Any" = None) -> None:
        self.app = app
        self.subject = subject
        self.since_ms = app.began_ms
        self.fresh = True
        self.down = 0

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Wait."""
        self.app.voice.update(now_ms)
        pressed = False
        for i in range(edges.count):
            if edges.pressed[i]:
                pressed = True
                self.down |= 1 << edges.button[i]
            else:
                self.down &= ~(1 << edges.button[i])
        if pressed:
            self.leave()
        elif not self.subject and ticks_diff(now_ms, self.since_ms) >= _SHOWN_MS:
            self.leave()

    def leave(self) -> None:
        """Go to the title, or back; the first start asks for the handling, and tests a hand-built device."""
        if self.subject:
            self.app.voice.tell_menu(2)
            self.app.go(self.subject, self.app.name)
        elif self.app.settings.ready or self.app.journal.failed:
            self.app.go("title")
        elif self.app.device.handmade:
            self.app.go("setup_buttons", self.down)
        else:
            self.app.go("setup_handling")

    def draw(self) -> None:
        """Draw the notice once."""
        if not self.fresh:
            return
        self.fresh = False
        notice.draw(self.app.canvas)
