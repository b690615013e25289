"""Sound a piezo at a pin of a Raspberry Pi by PWM."""

import shlex
import sys
from typing import TYPE_CHECKING, Any

from sim import terminal
from sim.desktop.speaker import NoSpeaker

if TYPE_CHECKING:
    from firmware.contracts import Buzzer

PACKAGE = "Adafruit-Blinka-Raspberry-Pi-PWM==1.0.2"  # no extra has it: it needs a C compiler
_FAILURES = (ImportError, NotImplementedError, OSError, RuntimeError, ValueError)


class Sound:
    """Pass tones on to a piezo until it fails; then say so once and stay silent."""

    def __init__(self, piezo: "Any") -> None:
        self._piezo = piezo

    def tone(self, hz: int, duty: int) -> None:
        """Sound `hz` with `duty` 0..65535 until the next call."""
        try:
            self._piezo.tone(hz, duty)
        except _FAILURES as problem:
            self._fail(problem)

    def off(self) -> None:
        try:
            self._piezo.off()
        except _FAILURES as problem:
            self._fail(problem)

    def _fail(self, problem: Exception) -> None:
        self._piezo = NoSpeaker()
        terminal.note("sim", f"the sound stopped: {terminal.first_line(problem)}")


def open_sound(pin: Any) -> "Buzzer":
    """Return the piezo at `pin`, or silence: for None, or after a line that says why."""
    if pin is None:
        return NoSpeaker()
    try:
        # Blinka chooses its PWM by the board, when it is imported.
        from firmware.device.piezo import Piezo

        return Sound(Piezo(pin))
    except _FAILURES as problem:
        lacking = getattr(problem.__cause__, "name", "") == "adafruit_blinka_raspberry_pi_pwm"
        why = f"{shlex.quote(sys.executable)} -m pip install {PACKAGE}" if lacking else terminal.first_line(problem)
        terminal.note("sim", f'there is no sound ({why}); SKYLINE_BUZZER = "none" or --mute hides this message')
        return NoSpeaker()
