"""Sequence the buzzer's one voice: the most important effect sounds, the rest is left out."""

from firmware.compat import const, ticks_diff
from firmware.engine import events
from firmware.sound import effects

_UNIT_MS = const(8)
_SQUARE = const(32768)

# C2 to B2 in tenths of a hertz; each octave doubles them.
_OCTAVE_DECIHERTZ = (654, 693, 734, 778, 824, 873, 925, 980, 1038, 1100, 1165, 1235)

# From the most important down; the first that happened is heard. The masks are joined where
# one effect stands for several events.
_CALLS = (
    (events.GAME_OVER, 14),
    (events.LEVEL_UP, 13),
    (events.TETRIS, 12),
    (events.T_SPIN | events.MINI_T_SPIN, 11),
    (events.TRIPLE, 10),
    (events.DOUBLE, 9),
    (events.SINGLE, 8),
    (events.HARD_DROPPED, 7),
    (events.LOCKED, 6),
    (events.HELD, 5),
    (events.LANDED, 4),
    (events.MOVE_FAILED | events.ROTATE_FAILED | events.HOLD_FAILED, 3),
    (events.ROTATED, 2),
    (events.SOFT_DROPPED, 1),
    (events.MOVED, 0),
)


def pitch_hz(note: int) -> int:
    """Return the frequency of a note counted from 1 = C2, equal temperament, in whole hertz."""
    note -= 1
    return (_OCTAVE_DECIHERTZ[note % 12] << note // 12) // 10


class Voice:
    """Play effects on a buzzer as time passes; muting changes no timing."""

    def __init__(self, buzzer, muted: bool = False) -> None:
        self.buzzer = buzzer
        self.muted = muted
        self.effect = b""
        self.priority = -1
        self.at = 0
        self.until_ms = 0

    def tell(self, happened: int, now_ms: int) -> None:
        """Start the effect of the most important event bit, unless a more important one is sounding."""
        if not happened:
            return
        for mask, priority in _CALLS:
            if happened & mask:
                if priority >= self.priority:
                    self.priority = priority
                    self.effect = effects.BY_PRIORITY[priority]
                    self.at = 0
                    self.until_ms = now_ms
                return

    def update(self, now_ms: int) -> None:
        """Go on to the note that is due at `now_ms`."""
        if self.priority < 0 or ticks_diff(now_ms, self.until_ms) < 0:
            return
        if self.at >= len(self.effect):
            self.silence()
            return
        note = self.effect[self.at]
        self.until_ms = now_ms + self.effect[self.at + 1] * _UNIT_MS & 0x1FFFFFFF
        self.at += 2
        if note and not self.muted:
            self.buzzer.tone(pitch_hz(note), _SQUARE)
        else:
            self.buzzer.off()

    def silence(self) -> None:
        """Stop whatever sounds."""
        self.priority = -1
        self.buzzer.off()
