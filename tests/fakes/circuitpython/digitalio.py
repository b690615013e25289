"""Fake CircuitPython's `digitalio`: an input or an output on a pin of the workbench."""

from workbench import Pin, bench


class Pull:
    UP = "up"


class DigitalInOut:
    def __init__(self, pin: Pin) -> None:
        pin.claim(self)
        self._pin = pin

    def switch_to_input(self, pull: str | None = None) -> None:
        if pull != Pull.UP:
            raise ValueError("a button to ground wants the pull-up")

    def switch_to_output(self, value: bool = False) -> None:
        self._pin.level = bool(value)

    @property
    def value(self) -> bool:
        return self._pin.level

    @value.setter
    def value(self, level: bool) -> None:
        self._pin.level = bool(level)
        bench.switched.append((bench.now_ms, self._pin.number, self._pin.level))

    def deinit(self) -> None:
        self._pin.used_by = None
