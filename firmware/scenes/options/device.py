"""Open the questions of the first start again, and pages that few players need."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import controls
from firmware.scenes.menu import Menu
from firmware.scenes.setup.step import ALONE
from firmware.sound.effects import MENU_CHOOSE

if TYPE_CHECKING:
    from firmware.contracts import Canvas, Context

_KNOCKS = const(5)
_SPEED = const(b"SPEED")
_LOUDNESS = const(b"LOUDNESS")
_RESET = const(b"RESET ALL")


class Scene(Menu):
    """Offer the questions of the first start, and resets; pressing left five times opens the hidden page.

    asked: whether RESET ALL asks for a second press of A.
    """

    heading = b"DEVICE"
    records = (
        (b"BUTTONS", b"TRY EACH BUTTON|AND ITS WIRE", "setup.buttons", ALONE),
        (b"UPRIGHT", b"ROTATE|THE PICTURE", "setup.upright", ALONE),
        (_SPEED, b"TRY A FASTER|SCREEN, AND KEEP|IT IF IT WORKS", "setup.speed", ALONE),
        (_LOUDNESS, b"HOW LOUD MUSIC|AND EFFECTS ARE", "setup.loudness", ALONE),
        (b"CHANGED", b"WHAT DIFFERS|FROM ITS DEFAULT", "options.changed"),
        (_RESET, b"RESET ALL|OPTIONS", ""),
        (b"CREDITS", b"WHO MADE IT,|AND ITS LICENSE", "menus.legal", "options.device"),
    )
    parent = "options.options"
    asked = False

    def __init__(self, context: "Context", subject: object = None) -> None:
        Menu.__init__(self, context, subject)
        self.knocks = 0

    def value(self, at: int) -> bytes:
        """Return the setting of a line, or a question mark."""
        settings = self.context.settings
        line = self.lines[at]
        if line == _SPEED:
            return b"-" if self.context.device.bus is None else b"FAST" if settings.fast_bus else b"SLOW"
        if line == _LOUDNESS:
            return b"%d" % settings.effects_volume
        return b"?" if self.asked and line == _RESET else b""

    def press(self, button: int) -> None:
        """Count presses of left, then handle the press; any press but A forgets the question."""
        self.knocks = self.knocks + 1 if button == controls.LEFT else 0
        if self.knocks == _KNOCKS:
            self.context.voice.tell_menu(MENU_CHOOSE)
            self.context.go("options.facts")
            return
        asked = self.asked
        Menu.press(self, button)
        if asked and self.asked:
            self.asked = False
            self.fresh = True

    def pick(self, at: int) -> None:
        """Open a question or a page, or reset everything after a second press."""
        context = self.context
        line = self.lines[at]
        if line == _RESET:
            if self.asked:
                context.settings.reset()
                context.apply_settings()
                context.save_settings()
            self.asked = not self.asked
        elif line != _SPEED or context.device.bus is not None:
            Menu.pick(self, at)

    def draw_note(self, canvas: "Canvas", note: bytes) -> None:
        Menu.draw_note(self, canvas, b"PRESS AGAIN TO|RESET ALL|OPTIONS" if self.asked else note)
