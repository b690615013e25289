"""Fake the part of CircuitPython's `synthio` that plays one note."""

from array import array


class Note:
    """A tone that can change while it sounds."""

    def __init__(self, *, frequency: float, waveform: "array[int]", amplitude: float) -> None:
        self.frequency = frequency
        self.waveform = waveform
        self.amplitude = amplitude


class Synthesizer:
    def __init__(self, *, sample_rate: int) -> None:
        self.sample_rate = sample_rate
        self.pressed: list[Note] = []

    def press(self, note: Note) -> None:
        self.pressed.append(note)
