"""Sound the buzzer's square wave through the PC's loudspeaker (pygame.mixer)."""

from __future__ import annotations

from array import array
from functools import lru_cache
from typing import Any

from sim.desktop import native_output

RATE_HZ = 44_100
_PEAK = 5_000  # of 32,767: as loud as a piezo on a desk
_LEAST_SAMPLES = RATE_HZ // 20
FULL_DUTY = 65_536


class NoSpeaker:
    """A silent buzzer; `reason` says why, if the player did not ask for silence."""

    def __init__(self, reason: str = "") -> None:
        self.reason = reason

    def tone(self, hz: int, duty: int) -> None:
        """Stay silent."""

    def off(self) -> None:
        """Stay silent."""


class Speaker:
    """The buzzer of a Device: one square wave at a time, looped until the next call."""

    def __init__(self, mixer: Any) -> None:
        """Use `mixer`, pygame.mixer after its init()."""
        self._mixer = mixer
        self._channel = mixer.Channel(0)
        self._sounding = (0, 0)
        self._sound = lru_cache(maxsize=128)(self._make_sound)

    def tone(self, hz: int, duty: int) -> None:
        """Sound `hz` (20..20,000) with `duty` 0..65535; 32768 is a square, narrower is softer."""
        if not (20 <= hz <= 20_000 and 0 < duty < FULL_DUTY):
            self.off()
        elif self._sounding != (hz, duty):
            self._sounding = (hz, duty)
            self._channel.play(self._sound(hz, duty), loops=-1)

    def off(self) -> None:
        if self._sounding != (0, 0):
            self._sounding = (0, 0)
            self._channel.stop()

    def _make_sound(self, hz: int, duty: int) -> Any:
        return self._mixer.Sound(buffer=square_wave(hz, duty).tobytes())


def square_wave(hz: int, duty: int) -> array[int]:
    """Return whole periods of a square wave as 16-bit samples that can be looped without a seam.

    A sample is the mean of the wave over its time, not its value at one moment: high notes of
    a wave that jumps between samples would whistle. The mean of all samples is 0.
    """
    periods = max(1, -(-_LEAST_SAMPLES * hz // RATE_HZ))
    samples = round(periods * RATE_HZ / hz)
    whole = samples * FULL_DUTY  # one period in units that make every edge an integer
    high = duty * samples
    step = periods * FULL_DUTY
    bias = 2 * _PEAK * duty // FULL_DUTY

    def high_until(at: int) -> int:
        return at // whole * high + min(at % whole, high)

    return array(
        "h", [2 * _PEAK * (high_until((i + 1) * step) - high_until(i * step)) // step - bias for i in range(samples)]
    )


def open_speaker() -> Speaker | NoSpeaker:
    """Return a speaker, or a silent one that says why when the PC has no sound."""
    try:
        import pygame

        with native_output.silence():
            pygame.mixer.init(RATE_HZ, -16, 1, 512, allowedchanges=0)
        pygame.mixer.set_num_channels(1)
        return Speaker(pygame.mixer)
    except (ImportError, NotImplementedError, OSError, RuntimeError) as problem:  # pygame.error is a RuntimeError
        return NoSpeaker(str(problem))
