"""Keep the control of the Target Mark for By ear (firmware/sound/README.md, 1.6): the game never sees it."""

from firmware.compat import TYPE_CHECKING, const
from firmware.device.chords import Chords

if TYPE_CHECKING:
    from firmware.contracts import Blob, Settings

_CONTROL = const(8)  # after the eight controls of a game
_COUNTS = const(255)


class Listening(Chords):
    """Map buttons to the controls of a game. asked: counts the presses of the further control, up to 255."""

    def __init__(self, masks: "Blob") -> None:
        Chords.__init__(self, masks)
        self.asked = 0

    def tell(self, control: int, pressed: bool, t_ms: int) -> None:
        """Pass on an edge of a control of the game; count a press of the further one."""
        if control < _CONTROL:
            Chords.tell(self, control, pressed, t_ms)
        elif pressed:
            self.asked = self.asked + 1 & _COUNTS


def connect(settings: "Settings") -> Listening:
    """Return the mapping of eight or nine buttons, with the chord of the further control."""
    return Listening(settings.buttons + bytes((settings.target_buttons,)))
