"""Signal a problem by the board's LED; without a display also by the serial console and the piezo."""

import time

import board
import digitalio
import supervisor

from firmware.compat import TYPE_CHECKING, const
from firmware.device.piezo import Piezo, Silence

if TYPE_CHECKING:
    from firmware.contracts import Found
    from firmware.device.bus import Bus as OurBus

# Three blinks in three seconds. Only the first three rounds sound, because more would annoy.
_STEP_S = 0.02
_ROUND = const(150)  # steps
_BLINK = const(10)
_BLINKS_END = const(60)
_ROUNDS_HEARD = const(3)
_HZ = const(880)
_DUTY = const(16384)


class ProblemSignal:
    """Blink in steps of 20 ms; if `aloud`, also sound and print. A file saved on a PC restarts the game.

    The LED stays off if settings.toml gives its pin to another part.
    """

    lamp: "digitalio.DigitalInOut | None"
    buzzer: "Piezo | Silence"

    def __init__(self, found: "Found", aloud: bool = True) -> None:
        """Take the LED and the piezo if they exist and are free; `found` has the values of all keys."""
        supervisor.runtime.autoreload = True
        self.aloud = aloud
        self.steps = 0  # of this round
        self.rounds = 0
        self.lamp = None
        self.buzzer = Silence()
        led = getattr(board, "LED", None)
        for pin in found.values():
            if pin is led:
                led = None
        try:
            if led is not None:
                self.lamp = digitalio.DigitalInOut(led)
                self.lamp.switch_to_output()
            if aloud and found["BUZZER"] is not None:
                self.buzzer = Piezo(found["BUZZER"])
        except (ValueError, RuntimeError):
            pass  # in use, or another part has the PWM: skip it

    def step(self, line: str) -> None:
        """Run one step; print `line` at the beginning of each round."""
        if self.aloud and not self.steps:
            print(line)
        if self.steps < _BLINKS_END and not self.steps % _BLINK:
            on = not self.steps // _BLINK % 2
            if self.lamp is not None:
                self.lamp.value = on
            if on and self.rounds < _ROUNDS_HEARD:
                self.buzzer.tone(_HZ, _DUTY)
            else:
                self.buzzer.off()
        self.steps += 1
        if self.steps == _ROUND:
            self.steps = 0
            self.rounds += 1
        time.sleep(_STEP_S)

    def end(self) -> None:
        """Release the LED and the piezo."""
        if self.lamp is not None:
            self.lamp.deinit()
        self.buzzer.deinit()


def wait_for_display(bus: "OurBus", addresses: list[int], found: "Found") -> int:
    """Signal until a display answers; return its address."""
    words = " or ".join([hex(address) for address in addresses])
    signal = ProblemSignal(found)
    address = 0
    while not address:
        if bus.i2c is None:
            signal.step("no display on SKYLINE_SDA and SKYLINE_SCL: nothing pulls them up")
        else:
            signal.step("no display answers at " + words + ": look at VCC, GND, SDA and SCL")
        address = bus.find(addresses)
    signal.end()
    return address
