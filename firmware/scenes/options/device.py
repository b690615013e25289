"""Open the questions of the first start again, and a hidden page."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import controls
from firmware.scenes.menu import Menu
from firmware.scenes.setup.step import ALONE
from firmware.sound.effects import MENU_CHOOSE

if TYPE_CHECKING:
    from firmware.contracts import Context

_SPEED_AT = const(2)
_LOUDNESS_AT = const(3)
_KNOCKS = const(5)


class Scene(Menu):
    """Offer the questions of the first start; pressing left five times opens the hidden page."""

    heading = b"DEVICE"
    records = (
        (b"BUTTONS", b"TRY EACH BUTTON|AND ITS WIRE", "setup.buttons"),
        (b"UPRIGHT", b"ROTATE|THE PICTURE", "setup.upright"),
        (b"SPEED", b"HOW FAST THE|DISPLAY IS FED.|-: FIXED HERE", "setup.speed"),
        (b"LOUDNESS", b"HOW LOUD MUSIC|AND EFFECTS ARE", "setup.loudness"),
    )
    parent = "options.options"

    def __init__(self, context: "Context", subject: object = None) -> None:
        Menu.__init__(self, context, subject)
        self.knocks = 0

    def value(self, at: int) -> bytes:
        """Return the setting of a line."""
        settings = self.context.settings
        if at == _SPEED_AT:
            return b"-" if self.context.device.bus is None else b"1 MHZ" if settings.fast_bus else b"400"
        return str(settings.effects_volume).encode() if at == _LOUDNESS_AT else b""

    def press(self, button: int) -> None:
        """Count presses of left, then handle the press."""
        self.knocks = self.knocks + 1 if button == controls.LEFT else 0
        if self.knocks == _KNOCKS:
            self.context.voice.tell_menu(MENU_CHOOSE)
            self.context.go("options.facts")
            return
        Menu.press(self, button)

    def pick(self, at: int) -> None:
        """Open the question."""
        if at != _SPEED_AT or self.context.device.bus is not None:
            self.context.go(self.records[at][2], ALONE)
