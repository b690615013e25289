"""Call for somebody by the board's LED, and where no display answers by the serial console and the piezo too."""

import time

import board
import digitalio
import supervisor

from firmware.compat import const
from firmware.device.piezo import Piezo, Silence

# Three blinks in three seconds; the first three times a tone with each, for later it only annoys.
_STEP_S = 0.02
_ROUND = const(150)  # steps
_BLINK = const(10)
_BLINKS_END = const(60)
_ROUNDS_HEARD = const(3)
_HZ = const(880)
_DUTY = const(16384)


class Distress:
    """Blink in steps of 20 ms, and aloud sound and print too; a file that a PC changes begins anew meanwhile.

    The LED is left alone where settings.toml gives its pin to another part.
    """

    lamp: "digitalio.DigitalInOut | None"
    buzzer: "Piezo | Silence"

    def __init__(self, found: dict, aloud: bool = True) -> None:
        """Take the LED and the piezo, as far as they are there and free; `found` has the values of all keys."""
        supervisor.runtime.autoreload = True
        self.aloud = aloud
        self.at = 0
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
        except ValueError:
            pass  # in use: the others are left

    def step(self, line: str) -> None:
        """Go on by one step; print `line` at the beginning of each round."""
        if self.aloud and not self.at:
            print(line)
        if self.at < _BLINKS_END and not self.at % _BLINK:
            on = not self.at // _BLINK % 2
            if self.lamp is not None:
                self.lamp.value = on
            if on and self.rounds < _ROUNDS_HEARD:
                self.buzzer.tone(_HZ, _DUTY)
            else:
                self.buzzer.off()
        self.at += 1
        if self.at == _ROUND:
            self.at = 0
            self.rounds += 1
        time.sleep(_STEP_S)

    def end(self) -> None:
        """Let go of the LED and the piezo."""
        if self.lamp is not None:
            self.lamp.deinit()
        self.buzzer.deinit()


def wait_for_display(bus, addresses: list, found: dict) -> int:
    """Return the address that answers at last; say meanwhile that none does."""
    words = " or ".join([hex(address) for address in addresses])
    distress = Distress(found)
    address = 0
    while not address:
        if bus.i2c is None:
            distress.step("no display on SKYLINE_SDA and SKYLINE_SCL: nothing pulls them up")
        else:
            distress.step("no display answers at " + words + ": look at VCC, GND, SDA and SCL")
        address = bus.find(addresses)
    distress.end()
    return address
