"""Sound a piezo disc on a PWM pin."""

import pwmio

from firmware.compat import TYPE_CHECKING, const

if TYPE_CHECKING:
    from microcontroller import Pin

_REST_HZ = const(440)


class Piezo:
    """Play one square wave at a time on `pin`."""

    def __init__(self, pin: "Pin") -> None:
        self._pwm = pwmio.PWMOut(pin, frequency=_REST_HZ, duty_cycle=0, variable_frequency=True)
        self._hz = _REST_HZ

    def tone(self, hz: int, duty: int) -> None:
        """Sound `hz` until the next call, with `duty` 0..65535: 32768 is the loudest, 0 is silent."""
        if hz != self._hz:  # each assignment restarts the wave, even with the same frequency, and clicks
            self._pwm.frequency = hz
            self._hz = hz
        self._pwm.duty_cycle = duty

    def off(self) -> None:
        """Stop the sound and keep the pin."""
        self._pwm.duty_cycle = 0

    def deinit(self) -> None:
        self._pwm.deinit()


class Silence:
    """Stand in for the buzzer of a handheld without one."""

    def tone(self, hz: int, duty: int) -> None:
        """Do nothing."""

    def off(self) -> None:
        """Do nothing."""

    def deinit(self) -> None:
        """Do nothing."""
