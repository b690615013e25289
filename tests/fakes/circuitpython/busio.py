"""Fake CircuitPython's `busio`: an I2C bus with the chips of the workbench on it."""

from workbench import Pin, bench

from sim import bus


class I2C(bus.I2C):
    """Check the pins as the RP2040 does, then be a bus."""

    def __init__(self, scl: Pin, sda: Pin, *, frequency: int = 100_000, timeout: int = 255) -> None:
        # Peripheral n has SDA on 4k + 2n and SCL on the pin after it.
        if sda.number % 2 or scl.number % 2 == 0 or sda.number // 2 % 2 != scl.number // 2 % 2:
            raise ValueError("Invalid pins")
        if not bench.pull_ups:
            raise RuntimeError("No pull up found on SDA or SCL; check your wiring")
        sda.claim(self)
        scl.claim(self)
        super().__init__(*bench.chips)
        self.frequency = frequency
        self._pins = scl, sda

    def deinit(self) -> None:
        """Let go of the pins."""
        for pin in self._pins:
            pin.used_by = None
