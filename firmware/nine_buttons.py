"""Give a ninth button the control that eight buttons share: the Target Mark, a half turn, or REWIND in Zen."""

from firmware.compat import TYPE_CHECKING, const
from firmware.device.chords import Chords
from firmware.engine.controls import HOLD, PAUSE, ROTATE_CCW, ROTATE_CW
from firmware.engine.options import HALF_TURNS
from firmware.modes.catalogue import ZEN

if TYPE_CHECKING:
    from firmware.contracts import Any, Router, Settings

_NINTH = const(8)  # the number of the button and of its control


def connect(buttons: "Any", router: "Router") -> None:
    """Let the ninth button of NineKeys through where it has a meaning: menus do not know it."""

    def has_meaning() -> bool:
        """Return whether the buttons steer a Tetrimino, take one back after the other, or are tried one by one."""
        scene = router.scene
        if hasattr(scene, "contacts"):
            return True
        if not scene or scene.kind != "play":  # at power-on there is none
            return False
        return scene.steered >> scene.state & 1 > 0 or hasattr(scene.cover, "steps")  # as REWIND's cover

    buttons.connect(has_meaning)


class NineButtons(Chords):
    """Map nine buttons to controls. marked: whether the ninth control moves the Target Mark."""

    def __init__(self, settings: "Settings", marked: bool) -> None:
        Chords.__init__(self, settings.buttons + bytes((settings.target_buttons if marked else 0,)))
        self.settings = settings
        self.marked = marked

    def press(self, button: int, t_ms: int) -> None:
        if button == _NINTH:
            self.tell(_NINTH, True, t_ms)
        else:
            Chords.press(self, button, t_ms)

    def release(self, button: int, t_ms: int) -> None:
        if button == _NINTH:
            self.tell(_NINTH, False, t_ms)
        else:
            Chords.release(self, button, t_ms)

    def tell(self, control: int, pressed: bool, t_ms: int) -> None:
        """Pass on an edge of a control if its state changed; turn the ninth into what it means in this game."""
        if control < _NINTH or self.marked:
            Chords.tell(self, control, pressed, t_ms)
        elif self.settings.modern & HALF_TURNS:
            Chords.tell(self, ROTATE_CW, pressed, t_ms)
            Chords.tell(self, ROTATE_CCW, pressed, t_ms)
        elif self.settings.variant == ZEN:
            Chords.tell(self, HOLD, pressed, t_ms)
            Chords.tell(self, PAUSE, pressed, t_ms)
