"""Play effects and music on the buzzer, one note at a time.

Both are bytes: pairs of a length and a note. A length counts units of 8 ms, or of fewer in fast music; 0 ends the
sequence. A note counts semitones from 1 = C2; 0 is a rest.
"""

import sys

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine import events
from firmware.sound.effects import HEARD, NAMED, NOTES, STARTS

if TYPE_CHECKING:
    from firmware.contracts import Buzzer

TUNES = ("korobeiniki", "minuet", "mountain_king")

UNIT_MS = const(8)
_LATE_MS = const(100)
_SOFT_MS = const(150)  # a Soft Drop after a longer pause is a new one: even the slowest falls a row in 50 ms
_SOFTEST = const(1024)  # duty of 65536 at volume 0; each step of volume doubles it, up to the square wave
_MENU = const(1 << 23)  # above all events; a further bit for each sound would be a big integer
_PHRASE = events.LINES | events.T_SPIN | events.MINI_T_SPIN | events.BACK_TO_BACK
_FAINT = events.ELIMINATED | events.GENERATED

# C2 to B2 in tenths of a hertz; each octave doubles them.
_OCTAVE_DECIHERTZ = (654, 693, 734, 778, 824, 873, 925, 980, 1038, 1100, 1165, 1235)


def pitch_hz(note: int) -> int:
    """Return the frequency of a note counted from 1 = C2, equal temperament, in whole hertz."""
    note -= 1
    return ((_OCTAVE_DECIHERTZ[note % 12] << note // 12) + 5) // 10


class Voice:
    """Play effects and a tune on a buzzer over time; volumes change no timing.

    Music keeps time during the short effects of moves. A Line Clear and longer effects stop the music's clock; then the
    interrupted note continues. An effect with volume 0 takes the same time, while the music's note continues to sound.

    unit_ms: ms for each unit of a tune's lengths: 8 as written, 7 or 6 at higher levels. playing: whether the tune's
    clock may run. priority: the event bit whose effect sounds, or 0. phrase: the bits whose effects follow it.
    """

    def __init__(self, buzzer: "Buzzer") -> None:
        self.buzzer = buzzer
        self.music_volume = 3
        self.effects_volume = 4
        self.priority = 0
        self.phrase = 0
        self.at = 0
        self.left_ms = 0
        self.tune = b""
        self.tune_at = 0
        self.tune_ms = 0
        self.unit_ms = UNIT_MS
        self.playing = False
        self.last_ms = 0
        self.soft_ms = 0

    # -- effects -----------------------------------------------------------------------------

    def tell(self, happened: int, now_ms: int) -> None:
        """Start the effect of the most important event bit, unless a more important effect sounds.

        Higher event bits are more important, with exceptions. Removed rows and a new Tetrimino sound only if no effect
        does, and any effect interrupts them. A Soft Drop sounds when it begins, not at each row. The end of a game
        ends its music.
        """
        happened &= HEARD
        if not happened:
            return
        faint = happened & _FAINT
        if faint:
            happened -= faint
            if not happened and not self.priority:
                self.begin(faint & -faint)
                self.priority = events.MOVED
        if happened & events.SOFT_DROPPED:
            if -1 < ticks_diff(now_ms, self.soft_ms) < _SOFT_MS:
                happened -= events.SOFT_DROPPED
            self.soft_ms = now_ms
        if happened & events.HARD_DROPPED:
            happened &= ~events.LOCKED  # the Hard Drop's own sound is enough
        if happened & events.GAME_OVER:
            self.stop_tune()
        if happened and happened >= self.priority:
            self.begin(happened)

    def tell_menu(self, sound: int) -> None:
        """Start a sound that belongs to no event, by its constant in effects.py."""
        self.begin(_MENU)
        self.at = STARTS[NAMED + sound]

    def begin(self, happened: int) -> None:
        """Start the effect of the highest bit; the Lock Down's other bits follow."""
        number = 0
        while happened >> number > 1:
            number += 1
        self.priority = 1 << number
        self.phrase = happened - self.priority & _PHRASE if self.priority & _PHRASE else 0
        self.at = STARTS[number]
        self.left_ms = 0

    # -- music -------------------------------------------------------------------------------

    def play_tune(self, number: int, now_ms: int = 0) -> None:
        """Load tune 0, 1 or 2, or one by the time, and loop it from its beginning; drop its module again.

        Never call this within a frame of play: an import allocates.
        """
        name = TUNES[number if number < len(TUNES) else now_ms % len(TUNES)]
        path = "firmware.sound." + name
        __import__(path)
        self.tune = sys.modules[path].NOTES
        del sys.modules[path]
        if hasattr(sys.modules["firmware.sound"], name):
            delattr(sys.modules["firmware.sound"], name)
        # Before the first pair: index -2 + 1 is the tune's last 0, a rest.
        self.tune_at = -2
        self.tune_ms = 0
        self.playing = True

    def stop_tune(self) -> None:
        """End the music and release its notes."""
        self.tune = b""
        self.playing = False
        self.sound_tune()

    def resume_tune(self) -> None:
        """Resume the music after `silence`, at its last note."""
        self.playing = bool(self.tune)
        self.sound_tune()

    def sound_tune(self) -> None:
        """Sound the music's current note, unless an effect sounds."""
        if self.priority:
            return
        self.sound(self.tune[self.tune_at + 1] if self.playing else 0, self.music_volume)

    # -- both --------------------------------------------------------------------------------

    def set_volumes(self, music: int, effects: int) -> None:
        """Set both volumes, 0 (mute) to 5 (the loudest); a sounding note follows at once."""
        self.music_volume = music
        self.effects_volume = effects
        self.sound_tune()

    def silence(self) -> None:
        """Stop all sound; music pauses until `resume_tune`."""
        self.priority = 0
        self.playing = False
        self.buzzer.off()

    def sound(self, note: int, volume: int) -> None:
        """Sound a note; a narrower pulse is softer."""
        if note and volume:
            self.buzzer.tone(pitch_hz(note), _SOFTEST << volume)
        else:
            self.buzzer.off()

    def update(self, now_ms: int) -> None:
        """Advance to the notes that are due at `now_ms`; count at most 100 ms for a late frame."""
        passed = ticks_diff(now_ms, self.last_ms)
        self.last_ms = now_ms
        if not -1 < passed < _LATE_MS:
            passed = _LATE_MS
        if self.playing and self.priority < events.SINGLE:
            self.tune_ms -= passed
            if self.tune_ms <= 0:
                at = self.tune_at + 2
                if not self.tune[at]:
                    at = 0
                self.tune_at = at
                self.tune_ms += self.tune[at] * self.unit_ms
                if not self.priority or not self.effects_volume:
                    self.sound(self.tune[at + 1], self.music_volume)
        if not self.priority:
            return
        if self.left_ms > 0:
            self.left_ms -= passed
            if self.left_ms > 0:
                return
        if not NOTES[self.at] and self.phrase:
            self.begin(self.phrase)
        at = self.at
        if NOTES[at]:
            self.at = at + 2
            self.left_ms += NOTES[at] * UNIT_MS
            if self.effects_volume or not self.playing:
                self.sound(NOTES[at + 1], self.effects_volume)
        else:
            self.priority = 0
            self.sound_tune()
