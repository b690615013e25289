"""Fake CircuitPython's `board` of a Raspberry Pi Pico."""

import sys

from workbench import bench

board_id = "raspberry_pi_pico"

for _pin in bench.pins:
    setattr(sys.modules[__name__], f"GP{_pin.number}", _pin)
