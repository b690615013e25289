"""Fake CircuitPython's `audiobusio`: an I2S output that remembers what it plays."""

from typing import Any

from workbench import Pin, bench


class I2SOut:
    def __init__(self, bit_clock: Pin, word_select: Pin, data: Pin) -> None:
        if abs(word_select.number - bit_clock.number) != 1:
            raise ValueError("Bit clock and word select must be sequential GPIO pins")
        self.pins = (bit_clock, word_select, data)
        numbers = [pin.number for pin in self.pins]
        if min(numbers) < 16 and max(numbers) >= 32:  # one PIO reaches 32 pins
            raise ValueError("Cannot use GPIO0..15 together with GPIO32..47")
        for pin in self.pins:
            pin.claim(self)
        self.playing: Any = None
        bench.amplifiers.append(self)

    def play(self, sample: Any) -> None:
        self.playing = sample

    def deinit(self) -> None:
        """Let go of the pins."""
        for pin in self.pins:
            pin.used_by = None
