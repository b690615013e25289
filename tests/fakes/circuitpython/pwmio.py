"""Fake CircuitPython's `pwmio`: a PWM output with the slices of the RP2040 and the RP2350."""

from workbench import Pin, bench

MOST_HZ = 62_500_000  # half the clock of the chip


def slice_of(number: int) -> int:
    """Return the slice of a pin: four pins share one of the first eight, and one of the last four of an RP2350."""
    return number % 16 // 2 if number < 32 else 8 + number % 8 // 2


class PWMOut:
    """Record every (frequency, duty) of the pin."""

    def __init__(
        self, pin: Pin, *, duty_cycle: int = 0, frequency: int = 500, variable_frequency: bool = False
    ) -> None:
        if not 0 < frequency <= MOST_HZ:
            raise ValueError("Invalid frequency")
        for other in bench.outputs:
            if slice_of(other.pin.number) == slice_of(pin.number):
                same = other.frequency == frequency and not (variable_frequency or other.variable)
                if not same or other.pin.number % 2 == pin.number % 2:
                    raise RuntimeError("Internal resource(s) in use")
        pin.claim(self)
        self.pin = pin
        self.variable = variable_frequency
        self._frequency = frequency
        self._duty_cycle = duty_cycle
        self.history = [(frequency, duty_cycle)]
        bench.outputs.append(self)

    @property
    def frequency(self) -> int:
        return self._frequency

    @frequency.setter
    def frequency(self, hz: int) -> None:
        if not self.variable:
            raise AttributeError("PWM frequency not writable when variable_frequency is False on construction.")
        if not 8 <= hz <= MOST_HZ:
            raise ValueError("Invalid PWM frequency")
        self._frequency = hz
        self.history.append((hz, self._duty_cycle))

    @property
    def duty_cycle(self) -> int:
        """The high part of a period, in 1/65536."""
        return self._duty_cycle

    @duty_cycle.setter
    def duty_cycle(self, duty: int) -> None:
        if not 0 <= duty <= 65_535:
            raise ValueError("duty_cycle must be 0-65535")
        self._duty_cycle = duty
        self.history.append((self._frequency, duty))

    def deinit(self) -> None:
        self.pin.used_by = None
        bench.outputs.remove(self)
