"""Sound a tune or an effect by its name, as a handheld does."""

from firmware.sound.voice import TUNES, Voice
from sim.clock import VirtualClock
from sim.wave_file import WaveFile
from tools.assets import tunes

_FRAMES_HZ = 60
_PAUSE_FRAMES = 30  # between two effects


def list_effects() -> list[str]:
    """Return the names of the effects, in the order of their priority."""
    return [label.lower() for label, _notes in tunes.read_score(tunes.EFFECTS).bars]


def start_effect(voice: Voice, label: str, now_ms: int) -> None:
    """Start the effect of a name in the score."""
    named = tunes.read_score(tunes.EFFECTS).named
    if label in named:
        voice.tell_menu(named.index(label))
    else:
        voice.tell(1 << tunes.bit_of(label), now_ms)


def listen(name: str) -> WaveFile:
    """Return a handheld's sound at 60 frames a second: a tune played once, one effect, or all effects."""
    clock = VirtualClock()
    sound = WaveFile(clock)
    voice = Voice(sound)
    frames = 0

    def play(count: int = 1) -> None:
        nonlocal frames
        for _ in range(count):
            voice.update(clock.ticks_ms())
            frames += 1
            clock.passed_ms = frames * 1000 // _FRAMES_HZ

    voice.update(clock.ticks_ms())
    if name in TUNES:
        voice.play_tune(TUNES.index(name))
        play(sum(voice.tune[:-1:2]) * tunes.UNIT_MS * _FRAMES_HZ // 1000)
        return sound
    for label in list_effects() if name == tunes.EFFECTS else [name]:
        if frames:
            play(_PAUSE_FRAMES)
        start_effect(voice, label.upper(), clock.ticks_ms())
        while voice.priority:
            play()
    return sound
