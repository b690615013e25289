"""Record the sound of a handheld and write it as a WAV file."""

from __future__ import annotations

import wave
from array import array
from pathlib import Path

from sim.clock import VirtualClock
from sim.desktop.speaker import RATE_HZ, square_wave
from sim.ownership import output


class WaveFile:
    """A buzzer of a Device that records its square waves by the time of `clock`."""

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock
        self._notes: list[tuple[int, int, int]] = [(0, 0, 0)]  # (start in ms, hz, duty)

    def tone(self, hz: int, duty: int) -> None:
        """Sound `hz` with `duty` 1..65535 from now on; 32768 is a square, narrower is softer."""
        if self._notes[-1][1:] != (hz, duty):
            self._notes.append((self._clock.passed_ms, hz, duty))

    def off(self) -> None:
        self.tone(0, 0)

    def _list_samples(self, start_ms: int) -> array[int]:
        """Return the sound from `start_ms` until now, 16 bit at RATE_HZ."""
        samples = array("h")
        ends_ms = [begun_ms for begun_ms, _hz, _duty in self._notes[1:]] + [self._clock.passed_ms]
        for (begun_ms, hz, duty), end_ms in zip(self._notes, ends_ms, strict=True):
            count = end_ms * RATE_HZ // 1000 - max(begun_ms, start_ms) * RATE_HZ // 1000
            if count > 0:
                period = square_wave(hz, duty) if hz else array("h", [0])
                samples.extend((period * (count // len(period) + 1))[:count])
        return samples

    def save(self, path: Path, start_ms: int = 0) -> None:
        """Write the sound from `start_ms` until now, in mono; raise OSError if that fails."""
        samples = self._list_samples(start_ms)
        with output(path) as file, wave.open(file, "wb") as sound:
            sound.setnchannels(1)
            sound.setsampwidth(samples.itemsize)
            sound.setframerate(RATE_HZ)
            sound.writeframes(samples.tobytes())
