"""Fake CircuitPython's `board` of a Raspberry Pi Pico."""

import sys

from workbench import bench

board_id = "raspberry_pi_pico"

for _pin in bench.pins:
    setattr(sys.modules[__name__], f"GP{_pin.number}", _pin)
GP26_A0 = A0 = bench.pins[26]
LED = bench.pins[25]
if bench.display is not None:
    DISPLAY = bench.display
