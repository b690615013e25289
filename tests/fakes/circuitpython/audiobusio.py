"""Fake CircuitPython's `audiobusio`: an I2S output that remembers what it plays."""

from typing import Any

from workbench import Pin, bench


class I2SOut:
    """Three pins to an amplifier."""

    def __init__(self, bit_clock: Pin, word_select: Pin, data: Pin) -> None:
        if word_select.number != bit_clock.number + 1:
            raise ValueError("Bit clock and word select must be sequential GPIO pins")
        self.pins = (bit_clock, word_select, data)
        for pin in self.pins:
            pin.claim(self)
        self.playing: Any = None
        bench.amplifiers.append(self)

    def play(self, sample: Any) -> None:
        """Play a synthesizer."""
        self.playing = sample

    def deinit(self) -> None:
        """Let go of the pins."""
        for pin in self.pins:
            pin.used_by = None
