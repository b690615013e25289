"""Fake CircuitPython's `board`: a Raspberry Pi Pico, or the board that the workbench names."""

import sys

from workbench import bench

board_id = bench.board_id

for _name, _number in bench.pin_names.items():
    setattr(sys.modules[__name__], _name, bench.pins[_number])
if bench.display is not None:
    DISPLAY = bench.display
