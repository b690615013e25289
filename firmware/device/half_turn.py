"""Let one control press both rotation controls at once for a half turn (modes/README.md, 5.2)."""

from firmware.compat import const
from firmware.device.chords import Chords

_HALF_TURN = const(8)  # after the eight controls of a game; in matches it moves the Target Mark
_CW = const(4)  # as in firmware/engine/controls.py
_CCW = const(5)


class HalfTurns(Chords):
    """Map buttons to nine controls."""

    def tell(self, control: int, pressed: bool, t_ms: int) -> None:
        """Pass on an edge of a control; pass on an edge of the ninth as edges of both rotation controls."""
        if control < _HALF_TURN:
            Chords.tell(self, control, pressed, t_ms)
        elif (self.pressed >> control & 1) != pressed:
            self.pressed ^= 1 << control
            if pressed:  # a rotation control that is held would press nothing
                Chords.tell(self, _CW, False, t_ms)
                Chords.tell(self, _CCW, False, t_ms)
            Chords.tell(self, _CW, pressed, t_ms)
            Chords.tell(self, _CCW, pressed, t_ms)
