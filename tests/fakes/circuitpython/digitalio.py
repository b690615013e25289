"""Fake CircuitPython's `digitalio`: an input on a pin of the workbench."""

from workbench import Pin


class Pull:
    """What holds a pin while nothing else does."""

    UP = "up"


class DigitalInOut:
    """Read one pin."""

    def __init__(self, pin: Pin) -> None:
        pin.claim(self)
        self._pin = pin

    def switch_to_input(self, pull: str | None = None) -> None:
        """Let the pin be pulled up."""
        if pull != Pull.UP:
            raise ValueError("a button to ground wants the pull-up")

    @property
    def value(self) -> bool:
        """The level of the pin."""
        return self._pin.level

    def deinit(self) -> None:
        """Let go of the pin."""
        self._pin.used_by = None
