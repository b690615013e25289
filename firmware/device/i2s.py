"""Sound a piezo's tones on an I2S amplifier."""

from array import array

import audiobusio
import synthio

from firmware.compat import TYPE_CHECKING, const

if TYPE_CHECKING:
    from microcontroller import Pin

_REST_HZ = 440
_SAMPLES = const(32)  # of one wave
_PEAK = const(12_000)  # of 32,767: a square wave is loud
_LOUDEST = 32_768
_RATE_HZ = 22_050


class Amplifier:
    """Play one square wave at a time, like device/piezo.py."""

    def __init__(self, bit_clock: "Pin", word_select: "Pin", pin: "Pin") -> None:
        half = _SAMPLES // 2
        wave = array("h", [_PEAK] * half + [-_PEAK] * half)
        self._note = synthio.Note(frequency=_REST_HZ, waveform=wave, amplitude=0.0)
        self._synthesizer = synthio.Synthesizer(sample_rate=_RATE_HZ)
        self._out = audiobusio.I2SOut(bit_clock, word_select, pin)
        self._out.play(self._synthesizer)  # type: ignore[arg-type]  # the stubs forget it
        self._synthesizer.press(self._note)

    def tone(self, hz: int, duty: int) -> None:
        """Sound `hz` until the next call, with `duty` 0..65535: 32768 is the loudest, 0 is silent."""
        self._note.frequency = hz
        self._note.amplitude = duty / _LOUDEST

    def off(self) -> None:
        """Stop the sound and keep the pins."""
        self._note.amplitude = 0.0

    def deinit(self) -> None:
        self._out.deinit()
