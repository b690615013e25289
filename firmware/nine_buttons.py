"""Give a ninth button the control that eight buttons share: a half turn, or REWIND in Zen."""

from firmware.compat import TYPE_CHECKING, const
from firmware.device.chords import Chords, HalfTurns
from firmware.engine.controls import HOLD, PAUSE
from firmware.engine.options import HALF_TURNS
from firmware.modes.catalogue import ZEN

if TYPE_CHECKING:
    from firmware.contracts import Any, Router, Session, Settings

_NINTH = const(8)  # the number of its control; in a match it moves the Target Mark


def connect(buttons: "Any", router: "Router") -> None:
    """Let the ninth button of NineKeys through where it has a meaning: menus do not know it."""

    def has_meaning() -> bool:
        """Return whether the buttons steer a Tetrimino, take one back after the other, or are tried one by one."""
        scene = router.scene
        if hasattr(scene, "contacts"):
            return True
        if not scene or scene.kind != "play":  # at power-on there is none
            return False
        if hasattr(getattr(scene, "cover", None), "steps"):  # as REWIND's cover; puzzles have none
            return True
        if scene.state and hasattr(scene, "take_back"):
            return False  # REWIND presses START: held in a countdown, or at the end, it would restart
        return scene.steered >> scene.state & 1 > 0

    buttons.connect(has_meaning)


class NineButtons(HalfTurns):
    """Map nine buttons to the controls of a game of one player."""

    def __init__(self, settings: "Settings", session: "Session") -> None:
        HalfTurns.__init__(self, settings.buttons + b"\0")  # the ninth control needs no chord
        self.settings = settings
        self.session = session

    def tell(self, control: int, pressed: bool, t_ms: int) -> None:
        """Pass on an edge of a control if its state changed; turn the ninth into what it means in this game."""
        if control < _NINTH:
            Chords.tell(self, control, pressed, t_ms)
        elif self.settings.modern & HALF_TURNS:
            HalfTurns.tell(self, control, pressed, t_ms)
        elif self.session.variant == ZEN:
            Chords.tell(self, HOLD, pressed, t_ms)
            Chords.tell(self, PAUSE, pressed, t_ms)
