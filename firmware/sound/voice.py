"""Sequence the buzzer's one voice: effects by their importance, and music where they leave it room.

Both are bytes: pairs of a length in units, 8 ms unless the music goes faster, and a note, counted
in semitones from 1 = C2 (0 is a rest); a length of 0 ends them.
"""

import sys

from firmware.compat import const, ticks_diff
from firmware.engine import events
from firmware.sound.effects import HEARD, NOTES, STARTS

TUNES = ("korobeiniki", "minuet", "mountain_king")

_UNIT_MS = const(8)
_LATE_MS = const(100)
_SOFT_MS = const(150)  # the slowest Soft Drop falls a row in 50 ms
_SOFTEST = const(1024)  # of a duty of 65536; twice it a step, up to the square wave
_MENU = const(1 << 23)
_PHRASE = events.LINES | events.T_SPIN | events.MINI_T_SPIN | events.BACK_TO_BACK
_FAINT = events.ELIMINATED | events.GENERATED

# C2 to B2 in tenths of a hertz; each octave doubles them.
_OCTAVE_DECIHERTZ = (654, 693, 734, 778, 824, 873, 925, 980, 1038, 1100, 1165, 1235)


def pitch_hz(note: int) -> int:
    """Return the frequency of a note counted from 1 = C2, equal temperament, in whole hertz."""
    note -= 1
    return ((_OCTAVE_DECIHERTZ[note % 12] << note // 12) + 5) // 10


class Voice:
    """Play effects and a tune on a buzzer as time passes; volumes change no timing.

    Music keeps time beneath the short effects of moves.  A line clear and more stop its clock:
    it goes on with what was left of the note they interrupted.  An effect whose volume is 0
    takes its time too; the note of the music holds through it.

    unit_ms: how fast a tune is played; 8 as it is written, 7 or 6 for higher levels.
    playing: whether the tune's clock may run.
    priority: the event bit whose effect sounds, or 0; phrase: the bits whose effects follow it.
    """

    def __init__(self, buzzer, muted: bool = False) -> None:
        self.buzzer = buzzer
        self.music_volume = 0 if muted else 3
        self.effects_volume = 0 if muted else 4
        self.priority = 0
        self.phrase = 0
        self.at = 0
        self.left_ms = 0
        self.tune = b""
        self.tune_at = 0
        self.tune_ms = 0
        self.unit_ms = _UNIT_MS
        self.playing = False
        self.last_ms = 0
        self.soft_ms = 0

    # -- effects -----------------------------------------------------------------------------

    def tell(self, happened: int, now_ms: int) -> None:
        """Start the effect of the most important event bit, unless a more important one is sounding.

        Event bits are in the order of importance, but for what comes by itself: rows that come down
        and a new Tetrimino are heard where nothing else is, and anything interrupts them.  A Soft
        Drop is heard when it begins, not at each row.  The end of a game ends its music.
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
            happened &= ~events.LOCKED  # its own sound says so
        if happened & events.GAME_OVER:
            self.stop_tune()
        if happened and happened >= self.priority:
            self.begin(happened)

    def tell_menu(self, sound: int) -> None:
        """Start the sound of a menu: 0 moved, 1 chosen, 2 gone back."""
        self.begin(_MENU << sound)

    def begin(self, happened: int) -> None:
        """Go to the effect of the highest bit; what else a Lock Down achieved follows it."""
        number = 0
        while happened >> number > 1:
            number += 1
        self.priority = 1 << number
        self.phrase = happened - self.priority & _PHRASE if self.priority & _PHRASE else 0
        self.at = STARTS[number]
        self.left_ms = 0

    # -- music -------------------------------------------------------------------------------

    def play_tune(self, number: int) -> None:
        """Load a tune, 0 to 2, from a module that nobody keeps, and play it over and over from its beginning.

        Not within a frame of play: an import allocates.
        """
        name = TUNES[number]
        path = "firmware.sound." + name
        __import__(path)
        self.tune = sys.modules[path].NOTES
        del sys.modules[path]
        if hasattr(sys.modules["firmware.sound"], name):
            delattr(sys.modules["firmware.sound"], name)
        # Before the first pair: there the note is the 0 that ends the tune, a rest.
        self.tune_at = -2
        self.tune_ms = 0
        self.playing = True

    def stop_tune(self) -> None:
        """End the music and let go of its notes."""
        self.tune = b""
        self.playing = False
        self.sound_tune()

    def resume_tune(self) -> None:
        """Go on with the music after `silence`, at the note where it stood."""
        self.playing = bool(self.tune)
        self.sound_tune()

    def sound_tune(self) -> None:
        """Sound the note where the music stands, unless an effect sounds."""
        if self.priority:
            return
        self.sound(self.tune[self.tune_at + 1] if self.playing else 0, self.music_volume)

    # -- both --------------------------------------------------------------------------------

    def set_volumes(self, music: int, effects: int) -> None:
        """Set both volumes, 0 (mute) to 5 (the loudest); what sounds follows at once."""
        self.music_volume = music
        self.effects_volume = effects
        self.sound_tune()

    def silence(self) -> None:
        """Stop whatever sounds; music stands still until `resume_tune`."""
        self.priority = 0
        self.playing = False
        self.buzzer.off()

    def sound(self, note: int, volume: int) -> None:
        """Sound a note; the narrower its pulse, the softer."""
        if note and volume:
            self.buzzer.tone(pitch_hz(note), _SOFTEST << volume)
        else:
            self.buzzer.off()

    def update(self, now_ms: int) -> None:
        """Go on to the notes that are due at `now_ms`; a frame that comes very late is not made up for."""
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
            self.left_ms += NOTES[at] * _UNIT_MS
            if self.effects_volume or not self.playing:
                self.sound(NOTES[at + 1], self.effects_volume)
        else:
            self.priority = 0
            self.sound_tune()
