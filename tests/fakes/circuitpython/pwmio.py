"""Fake CircuitPython's `pwmio`: a PWM output with the limits of the RP2040."""

from workbench import Pin, bench


class PWMOut:
    """Record every (frequency, duty) of the pin."""

    def __init__(
        self, pin: Pin, *, duty_cycle: int = 0, frequency: int = 500, variable_frequency: bool = False
    ) -> None:
        pin.claim(self)
        self.pin = pin
        self._variable = variable_frequency
        self._frequency = frequency
        self._duty_cycle = duty_cycle
        self.history = [(frequency, duty_cycle)]
        if any(other.pin.number // 2 % 8 == pin.number // 2 % 8 for other in bench.outputs):
            raise ValueError("All timers for this pin are in use")
        bench.outputs.append(self)

    @property
    def frequency(self) -> int:
        return self._frequency

    @frequency.setter
    def frequency(self, hz: int) -> None:
        if not self._variable:
            raise AttributeError("PWM frequency not writable when variable_frequency is False on construction.")
        if not 8 <= hz <= 62_500_000:
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
