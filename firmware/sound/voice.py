"""Sequence the buzzer's one voice: the most important effect sounds, the rest is left out."""

from firmware.compat import const, ticks_diff
from firmware.sound.effects import CALLS, NOTES

_UNIT_MS = const(8)
_SQUARE = const(32768)

# C2 to B2 in tenths of a hertz; each octave doubles them.
_OCTAVE_DECIHERTZ = (654, 693, 734, 778, 824, 873, 925, 980, 1038, 1100, 1165, 1235)

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
        priority = len(CALLS) - 1
        while not happened & CALLS[priority]:
            if not priority:
                return
            priority -= 1
        if priority >= self.priority:
            self.priority = priority
            self.effect = NOTES[priority]
            self.at = 0
            self.until_ms = now_ms

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
